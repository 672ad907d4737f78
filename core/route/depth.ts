// Depth of a pair: how much can be traded before the average price has fallen by so many percent.
import type { Route } from './model.ts'
import type { Router } from './router.ts'

export interface DepthRequest {
  /** Token ids. */
  input: string
  output: string
  /** Percent below the reference, each above 0 and at most 100. */
  impacts: readonly number[]
  /** Raw units of output per raw unit of input, fees not included (the pair's mid); null to use a small trade. */
  mid: number | null
  /** As for a route; both count in what a transfer over a second venue may spend. */
  slippage?: Parameters<Router['exactIn']>[0]['slippage']
  books?: boolean
}

export interface DepthLevel {
  impact: number
  /** The largest input found, raw units; null when even a small trade is worse. */
  input: bigint | null
  output: bigint | null
}

export interface Depth {
  /** Raw units of output per raw unit of input; null when there is no route at all. */
  reference: number | null
  referenceKind: 'mid' | 'smallTrade'
  /** In the order asked. */
  levels: DepthLevel[]
}

/** The router takes less than this; and the largest double that it takes. */
const LIMIT = 2 ** 62
const MOST = LIMIT - 512
/** The answer is at most this factor below the largest input. */
const ACCURACY = 1.01
/** At this share of the price that is sought, no larger amount will have it. */
const HOPELESS = 0.5
/** By how much the first inputs grow. */
const GROWTH = 8

/**
 * For each level the largest input, to about one percent, whose average price, fees included, is at most that many
 * percent below the reference.
 */
export function depthOf(router: Router, request: DepthRequest): Depth {
  const steps = depthSteps(router, request)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/**
 * The same quote by quote, for whoever has to do other things in between. The router must not change before the end:
 * else begin anew.
 */
export function* depthSteps(router: Router, request: DepthRequest): Generator<void, Depth> {
  const { impacts, mid } = request
  const samples = new Samples((amount) => router.exactIn({ ...request, amount }))
  const small = yield* samples.smallTrade()
  const referenceKind = mid === null ? 'smallTrade' : 'mid'
  const reference = small === null ? null : (mid ?? small.price)
  if (reference !== null) yield* samples.spread(reference * (1 - Math.max(...impacts) / 100))
  const levels: DepthLevel[] = []
  for (const impact of impacts) {
    const best = reference === null ? null : yield* samples.largest(reference * (1 - impact / 100))
    levels.push({ impact, input: best?.input ?? null, output: best?.output ?? null })
  }
  return { reference, referenceKind, levels }
}

interface Sample {
  input: bigint
  output: bigint | null
  /** 0 where there is no route. */
  price: number
}

/** Quotes by rising input. What one level has asked serves the others. */
class Samples {
  private readonly known: Sample[] = []
  private readonly quote: (amount: bigint) => Route | null

  constructor(quote: (amount: bigint) => Route | null) {
    this.quote = quote
  }

  /** The smallest power of ten whose output has enough digits for a price. */
  *smallTrade(): Generator<void, Sample | null> {
    let found: Sample | null = null
    for (let amount = 1; amount < LIMIT; amount *= 10) {
      const sample = yield* this.ask(amount)
      if (sample.output === null && found !== null) break
      if (sample.output !== null) found = sample
      if (sample.output !== null && sample.output >= 10_000n && amount >= 10_000) break
    }
    this.known.splice(0)
    if (found !== null) this.known.push(found)
    return found
  }

  /**
   * Looks at amounts of all sizes. The average price need not fall with the amount: a larger one may reach a market's
   * minimum, or lose less by rounding. So a level is sought behind the last amount that holds it, not before the first
   * that does not.
   */
  *spread(least: number): Generator<void, void> {
    const first = this.known[0]
    if (first === undefined) return
    for (let amount = Number(first.input) * GROWTH; amount < LIMIT; amount *= GROWTH) {
      const { price } = yield* this.ask(amount)
      if (price < least * HOPELESS) return
    }
  }

  *largest(least: number): Generator<void, Sample | null> {
    for (;;) {
      // At 100 percent any price holds, but there must be one.
      const at = this.known.findLastIndex(({ output, price }) => output !== null && price >= least)
      const good = this.known[at]
      const bad = this.known[at + 1]
      if (good === undefined) return null
      const [low, high] = [Number(good.input), bad ? Number(bad.input) : LIMIT]
      if (high / low <= ACCURACY) return good
      const next = bad
        ? between(low, high, (good.price - least) / (good.price - bad.price))
        : Math.min(low * GROWTH, MOST)
      if (Math.floor(next) <= low || Math.floor(next) >= high) return good
      yield* this.ask(next)
    }
  }

  private *ask(amount: number): Generator<void, Sample> {
    const input = BigInt(Math.floor(amount))
    const output = this.quote(input)?.output ?? null
    const sample = { input, output, price: output === null ? 0 : Number(output) / Number(input) }
    const at = this.known.findIndex((other) => other.input > input)
    this.known.splice(at < 0 ? this.known.length : at, 0, sample)
    yield
    return sample
  }
}

/** A point by the secant, kept off the ends so that each step narrows the gap. */
function between(low: number, high: number, share: number): number {
  const ratio = high / low
  const guess = low + (high - low) * share
  const edge = ratio ** (ratio > 2 ? 0.2 : 0.08)
  return Math.min(Math.max(guess * 1.002, low * edge), high / edge)
}
