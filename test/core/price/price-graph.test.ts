// Widest-path prices compared with two slower methods and with prices computed by hand.
import t from 'tap'
import { PriceGraph, type PricePool, widestPrices } from '../../../core/price/price-graph.ts'
import { pathTo, RATE_ONE, systemPrice, type TokenPrices } from '../../../core/price/token-price.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { grow, widestOfAllPaths } from './naive-prices.ts'
import { randomPool, SYSTEM, shuffled } from './random-pools.ts'

const LONG = Boolean(process.env.HEADWATER_TEST_LONG)
const X64 = 1n << 64n

function summary(prices: TokenPrices): object {
  return Object.fromEntries([...prices].map(([token, { rate, width, poolId }]) => [token, { rate, width, poolId }]))
}

function manyPools(random: Random, count: number, tokens: number): PricePool[] {
  const bits = random.pick([4, 20, 62])
  return Array.from({ length: count }, (_, id) => randomPool(random, id, tokens, bits))
}

t.test('prices equal a plain search for the widest path, for any order of the pools', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  for (let round = 0; round < (LONG ? 5_000 : 400); round++) {
    const pools = manyPools(random, random.integer(0, 40), random.integer(2, 15))
    const options = { systemToken: SYSTEM, threshold: 1n + random.bigint(1n << BigInt(random.integer(1, 40))) }
    const got = summary(widestPrices(pools, options))
    const expected = Object.fromEntries(grow(pools, SYSTEM.id, options.threshold))
    if (!t.strictSame(got, expected, `HEADWATER_SEED=${seed} round ${round}`)) return
    t.strictSame(summary(widestPrices(shuffled(random, pools), options)), got)
  }
})

t.test('no path is wider than the pricing path, and no path reaches a token without a price', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed + 1)
  for (let round = 0; round < (LONG ? 3_000 : 300); round++) {
    const pools = manyPools(random, random.integer(1, 11), random.integer(2, 7))
    const options = { systemToken: SYSTEM, threshold: 1n + random.bigint(1000n) }
    const prices = widestPrices(pools, options)
    const all = widestOfAllPaths(pools, prices, SYSTEM.id, options.threshold)
    const got = new Map([...prices].flatMap(([token, { width }]) => (width === null ? [] : [[token, width] as const])))
    if (!t.strictSame(sorted(got), sorted(all), `HEADWATER_SEED=${seed} round ${round}`)) return
    for (const [token, { width, hops }] of prices) {
      const path = pathTo(prices, token) as number[]
      t.equal(path.length, hops)
      t.ok(width === null || width >= options.threshold)
    }
  }
})

t.test('a graph with added, changed and removed pools prices like a new one', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed + 2)
  const graph = new PriceGraph()
  const pools = new Map<number, PricePool>()
  for (let round = 0; round < (LONG ? 20_000 : 1_500); round++) {
    const id = random.integer(0, 30)
    if (random.chance(0.2)) {
      graph.remove(id)
      pools.delete(id)
    } else {
      // Some tokens have one pool only.
      const pool = randomPool(random, id, random.pick([10, 60]), 30)
      graph.put(pool)
      pools.set(id, pool)
    }
    t.equal(graph.size, pools.size)
    const isExcluded = random.chance(0.3) ? (token: string) => token.length % 2 === 0 : undefined
    const options = { systemToken: SYSTEM, threshold: random.pick([2n, 50n, 5_000n]), isExcluded }
    const expected = summary(widestPrices(pools.values(), options))
    if (!t.strictSame(summary(graph.prices(options)), expected, `HEADWATER_SEED=${seed} round ${round}`)) return
  }
})

function pool(id: number, tokenA: string, tokenB: string, reserveA: bigint, reserveB: bigint, sqrt = X64): PricePool {
  const decimals = (token: string) => (token === SYSTEM.id ? 8 : 4)
  const [decimalsA, decimalsB] = [decimals(tokenA), decimals(tokenB)]
  return {
    id,
    active: true,
    tokenA,
    tokenB,
    decimalsA,
    decimalsB,
    reserveA,
    reserveB,
    sqrtPriceX64: sqrt,
    liquidity: 1n,
  }
}

const options = { systemToken: SYSTEM, threshold: 100n }

t.test('prices that a changed pool does not reach stay the same objects', async (t) => {
  const graph = new PriceGraph()
  graph.put(pool(1, SYSTEM.id, 'a', 1000n, 1000n))
  graph.put(pool(2, SYSTEM.id, 'b', 2000n, 2000n))
  graph.put(pool(3, 'b', 'c', 1500n, 1500n))
  const before = graph.prices(options)
  graph.put(pool(1, SYSTEM.id, 'a', 1000n, 1000n, 2n * X64))
  const after = graph.prices(options)
  for (const token of [SYSTEM.id, 'b', 'c']) t.equal(after.get(token), before.get(token), token)
  t.equal(after.get('a')?.rate, RATE_ONE / 4n)
  graph.put(pool(2, SYSTEM.id, 'b', 2000n, 2000n, 2n * X64))
  t.equal(graph.prices(options).get('c')?.rate, RATE_ONE / 4n, 'a token behind a changed price has a new one')
})

t.test('the path whose smallest pool is largest prices, even if another path is shorter', async (t) => {
  const prices = widestPrices(
    [
      // One raw unit of b is worth 4 directly, 1 by way of a.
      pool(1, SYSTEM.id, 'b-x', 500n, 125n, X64 / 2n),
      pool(2, SYSTEM.id, 'a-x', 1000n, 1000n),
      pool(3, 'a-x', 'b-x', 600n, 600n),
    ],
    options,
  )
  t.equal(prices.get('b-x')?.rate, RATE_ONE)
  t.equal(prices.get('b-x')?.width, 600n)
  t.same(pathTo(prices, 'b-x'), [2, 3])
  t.same(pathTo(prices, SYSTEM.id), [])
  t.equal(pathTo(prices, 'none-x'), null)
})

t.test('a path through a pool below the threshold does not price', async (t) => {
  const chain = [pool(1, SYSTEM.id, 'a-x', 99n, 1_000_000n), pool(2, 'a-x', 'b-x', 1_000_000n, 1_000_000n)]
  t.same([...widestPrices(chain, options).keys()], [SYSTEM.id])
  t.same(
    [...widestPrices([pool(1, SYSTEM.id, 'a-x', 100n, 1n), chain[1] as PricePool], options).keys()],
    [SYSTEM.id, 'a-x', 'b-x'],
  )
})

t.test('the priced side counts, not the other', async (t) => {
  const prices = widestPrices([pool(1, 'a-x', SYSTEM.id, 1_000_000_000n, 99n)], options)
  t.notOk(prices.has('a-x'))
})

t.test('of equally wide pools the deeper one prices, of equal ones the older one', async (t) => {
  const narrow = pool(1, SYSTEM.id, 'a-x', 200n, 200n)
  const deep = pool(9, 'a-x', 'b-x', 900n, 900n, X64 * 2n)
  const shallow = pool(2, 'a-x', 'b-x', 300n, 300n)
  t.equal(widestPrices([narrow, shallow, deep], options).get('b-x')?.poolId, 9)
  const twin = pool(3, 'a-x', 'b-x', 900n, 900n)
  t.equal(widestPrices([narrow, deep, twin], options).get('b-x')?.poolId, 3)
})

t.test('pools that are closed, empty or without liquidity in range do not price', async (t) => {
  for (const change of [
    { active: false },
    { reserveB: 0n },
    { reserveA: 0n },
    { liquidity: 0n },
    { sqrtPriceX64: 0n },
  ]) {
    t.notOk(widestPrices([{ ...pool(1, SYSTEM.id, 'a-x', 1000n, 1000n), ...change }], options).has('a-x'))
  }
})

t.test('an excluded token has no price and gives none', async (t) => {
  const pools = [pool(1, SYSTEM.id, 'bad-x', 1000n, 1000n), pool(2, 'bad-x', 'b-x', 1000n, 1000n)]
  const prices = widestPrices(pools, { ...options, isExcluded: (token) => token === 'bad-x' })
  t.same([...prices.keys()], [SYSTEM.id])
})

t.test('decimals count at the last step only', async (t) => {
  // 4 raw units of a for 1 raw unit of the system token: a has 4 decimals, the system token 8.
  const prices = widestPrices([pool(1, SYSTEM.id, 'a-x', 1000n, 4000n, X64 * 2n)], options)
  const price = prices.get('a-x')
  t.equal(price?.rate, RATE_ONE / 4n)
  t.equal(price && systemPrice(price, SYSTEM.decimals), 0.25 * 10 ** 4 * 10 ** -8)
  const [system] = prices.values()
  t.equal(system && systemPrice(system, SYSTEM.decimals), 1)
})

t.test('a price beyond all bounds is none', async (t) => {
  const steep = 79_226_673_515_401_279_992_447_579_061n
  // Each step makes the next raw unit 2^64 times as expensive.
  const tower = [
    pool(1, 'a-x', SYSTEM.id, 1000n, 1000n, steep),
    pool(2, 'b-x', 'a-x', 1000n, 1000n, steep),
    pool(3, 'c-x', 'b-x', 1000n, 1000n, steep),
  ]
  t.same([...widestPrices(tower, options).keys()], [SYSTEM.id, 'a-x'])
})

function sorted(map: ReadonlyMap<string, bigint>): [string, bigint][] {
  return [...map].sort(([x], [y]) => (x < y ? -1 : 1))
}
