// The exchange hour by hour, on a recording with forks that is stretched to hours: live, in pieces and in one go, against
// the market as it was at each hour's last block and SQL over the trades.
import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import t, { type Test } from 'tap'
import { countHours } from '../../../indexer/derive/hours/count.ts'
import { indexChain } from '../../../indexer/run.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import type { BlockSource } from '../../../indexer/source/source.ts'
import { LinearSource, PROFILE } from '../../indexer/replay/index-recording.ts'
import type { ForksFile } from '../../indexer/replay/node-tables.ts'
import { StretchedSource } from '../../indexer/value/stretched.ts'
import { type TestApi, testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'

const fixtures = new URL('../../fixtures/recordings/', import.meta.url).pathname
const path = `${fixtures}forks.ship.gz`
const truth = JSON.parse(await readFile(`${fixtures}forks.json`, 'utf8')) as ForksFile
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The recording's 3.5 minutes become two days and a bit: an hour has a dozen blocks, and forks lie across hours. */
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

interface Snapshot {
  hour: Date
  block: number
  swap: string
  spot: string
  pools: number
  markets: number
}

async function snapshots(pool: Pool, chain: string): Promise<Snapshot[]> {
  const { rows } = await pool.query(
    `select hour, block_num::int4 as block, swap_locked::text as swap, spot_locked::text as spot, pools, markets
     from ledger.hour_snapshots where chain = $1 order by hour`,
    [chain],
  )
  return rows
}

t.test('the exchange hour by hour', async (t) => {
  const { url, pool } = await testDatabase(t)
  await index(url, 'wax', canonical())
  const taken = await snapshots(pool, 'wax')
  const blocks = (
    await pool.query(
      `select block_num::int4 as num, block_time as time from ledger.blocks where chain = 'wax' order by block_num`,
    )
  ).rows as { num: number; time: Date }[]
  const [first, last] = [blocks[0]!.time.getTime(), blocks.at(-1)!.time.getTime()]
  const hours = (from: number, to: number) => {
    const all: number[] = []
    for (let hour = Math.floor(from / HOUR) * HOUR; hour + HOUR <= to; hour += HOUR) all.push(hour)
    return all
  }

  t.test('a snapshot for every hour that is over, with the first block behind it', async (t) => {
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

  t.test('it is the exchange as the last block of the hour left it', async (t) => {
    const some = [1, 9, 20, 33, taken.length - 1].map((place) => taken[place]!)
    for (const { block, swap, spot, pools, markets } of some) {
      const chain = `to-${block - 1}`
      await index(url, chain, canonical(), block - 1)
      const api = await testApi(t, { url, pool }, { chains: [config(chain)] })
      const { state } = api.contexts[0]!.market
      const { prices } = state!
      let inPools = 0n
      for (const one of state!.pools.values()) inPools += prices.poolUsd(one)
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

  t.test('live with forks, and in pieces with restarts, it comes out the same', async (t) => {
    t.equal(await index(url, 'live', stretched(new ReplaySource(path))), 12)
    t.same(await snapshots(pool, 'live'), taken)
    for (let end = 40; end < 349; end += 41) await index(url, 'pieces', canonical(), end)
    await index(url, 'pieces', canonical())
    t.same(await snapshots(pool, 'pieces'), taken)
  })

  await answers(t, pool, await testApi(t, { url, pool }, { chains: [config('wax')] }), last, 'not counted yet')

  t.test('irreversible hours are counted once', async (t) => {
    // Up to its middle, then all of it.
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

  t.test('every statistic of a chain followed live, with forks or with stops, is that of a replay', async (t) => {
    t.ok((await givenUpHours(pool)) > 0, 'forks across the beginning of an hour')
    await pool.query(`update meta.position set lib_num = block_num where chain = 'live'`)
    await countHours({ chain: 'live', databaseUrl: url })
    // As it would have been counted hour by hour.
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
    ]) {
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

/** Blocks that a fork gave up and that were the first of an hour: their snapshot was taken back. */
async function givenUpHours(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::int4 as blocks from ledger.orphaned_blocks o join ledger.blocks b on b.chain = 'live' and b.block_num = o.block_num - 1
     where o.chain = 'live' and date_trunc('hour', o.block_time, 'UTC') > date_trunc('hour', b.block_time, 'UTC')`,
  )
  return rows[0].blocks
}

/** Sums over trades from one moment to before another, from the ledger. */
async function sums(pool: Pool, from: number, before: number) {
  const { rows } = await pool.query(
    `select coalesce((select sum(usd) from ledger.swaps where chain = 'wax' and block_time >= $1 and block_time < $2), 0)::float8 as "swapVolume",
       coalesce((select sum(usd) from ledger.deals where chain = 'wax' and block_time >= $1 and block_time < $2), 0)::float8 as "spotVolume",
       coalesce((select sum(usd * fee / 1000000) from ledger.swaps join state.pools using (chain, pool_id)
         where chain = 'wax' and block_time >= $1 and block_time < $2), 0)::float8 as "swapFees",
       coalesce((select sum(usd * fee / 10000) from ledger.deals join state.markets using (chain, market_id)
         where chain = 'wax' and block_time >= $1 and block_time < $2), 0)::float8 as "spotFees",
       (select count(*) from ledger.swaps where chain = 'wax' and block_time >= $1 and block_time < $2)::int4 as swaps,
       (select count(*) from ledger.deals where chain = 'wax' and block_time >= $1 and block_time < $2)::int4 as deals`,
    [new Date(from), new Date(before)],
  )
  return rows[0] as Record<'swapVolume' | 'spotVolume' | 'swapFees' | 'spotFees' | 'swaps' | 'deals', number>
}

const close = (x: number, y: number) => Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y))

async function answers(t: Test, pool: Pool, api: TestApi, last: number, when: string): Promise<void> {
  const get = async (path: string) => {
    const answer = await api.get(path)
    t.equal(answer.status, 200, path)
    return answer.body
  }
  const end = Math.floor(last / HOUR) * HOUR
  const latest = (await snapshots(pool, 'wax')).at(-1)!
  const usersOfDay = async (before: number) => {
    const { rows } = await pool.query(
      `select count(distinct account)::int4 as users from (
         select block_time, unnest(array[sender, recipient]) as account from ledger.swaps where chain = 'wax'
         union all select block_time, unnest(array[bidder, asker]) from ledger.deals where chain = 'wax'
         union all select block_time, owner from ledger.position_events where chain = 'wax') u
       where block_time >= $1 and block_time < $2 and account not in ('swap.svc', 'svcdexmain')`,
      [new Date(before - DAY), new Date(before)],
    )
    return rows[0].users as number
  }

  t.test(`V2A-01 V2A-02 V2A-03 global statistics, ${when}`, async (t) => {
    for (const [resolution, length] of [
      ['1D', DAY],
      ['1W', 7 * DAY],
      ['1M', 30 * DAY],
    ] as const) {
      const found = await get(`/api/v2/analytics/global?resolution=${resolution}`)
      const wanted = await sums(pool, end - length, end)
      t.equal(found._id, 'wax')
      for (const [name, value] of Object.entries({
        swapTradingVolume: wanted.swapVolume,
        spotTradingVolume: wanted.spotVolume,
        totalTradingVolume: wanted.swapVolume + wanted.spotVolume,
        swapFees: wanted.swapFees,
        spotFees: wanted.spotFees,
        swapTransactions: wanted.swaps,
        spotTransactions: wanted.deals,
        swapValueLocked: Number(latest.swap),
        spotValueLocked: Number(latest.spot),
        totalValueLocked: Number(latest.swap) + Number(latest.spot),
        totalLiquidityPools: latest.pools,
        totalSpotPairs: latest.markets,
      }))
        t.ok(close(found[name], value), `${name} of ${resolution}: ${found[name]} is ${value}`)
      const days: number[] = []
      const first = (await snapshots(pool, 'wax'))[0]!.hour.getTime()
      for (let hour = Math.max(first, end - length); hour < end; hour += HOUR) days.push(await usersOfDay(hour + HOUR))
      t.ok(close(found.dailyActiveUsers, days.reduce((x, y) => x + y, 0) / days.length), 'users')
      t.ok(found.swapTransactions > 0)
    }
    t.same(await get('/api/v2/analytics/global'), await get('/api/v2/analytics/global?resolution=1D'))
    for (const none of ['x', 'toString', '__proto__'])
      t.same(await get(`/api/v2/analytics/global?resolution=${none}`), await get('/api/v2/analytics/global'), none)
  })

  t.test(`V2A-04 V2A-05 V2A-06 V2A-07 NS-04 volume of a range, ${when}`, async (t) => {
    const day = Math.floor(end / DAY) * DAY - DAY
    const of = (from: number, before: number) =>
      get(`/api/v2/analytics/volume?start_time=${from / 1000}&end_time=${before / 1000}`)
    const full = await of(day, day + DAY)
    const wanted = await sums(pool, day, day + DAY)
    t.match(full, { start_time: day / 1000, end_time: (day + DAY) / 1000, buckets: 24 })
    for (const name of ['swapVolume', 'spotVolume', 'swapFees', 'spotFees'] as const)
      t.ok(close(full[name], wanted[name]), name)
    t.ok(close(full.volume, wanted.swapVolume + wanted.spotVolume) && full.volume > 0)
    t.ok(close(full.fees, wanted.swapFees + wanted.spotFees))
    t.equal((await of(end - 3 * HOUR, end + DAY)).buckets, 3, 'partly covered')
    t.equal((await of(day + 1000, day + 3 * HOUR)).buckets, 2, 'only whole hours')
    t.match(await of(0, DAY), { volume: 0, fees: 0, swapVolume: 0, spotFees: 0, buckets: 0 })
    const status = async (query: string) => (await api.get(`/api/v2/analytics/volume?${query}`)).status
    for (const query of [
      '',
      'start_time=1',
      'end_time=1',
      'start_time=2&end_time=2',
      'start_time=3&end_time=2',
      'start_time=a&end_time=2',
    ])
      t.equal(await status(query), 400, query)
    t.equal(await status('start_time=1&end_time=1e300'), 400)
  })

  t.test(`V2A-08 V2A-09 points, ${when}`, async (t) => {
    const all = await snapshots(pool, 'wax')
    for (const [resolution, count] of [
      ['1D', 24],
      ['1W', 168],
      ['1M', 720],
    ] as const) {
      const points = await get(`/api/v2/analytics/charts?resolution=${resolution}`)
      const wanted = all.slice(-count)
      t.same(
        points.map((one: { _id: string }) => one._id),
        wanted.map(({ hour }) => hour.toISOString()),
      )
      for (const [i, one] of points.entries()) {
        const { hour, swap, spot } = wanted[i]!
        t.ok(close(one.totalValueLocked, Number(swap) + Number(spot)))
        if (i % 7 !== 0) continue
        const traded = await sums(pool, hour.getTime(), hour.getTime() + HOUR)
        t.ok(close(one.swapTradingVolume, traded.swapVolume) && one.spotTransactions === traded.deals, one._id)
        t.equal(one.dailyActiveUsers, await usersOfDay(hour.getTime() + HOUR))
      }
    }
    const days = await get('/api/v2/analytics/charts?resolution=ALL')
    const starts = [...new Set(all.map(({ hour }) => Math.floor(hour.getTime() / DAY) * DAY))]
    t.same(
      days.map((one: { _id: string }) => one._id),
      starts.map((start) => new Date(start).toISOString()),
    )
    for (const one of days) {
      const start = Date.parse(one._id)
      const traded = await sums(pool, start, Math.min(start + DAY, end))
      t.ok(close(one.swapTradingVolume, traded.swapVolume), `volume of ${one._id}`)
      const left = all.filter(({ hour }) => hour.getTime() < start + DAY).at(-1)!
      t.ok(close(one.swapValueLocked, Number(left.swap)))
    }
    t.equal((await api.get('/api/v2/analytics/charts')).status, 400)
    t.equal((await api.get('/api/v2/analytics/charts?resolution=x')).status, 400)
  })

  t.test(
    `GC-01 GC-02 GC-03 GC-04 GC-05 GC-06 GC-07 GC-08 GC-09 GC-10 GC-11 NS-12 charts of the whole exchange, ${when}`,
    async (t) => {
      const all = await snapshots(pool, 'wax')
      const lengths = { '1h': HOUR, '4h': 4 * HOUR, '1d': DAY, '1w': 7 * DAY }
      const spans = { '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY, '90d': 90 * DAY }
      for (const [window, span] of Object.entries(spans))
        for (const [resolution, length] of Object.entries(lengths)) {
          const { meta, charts, items } = await get(
            `/api/v3/analytics/global/charts?window=${window}&resolution=${resolution}`,
          )
          t.match(meta, { chain: 'wax', window, baseToken: 'wax-eosio.token' })
          const starts = items.map((one: { t: string }) => Date.parse(one.t)) as number[]
          t.ok(
            starts.every((start, i) => i === 0 || start - starts[i - 1]! === length),
            'every bucket',
          )
          // The fourth of January 1970 was a Sunday.
          t.ok(
            starts.every((start) => (start - 4 * DAY) % length === 0),
            `${resolution} on its boundary`,
          )
          t.ok(starts.at(-1)! <= last && last < starts.at(-1)! + length, 'the last is in progress')
          t.ok(starts[0]! <= last - span && starts[0]! > last - span - length, 'the first is whole')
          for (const name of ['tvl', 'volume', 'fees', 'swapVolume', 'spotVolume', 'swapFees', 'spotFees'])
            t.same(
              charts[name],
              items.map((one: Record<string, unknown>) => ({ t: one.t, v: one[name] })),
              name,
            )
          for (const [i, one] of items.entries()) {
            const start = starts[i]!
            if (i % 60 === 0 || i === items.length - 1) {
              const traded = await sums(pool, start, start + length)
              for (const name of ['swapVolume', 'spotVolume', 'swapFees', 'spotFees'] as const)
                t.ok(close(one[name], traded[name]), `${name} from ${one.t} by ${resolution}`)
            }
            const left = all.filter(({ hour }) => hour.getTime() < start + length).at(-1)
            t.ok(close(one.tvl, left === undefined ? 0 : Number(left.swap) + Number(left.spot)), `tvl of ${one.t}`)
          }
        }
      const usual = await get('/api/v3/analytics/global/charts')
      t.same([usual.meta.window, usual.items.length], ['30d', 31])
      t.same((await get('/api/v3/analytics/global/charts?window=x&resolution=y')).items, usual.items, 'GC-10')
      const whole = await get('/api/v3/analytics/global/charts?window=all&resolution=1h')
      t.equal(whole.items[0].t, all[0]!.hour.toISOString())
    },
  )

  t.test(`GC-08 more points than can be answered, ${when}`, async (t) => {
    const { state } = api.contexts[0]!.market
    const { since } = state!
    // Exactly 5000 hours, and one more.
    state!.since = Math.floor(last / HOUR) * HOUR - 4999 * HOUR
    const path = '/api/v3/analytics/global/charts?window=all&resolution=1h'
    // Another address than before: that answer is kept for as long as the block is the same.
    t.equal((await get(`${path}&again=1`)).items.length, 5000)
    state!.since -= 1
    const { status, body } = await api.get(path)
    t.equal(status, 400)
    t.match(body.message, /5001 points/)
    state!.since = since
  })
}
