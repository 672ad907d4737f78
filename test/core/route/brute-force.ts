// Every path of a small graph, every division between two of them in steps of a percent, and between three that have
// nothing in common in steps of five, executed without the router's code.
import type { Test } from 'tap'
import { amountOf, type Market, type PricedToken } from './random-market.ts'
import type { ShapedMarket } from './random-shapes.ts'
import { allPaths, type Hop, type Share, State, simulateOne } from './simulate.ts'

const STEPS = 100
const THIRDS = 5

export type Ratio = { numerator: bigint; denominator: bigint }

/** Output of every path by itself for every share of the amount; null where it cannot be. */
function tables(paths: readonly Hop[][], amount: bigint, slippage: Ratio): (bigint | null)[][] {
  return paths.map((hops) =>
    Array.from({ length: STEPS + 1 }, (_, share) => {
      const part = (amount * BigInt(share)) / BigInt(STEPS)
      return part === 0n ? null : simulateOne(hops, part, new State(), slippage)
    }),
  )
}

function venueOf({ pool, book, input }: Hop): string {
  return pool !== null ? `pool ${pool.id}` : `book ${book?.id} ${input}`
}

/** Both on one state, one after the other. */
function inTurn(shares: readonly Share[], slippage: Ratio): bigint | null {
  const state = new State()
  let sum = 0n
  for (const { hops, amount } of shares) {
    const output = simulateOne(hops, amount, state, slippage)
    if (output === null) return null
    sum += output
  }
  return sum
}

/** @returns the best output of all; 0 when nothing can be executed */
function bruteForce(paths: readonly Hop[][], amount: bigint, slippage: Ratio): bigint {
  const alone = tables(paths, amount, slippage)
  const venues = paths.map((hops) => new Set(hops.map(venueOf)))
  const meets = (a: number, b: number) => [...(venues[a] as Set<string>)].some((venue) => venues[b]?.has(venue))
  const part = (share: number) => (amount * BigInt(share)) / BigInt(STEPS)
  let best = 0n
  const see = (output: bigint | null) => {
    if (output !== null && output > best) best = output
  }
  for (let a = 0; a < paths.length; a++) {
    see(alone[a]?.[STEPS] ?? null)
    for (let b = 0; b < paths.length; b++) {
      const shared = meets(a, b)
      if (a === b || (b < a && !shared)) continue
      for (let share = 1; share < STEPS; share++) {
        const first = { hops: paths[a] as Hop[], amount: part(share) }
        const rest = { hops: paths[b] as Hop[], amount: amount - part(share) }
        if (first.amount === 0n || rest.amount === 0n) continue
        const isWhole = rest.amount === part(STEPS - share)
        if (shared || !isWhole) see(inTurn([first, rest], slippage))
        else {
          const [one, other] = [alone[a]?.[share], alone[b]?.[STEPS - share]]
          if (one && other) see(one + other)
        }
      }
      for (let c = b + 1; c < paths.length && !shared && b > a; c++) {
        if (meets(a, c) || meets(b, c)) continue
        for (let i = THIRDS; i < STEPS; i += THIRDS) {
          for (let j = THIRDS; i + j < STEPS; j += THIRDS) {
            const [x, y, z] = [alone[a]?.[i], alone[b]?.[j], alone[c]?.[STEPS - i - j]]
            if (x && y && z && part(i) + part(j) + part(STEPS - i - j) === amount) see(x + y + z)
          }
        }
      }
    }
  }
  return best
}

/** What the router gives in a market for a random amount of its first token in its second one, and what brute force gives. */
export function contend(made: Market, slippage: Ratio): { got: bigint; best: bigint } {
  const [input, output] = [made.tokens[0] as PricedToken, made.tokens[1] as PricedToken]
  const amount = amountOf(made.random, input)
  const route = made.router.exactIn({ input: input.id, output: output.id, amount, slippage })
  const best = bruteForce(allPaths(made.pools, made.books, input.id, output.id), amount, slippage)
  return { got: route?.output ?? 0n, best }
}

/** The same in a market that knows what is to be traded. */
export function contendIn(made: ShapedMarket): { got: bigint; best: bigint } {
  const { pools, books, router, input, output, amount, slippage } = made
  const route = router.exactIn({ input, output, amount, slippage })
  return { got: route?.output ?? 0n, best: bruteForce(allPaths(pools, books, input, output), amount, slippage) }
}

/** How the router compares with brute force over many markets. */
export interface Comparison {
  /** Markets in which something can be executed. */
  found: number
  /** Of these: markets in which the router is worse at all, and by more than a basis point and more than a unit. */
  worse: number
  worseByPoint: number
  /** The most by which it is worse, in basis points; a single unit does not count. */
  worst: number
  /** The markets in which it is worse by more than a basis point. */
  markets: string[]
}

export function compareAll(contended: Iterable<{ name: string; got: bigint; best: bigint }>): Comparison {
  const result: Comparison = { found: 0, worse: 0, worseByPoint: 0, worst: 0, markets: [] }
  for (const { name, got, best } of contended) {
    if (best === 0n) continue
    result.found++
    if (got >= best) continue
    result.worse++
    const points = best - got > 1n ? (1 - Number(got) / Number(best)) * 1e4 : 0
    result.worst = Math.max(result.worst, points)
    if (points <= 1) continue
    result.worseByPoint++
    result.markets.push(`market ${name}: ${got} instead of ${best}`)
  }
  return result
}

/**
 * The promise: equal to brute force in 90 percent of the markets, within a basis point in 99 percent, never worse by more
 * than ten. Small samples may have one market outside of each share.
 */
export function keepsPromise(t: Test, comparison: Comparison): void {
  const { found, worse, worseByPoint, worst } = comparison
  const text = JSON.stringify(comparison)
  t.ok(worse <= Math.max(1, found * 0.1), text)
  t.ok(worseByPoint <= Math.max(1, found * 0.01), text)
  t.ok(worst <= 10, text)
}
