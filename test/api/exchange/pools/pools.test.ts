// Pools over HTTP: every member compared with the raw rows of a recording of the real contract, and with 100 days of
// trades.
import type { Pool as Database } from 'pg'
import t, { type Test } from 'tap'
import { ReplaySource } from '../../../../indexer/source/replay.ts'
import { indexExchange } from '../../../indexer/replay/index-recording.ts'
import { testApi, testChain } from '../../../support/api.ts'
import { testDatabase } from '../../../support/database.ts'
import { VALUATION } from '../../../support/valuation.ts'
import { bruteForcePrices } from '../brute-force-prices.ts'
import { WAX_SCENE } from '../scene.ts'

const path = new URL('../../../fixtures/recordings/medium.ship.gz', import.meta.url).pathname
const WAX = 'wax-eosio.token'
const STABLE = 'usdt-usdt.svc'
const SCAM = 'bar-tokens.dev'
const DAY = 86_400_000
const WINDOWS: Record<string, number> = { 24: 1, Week: 7, Month: 30, 90: 90 }

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON
type Pool = any

const near = (found: number, expected: number, tolerance = 1e-9) =>
  Math.abs(found - expected) <= tolerance * Math.max(Math.abs(expected), 1e-12)

/** Sums, extremes and earlier prices of a pool, computed from its swaps. */
async function fromSwaps(database: Database, pool: number, now: number) {
  const minute = Math.floor(now / 60_000) * 60_000
  const { rows } = await database.query(
    `select block_time as time, abs(amount_a)::text as a, abs(amount_b)::text as b, usd::text as usd, sqrt_price_x64::text as root
     from ledger.swaps where chain = 'wax' and pool_id = $1 order by block_time, global_seq`,
    [pool],
  )
  const since = (days: number) => rows.filter(({ time }) => time.getTime() >= minute - days * DAY)
  const sum = (swaps: typeof rows, member: string) =>
    swaps.reduce(
      (total, row) => total + BigInt(Math.round(Number(row[member] ?? 0) * (member === 'usd' ? 1e8 : 1))),
      0n,
    )
  const before = (days: number) =>
    rows.filter(({ time }) => time.getTime() < minute - days * DAY).at(-1)?.root as string
  const today = since(1).map(({ root }) => Number(root))
  return { since, sum, before, high: Math.max(...today), low: Math.min(...today), trades: today.length }
}

async function checkPools(t: Test, database: Database, pools: Pool[], now: number) {
  const { rows } = await database.query(
    `select p.*, c.block_time as created, c.sqrt_price_x64 as creation from state.pools p
     join ledger.pool_creations c on c.chain = p.chain and c.pool_id = p.pool_id where p.chain = 'wax' order by p.pool_id`,
  )
  t.same(
    pools.map(({ id }) => id),
    rows.map(({ pool_id: id }) => Number(id)),
    'every pool is there, active or not',
  )
  for (const [place, row] of rows.entries()) {
    const pool = pools[place]
    const [a, b] = [10 ** row.decimals_a, 10 ** row.decimals_b]
    t.match(pool, {
      active: row.active,
      fee: row.fee,
      feeProtocol: row.fee_protocol,
      tickSpacing: row.tick_spacing,
      tick: row.tick,
      sqrtPriceX64: row.sqrt_price_x64,
      liquidity: row.liquidity,
      maxLiquidityPerTick: row.max_liquidity_per_tick,
      feeGrowthGlobalAX64: row.fee_growth_global_a_x64,
      feeGrowthGlobalBX64: row.fee_growth_global_b_x64,
      firstSeenAt: row.created.toISOString(),
      tokenA: { contract: row.contract_a, symbol: row.symbol_a, decimals: row.decimals_a },
      tokenB: { contract: row.contract_b, symbol: row.symbol_b, decimals: row.decimals_b },
    })
    t.ok(near(pool.tokenA.quantity, row.reserve_a / a) && near(pool.tokenB.quantity, row.reserve_b / b))
    t.ok(near(pool.protocolFeeA, row.protocol_fee_a / a) && near(pool.protocolFeeB, row.protocol_fee_b / b))
    const priceOf = (root: number | string) => ((Number(root) / 2 ** 64) ** 2 * a) / b
    t.ok(near(pool.priceA, priceOf(row.sqrt_price_x64)), 'POOL-08 priceA is B for one A')
    t.ok(near(pool.priceA * pool.priceB, 1), 'POOL-08 priceB is its inverse')

    const swaps = await fromSwaps(database, pool.id, now)
    for (const [suffix, days] of Object.entries(WINDOWS)) {
      const window = swaps.since(days)
      t.ok(near(pool[`volumeA${suffix}`], Number(swaps.sum(window, 'a')) / a), `volumeA${suffix}`)
      t.ok(near(pool[`volumeB${suffix}`], Number(swaps.sum(window, 'b')) / b), `volumeB${suffix}`)
      t.ok(near(pool[`volumeUSD${suffix}`], Number(swaps.sum(window, 'usd')) / 1e8), `volumeUSD${suffix}`)
    }
    for (const [member, days] of [
      ['change24', 1],
      ['changeWeek', 7],
    ] as const) {
      const earlier = priceOf(swaps.before(days) ?? row.creation)
      const change = (priceOf(row.sqrt_price_x64) / earlier - 1) * 100
      t.ok(Math.abs(pool[member] - change) < 2e-4, `${member} of ${pool.id}: ${pool[member]}, ${change}`)
    }
    const today = swaps.trades === 0 ? [row.sqrt_price_x64, row.sqrt_price_x64] : [swaps.high, swaps.low]
    t.ok(near(pool.high24, priceOf(today[0])) && near(pool.low24, priceOf(today[1])), 'extremes of the day')
  }
}

t.test('pools of a recording', async (t) => {
  const database = await testDatabase(t)
  await indexExchange(database.url, 'wax', new ReplaySource(path), undefined, {
    ...VALUATION,
    trust: { ...VALUATION.trust, stable: [STABLE] },
  })
  const trust = { stable: [], trusted: [], scam: [{ token: SCAM }], minimumScore: 41 }
  const api = await testApi(t, database, { chains: [testChain('wax', 'dev', { usdToken: STABLE, trust })] })
  const all = await api.get('/api/v2/swap/pools')
  const pools: Pool[] = all.body
  const now = Date.parse(String(all.headers['x-block-time']))

  t.test('POOL-01 POOL-05 POOL-06 POOL-08 POOL-12 every member equals the rows', async (t) => {
    await checkPools(t, database.pool, pools, now)
    t.ok(pools.some(({ volumeUSD24 }) => volumeUSD24 > 0))
  })

  t.test('POOL-05 POOL-06 POOL-09 POOL-11 GEN-13 GEN-14 every member has its type', async (t) => {
    const numbers = [
      'id',
      'fee',
      'feeProtocol',
      'tickSpacing',
      'tick',
      'protocolFeeA',
      'protocolFeeB',
      'priceA',
      'priceB',
    ]
    numbers.push('tvlUSD', 'change24', 'changeWeek')
    for (const suffix of Object.keys(WINDOWS)) numbers.push(...['A', 'B', 'USD'].map((of) => `volume${of}${suffix}`))
    const strings = ['sqrtPriceX64', 'liquidity', 'maxLiquidityPerTick', 'feeGrowthGlobalAX64', 'feeGrowthGlobalBX64']
    for (const pool of pools) {
      for (const name of numbers) t.ok(Number.isFinite(pool[name]), name)
      for (const name of strings) t.match(pool[name], /^\d+$/, name)
      for (const token of [pool.tokenA, pool.tokenB]) {
        t.same(Object.keys(token).sort(), ['contract', 'decimals', 'id', 'quantity', 'symbol'])
        t.equal(token.id, `${token.symbol.toLowerCase()}-${token.contract}`)
      }
      t.equal(pool.chain, 'wax')
      t.match(pool.firstSeenAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  })

  t.test('POOL-07 a longer window never holds less', async (t) => {
    for (const pool of pools)
      for (const of of ['A', 'B', 'USD']) {
        const sums = ['24', 'Week', 'Month', '90'].map((suffix) => pool[`volume${of}${suffix}`])
        t.same(
          sums,
          [...sums].sort((x, y) => x - y),
        )
      }
  })

  t.test('POOL-10 the tick matches the price', async (t) => {
    for (const { tick, sqrtPriceX64 } of pools) {
      const exact = (2 * Math.log(Number(sqrtPriceX64) / 2 ** 64)) / Math.log(1.0001)
      t.ok(tick <= exact + 1e-6 && tick > exact - 1.01, `${tick} of ${exact}`)
    }
  })

  t.test('the TVL of a pool is the sum of both sides, or twice its only trusted side', async (t) => {
    const prices = await bruteForcePrices(database.pool, 'wax', WAX, { threshold: 100, excluded: [SCAM] })
    const trusted = [WAX, STABLE]
    for (const { id, tokenA, tokenB, tvlUSD } of pools) {
      const sides = [tokenA, tokenB].map((token) => ({ token, price: prices.get(token.id)?.price ?? 0 }))
      const counted = sides.filter(({ token, price }) => trusted.includes(token.id) && price > 0)
      const sum = counted.reduce((total, { token, price }) => total + token.quantity * price, 0)
      t.ok(near(tvlUSD, counted.length === 1 ? 2 * sum : sum, 1e-7), `pool ${id}: ${tvlUSD}`)
    }
  })

  t.test('POOL-02 POOL-03 a pair in either order, or one token', async (t) => {
    const of = (...tokens: string[]) =>
      pools.filter(({ tokenA, tokenB }) => tokens.every((token) => [tokenA.id, tokenB.id].includes(token)))
    t.ok(of(WAX, STABLE).length > 1)
    t.same((await api.get(`/api/v2/swap/pools?tokenA=${WAX}&tokenB=${STABLE}`)).body, of(WAX, STABLE))
    t.same((await api.get(`/api/v2/swap/pools?tokenA=${STABLE}&tokenB=${WAX.toUpperCase()}`)).body, of(WAX, STABLE))
    for (const side of ['tokenA', 'tokenB'])
      t.same((await api.get(`/api/v2/swap/pools?${side}=${STABLE}`)).body, of(STABLE))
    t.same((await api.get('/api/v2/swap/pools?tokenA=nope-x')).body, [], 'GEN-12')
    t.same((await api.get(`/api/v2/swap/pools?tokenA=${WAX}&tokenB=${WAX}`)).body, [], 'no pool is of one token alone')
  })

  t.test('POOL-04 hide_scam leaves out pools of such tokens', async (t) => {
    const { body } = await api.get('/api/v2/swap/pools?hide_scam=true')
    const clean = pools.filter(({ tokenA, tokenB }) => tokenA.id !== SCAM && tokenB.id !== SCAM)
    t.ok(clean.length < pools.length)
    t.same(body, clean)
  })

  t.test('POOL-13 one pool is as in the list', async (t) => {
    for (const pool of pools) t.same((await api.get(`/api/v2/swap/pools/${pool.id}`)).body, pool)
  })

  t.test('POOL-14 an unknown pool is null, with status 200', async (t) => {
    for (const id of ['987654', '999999999999999', '9007199254740993', '99999999999999999999']) {
      const answer = await api.get(`/api/v2/swap/pools/${id}`)
      t.same([answer.status, answer.text], [200, 'null'])
      t.match(answer.headers['content-type'], /^application\/json/)
    }
  })

  t.test('POOL-15 an id that is not a number is 400', async (t) => {
    for (const id of ['abc', '-1', '1.5', '0x1', '1e3', '%00', '%EF%BC%91', 'null'])
      t.match((await api.get(`/api/v2/swap/pools/${id}`)).body, { statusCode: 400, error: 'Bad Request' }, id)
  })

  t.test('the list is 304 while no pool has changed', async (t) => {
    const tag = String(all.headers.etag)
    t.same((await api.get('/api/v2/swap/pools', { 'if-none-match': tag })).status, 304)
    const compressed = await api.app.inject({
      url: '/api/v2/swap/pools',
      headers: { host: 'wax.localhost', 'accept-encoding': 'gzip, br;q=0' },
    })
    t.equal(compressed.headers['content-encoding'], 'gzip')
  })
})

t.test('a hundred days of trades', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const api = await testApi(t, database)
  const { body, headers } = await api.get('/api/v2/swap/pools')
  await checkPools(t, database.pool, body, Date.parse(String(headers['x-block-time'])))
  t.ok(body.some((pool: Pool) => pool.volumeA24 < pool.volumeAWeek && pool.volumeAMonth < pool.volumeA90))
})

t.test('an unchanged ETag of a pool means an unchanged answer, and many blocks leave it unchanged', async (t) => {
  const database = await testDatabase(t)
  await indexExchange(database.url, 'wax', new ReplaySource(path), 300)
  const api = await testApi(t, database)
  await database.pool.query(`select meta.build_indexes('wax')`)
  await api.catchUp()
  const { body } = await api.get('/api/v2/swap/pools')
  let [same, other] = [0, 0]
  let seen = await texts(body)
  for (let block = 301; block < 314; block++) {
    await indexExchange(database.url, 'wax', new ReplaySource(path), block)
    await api.catchUp()
    const now = await texts(body)
    for (const [id, { tag, text }] of now) {
      const was = seen.get(id)!
      if (tag === was.tag) {
        same++
        t.equal(text, was.text, `pool ${id} at ${block}: the same tag, the same answer`)
      } else other++
    }
    seen = now
  }
  t.ok(same > 20 && other > 10, `${same} times the same, ${other} times another`)

  async function texts(pools: Pool[]) {
    const found = new Map<number, { tag: unknown; text: string }>()
    for (const { id } of pools) {
      const { headers, text } = await api.get(`/api/v2/swap/pools/${id}`)
      found.set(id, { tag: headers.etag, text })
    }
    return found
  }
})
