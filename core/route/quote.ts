// Exact quotes of paths in the contracts' integer arithmetic. An overlay holds the effects of earlier parts, so that no
// liquidity is counted twice. Also computes the price impact of a route and the shares of its parts.
import type { Ratio } from '../amm/price.ts'
import type { Moved } from '../amm/step-sums.ts'
import { type SwapRequest, swap } from '../amm/swap.ts'
import { tickAtSqrtPrice } from '../amm/ticks.ts'
import { afterFee } from '../book/fee.ts'
import { matchOffer } from '../book/match.ts'
import type { BookOrder } from '../book/order.ts'
import { BookVenue, type Edge, PoolVenue } from './graph.ts'
import { ASSET_LIMIT, type Route, type RouteHop, type RoutePart, type RouteTransfer, TRIES } from './model.ts'
import { type Path, startsTransfer } from './path.ts'

/** Amount × (1 − slippage), rounded down. */
function minimumOf(amount: bigint, { numerator, denominator }: Ratio): bigint {
  return (amount * (denominator - numerator)) / denominator
}

/** Amount × (1 + slippage), rounded up. */
function maximumOf(amount: bigint, { numerator, denominator }: Ratio): bigint {
  return (amount * (denominator + numerator) + denominator - 1n) / denominator
}

/** 1 − slippage: the share of a transfer's quoted output that the next transfer may spend. */
export function guaranteedShare({ numerator, denominator }: Ratio): number {
  return 1 - Number(numerator) / Number(denominator)
}

/** A division that can be executed. */
export interface Division {
  paths: readonly Path[]
  /** By path, above 0: inputs for an exact input, outputs for an exact output. */
  amounts: readonly bigint[]
  /** Sums over the parts, exact. */
  input: bigint
  output: bigint
}

/** The unfilled rest of one side of a book. */
interface Resting {
  /** Index of the first order that is not completely filled. */
  at: number
  /** The rest of that order; null when no part of it is filled. */
  partial: BookOrder | null
}

const UNTOUCHED: Resting = { at: 0, partial: null }

/** The state of pools and books after the hops that were executed on it. */
export class Overlay {
  private readonly pools = new Map<PoolVenue, Moved>()
  private readonly sides = new Map<Edge, Resting>()

  /** Swaps in a pool in its current state. @returns null when the contract refuses, or the output would be 0 */
  swap(venue: PoolVenue, aForB: boolean, exact: 'in' | 'out', amount: bigint): Moved | null {
    if (amount <= 0n) return null
    const state = this.pools.get(venue)
    const result =
      state === undefined ? venue.sums(aForB).swap(exact, amount) : swapAgain(state, venue, { aForB, exact, amount })
    if (result === null || result.amountOut === 0n) return null
    this.pools.set(venue, result)
    return result
  }

  /**
   * Executes a market order against a side of a book in its current state.
   *
   * @returns raw units spent (less than the offer only when the rest would buy nothing) and received after the fee of
   *          each fill; null when the order is below the market's minimum or the book cannot fill it
   */
  take(edge: Edge, venue: BookVenue, amount: bigint): { paid: bigint; received: bigint } | null {
    const orders = venue.orders(edge.forward)
    const least = venue.minimums[edge.forward ? 0 : 1]
    if (amount <= 0n || amount < least) return null
    const side = this.sides.get(edge) ?? UNTOUCHED
    const { fills, paid, rest } = matchOffer({ bid: amount, ask: 0n }, remaining(orders, side))
    let received = 0n
    let { at, partial } = side
    for (const { order, received: gross, left } of fills) {
      received += afterFee(gross, venue.book.fee)
      partial = left === null ? null : { ...order, ...left }
      if (left === null) at++
    }
    const isExhausted = rest !== null && at >= orders.length
    if (isExhausted || received === 0n || paid < least) return null
    this.sides.set(edge, { at, partial })
    return { paid, received }
  }
}

/** A swap in a pool that an earlier swap has moved. Fee growth is not moved: amounts do not depend on it. */
function swapAgain(state: Moved, { pool, ticks }: PoolVenue, request: SwapRequest): Moved | null {
  const { sqrtPriceX64, liquidity } = state
  const tick = state.tick ?? tickAtSqrtPrice(sqrtPriceX64)
  const result = swap({ ...pool, sqrtPriceX64, tick, liquidity }, ticks, request)
  return result.ok ? result : null
}

function* remaining(orders: readonly BookOrder[], { at, partial }: Resting): Generator<BookOrder> {
  if (partial !== null) yield partial
  for (let i = partial === null ? at : at + 1; i < orders.length; i++) yield orders[i] as BookOrder
}

/** Called after each hop with its input and output. */
type Visit = (edge: Edge, amountIn: bigint, amountOut: bigint) => void

/**
 * Executes an exact input over a path and leaves its effects on the overlay.
 *
 * @returns the output, or the edge that cannot be executed completely. In that case the overlay must not be used again
 */
export function executeIn(path: Path, amount: bigint, slippage: Ratio, overlay: Overlay, visit?: Visit): bigint | Edge {
  let amountOut = amount
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    const { venue, forward } = edge
    const amountIn = i > 0 && startsTransfer(path, i) ? minimumOf(amountOut, slippage) : amountOut
    if (venue instanceof PoolVenue) {
      const done = overlay.swap(venue, forward, 'in', amountIn)
      if (done === null) return edge
      amountOut = done.amountOut
      visit?.(edge, amountIn, amountOut)
    } else {
      const taken = overlay.take(edge, venue, amountIn)
      // A later transfer spends less when the rest would buy nothing. The user's input must be spent completely.
      if (taken === null || (taken.paid < amountIn && i === 0)) return edge
      amountOut = taken.received
      visit?.(edge, taken.paid, amountOut)
    }
  }
  return amountOut
}

/** Executes an exact output over pools, like `executeIn`. @returns the input, or the edge that refuses */
export function executeOut(path: Path, amount: bigint, slippage: Ratio, state: Overlay, visit?: Visit): bigint | Edge {
  let wanted = amount
  for (let i = path.length - 1; i >= 0; i--) {
    const edge = path[i] as Edge
    const done = edge.venue instanceof PoolVenue ? state.swap(edge.venue, edge.forward, 'out', wanted) : null
    if (done === null) return edge
    visit?.(edge, done.amountIn, wanted)
    wanted = done.amountIn
  }
  return maximumOf(wanted, slippage) < ASSET_LIMIT ? wanted : (path[0] as Edge)
}

/** The route of a division. */
export function routeOf(exact: 'in' | 'out', { paths, amounts }: Division, slippage: Ratio): Route {
  const overlay = new Overlay()
  const percent = percents(amounts)
  const parts = paths.map((path, i): RoutePart => {
    return { percent: percent[i] as number, ...partOf(exact, path, amounts[i] as bigint, slippage, overlay) }
  })
  const [input, output] = [sumOf(parts.map((part) => part.input)), sumOf(parts.map((part) => part.output))]
  const [first] = paths as [Path]
  return {
    exact,
    inputToken: (first[0] as Edge).from.id,
    outputToken: (first.at(-1) as Edge).to.id,
    input,
    output,
    minReceived: exact === 'in' ? minimumOf(output, slippage) : output,
    maxSent: exact === 'in' ? input : maximumOf(input, slippage),
    priceImpact: priceImpact(parts),
    parts,
  }
}

/** The part of a route over a path that can be executed. For an exact output all hops are pools, so they are one transfer. */
function partOf(
  exact: 'in' | 'out',
  path: Path,
  amount: bigint,
  slippage: Ratio,
  overlay: Overlay,
): Omit<RoutePart, 'percent'> {
  const hops: RouteHop[] = []
  if (exact === 'in') executeIn(path, amount, slippage, overlay, (...hop) => hops.push(hopOver(...hop)))
  else executeOut(path, amount, slippage, overlay, (...hop) => hops.unshift(hopOver(...hop)))
  const transfers: RouteTransfer[] = []
  hops.forEach((hop, i) => {
    const { venue, input, output, amountIn, amountOut } = hop
    const minimum = exact === 'in' ? minimumOf(amountOut, slippage) : amountOut
    const last = transfers.at(-1)
    if (last !== undefined && !startsTransfer(path, i)) {
      last.hops.push(hop)
      Object.assign(last, { output, amountOut, minimum })
      return
    }
    const quantity = exact === 'in' ? amountIn : maximumOf(amountIn, slippage)
    transfers.push({ venue, hops: [hop], input, output, quantity, amountIn, amountOut, minimum })
  })
  const { amountIn, quantity } = transfers[0] as RouteTransfer
  const { amountOut, minimum } = transfers.at(-1) as RouteTransfer
  return { input: amountIn, output: amountOut, minReceived: minimum, maxSent: quantity, hops, transfers }
}

function hopOver({ venue, from, to }: Edge, amountIn: bigint, amountOut: bigint): RouteHop {
  return {
    venue: venue instanceof PoolVenue ? 'amm' : 'orderbook',
    pool: venue instanceof PoolVenue ? venue.pool : null,
    book: venue instanceof BookVenue ? venue.book : null,
    input: from.id,
    output: to.id,
    amountIn,
    amountOut,
  }
}

/**
 * Percent by which the output is below the output at spot prices, 0 to 100. Of a later transfer only the amount that it
 * spends counts: the rest stays with the user and is not lost.
 */
function priceImpact(parts: readonly RoutePart[]): number {
  let [expected, output] = [0, 0]
  for (const part of parts) {
    let share = 1
    for (const transfer of part.transfers) {
      const spot = transfer.hops.reduce((price, hop) => price * spotPrice(hop), 1)
      share *= Number(transfer.amountOut) / (Number(transfer.amountIn) * spot)
    }
    output += Number(part.output)
    expected += Number(part.output) / share
  }
  return Math.min(100, Math.max(0, 100 * (1 - output / expected)))
}

/** Raw units of output per raw unit of input. */
export function spotPrice({ pool, book, input }: RouteHop): number {
  if (pool !== null) {
    const root = Number(pool.sqrtPriceX64) / 2 ** 64
    return input === pool.a.id ? root * root : 1 / (root * root)
  }
  if (book === null) return 0
  const best = (input === book.target.id ? book.asks : book.bids)[0]
  return best === undefined ? 0 : Number(best.bid) / Number(best.ask)
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}

/** Hundredths of a percent in the whole. */
const WHOLE = 10_000n

/** Adds the difference between the amount and the sum of the parts to the largest part. */
export function withRest(amount: bigint, parts: readonly bigint[]): bigint[] {
  const rest = amount - sumOf(parts)
  const largest = parts.reduce((best, part, i) => (part > (parts[best] as bigint) ? i : best), 0)
  return parts.map((part, i) => (i === largest ? part + rest : part))
}

/**
 * Shares as percent, multiples of 0.01 and never less. Each is rounded, and the largest one is what is left. Doubles do not
 * hold most hundredths, so a few of them move between parts until the plain sum of the numbers is 100 itself.
 *
 * @param parts  above 0
 */
function percents(parts: readonly bigint[]): number[] {
  const sum = sumOf(parts)
  const rounded = parts.map((part) => (2n * part * WHOLE + sum) / (2n * sum))
  const first = withRest(
    WHOLE,
    rounded.map((units) => (units > 0n ? units : 1n)),
  ).map(Number)
  let tried = [first]
  for (let moves = 0; moves <= TRIES; moves++) {
    const found = tried.find((units) => units.reduce((sum, unit) => sum + unit / 100, 0) === 100)
    if (found !== undefined) return found.map((unit) => unit / 100)
    tried = tried.flatMap((units) => units.flatMap((_, from) => units.map((_, to) => moveUnit(units, from, to))))
  }
  return first.map((unit) => unit / 100)
}

/** Moves a unit from one part to another, if the first one has more than one. */
function moveUnit(units: readonly number[], from: number, to: number): number[] {
  const left = (units[from] as number) - 1
  return left > 0 && from !== to ? units.with(from, left).with(to, (units[to] as number) + 1) : [...units]
}
