// Lists of the analytics in every order, window and page, and the age of their data, compared with SQL.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { id, NOW, TLM, USDT, WAX, WAX_SCENE } from '../exchange/scene.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const PATH = '/api/v3/analytics'
/** Windows in days. `all` starts before the first trade: the scene lasts 100 days, and one swap is three years old. */
const SPANS: Record<string, number> = { '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY, '90d': 90 * DAY, all: 5000 * DAY }

interface Item {
  id: number | string
  [member: string]: unknown
}

t.test('orders of the analytics', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const { pool } = database
  // Three years old: only in the window `all`.
  const old = new Date(NOW - 1100 * DAY)
  await pool.query(
    `insert into ledger.swaps (chain, pool_id, block_time, global_seq, block_num, trx_id, sender, recipient, amount_a, amount_b, decimals_a,
       decimals_b, sqrt_price_x64, liquidity, tick, reserve_a, reserve_b, usd)
     select 'wax', 2, $1, 1, first_block, '\\x00', 'old', 'old', 77, -7, 4, 8, 1000000, 1, 0, 1, 1, 123456.78901234
     from meta.position where chain = 'wax'`,
    [old],
  )
  await pool.query(
    `select meta.refresh_candles('wax', array['amm'], array[2::int8], array[date_trunc('minute', $1::timestamptz)], null)`,
    [old],
  )
  const hour = Math.floor(NOW / HOUR) * HOUR
  const holders = {
    [id(WAX)]: [900, 890, 800, 1000],
    [id(TLM)]: [5000, 4990, null, 4000],
    [id(USDT)]: [40, null, 41, null],
  }
  for (const [token, counts] of Object.entries(holders))
    for (const [i, count] of counts.entries())
      if (count !== null)
        await pool.query(`insert into derive.holder_samples values ('wax', $1, $2, $3, $4, 1)`, [
          token,
          new Date(hour - [0, 1, 6, 24][i]! * HOUR),
          count,
          token === id(USDT),
        ])
  const config = testChain('wax', 'dev', {
    usdToken: id(USDT),
    price: { source: 'fixed', usd: 0.05, decimals: 4, fallbacks: [], maxAgeMinutes: 1440 },
    trust: { stable: [id(USDT)], trusted: [{ token: id(TLM) }], scam: [{ token: 'nfts.dev' }], minimumScore: 41 },
  })
  const api = await testApi(t, database, { chains: [config] })
  const get = async (path: string) => {
    const answer = await api.get(`${PATH}${path}`)
    t.equal(answer.status, 200, path)
    return answer.body
  }

  /** Exact sums over trades since a time by pool, market or token, as the nearest doubles. */
  const traded = async (window: string) => {
    const since = new Date(Math.floor(NOW / 60_000) * 60_000 - SPANS[window]!)
    const { rows } = await pool.query(
      `with pools as (select pool_id as id, sum(usd) as usd, count(*) as trades from ledger.swaps where chain = 'wax' and block_time >= $1 group by 1),
       markets as (select market_id as id, sum(usd) as usd, count(*) as trades from ledger.deals where chain = 'wax' and block_time >= $1 group by 1),
       sides as (
         select lower(unnest(array[p.symbol_a, p.symbol_b])) || '-' || unnest(array[p.contract_a, p.contract_b]) as token, s.usd as swap, 0 as spot, s.trades
           from pools s join state.pools p on p.chain = 'wax' and p.pool_id = s.id
         union all
         select lower(unnest(array[m.base_symbol, m.target_symbol])) || '-' || unnest(array[m.base_contract, m.target_contract]), 0, s.usd, s.trades
           from markets s join state.markets m on m.chain = 'wax' and m.market_id = s.id)
       select 'pool' as kind, id::text, coalesce(usd, 0)::float8 as usd, trades::int4 from pools
       union all select 'market', id::text, coalesce(usd, 0)::float8, trades::int4 from markets
       union all select 'token', token, (sum(swap)::float8 + sum(spot)::float8), sum(trades)::int4 from sides group by token`,
      [since],
    )
    const of = (kind: string) =>
      new Map(
        rows
          .filter((row) => row.kind === kind)
          .map((row) => [row.id as string, row as { usd: number; trades: number }]),
      )
    return { pools: of('pool'), markets: of('market'), tokens: of('token') }
  }

  /** Requests both directions page by page. Keys must equal SQL's; equal keys are ordered by id. */
  const isSorted = async (
    list: string,
    query: string,
    key: (item: Item) => number,
    wanted?: (item: Item) => number,
  ) => {
    const path = `/${list}?${query}`
    const { items, total } = (await get(path)) as { items: Item[]; total: number }
    t.equal(items.length, total)
    if (wanted !== undefined) for (const one of items) t.equal(key(one), wanted(one), `${path}: ${one.id}`)
    const sorted = (sign: 1 | -1) =>
      [...items].sort((x, y) => sign * (key(x) - key(y)) || (x.id < y.id ? -1 : 1)).map((one) => one.id)
    const ids = (found: Item[]) => found.map((one) => one.id)
    t.same(ids(items), sorted(-1), path)
    t.same(ids((await get(`${path}&order=asc`)).items), sorted(1), `${path}, ascending`)
    const pages: Item[] = []
    for (let page = 1; page * 2 < total + 2; page++) pages.push(...(await get(`${path}&limit=2&page=${page}`)).items)
    t.same(ids(pages), ids(items), `${path}, page by page`)
  }
  const at = (path: string) => (item: Item) =>
    path.split('.').reduce((value: unknown, name) => (value as Record<string, unknown>)[name], item) as number

  t.test('AN-05 AN-07 AN-19 pools in every order of every window', async () => {
    for (const window of Object.keys(SPANS)) {
      const { pools } = await traded(window)
      const usd = ({ id }: Item) => pools.get(String(id))?.usd ?? 0
      await isSorted('pools', `window=${window}`, at('volume.usd'), usd)
      await isSorted('pools', `window=${window}&sort=tvl`, at('liquidity.tvl'))
      await isSorted('pools', `window=${window}&sort=apr`, at('apr.total'))
      await isSorted('pools', `window=${window}&sort=apr&include=incentives,tx`, at('apr.total'))
      await isSorted('pools', `window=${window}&sort=nothing&include=tx`, at('volume.usd'), usd)
      await isSorted('pools', `window=${window}&include=tx`, at('volume.usd'))
      const { items } = await get(`/pools?window=${window}&include=tx`)
      for (const one of items) t.equal(one.tx.swaps, pools.get(String(one.id))?.trades ?? 0)
    }
    const [month, all] = [(await traded('90d')).pools.get('2')!, (await traded('all')).pools.get('2')!]
    t.ok(all.usd - month.usd >= 123456 && all.trades > month.trades, 'all is more than ninety days')
  })

  t.test('AN-05 AN-07 AN-27 order-book markets in every order of every window', async () => {
    for (const window of Object.keys(SPANS)) {
      const { markets } = await traded(window)
      await isSorted('spot-pairs', `window=${window}`, at('volume.usd'), ({ id }) => markets.get(String(id))?.usd ?? 0)
      await isSorted('spot-pairs', `window=${window}&sort=price`, at('price.last'))
      for (const one of (await get(`/spot-pairs?window=${window}`)).items)
        t.equal(one.tx.matches, markets.get(String(one.id))?.trades ?? 0)
    }
  })

  t.test('AN-05 AN-07 AN-13 tokens in every order of every window', async () => {
    for (const window of Object.keys(SPANS)) {
      const { tokens } = await traded(window)
      const query = `window=${window}`
      await isSorted('tokens', query, at('scores.total'))
      await isSorted('tokens', `${query}&sort=volume`, at('volume.total'), ({ id }) => tokens.get(String(id))?.usd ?? 0)
      await isSorted('tokens', `${query}&sort=tx`, at('tx.total'), ({ id }) => tokens.get(String(id))?.trades ?? 0)
      await isSorted('tokens', `${query}&sort=tvl`, at('liquidity.tvl'))
      await isSorted('tokens', `${query}&sort=locked`, at('liquidity.locked.usd'))
      await isSorted('tokens', `${query}&sort=price`, at('price.usd'))
      await isSorted('tokens', `${query}&sort=age`, (one) => -Date.parse(one.createdAt as string))
      await isSorted('tokens', `${query}&sort=holders`, at('holders.count'), ({ id }) => holders[String(id)]?.[0] ?? 0)
    }
  })

  t.test('AN-15 holders and how they have changed', async (t) => {
    const { items } = await get('/tokens?sort=holders')
    const found = Object.fromEntries(items.map((one: { id: string; holders: object }) => [one.id, one.holders]))
    t.same(found[id(TLM)], { count: 5000, change1h: 10, change6h: null, change24h: 1000, truncated: false })
    t.same(found[id(WAX)], { count: 900, change1h: 10, change6h: 100, change24h: -100, truncated: false })
    t.same(found[id(USDT)], { count: 40, change1h: null, change6h: -1, change24h: null, truncated: true })
  })

  t.test('AN-14 AN-20 searches with sorts and windows', async (t) => {
    const ids = async (path: string) => (await get(path)).items.map((one: Item) => one.id)
    for (const window of Object.keys(SPANS))
      for (const sort of ['volume', 'tvl', 'apr', 'x']) {
        const all = await ids(`/pools?window=${window}&sort=${sort}`)
        const usdt = await ids(`/pools?window=${window}&sort=${sort}&search=tlm`)
        t.same(
          usdt,
          all.filter((one: number) => [0, 1, 2].includes(one)),
          'a search keeps the order',
        )
      }
    t.same(await ids('/tokens?search=eosio&sort=price'), [id(WAX)])
    t.equal((await get('/tokens?search=eosio&limit=1&page=2')).total, 1)
    t.same(await ids('/pools?search=a/b/c'), [])
  })

  t.test('the overview is the sum of all trades', async (t) => {
    for (const window of Object.keys(SPANS)) {
      const since = new Date(Math.floor(NOW / 60_000) * 60_000 - SPANS[window]!)
      const { rows } = await pool.query(
        `select (select coalesce(sum(usd), 0) from ledger.swaps where chain = 'wax' and block_time >= $1)::float8 as "swapVolume",
           (select coalesce(sum(usd), 0) from ledger.deals where chain = 'wax' and block_time >= $1)::float8 as "spotVolume",
           (select coalesce(sum(usd * fee), 0) / 1000000 from ledger.swaps join state.pools using (chain, pool_id) where chain = 'wax' and block_time >= $1)::float8 as "swapFees",
           (select coalesce(sum(usd * fee), 0) / 10000 from ledger.deals join state.markets using (chain, market_id) where chain = 'wax' and block_time >= $1)::float8 as "spotFees",
           (select count(*) from ledger.swaps where chain = 'wax' and block_time >= $1)::int4 as "swapTx",
           (select count(*) from ledger.deals where chain = 'wax' and block_time >= $1)::int4 as "spotTx"`,
        [since],
      )
      const { stats } = await get(`/overview?window=${window}`)
      for (const [name, value] of Object.entries(rows[0])) t.equal(stats[name], value, `${name} of ${window}`)
    }
  })

  t.test('logo addresses have the host of the request', async (t) => {
    const logos = async (host: string) =>
      (await api.get(`${PATH}/tokens`, { host })).body.items.map((one: Item) => one.logo)
    for (const host of ['wax.localhost', 'wax.localhost:7700'])
      t.ok(
        (await logos(host)).every((logo: string) => logo.startsWith(`http://${host}/api/v2/tokens/`)),
        host,
      )
  })

  t.test('an answer is computed once a block for each host and path', async (t) => {
    const path = `${PATH}/pools?window=7d&limit=3`
    const [one, other] = await Promise.all([api.get(path), api.get(path)])
    await delay(5)
    for (const again of [other, await api.get(path)]) t.same(again.body, one.body, 'the time of the server included')
    const elsewhere = await api.get(path, { host: 'wax.localhost:7700' })
    t.not(elsewhere.body.meta.ts, one.body.meta.ts)
    t.same(elsewhere.body.items, one.body.items)
    const missing = () => api.get(`${PATH}/pools/999999`)
    t.same([(await missing()).status, (await missing()).status], [404, 404], 'errors are not cached')
  })

  t.test('totals and lists contain the trades of a block as soon as they name that block', async (t) => {
    const before = (await get('/overview?window=24h')).stats
    const listed = await get('/pools?window=7d&limit=3')
    const v2 = (await api.get('/api/v2/analytics/global')).body
    const { rows } = await pool.query(
      `select block_num::int8 as num, block_time as time from meta.position where chain = 'wax'`,
    )
    const [num, time] = [Number(rows[0].num) + 1, new Date(rows[0].time.getTime() + 500)]
    await pool.query(
      `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
       select 'wax', $1, sha256('next'), decode(block_id, 'hex'), $2, 'prod' from meta.position where chain = 'wax'`,
      [num, time],
    )
    await pool.query(
      `insert into ledger.swaps (chain, pool_id, block_time, global_seq, block_num, trx_id, sender, recipient, amount_a, amount_b, decimals_a,
         decimals_b, sqrt_price_x64, liquidity, tick, reserve_a, reserve_b, usd)
       select 'wax', 3, $2, 999999999999, $1, '\\x00', 'new', 'new', 77, -7, 8, 6, sqrt_price_x64, 1, 0, 1, 1, 1000.5 from state.pools
       where chain = 'wax' and pool_id = 3`,
      [num, time],
    )
    await pool.query(
      `select meta.refresh_candles('wax', array['amm'], array[3::int8], array[date_trunc('minute', $1::timestamptz)], null)`,
      [time],
    )
    await pool.query(
      `update meta.position set block_num = $1, block_id = encode(sha256('next'), 'hex'), block_time = $2, head_num = $1 where chain = 'wax'`,
      [num, time],
    )
    await api.catchUp()
    // The previous block's answer is served while the database is slow.
    let answer = await api.get(`${PATH}/overview?window=24h`)
    for (let tries = 0; tries < 3000 && answer.headers['x-block-num'] !== String(num); tries++) {
      t.equal(answer.headers['x-block-num'], String(num - 1))
      await delay(20)
      answer = await api.get(`${PATH}/overview?window=24h`)
    }
    t.equal(answer.headers['x-block-num'], String(num))
    const { stats, topPools } = answer.body
    t.ok((await get('/pools?window=7d&limit=3')).meta.ts > listed.meta.ts, 'what was made before is given up')
    t.equal(stats.swapTx, before.swapTx + 1)
    t.ok(Math.abs(stats.swapVolume - before.swapVolume - 1000.5) < 1e-6)
    const [one] = (await get('/pools?window=24h&search=3&include=tx')).items
    t.equal(one.volume.usd, topPools.find((other: Item) => other.id === 3).volume.usd)
    const { token } = await get(`/tokens/${id(USDT)}?window=24h`)
    t.equal(token.tx.swap, one.tx.swaps)
    const chart = (await get('/global/charts?window=24h&resolution=1h')).items.at(-1)
    const { rows: sums } = await pool.query(
      `select sum(usd)::float8 as usd from ledger.swaps where chain = 'wax' and block_time >= date_trunc('hour', $1::timestamptz, 'UTC')`,
      [time],
    )
    t.equal(chart.swapVolume, sums[0].usd, 'the hour in progress')
    t.same((await api.get('/api/v2/analytics/global')).body, v2, 'v2 is of hours that are over')
  })
})
