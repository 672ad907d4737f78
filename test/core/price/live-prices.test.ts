// Incrementally updated prices equal a full computation after every block and every fork.
import t, { type Test } from 'tap'
import { LivePrices } from '../../../core/price/live-prices.ts'
import { type PricePool, type PricingOptions, widestPrices } from '../../../core/price/price-graph.ts'
import type { TokenPrices } from '../../../core/price/token-price.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { grow } from './naive-prices.ts'
import { randomPool, SYSTEM } from './random-pools.ts'

const LONG = Boolean(process.env.HEADWATER_TEST_LONG)
const seed = seedFromEnvironment()

type Pools = Map<number, PricePool>

function summary(prices: TokenPrices): [string, unknown][] {
  return [...prices]
    .map(([token, { rate, width, poolId, via, hops, decimals }]): [string, unknown] => [
      token,
      { rate, width, poolId, via, hops, decimals },
    ])
    .sort(([x], [y]) => (x < y ? -1 : 1))
}

function moved(before: TokenPrices, after: TokenPrices): string[] {
  const tokens = new Set([...before.keys(), ...after.keys()])
  return [...tokens]
    .filter((token) => {
      const [x, y] = [before.get(token), after.get(token)]
      return x?.rate !== y?.rate || x?.width !== y?.width
    })
    .sort()
}

/** Changes of some pools in a block: trades, deposits, new pools, closed and removed pools. */
function block(
  random: Random,
  pools: Pools,
  tokens: number,
  bits: number,
  most: number,
): Map<number, PricePool | null> {
  const changes = new Map<number, PricePool | null>()
  for (let i = random.integer(1, random.chance(0.2) ? 24 : 5); i > 0; i--) {
    const id = random.integer(0, most)
    const known = changes.get(id) ?? pools.get(id)
    if (random.chance(0.1)) changes.set(id, null)
    else if (!known || random.chance(0.15)) changes.set(id, randomPool(random, id, tokens, bits))
    else if (random.chance(0.5)) {
      const root = known.sqrtPriceX64 + (known.sqrtPriceX64 >> BigInt(random.integer(1, 12)))
      changes.set(id, { ...known, sqrtPriceX64: random.chance(0.5) ? root : known.sqrtPriceX64 - (root >> 9n) })
    } else {
      const add = 1n + random.bigint(1n << BigInt(random.integer(1, bits)))
      changes.set(id, random.chance(0.5) ? { ...known, reserveA: add } : { ...known, reserveB: known.reserveB + add })
    }
  }
  return changes
}

function apply(live: LivePrices, pools: Pools, changes: Map<number, PricePool | null>): void {
  for (const [id, pool] of changes) {
    if (pool === null) {
      live.remove(id)
      pools.delete(id)
    } else {
      live.put(pool)
      pools.set(id, pool)
    }
  }
}

/** The changes that undo a block. */
function undoOf(pools: Pools, changes: Map<number, PricePool | null>): Map<number, PricePool | null> {
  return new Map([...changes.keys()].map((id) => [id, pools.get(id) ?? null]))
}

function walk(t: Test, random: Random, rounds: number, tokens: number, most: number, name: string): boolean {
  // Few bits make many pools equally wide, so that their order decides.
  const bits = random.pick([2, 4, 20, 62])
  const live = new LivePrices()
  const pools: Pools = new Map()
  const scams = [() => false, (token: string) => token === 't3-contract']
  let options: PricingOptions = { systemToken: SYSTEM, threshold: 2n, isExcluded: scams[0]! }
  let before: TokenPrices = new Map()
  let undo: Map<number, PricePool | null>[] = []
  for (let round = 0; round < rounds; round++) {
    if (random.chance(0.15) && undo.length > 0) {
      // A fork undoes some of the last blocks; the new blocks are in the same step.
      for (let depth = random.integer(1, Math.min(4, undo.length)); depth > 0; depth--)
        apply(live, pools, undo.pop() as Map<number, PricePool | null>)
    }
    const changes = block(random, pools, tokens, bits, most)
    undo = [...undo.slice(-6), undoOf(pools, changes)]
    apply(live, pools, changes)
    if (random.chance(0.05))
      options = { ...options, threshold: 1n + random.bigint(1n << BigInt(random.integer(1, bits))) }
    if (random.chance(0.03)) options = { ...options, isExcluded: random.pick(scams) }
    const found = live.update(options)
    const expected = widestPrices(pools.values(), options)
    const where = `${name} round ${round}`
    if (!t.strictSame(summary(live.byToken), summary(expected), where)) return false
    if (!t.strictSame([...found].sort(), moved(before, expected), `${where}: what has moved`)) return false
    before = new Map(expected)
    if (round % 10 === 0 && options.isExcluded === scams[0]) {
      const naive = [...grow([...pools.values()], SYSTEM.id, options.threshold)]
      const own = [...live.byToken].map(([token, { rate, width, poolId }]) => [token, { rate, width, poolId }])
      const sorted = (list: unknown[][]) => list.sort(([x], [y]) => (String(x) < String(y) ? -1 : 1))
      if (!t.strictSame(sorted(own), sorted(naive), `${where}: the plainest search`)) return false
    }
  }
  return true
}

t.test(`after every block and fork prices equal a full computation (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  for (let chain = 0; chain < (LONG ? 400 : 12); chain++)
    if (!walk(t, random, 120, random.integer(3, 30), random.integer(5, 110), `HEADWATER_SEED=${seed} chain ${chain}`))
      return
})

t.test('a system token that appears late, disappears and appears again', async (t) => {
  const live = new LivePrices()
  const options = { systemToken: SYSTEM, threshold: 1n }
  const random = new Random(7)
  t.same([...live.update(options)], [SYSTEM.id])
  t.equal(live.update(options).size, 0)
  const pool = { ...randomPool(random, 1, 2, 30), tokenA: SYSTEM.id, tokenB: 't1-contract', active: true }
  live.put({ ...pool, reserveA: 50n, reserveB: 50n, liquidity: 5n, sqrtPriceX64: 1n << 64n })
  t.same([...live.update(options)], ['t1-contract'])
  live.remove(1)
  t.same([...live.update(options)], ['t1-contract'])
  t.same([...live.byToken.keys()], [SYSTEM.id])
  live.put({ ...pool, reserveA: 50n, reserveB: 50n, liquidity: 5n, sqrtPriceX64: 1n << 64n })
  t.same([...live.update(options)], ['t1-contract'])
})
