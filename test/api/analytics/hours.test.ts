// Hourly statistics on a recording with forks, stretched to days: followed live, indexed in parts and in one run.
// Compared with the market at each hour's last block and with SQL over the trades.
import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import t from 'tap'
import { countHours } from '../../../indexer/derive/hours/count.ts'
import { indexChain } from '../../../indexer/run.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import type { BlockSource } from '../../../indexer/source/source.ts'
import { LinearSource, PROFILE } from '../../indexer/replay/index-recording.ts'
import type { ForksFile } from '../../indexer/replay/node-tables.ts'
import { StretchedSource } from '../../indexer/value/stretched.ts'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'
import { answers, snapshots } from './hour-answers.ts'

const fixtures = new URL('../../fixtures/recordings/', import.meta.url).pathname
const path = `${fixtures}forks.ship.gz`
const truth = JSON.parse(await readFile(`${fixtures}forks.json`, 'utf8')) as ForksFile
const HOUR = 3_600_000
/** Stretches 3.5 minutes to more than two days: about a dozen blocks an hour, and forks that cross hours. */
const FACTOR = 900
const SINCE = Date.parse('2026-11-21T00:16:00Z')

const trust = { stable: ['usdt-usdt.svc'], trusted: [{ token: 'alien.worlds' }], scam: [], minimumScore: 41 }
const valuation = { ...VALUATION, trust }
const stretched = (source: BlockSource) => new StretchedSource(source, FACTOR, SINCE)
const canonical = () => stretched(new LinearSource(path, Object.values(truth.canonical)))
const config = (chain: string) =>
  testChain(chain, 'dev', {
    trust,
    price: { source: 'fixed', usd: 1, decimals: 4, fallbacks: [], maxAgeMinutes: 1440 },
  })

async function index(url: string, chain: string, source: BlockSource, endBlock?: number): Promise<number> {
  let forks = 0
  await indexChain({
    ...{ chain, databaseUrl: url, source, endBlock, valuation, chainId: null, startBlock: 2 },
    ...{ accounts: { ...PROFILE, wrap: 'wrap.svc' }, systemAccount: 'eosio', tokenContracts: '*' as const },
    checksActions: false,
    signal: new AbortController().signal,
    events: {
      opened() {},
      committed() {},
      decoded() {},
      forked: () => void forks++,
      retrying(error) {
        throw error
      },
    },
  })
  return forks
}

t.test('the exchange hour by hour', async (t) => {
  const { url, pool } = await testDatabase(t)
  await index(url, 'wax', canonical())
  const taken = await snapshots(pool, 'wax')
  const blocks = (
    await pool.query(
      `select block_num::int4 as num, block_time as time from ledger.blocks where chain = 'wax' order by block_num`,
    )
  ).rows
  const [first, last] = [blocks[0]!.time.getTime(), blocks.at(-1)!.time.getTime()]
  const hours = (from: number, to: number) => {
    const all: number[] = []
    for (let hour = Math.floor(from / HOUR) * HOUR; hour + HOUR <= to; hour += HOUR) all.push(hour)
    return all
  }

  t.test('a snapshot for every completed hour, with the first block after it', async (t) => {
    t.ok(taken.length > 40)
    t.same(
      taken.map(({ hour }) => hour.getTime()),
      hours(first, last),
    )
    t.same(
      taken.map(({ block }) => block),
      taken.map(({ hour }) => blocks.find(({ time }) => time.getTime() >= hour.getTime() + HOUR)!.num),
    )
  })

  t.test('a snapshot is the state of the exchange after the last block of its hour', async (t) => {
    const some = [1, 9, 20, 33, taken.length - 1].map((place) => taken[place]!)
    for (const { block, swap, spot, pools, markets } of some) {
      const chain = `to-${block - 1}`
      await index(url, chain, canonical(), block - 1)
      const api = await testApi(t, { url, pool }, { chains: [config(chain)] })
      const { state } = api.contexts[0]!.market
      const { prices } = state!
      let inPools = 0n
      for (const one of state!.pools.values()) inPools += prices.poolUsd(one) ?? 0n
      t.equal(BigInt(swap.replace('.', '')), inPools, `pools at block ${block - 1}`)
      const offered = await pool.query(
        `select token, sum(amount)::text as amount from (
           select lower(case side when 'buy' then target_symbol else base_symbol end) || '-' ||
             case side when 'buy' then target_contract else base_contract end as token, bid_amount as amount
           from state.orders join state.markets using (chain, market_id) where chain = $1) o group by token`,
        [chain],
      )
      let inOrders = 0n
      for (const { token, amount } of offered.rows) {
        if (!prices.quote(token).isTrusted) continue
        const known = state!.tokens.get(token)!
        inOrders += prices.holdingUsd(known, BigInt(amount), known, 0n)
      }
      t.equal(BigInt(spot.replace('.', '')), inOrders, `orders at block ${block - 1}`)
      t.same([pools, markets], [state!.pools.size, state!.books.size])
    }
    t.ok(some.some(({ swap }) => Number(swap) > 0) && some.some(({ spot }) => Number(spot) > 0))
  })

  t.test('following live with forks and indexing with restarts give the same snapshots', async (t) => {
    t.equal(await index(url, 'live', stretched(new ReplaySource(path))), 12)
    t.same(await snapshots(pool, 'live'), taken)
    for (let end = 40; end < 349; end += 41) await index(url, 'pieces', canonical(), end)
    await index(url, 'pieces', canonical())
    t.same(await snapshots(pool, 'pieces'), taken)
  })

  await answers(t, pool, await testApi(t, { url, pool }, { chains: [config('wax')] }), last, 'not counted yet')

  t.test('irreversible hours are counted once', async (t) => {
    // First up to the middle, then to the end.
    await pool.query(`update meta.position set lib_num = 150 where chain = 'wax'`)
    const half = taken.filter(({ block }) => block <= 150).length
    t.equal(await countHours({ chain: 'wax', databaseUrl: url }), half)
    await pool.query(`update meta.position set lib_num = block_num where chain = 'wax'`)
    t.equal(await countHours({ chain: 'wax', databaseUrl: url }), taken.length - half)
    t.equal(await countHours({ chain: 'wax', databaseUrl: url }), 0)
    const { rows } = await pool.query(`
      select t.hour, swap_volume = coalesce(s.usd, 0) and swap_trades = coalesce(s.trades, 0) and swap_fees = coalesce(s.fees, 0)
        and spot_volume = coalesce(d.usd, 0) and spot_trades = coalesce(d.trades, 0) and spot_fees = coalesce(d.fees, 0)
        and day_users = (select count(distinct account) from (
          select block_time, unnest(array[sender, recipient]) as account from ledger.swaps where chain = 'wax'
          union all select block_time, unnest(array[bidder, asker]) from ledger.deals where chain = 'wax'
          union all select block_time, owner from ledger.position_events where chain = 'wax') u
          where block_time >= t.hour - interval '23 hours' and block_time < t.hour + interval '1 hour'
            and account not in ('swap.svc', 'svcdexmain')) as same
      from derive.hour_totals t
      left join lateral (select sum(usd) as usd, count(*) as trades, sum(usd * fee) / 1000000 as fees from ledger.swaps
        join state.pools using (chain, pool_id) where chain = 'wax' and block_time >= t.hour and block_time < t.hour + interval '1 hour') s on true
      left join lateral (select sum(usd) as usd, count(*) as trades, sum(usd * fee) / 10000 as fees from ledger.deals
        join state.markets using (chain, market_id) where chain = 'wax' and block_time >= t.hour and block_time < t.hour + interval '1 hour') d on true
      where t.chain = 'wax' order by t.hour`)
    t.equal(rows.length, taken.length)
    t.same(
      rows.filter(({ same }) => !same),
      [],
    )
    const users = await pool.query(
      `select count(distinct hour)::int4 as hours from derive.hour_users where chain = 'wax'`,
    )
    t.ok(users.rows[0].hours <= 24, 'who used it is kept for a day')
  })

  await answers(t, pool, await testApi(t, { url, pool }, { chains: [config('wax')] }), last, 'counted')

  t.test('every statistic of a chain that is followed live, with forks or with stops, equals a replay', async (t) => {
    t.ok((await givenUpHours(pool)) > 0, 'forks across the beginning of an hour')
    await pool.query(`update meta.position set lib_num = block_num where chain = 'live'`)
    await countHours({ chain: 'live', databaseUrl: url })
    // The same counts as by hourly counting.
    for (const { block } of taken) {
      await pool.query(`update meta.position set lib_num = $1 where chain = 'pieces'`, [block])
      await countHours({ chain: 'pieces', databaseUrl: url })
    }
    for (const [table, columns] of [
      ['ledger.hour_snapshots', 'hour, block_num, block_time, swap_locked, spot_locked, pools, markets'],
      ['derive.hour_totals', '*'],
      ['derive.hour_users', 'hour, account'],
      ['derive.candles', '*'],
      ['ledger.usd_prices', '*'],
      ['ledger.swaps', '*'],
      ['ledger.deals', '*'],
    ] as const) {
      const of = async (chain: string) =>
        (
          await pool.query(
            `select (to_jsonb(t) - 'chain')::text as row from (select ${columns} from ${table} where chain = $1) t order by 1`,
            [chain],
          )
        ).rows.map(({ row }) => row)
      const replayed = await of('wax')
      t.ok(replayed.length > 0, table)
      for (const chain of ['live', 'pieces']) t.strictSame(await of(chain), replayed, `${table} of ${chain}`)
    }
  })
})

/** Orphaned blocks that were the first of their hour: their snapshot was removed. */
async function givenUpHours(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::int4 as blocks from ledger.orphaned_blocks o join ledger.blocks b on b.chain = 'live' and b.block_num = o.block_num - 1
     where o.chain = 'live' and date_trunc('hour', o.block_time, 'UTC') > date_trunc('hour', b.block_time, 'UTC')`,
  )
  return rows[0].blocks
}
