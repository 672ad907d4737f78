// Swaps over sums of steps equal swaps computed step by step, to the last unit.
import t from 'tap'
import { type Moved, StepSums } from '../../../core/amm/step-sums.ts'
import { swap } from '../../../core/amm/swap.ts'
import { TickList } from '../../../core/amm/tick-index.ts'
import { tickAtSqrtPrice } from '../../../core/amm/ticks.ts'
import type { RoutePool } from '../../../core/route/model.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { randomPool, randomToken } from '../route/random-market.ts'
import { routePools } from '../route/vectors.ts'

const LONG = Boolean(process.env.HEADWATER_TEST_LONG)
const seed = seedFromEnvironment()

/** Step sums leave the tick out where the price implies it. */
function withTick(moved: Moved | null): Moved | null {
  return moved && { ...moved, tick: moved.tick ?? tickAtSqrtPrice(moved.sqrtPriceX64) }
}

/** Compares swaps of all sizes, in random order, both ways. @returns number of executed and of refused swaps */
function compare(random: Random, pool: RoutePool, times: number, name: string): { done: number; refused: number } {
  const ticks = TickList.from(pool.ticks.values())
  const sums = [new StepSums(pool, ticks, true), new StepSums(pool, ticks, false)] as const
  let [done, refused] = [0, 0]
  let known: bigint[] = []
  for (let i = 0; i < times; i++) {
    const aForB = random.chance(0.5)
    const exact = random.chance(0.5) ? 'in' : 'out'
    // Also amounts that end exactly at the end of a step, and one unit more or less.
    const base =
      known.length > 0 && random.chance(0.3) ? random.pick(known) : random.bigint(1n << BigInt(random.integer(1, 62)))
    const amount = base + BigInt(random.integer(-1, 1))
    if (amount <= 0n) continue
    const got = withTick(sums[aForB ? 0 : 1].swap(exact, amount))
    const expected = swap(pool, ticks, { aForB, exact, amount })
    if (!expected.ok) {
      refused++
      t.equal(got, null, `${name}: ${exact} ${amount} is refused`)
      continue
    }
    done++
    const { amountIn, amountOut, sqrtPriceX64, tick, liquidity } = expected
    t.strictSame(got, { amountIn, amountOut, sqrtPriceX64, tick, liquidity }, `${name}: ${exact} ${amount}`)
    known = [...known.slice(-20), amountIn, amountOut]
  }
  return { done, refused }
}

/** The input with which a swap ends exactly on each of the next ticks. */
function* ends(pool: RoutePool, aForB: boolean): Generator<bigint> {
  const ticks = TickList.from(pool.ticks.values())
  let [low, high] = [1n, 1n << 62n]
  for (let i = 0; i < 40 && low < high; i++) {
    const middle = (low + high) / 2n
    const result = swap(pool, ticks, { aForB, exact: 'in', amount: middle })
    if (result.ok && result.crossings.length === 0) low = middle + 1n
    else high = middle
  }
  for (let unit = -3n; unit <= 3n; unit++) yield low + unit
}

t.test(`random pools (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  let [done, refused] = [0, 0]
  for (let i = 0; i < (LONG ? 2000 : 60); i++) {
    const [a, b] = [randomToken(random, 0), randomToken(random, 1)]
    const counts = compare(random, randomPool(random, i, a, b, 10 ** (1 + random.next() * 6)), 40, `pool ${i}`)
    done += counts.done
    refused += counts.refused
  }
  t.ok(done > 500 && refused > 100, `${done} done, ${refused} refused`)
})

t.test('recorded pools, and amounts around the end of a step', async (t) => {
  const random = new Random(seed + 1)
  for (const pool of routePools()) compare(random, pool, LONG ? 200 : 12, `pool ${pool.id}`)
  for (const pool of routePools().slice(0, LONG ? 250 : 40)) {
    const ticks = TickList.from(pool.ticks.values())
    for (const aForB of [true, false]) {
      const sums = new StepSums(pool, ticks, aForB)
      for (const amount of ends(pool, aForB)) {
        if (amount <= 0n) continue
        const expected = swap(pool, ticks, { aForB, exact: 'in', amount })
        const got = withTick(sums.swap('in', amount))
        t.strictSame(
          [got?.amountIn, got?.amountOut, got?.sqrtPriceX64, got?.tick, got?.liquidity],
          expected.ok
            ? [expected.amountIn, expected.amountOut, expected.sqrtPriceX64, expected.tick, expected.liquidity]
            : [undefined, undefined, undefined, undefined, undefined],
          `pool ${pool.id} ${amount}`,
        )
      }
    }
  }
})
