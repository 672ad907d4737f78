// Depth of a pair: how much can be traded before the average price has fallen by so many percent. Quotes go by rising
// input, to the largest input whose average price keeps to a level.
//
// Whole raw units make the average price a saw: between two steps of the output it falls with each unit of input. With
// few units the teeth are wider than a level. So an amount either keeps the level, or fails even without rounding, or
// fails only because of rounding. Without rounding the output is concave in the input: once an amount fails to keep a
// level, all larger amounts fail. Order books break this where a larger amount reaches a market's minimum, so amounts
// of all sizes are sampled first.

import { FEE_UNIT } from '../amm/q64.ts'
import { SPOT_FEE_UNIT } from '../book/fee.ts'
import { FEW_UNITS, LARGEST_INPUT, RATIO, type Route, type RouteHop, type RoutePart } from './model.ts'
import { guaranteedShare, spotPrice } from './quote.ts'
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

/** A small trade that loses more than this share shows less of the price than the start of its route. */
const SMALL_LOSS = 2e-4

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
 * The same search, one quote a step, so that a caller can do other work in between. The router must not change before
 * the end; if it does, start again.
 */
export function* depthSteps(router: Router, request: DepthRequest): Generator<void, Depth> {
  const { impacts, mid, slippage } = request
  const search = new DepthSearch((amount) => router.exactIn({ ...request, amount }))
  const trades = yield* search.smallTrades()
  const referenceKind = mid === null ? 'smallTrade' : 'mid'
  const guaranteed = slippage === undefined ? 1 : guaranteedShare(slippage)
  const reference = trades.length === 0 ? null : (mid ?? smallPrice(trades, guaranteed))
  if (reference !== null) yield* search.spread(reference * (1 - Math.max(...impacts) / 100))
  const levels: DepthLevel[] = []
  for (const impact of impacts) {
    const best = reference === null ? null : yield* search.largest(reference * (1 - impact / 100))
    levels.push({ impact, input: best?.input ?? null, output: best?.output ?? null })
  }
  return { reference, referenceKind, levels }
}

/** Price of a small trade: of the one that loses least of its start price to its own size and to rounding. */
function smallPrice(trades: readonly Trade[], guaranteed: number): number {
  const starts = trades.map(({ price, route }) => Math.max(price, startPrice(route, guaranteed)))
  const losses = trades.map(({ price }, i) => 1 - price / (starts[i] as number))
  const least = Math.min(...losses)
  const at = losses.indexOf(least)
  return least <= SMALL_LOSS ? (trades[at] as Trade).price : (starts[at] as number)
}

interface Sample {
  input: bigint
  /** Null where there is no route. */
  output: bigint | null
  /** Raw units of output per raw unit of input; 0 where there is no route. */
  price: number
  /** Share of the output that rounding can have cost. */
  loss: number
  route: Route | null
}

type Trade = Sample & { output: bigint; route: Route }

/** The largest double below the limit of an asset. */
const MAX_AMOUNT = LARGEST_INPUT - 512
/** The answer is at most this factor below the largest input. */
const ACCURACY = 1.01
/** At this share of the price that is sought, no larger amount will have it. */
const HOPELESS = 0.5
/** Ratio of the first inputs: small enough to meet the minimum order of a market before it is exhausted. */
const GROWTH = 10
/** Share of an interval, on a logarithmic scale, that each step of the secant method cuts off at least. */
const LEAST_CUT = 0.1
/** Limit of teeth that are looked at for one level: bounds the time where units are few. */
const MAX_TEETH = 1000
/** Share by which steps over teeth grow: every tooth first, in the end about one in a thousandth of the amount. */
const TEETH_GROWTH = 2e-9
/** Ends of the range in which teeth are looked at are found to this factor. */
const END_ACCURACY = 1 + (ACCURACY - 1) / RATIO

/** What an amount is to a level: it keeps it, it is beyond the largest that does, or rounding hides the answer. */
type Verdict = 'keeps' | 'beyond' | 'hidden'

class DepthSearch {
  /** Quotes by rising input, shared by all levels. */
  private readonly known: Sample[] = []
  private readonly quote: (amount: bigint) => Route | null

  constructor(quote: (amount: bigint) => Route | null) {
    this.quote = quote
  }

  /** Quotes powers of ten until a trade has enough units for a price. */
  *smallTrades(): Generator<void, Trade[]> {
    const found: Trade[] = []
    for (let amount = 1; amount < LARGEST_INPUT; amount *= GROWTH) {
      const sample = yield* this.ask(amount)
      if (isTrade(sample)) {
        found.push(sample)
        if (sample.output >= FEW_UNITS && amount >= FEW_UNITS) break
      } else if (found.length > 0) break
    }
    return found
  }

  /**
   * Quotes amounts of all larger sizes, until the price is far below a level.
   *
   * @param least  price of the lowest level
   */
  *spread(least: number): Generator<void, void> {
    for (let amount = Number(this.known.at(-1)?.input ?? 1n) * GROWTH; amount < LARGEST_INPUT; amount *= GROWTH) {
      const { price, loss } = yield* this.ask(amount)
      if (price * (1 + loss) < least * HOPELESS) return
    }
  }

  /**
   * The largest input whose average price is at least `least`, to about one percent.
   *
   * @returns null when no amount has that price
   */
  *largest(least: number): Generator<void, Trade | null> {
    const last = this.known.findLastIndex((sample) => this.verdict(sample, least) !== 'beyond')
    // Among the amounts up to `low` only `best` counts; `high` and all above fail.
    let best = this.known.findLast((sample): sample is Trade => keeps(sample, least)) ?? null
    let low = best === null ? 0 : Number(best.input)
    let high = Number(this.known[last + 1]?.input ?? LARGEST_INPUT)
    let next = Number(this.known[last]?.input ?? 0n)
    if (next <= low) next = this.between(low, high, least)
    while (next > low && next < high && high > Number(best?.input ?? 0n) * ACCURACY) {
      const sample = yield* this.ask(next)
      const verdict = this.verdict(sample, least)
      const edge = verdict === 'hidden' && isTrade(sample) ? yield* this.edgeOf(sample, least) : null
      if (verdict === 'beyond') high = next
      else if (edge === null || edge.trade !== null) low = next
      else if (edge.isCertain) high = edge.input
      else return yield* this.descend(low, high, least, best)
      if (keeps(sample, least)) best = sample
      else if (edge !== null && edge.trade !== null) best = larger(best, edge.trade)
      next = this.between(low, high, least)
    }
    return best
  }

  /**
   * The last amount that keeps a level with the output of a trade that fails by rounding.
   *
   * @returns the trade, null when the output needs more; then, whether all larger amounts fail, too
   */
  private *edgeOf(
    { output, loss }: Trade,
    least: number,
  ): Generator<void, { input: number; trade: Trade | null; isCertain: boolean }> {
    const most = Number(output) / least
    const input = Math.floor(most)
    const edge = yield* this.ask(input)
    if (keeps(edge, least)) return { input, trade: edge, isCertain: true }
    // Here the output without rounding would be below the level even if all rounding but the last unit of the output were
    // to blame: as it is concave, it is below for all larger amounts. A swap of two steps loses a unit in each.
    const others = loss - 1 / Number(output)
    const beyond = yield* this.ask(Math.ceil(most * (1 + others)) + 1)
    return { input, trade: null, isCertain: (beyond.output ?? 0n) < output }
  }

  /**
   * Where units are few on both sides, amounts that keep a level lie scattered among others. This search goes down from
   * an amount that is beyond the level. The output does not fall with the input, so no amount above output / level
   * keeps it.
   */
  private *descend(low: number, high: number, least: number, known: Trade | null): Generator<void, Trade | null> {
    const [, above] = yield* this.halve(low, high, (sample) => this.verdict(sample, least) !== 'beyond')
    const [good] = yield* this.halve(Number(known?.input ?? 0n), above, (sample) => keeps(sample, least))
    const better = this.at(good)
    const best = better !== undefined && keeps(better, least) ? larger(known, better) : known
    const enough = Number(best?.input ?? 0n) * ACCURACY
    for (let teeth = 0, at = above; teeth < MAX_TEETH && at > enough; teeth++) {
      const sample = yield* this.ask(at)
      if (keeps(sample, least)) return larger(best, sample)
      const edge = yield* this.ask(Math.floor(Math.min(Number(sample.output ?? 0n) / least, at - 1)))
      if (keeps(edge, least)) return larger(best, edge)
      at = Math.floor(Math.min(Number(edge.input), at / (1 + TEETH_GROWTH * teeth ** 2)))
    }
    return best
  }

  /** Narrows two amounts down to where quotes turn from one kind to the other. */
  private *halve(
    low: number,
    high: number,
    isLow: (sample: Sample) => boolean,
  ): Generator<void, [low: number, high: number]> {
    let [below, above] = [low, high]
    while (above > below + 1 && above > below * END_ACCURACY) {
      const middle = Math.floor(Math.sqrt(Math.max(below, 1) * above))
      const next = Math.min(Math.max(middle, below + 1), above - 1)
      if (isLow(yield* this.ask(next))) below = next
      else above = next
    }
    return [below, above]
  }

  private verdict(sample: Sample, least: number): Verdict {
    if (keeps(sample, least)) return 'keeps'
    if (isTrade(sample)) return sample.price * (1 + sample.loss) < least ? 'beyond' : 'hidden'
    // Too little for a single unit of output, or more than the venues can take.
    const first = this.known.find(isTrade)
    return first !== undefined && sample.input < first.input ? 'hidden' : 'beyond'
  }

  /** The next amount to look at between two others; one of the two when there is none. */
  private between(low: number, high: number, least: number): number {
    if (high === LARGEST_INPUT) return Math.min(Math.max(low, 1) * GROWTH, MAX_AMOUNT)
    const from = Math.max(low, 1)
    const [good, bad] = [this.at(low)?.price ?? 0, this.at(high)?.price ?? 0]
    // The secant method, a little above its guess, because an answer a little below the largest input is accurate enough.
    const guess = (low + (high - low) * ((good - least) / (good - bad))) * END_ACCURACY
    const cut = (high / from) ** LEAST_CUT
    const next =
      good >= least && good > bad ? Math.min(Math.max(guess, from * cut), high / cut) : Math.sqrt(from * high)
    return Math.max(low + 1, Math.min(Math.floor(next), high - 1))
  }

  private at(amount: number): Sample | undefined {
    return this.known.find(({ input }) => Number(input) === amount)
  }

  private *ask(amount: number): Generator<void, Sample> {
    const input = BigInt(Math.floor(amount))
    const at = this.known.findIndex((other) => other.input >= input)
    const known = this.known[at]
    if (known?.input === input) return known
    const route = this.quote(input)
    const output = route?.output ?? null
    const price = output === null ? 0 : Number(output) / Number(input)
    const sample: Sample = { input, output, price, loss: route === null ? 0 : roundingLoss(route), route }
    this.known.splice(at < 0 ? this.known.length : at, 0, sample)
    yield
    return sample
  }
}

function isTrade(sample: Sample): sample is Trade {
  return sample.output !== null
}

function keeps(sample: Sample, least: number): sample is Trade {
  // At 100 percent any price will do, but there must be one.
  return sample.output !== null && sample.price >= least
}

function larger(one: Trade | null, other: Trade): Trade {
  return one === null || other.input > one.input ? other : one
}

/**
 * Raw units by which rounding may change the input (its fee) and the output of a hop: less than one for each step of a
 * swap. A small amount takes one or two steps; for a large amount, the units of more steps are negligible.
 */
const ROUNDED_UNITS = 2

/**
 * Upper bound of the loss by rounding.
 *
 * @returns share of the output; 0.01 means that the output without rounding is at most 1 percent more
 */
function roundingLoss({ parts, output }: Route): number {
  let loss = 0
  for (const part of parts) {
    let units = 0
    for (const { amountIn, amountOut } of part.hops) units += 1 / Number(amountIn) + 1 / Number(amountOut)
    loss += ROUNDED_UNITS * units * Number(part.output)
  }
  return loss / Number(output)
}

/**
 * Mean price of infinitely small trades over the paths of a route, weighted by the inputs of its parts; with fees, without
 * rounding.
 *
 * @param guaranteed  share of a transfer's quoted output that the next transfer may spend
 * @returns raw units of output per raw unit of input; 0 over pools that have no liquidity at their price
 */
function startPrice({ parts, input }: Route, guaranteed: number): number {
  return parts.reduce((sum, part) => sum + Number(part.input) * startOf(part, guaranteed), 0) / Number(input)
}

function startOf({ hops, transfers }: RoutePart, guaranteed: number): number {
  return hops.reduce((price, hop) => price * spotPrice(hop) * (1 - feeShare(hop)), guaranteed ** (transfers.length - 1))
}

function feeShare({ pool, book }: RouteHop): number {
  if (pool !== null) return pool.liquidity === 0n ? 1 : pool.fee / Number(FEE_UNIT)
  return (book?.fee ?? 0) / Number(SPOT_FEE_UNIT)
}
