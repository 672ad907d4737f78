// A path with its amount becomes a part of a route: transfers with exact amounts on a shared overlay.
import type { Ratio } from '../amm/price.ts'
import { type Edge, hopOver } from './edge.ts'
import type { Overlay } from './exact.ts'
import type { RouteHop, RoutePart, RouteTransfer } from './model.ts'

/** A part before its share of the whole is known. */
export type QuotedPart = Omit<RoutePart, 'percent'>

/** Amount × (1 − slippage), rounded down. */
export function leastOf(amount: bigint, { numerator, denominator }: Ratio): bigint {
  return (amount * (denominator - numerator)) / denominator
}

/** Amount × (1 + slippage), rounded up. */
export function mostOf(amount: bigint, { numerator, denominator }: Ratio): bigint {
  return (amount * (denominator + numerator) + denominator - 1n) / denominator
}

/** The edges of a path by transfer: consecutive pools together, each market by itself. */
export function transfersOf(path: readonly Edge[]): Edge[][] {
  const groups: Edge[][] = []
  let isOpen = false
  for (const edge of path) {
    const isPool = edge.venue === 'amm'
    if (isPool && isOpen) groups[groups.length - 1]?.push(edge)
    else groups.push([edge])
    isOpen = isPool
  }
  return groups
}

/**
 * Quotes an exact input over a path and leaves its effects on the overlay.
 *
 * @returns null when a leg cannot be executed completely; the overlay is then of no more use
 */
export function quoteExactIn(
  path: readonly Edge[],
  amount: bigint,
  slippage: Ratio,
  overlay: Overlay,
): QuotedPart | null {
  const transfers: RouteTransfer[] = []
  let available = amount
  for (const edges of transfersOf(path)) {
    const transfer = transferIn(edges, available, transfers.length > 0, slippage, overlay)
    if (transfer === null) return null
    transfers.push(transfer)
    available = transfer.minimum
  }
  const last = transfers[transfers.length - 1] as RouteTransfer
  return {
    input: amount,
    output: last.amountOut,
    minReceived: last.minimum,
    maxSent: amount,
    hops: transfers.flatMap((transfer) => transfer.hops),
    transfers,
  }
}

function transferIn(
  edges: readonly Edge[],
  amount: bigint,
  mayTrim: boolean,
  slippage: Ratio,
  overlay: Overlay,
): RouteTransfer | null {
  const hops: RouteHop[] = []
  let quantity = amount
  let amountOut = amount
  for (const edge of edges) {
    const amountIn = amountOut
    if (edge.venue === 'amm') {
      const done = overlay.swap(edge.pool, edge.forward, 'in', amountIn)
      if (done === null) return null
      amountOut = done.amountOut
      hops.push(hopOver(edge, amountIn, amountOut))
    } else {
      const taken = overlay.take(edge.book, edge.forward, amountIn)
      // What would buy nothing is not sent on; the user's own input is spent completely or not at all.
      if (taken === null || (taken.paid < amountIn && !mayTrim)) return null
      quantity = taken.paid
      amountOut = taken.received
      hops.push(hopOver(edge, quantity, amountOut))
    }
  }
  const { venue, input } = edges[0] as Edge
  const { output } = edges[edges.length - 1] as Edge
  return { venue, hops, input, output, quantity, amountIn: quantity, amountOut, minimum: leastOf(amountOut, slippage) }
}

/**
 * Quotes an exact output over pools and leaves its effects on the overlay.
 *
 * @returns null when the path cannot deliver the amount; the overlay is then of no more use
 */
export function quoteExactOut(
  path: readonly Edge[],
  amount: bigint,
  slippage: Ratio,
  overlay: Overlay,
): QuotedPart | null {
  const hops: RouteHop[] = []
  let wanted = amount
  for (let i = path.length - 1; i >= 0; i--) {
    const edge = path[i] as Edge
    if (edge.venue !== 'amm') return null
    const done = overlay.swap(edge.pool, edge.forward, 'out', wanted)
    if (done === null) return null
    hops.unshift(hopOver(edge, done.amountIn, wanted))
    wanted = done.amountIn
  }
  const { input, output } = { input: (path[0] as Edge).input, output: (path[path.length - 1] as Edge).output }
  const maxSent = mostOf(wanted, slippage)
  const quoted = { venue: 'amm' as const, hops, input, output, amountIn: wanted, amountOut: amount, minimum: amount }
  const transfers = [{ ...quoted, quantity: maxSent }]
  return { input: wanted, output: amount, minReceived: amount, maxSent, hops, transfers }
}
