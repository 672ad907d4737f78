// A path with its amount becomes a part of a route: transfers with exact amounts on a shared overlay.
import type { Ratio } from '../amm/price.ts'
import type { Overlay } from './exact.ts'
import { BookVenue, type Edge, PoolVenue } from './graph.ts'
import type { RouteHop, RoutePart, RouteTransfer } from './model.ts'
import { type Path, startsTransfer } from './path.ts'

/** No asset is as much, so no transfer can be. */
const ASSET_LIMIT = 1n << 62n

/** A part before its share of the whole is known. */
export type QuotedPart = Omit<RoutePart, 'percent'>

/** The leg that cannot be executed completely. */
export class Refusal {
  readonly edge: Edge

  constructor(edge: Edge) {
    this.edge = edge
  }
}

/** Amount × (1 − slippage), rounded down. */
export function leastOf(amount: bigint, { numerator, denominator }: Ratio): bigint {
  return (amount * (denominator - numerator)) / denominator
}

/** What a transfer may spend of the expectation before it, as a double. */
export function keptOf({ numerator, denominator }: Ratio): number {
  return 1 - Number(numerator) / Number(denominator)
}

/** Amount × (1 + slippage), rounded up. */
export function mostOf(amount: bigint, { numerator, denominator }: Ratio): bigint {
  return (amount * (denominator + numerator) + denominator - 1n) / denominator
}

/**
 * Executes an exact input over a path and leaves its effects on the overlay.
 *
 * @param visit  is told what each hop takes and gives, in order
 * @returns the output; a refusal when a leg cannot be executed completely: the overlay is then of no more use
 */
export function executeIn(
  path: Path,
  amount: bigint,
  slippage: Ratio,
  overlay: Overlay,
  visit?: (edge: Edge, amountIn: bigint, amountOut: bigint) => void,
): bigint | Refusal {
  let amountOut = amount
  for (let i = 0; i < path.length; i++) {
    const edge = path[i] as Edge
    const { venue, forward } = edge
    const amountIn = i > 0 && startsTransfer(path, i) ? leastOf(amountOut, slippage) : amountOut
    if (venue instanceof PoolVenue) {
      const done = overlay.swap(venue, forward, 'in', amountIn)
      if (done === null) return new Refusal(edge)
      amountOut = done.amountOut
      visit?.(edge, amountIn, amountOut)
    } else {
      const taken = overlay.take(venue.book, forward, amountIn)
      // What would buy nothing is not sent on; the user's own input is spent completely or not at all.
      if (taken === null || (taken.paid < amountIn && i === 0)) return new Refusal(edge)
      amountOut = taken.received
      visit?.(edge, taken.paid, amountOut)
    }
  }
  return amountOut
}

/** Quotes an exact input over a path as `executeIn` does. */
export function quoteExactIn(path: Path, amount: bigint, slippage: Ratio, overlay: Overlay): QuotedPart | Refusal {
  const hops: RouteHop[] = []
  const output = executeIn(path, amount, slippage, overlay, (edge, amountIn, amountOut) =>
    hops.push(hopOver(edge, amountIn, amountOut)),
  )
  if (output instanceof Refusal) return output
  const transfers = transfersOf(path, hops).map((some): RouteTransfer => {
    const { venue, input, amountIn } = some[0] as RouteHop
    const { output, amountOut } = some[some.length - 1] as RouteHop
    const minimum = leastOf(amountOut, slippage)
    return { venue, hops: some, input, output, quantity: amountIn, amountIn, amountOut, minimum }
  })
  const { minimum } = transfers[transfers.length - 1] as RouteTransfer
  return { input: amount, output, minReceived: minimum, maxSent: amount, hops, transfers }
}

/** The hops of a path by transfer: consecutive pools together, each market by itself. */
function transfersOf(path: Path, hops: readonly RouteHop[]): RouteHop[][] {
  const groups: RouteHop[][] = []
  hops.forEach((hop, i) => {
    if (startsTransfer(path, i)) groups.push([hop])
    else groups[groups.length - 1]?.push(hop)
  })
  return groups
}

/**
 * Quotes an exact output over pools and leaves its effects on the overlay.
 *
 * @returns a refusal when the path cannot deliver the amount; the overlay is then of no more use
 */
export function quoteExactOut(path: Path, amount: bigint, slippage: Ratio, overlay: Overlay): QuotedPart | Refusal {
  const hops: RouteHop[] = []
  let wanted = amount
  for (let i = path.length - 1; i >= 0; i--) {
    const edge = path[i] as Edge
    if (!(edge.venue instanceof PoolVenue)) return new Refusal(edge)
    const done = overlay.swap(edge.venue, edge.forward, 'out', wanted)
    if (done === null) return new Refusal(edge)
    hops.unshift(hopOver(edge, done.amountIn, wanted))
    wanted = done.amountIn
  }
  const { input } = hops[0] as RouteHop
  const { output } = hops[hops.length - 1] as RouteHop
  const maxSent = mostOf(wanted, slippage)
  if (maxSent >= ASSET_LIMIT) return new Refusal(path[0] as Edge)
  const quoted = { venue: 'amm' as const, hops, input, output, amountIn: wanted, amountOut: amount, minimum: amount }
  const transfers = [{ quantity: maxSent, ...quoted }]
  return { input: wanted, output: amount, minReceived: amount, maxSent, hops, transfers }
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
