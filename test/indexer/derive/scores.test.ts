// Scores of a chain of a hundred days, compared with the raw rows.
import type { Pool } from 'pg'
import t from 'tap'
import { type ScoredChain, scoreHour } from '../../../indexer/derive/scores/score-hour.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { NOW, writeScene } from '../../api/exchange/scene.ts'
import { testDatabase } from '../../support/database.ts'
import { scoreAt } from '../../support/score.ts'
import { VALUATION } from '../../support/valuation.ts'
import { indexExchange } from '../replay/index-recording.ts'
import { expectedPrices, expectedWindows, rawTrades } from './expected-score.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const [WAX, TLM, USDT, NFT] = ['wax-eosio.token', 'tlm-alien.worlds', 'usdt-usdt.svc', 'nft-nfts.dev'] as const
/** Time of the last block. */
const HEAD_TIME = NOW - 2 * HOUR - 17 * 60_000
const LATEST = Math.floor(HEAD_TIME / HOUR) * HOUR
const EXCHANGE = ['swap.svc', 'svcdexmain']

function scored(chain: string, tokenContracts: '*' | string[] = '*'): ScoredChain {
  // No token is trusted by its score.
  const trust = { ...VALUATION.trust, stable: [USDT], minimumScore: 101 }
  return {
    chain,
    valuation: { ...VALUATION, trust },
    scores: { usdToken: USDT, exchange: EXCHANGE, tokenContracts },
  }
}

/** Many traders instead of five, holders, and a price of 0.05 USD. */
async function populate(pool: Pool, chain: string): Promise<void> {
  await writeScene(pool, chain)
  await pool.query(
    `update ledger.swaps set sender = 'trader' || global_seq % 211 where chain = $1 and sender <> 'swap.svc'`,
    [chain],
  )
  await pool.query(
    `insert into state.balances (chain, contract, symbol, account, decimals, amount)
     select $1, 'alien.worlds', 'TLM', 'holder' || n, 4, n % 3 from generate_series(1, 999) n
     union all values ($1, 'eosio.token', 'WAX', 'swap.svc', 8::int2, 60000000000000000::int8), ($1, 'eosio.token', 'WAX', 'svcdexmain', 8, 777),
       ($1, 'eosio.token', 'WAX', 'alice', 8, 1), ($1, 'other.dev', 'TLM', 'alice', 4, 1)`,
    [chain],
  )
  await pool.query(
    `insert into ledger.usd_prices (chain, block_num, block_time, usd, source) values ($1, 5, $2, 0.05, 'test'), ($1, 98999999, $2, 99, 'test')`,
    [chain, new Date(NOW)],
  )
  await advance(pool, chain, HEAD_TIME)
}

/** Sets the time of the chain's last block. */
async function advance(pool: Pool, chain: string, time: number): Promise<void> {
  const block = 1000 + Math.floor((time - (NOW - 100 * DAY)) / 500)
  await pool.query(
    `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
     values ($1, $2, sha256(int8send($2)), sha256(int8send($2)), $3, 'eosio') on conflict do nothing`,
    [chain, block, new Date(time)],
  )
  await pool.query(
    `update meta.position set block_num = $2, block_time = $3, block_id = encode(sha256(int8send($2)), 'hex') where chain = $1`,
    [chain, block, new Date(time)],
  )
}

// biome-ignore lint/suspicious/noExplicitAny: details are compared member by member.
async function details(pool: Pool, chain: string): Promise<Record<string, any>> {
  const { rows } = await pool.query(
    `select token_id, details from derive.token_scores where chain = $1 and valid_from = (
       select max(valid_from) from derive.token_scores where chain = $1)`,
    [chain],
  )
  return Object.fromEntries(rows.map(({ token_id: token, details }) => [token, details]))
}

t.test('scores of an hour', async (t) => {
  const { url, pool } = await testDatabase(t)
  await populate(pool, 'wax')
  await scoreAt(url, scored('wax'), LATEST)
  const scores = await details(pool, 'wax')
  t.equal(Object.keys(scores).length, 4)
  const trades = await rawTrades(pool, 'wax')
  const near = (
    t: { ok(value: boolean, name: string): unknown },
    found: number | null,
    wanted: number | null,
    name: string,
  ) =>
    t.ok(
      found === wanted || Math.abs((found as number) / (wanted as number) - 1) < 1e-6,
      `${name}: ${found}, ${wanted}`,
    )

  t.test('TOK-17 metrics and trends equal the raw trades', async (t) => {
    for (const token of [WAX, TLM, USDT]) {
      const { metrics, components, updatedAt, ...score } = scores[token]
      const expected = expectedWindows(trades, token, LATEST, EXCHANGE)
      t.ok(expected.trades > 50 && expected.traders > 20)
      t.match(metrics, { uniqueTraders: expected.traders, tradesCount: expected.trades })
      near(t, metrics.volumeUsd, expected.volumeUsd, 'volume')
      near(t, metrics.avgDailyTrades, Math.round((expected.trades / 30) * 1e4) / 1e4, 'average')
      near(t, score.volumeUsd7d, expected.trends.volumeUsd7d, 'volume of a week')
      t.match(score, { ...expected.trends, volumeUsd7d: Number })
      t.equal(updatedAt, new Date(HEAD_TIME).toISOString())
      t.equal(components.traders, Math.round((25 * expected.traders) / 5) / 100)
    }
  })

  t.test('prices come from the pool with the USD token, else with the system token', async (t) => {
    const { rows } = await pool.query(
      `select pool_id::int as id, sqrt_price_x64::float8 / 2 ^ 64 as root from ledger.pool_creations`,
    )
    const first = (id: number) => rows.find((row) => row.id === id).root
    const cases = [
      [WAX, { pool: 3, scale: 100, isA: true, created: NOW - 95 * DAY, first: first(3) }],
      [USDT, { pool: 3, scale: 100, isA: false, created: NOW - 95 * DAY, first: first(3) }],
      // The inactive pool has the largest reserves.
      [TLM, { pool: 1, scale: 1e-4, isA: true, created: NOW - 60 * DAY, first: first(1) }],
    ] as const
    for (const [token, at] of cases) {
      const { metrics, ...score } = scores[token]
      const { now, high, changes } = expectedPrices(trades, at, LATEST)
      t.equal(metrics.stabilityPoolId, at.pool, token)
      t.ok(Math.abs(metrics.currentPrice - now) < 1e-8 + now * 1e-9, `${metrics.currentPrice}, ${now}`)
      t.ok(Math.abs(metrics.rollingHigh30d - high) < 1e-8 + high * 1e-9, `${metrics.rollingHigh30d}, ${high}`)
      t.ok(Math.abs(metrics.drawdown30d - now / high) < 1e-6)
      t.same(
        [score.priceChange7dPct, score.priceChange30dPct, score.priceChange90dPct],
        changes.map((change) => (change === null ? null : Math.round(change * 100) / 100)),
      )
    }
  })

  t.test('TVL is the value of the contracts’ holdings, or half the value of the pools', async (t) => {
    // Prices as of now: the newest price in the pools' rows. WAX is worth 0.05 USD; only WAX and USDT are trusted.
    const { rows } = await pool.query(
      `select pool_id::int as id, (sqrt_price_x64::float8 / 2 ^ 64) ^ 2 as price from state.pools`,
    )
    const usdtInUsd = 0.05 / (rows.find(({ id }) => id === 3).price * 100)
    const pool3 = 900_000 * 0.05 + 45_000 * usdtInUsd
    const tlm = [1_200_000, 21_000_000, 210].reduce((sum, wax) => sum + 2 * wax * 0.05, 0)
    near(t, scores[USDT].metrics.tvlUsd, pool3 / 2, USDT)
    near(t, scores[TLM].metrics.tvlUsd, tlm / 2, TLM)
    near(t, scores[WAX].metrics.tvlUsd, 600_000_000 * 0.05, WAX)
  })

  t.test('holders are accounts with a balance of exactly this token', async (t) => {
    t.same(
      [WAX, TLM, USDT, NFT].map((token) => [scores[token].metrics.holdersCount, scores[token].holders]),
      [
        [3, 3],
        [666, 666],
        [0, 0],
        [0, 0],
      ],
    )
    t.equal(scores[TLM].components.holders, 6.66)
  })

  t.test('age is in whole days since the first pool or deal', async (t) => {
    for (const [token, first] of [
      [TLM, NOW - 97 * DAY],
      [USDT, Math.min(NOW - 95 * DAY, trades.find(({ tokens }) => tokens.includes(USDT))?.time ?? NOW)],
      [NFT, NOW - 3 * DAY],
    ] as const) {
      t.equal(scores[token].firstSeenAt, new Date(first).toISOString())
      t.equal(scores[token].ageDays, Math.floor((LATEST - first) / DAY))
    }
  })

  t.test('a token without trades has score 0', async (t) => {
    const { score, capsApplied, metrics } = scores[NFT]
    t.same([score, capsApplied, metrics.tradesCount], [0, ['trades_count_eq_0'], 0])
    const { rows } = await pool.query('select token_id, score from derive.score_snapshots order by token_id')
    t.same(
      rows,
      [TLM, USDT, WAX].map((token) => ({ token_id: token, score: scores[token].score })),
    )
    t.ok(rows.every(({ score }) => score > 0))
  })

  t.test('scoring an hour again replaces its rows', async (t) => {
    const tables = ['score_snapshots', 'token_scores', 'holder_samples', 'token_hours', 'token_trader_hours']
    const rows = async () => {
      const all = tables.map((name) => pool.query(`select to_jsonb(x)::text as row from derive.${name} x order by 1`))
      return (await Promise.all(all)).map((found) => found.rows)
    }
    const before = await rows()
    t.ok(before.every((found) => found.length > 0))
    await scoreAt(url, scored('wax'), LATEST)
    t.same(await rows(), before)
  })

  t.test('a process that lost the chain writes no scores', async (t) => {
    const client = await pool.connect()
    const made = scoreHour(client, scored('wax'), {
      hour: LATEST + HOUR,
      at: { num: 99_000_000, id: 'ab'.repeat(32) },
      since: LATEST + HOUR,
    })
    await t.rejects(made, { code: 'WRITER_FENCED' })
    client.release()
    const { rows } = await pool.query('select max(valid_from) as last from derive.score_snapshots')
    t.equal(rows[0].last.getTime(), LATEST)
  })
})

t.test('scoring hour by hour equals scoring all hours at once', async (t) => {
  const { url, pool } = await testDatabase(t)
  for (const chain of ['gradual', 'hourly', 'whole']) await populate(pool, chain)
  for (let at = LATEST - 33 * DAY; at < LATEST; at += 31 * HOUR) {
    await advance(pool, 'gradual', at)
    await scoreAt(url, scored('gradual'), at + HOUR)
  }
  for (let at = LATEST - 30 * HOUR; at < LATEST - HOUR; at += HOUR) {
    await advance(pool, 'hourly', at)
    await scoreAt(url, scored('hourly'), at + HOUR, LATEST - 29 * HOUR)
  }
  for (const chain of ['gradual', 'hourly']) await advance(pool, chain, HEAD_TIME)
  for (const chain of ['gradual', 'whole']) await scoreAt(url, scored(chain), LATEST)
  await scoreAt(url, scored('hourly'), LATEST, LATEST - 29 * HOUR)
  const [gradual, whole] = [await details(pool, 'gradual'), await details(pool, 'whole')]
  t.same(gradual, whole)
  t.same(await details(pool, 'hourly'), whole, 'counts of traders continued from each hour to the next')
  t.equal(Object.keys(whole).length, 4)
  for (const table of ['token_hours', 'token_trader_hours']) {
    const { rows } = await pool.query(
      `select count(*)::int as differing from (select token_id, to_jsonb(x) - 'chain' as row from derive.${table} x where chain = 'gradual') g
       full join (select token_id, to_jsonb(x) - 'chain' as row from derive.${table} x where chain = 'whole') w using (token_id, row)
       where g.token_id is null or w.token_id is null`,
    )
    t.same(rows, [{ differing: 0 }], table)
  }
  const { rows } = await pool.query(
    `select count(distinct valid_from)::int as kept, (select count(distinct valid_from)::int from derive.score_snapshots where chain = 'gradual') as snapshots
     from derive.token_scores where chain = 'gradual'`,
  )
  t.same(rows, [{ kept: 3, snapshots: 27 }], 'details of old scores are forgotten, scores are not')
})

t.test('metrics from before the indexed history are unknown', async (t) => {
  const { url, pool } = await testDatabase(t)
  await populate(pool, 'wax')
  await pool.query(`update meta.position set first_block = 1000`)
  await scoreAt(url, scored('wax'), LATEST)
  let scores = await details(pool, 'wax')
  t.equal(scores[TLM].metrics.holdersCount, null)
  const { rows: first } = await pool.query('select block_time from ledger.blocks order by block_num limit 1')
  const since = first[0].block_time as Date
  t.equal(scores[TLM].firstSeenAt, since.toISOString(), 'its market may be older: as old as the history at least')
  t.equal(scores[TLM].metrics.ageDays, Math.floor((LATEST - since.getTime()) / DAY))
  const { rows } = await pool.query('select distinct truncated from derive.holder_samples')
  t.same(rows, [{ truncated: true }])
  await pool.query(`update meta.position set state_block = 1000`)
  await advance(pool, 'wax', LATEST + HOUR)
  await scoreAt(url, scored('wax', ['alien.worlds']), LATEST + HOUR)
  scores = await details(pool, 'wax')
  t.equal(scores[TLM].metrics.holdersCount, 666)
  t.equal(scores[WAX].metrics.holdersCount, null, 'balances of this contract are not kept')
})

t.test('the size of the batches of a replay does not change the scores', async (t) => {
  const { url, pool } = await testDatabase(t)
  const path = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname
  const found: unknown[] = []
  for (const ends of [[undefined], [200, 431, undefined]]) {
    const chain = `in-${ends.length}`
    for (const end of ends) await indexExchange(url, chain, new ReplaySource(path), end, VALUATION)
    // The recording lasts minutes: its hour is over when a later block comes.
    const { rows: over } = await pool.query(
      `select date_trunc('hour', block_time, 'UTC') + interval '1 hour' as hour from meta.position where chain = $1`,
      [chain],
    )
    await scoreAt(url, scored(chain), over[0].hour.getTime())
    found.push(await details(pool, chain))
    const trades = await rawTrades(pool, chain)
    const scores = await details(pool, chain)
    for (const [token, { metrics }] of Object.entries(scores)) {
      const expected = trades.filter(({ tokens }) => tokens.includes(token))
      t.equal(metrics.tradesCount, expected.length, token)
      const accounts = new Set(expected.flatMap((trade) => trade.accounts).filter((one) => !EXCHANGE.includes(one)))
      t.equal(metrics.uniqueTraders, accounts.size, token)
      const { rows } = await pool.query(
        `select count(*)::int as holders from state.balances where chain = $1 and lower(symbol) || '-' || contract = $2 and amount > 0`,
        [chain, token],
      )
      t.equal(metrics.holdersCount, rows[0].holders, token)
    }
    t.ok(Object.values(scores).filter(({ score }) => score > 0).length >= 2)
  }
  t.same(found[0], found[1])
})
