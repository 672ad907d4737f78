// Depth of tokens with few raw units: levels are those of an exhaustive search over whole amounts, which executes each
// amount without the router's code.
import t, { type Test } from 'tap'
import { MAX_TICK, tickAtSqrtPrice } from '../../../core/amm/ticks.ts'
import { depthOf } from '../../../core/route/depth.ts'
import type { RoutePool, RouteToken } from '../../../core/route/model.ts'
import { Router } from '../../../core/route/router.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { type Hop, simulate } from './simulate.ts'

const LONG = Boolean(process.env.HEADWATER_TEST_LONG)
const seed = seedFromEnvironment()

const MAX_AMOUNT = 2 ** 62 - 512
const FEE = 3000
const IMPACTS = [0.5, 1, 5]
/** Promised accuracy of a level. */
const ACCURACY = 1.01
/** The same for tokens whose units are few on both sides: in its range, teeth are not all looked at. */
const COARSE_ACCURACY = 1.03
/** Share by which the price of a small trade may be off: it has 10,000 raw units. */
const REFERENCE_ACCURACY = 5e-4

/** A pool of one position over all prices, with so many whole tokens of each side as far as an asset can hold them. */
function poolOf(id: number, a: RouteToken, b: RouteToken, wholeA: number, wholeB: number): RoutePool {
  const raw = (whole: number, { decimals }: RouteToken) => Math.min(whole * 10 ** decimals, 4e18)
  const [rawA, rawB] = [raw(wholeA, a), raw(wholeB, b)]
  const sqrtPriceX64 = BigInt(Math.round(Math.sqrt(rawB / rawA) * 2 ** 64))
  const liquidity = BigInt(Math.round(Math.sqrt(rawA) * Math.sqrt(rawB)))
  const tickSpacing = 60
  const last = Math.floor(MAX_TICK / tickSpacing) * tickSpacing
  const nets = [
    [-last, liquidity],
    [last, -liquidity],
  ] as const
  return {
    ...{ id, active: true, a, b, fee: FEE, feeProtocol: 0, tickSpacing },
    ...{ sqrtPriceX64, tick: tickAtSqrtPrice(sqrtPriceX64), liquidity },
    ...{ feeGrowthGlobalAX64: 0n, feeGrowthGlobalBX64: 0n },
    ticks: new Map(nets.map(([tick, liquidityNet]) => [tick, { id: tick, liquidityNet }])),
  }
}

type Execute = (amount: bigint) => bigint | null

const token = (name: string, decimals: number): RouteToken => ({ id: `${name}-tokens.test`, decimals })

const over =
  (hops: readonly Hop[]): Execute =>
  (amount) =>
    simulate([{ hops, amount }])

const keeps = (execute: Execute, amount: bigint, least: number) => {
  const output = execute(amount)
  return output !== null && Number(output) / Number(amount) >= least
}

/**
 * The largest of all whole amounts that keeps a price. It goes down from an amount that is too much even if nothing were
 * rounded, and skips only what cannot keep the price: the output does not fall with the input, so no amount above
 * output / price does.
 */
function exhaustive({ execute, smooth }: Pick<Case, 'execute' | 'smooth'>, least: number): bigint | null {
  let [low, high] = [0, MAX_AMOUNT]
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2
    if (smooth(middle) >= least * middle) low = middle
    else high = middle
  }
  for (let at = BigInt(Math.min(Math.ceil(high * (1 + 1e-9)), MAX_AMOUNT)); at > 0n; ) {
    const output = execute(at)
    // So little that nothing comes out: the same holds for less.
    if (output === null) return null
    if (Number(output) / Number(at) >= least) return at
    const most = BigInt(Math.ceil((Number(output) / least) * (1 + 1e-15)))
    at = most < at ? most : at - 1n
  }
  return null
}

interface Case {
  pools: RoutePool[]
  from: RouteToken
  to: RouteToken
  execute: Execute
  /** Output if nothing were rounded: x · y stays the same in each pool. */
  smooth: (amount: number) => number
  /** Raw units of output for one of input: no fee, nothing rounded. */
  mid: number
  /** Pools on the way. */
  hops: number
}

function compare(t: Test, label: string, of: Case, accuracy = ACCURACY): void {
  const { pools, from, to, execute, mid, hops } = of
  const router = new Router()
  for (const pool of pools) router.putPool(pool)
  for (const known of [mid, null]) {
    const { reference, levels } = depthOf(router, { input: from.id, output: to.id, impacts: IMPACTS, mid: known })
    const name = `${label}, ${known === null ? 'small trade' : 'mid'}`
    const expected = known ?? mid * (1 - FEE / 1e6) ** hops
    const error = Math.abs((reference ?? 0) / expected - 1)
    if (error > REFERENCE_ACCURACY) t.fail(`${name}: reference ${reference} of ${expected}`)
    for (const { impact, input, output } of levels) {
      const least = (reference as number) * (1 - impact / 100)
      const best = exhaustive(of, least)
      if (input === null || best === null) t.equal(input, best, `${name}: ${impact} percent`)
      else {
        t.equal(execute(input), output, `${name}: ${impact} percent is executed as promised`)
        t.ok(keeps(execute, input, least), `${name}: ${impact} percent holds`)
        const share = Number(best) / Number(input)
        t.ok(share >= 1 && share <= accuracy, `${name}: ${impact} percent is ${input} of ${best}`)
      }
    }
  }
}

/** A case over pools that each lead from their first token to their second one. */
function caseOver(pools: RoutePool[]): Case {
  const hops = pools.map((pool) => ({ pool, book: null, input: pool.a.id, output: pool.b.id }))
  return {
    pools,
    from: (pools[0] as RoutePool).a,
    to: (pools.at(-1) as RoutePool).b,
    execute: over(hops),
    smooth: (amount) => pools.reduce((moved, pool) => constantProduct(pool, moved), amount),
    mid: pools.reduce((price, pool) => price * priceOf(pool), 1),
    hops: pools.length,
  }
}

function priceOf({ sqrtPriceX64 }: RoutePool): number {
  return (Number(sqrtPriceX64) / 2 ** 64) ** 2
}

function constantProduct(pool: RoutePool, amount: number): number {
  const root = Math.sqrt(priceOf(pool))
  const [reserveA, reserveB] = [Number(pool.liquidity) / root, Number(pool.liquidity) * root]
  const net = amount * (1 - FEE / 1e6)
  return (reserveB * net) / (reserveA + net)
}

function direct(from: RouteToken, to: RouteToken, wholeFrom: number, wholeTo: number): Case {
  return caseOver([poolOf(1, from, to, wholeFrom, wholeTo)])
}

t.test('the exhaustive search finds what trying each amount finds', async (t) => {
  const { execute, smooth, mid } = direct(token('a', 0), token('b', 0), 900, 2000)
  for (const impact of [0.1, 0.5, 1, 2, 5, 20]) {
    const least = mid * (1 - impact / 100)
    let best: bigint | null = null
    for (let amount = 1n; amount <= 2000n; amount++) if (keeps(execute, amount, least)) best = amount
    t.equal(exhaustive({ execute, smooth }, least), best, `${impact} percent`)
  }
})

for (const other of [8, 0]) {
  t.test(`pairs of all decimals with ${other} decimals`, async (t) => {
    for (let decimals = 0; decimals <= 18; decimals++) {
      const [some, against] = [token('some', decimals), token('against', other)]
      compare(t, `from ${decimals}`, direct(some, against, 40_000, 5_000_000))
      compare(t, `to ${decimals}`, direct(against, some, 5_000_000, 40_000))
    }
  })
}

t.test('a token of few units on the way', async (t) => {
  for (const decimals of [0, 1, 2, 4, 18]) {
    const [from, way, to] = [token('from', 8), token('way', decimals), token('to', 6)]
    const pools = [poolOf(1, from, way, 5_000_000, 40_000), poolOf(2, way, to, 30_000, 900_000)]
    compare(t, `over ${decimals}`, caseOver(pools))
  }
})

t.test('a swap that loses a unit of output in each of two steps', async (t) => {
  compare(t, 'two steps', direct(token('a', 1), token('b', 0), 6200, 635), COARSE_ACCURACY)
})

t.test(`pools of all sizes between tokens of few units (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  for (let round = 0; round < (LONG ? 400 : 20); round++) {
    const [a, b] = [token('a', random.integer(0, 2)), token('b', random.integer(0, 2))]
    const whole = () => Math.round(10 ** (1 + random.next() * 6))
    const [wholeA, wholeB] = [whole(), whole()]
    compare(
      t,
      `round ${round}: ${wholeA} of ${a.decimals} decimals, ${wholeB} of ${b.decimals}`,
      direct(a, b, wholeA, wholeB),
      COARSE_ACCURACY,
    )
  }
})
