// Matches a taker's offer with resting orders, each at that order's own ratio. Amounts are before fees (fee.ts). Pure:
// resting orders are not changed; each fill has the remainder of its order.
import type { BookOrder, Offer } from './order.ts'

/** One resting order matched by a taker. */
export interface Fill {
  order: BookOrder
  /** Raw units that the taker pays and the order's owner gets. */
  paid: bigint
  /** Raw units that the taker receives from the order. */
  received: bigint
  /** Remainder of the order; null when it is filled. */
  left: Offer | null
}

export interface Match {
  fills: Fill[]
  /** Total paid. */
  paid: bigint
  /** Total received, before the fee. */
  received: bigint
  /** Remainder of the taker's offer, at its own ratio; null when it is filled. */
  rest: Offer | null
}

/**
 * Matches an offer.
 *
 * Spends the offer on the best orders first, while their ratio is at least as good as its own. A partly matched order
 * gives a proportional amount, rounded down for the taker.
 *
 * @param offer    `ask` 0 is a market order: any ratio is accepted
 * @param resting  orders of the other side in priority (byPriority)
 */
export function matchOffer(offer: Offer, resting: Iterable<BookOrder>): Match {
  const fills: Fill[] = []
  let left = offer.bid
  let received = 0n
  for (const order of resting) {
    if (left === 0n || !crosses(offer, order)) break
    const fill = meet(left, order)
    if (fill === null) break
    fills.push(fill)
    left -= fill.paid
    received += fill.received
  }
  return { fills, paid: offer.bid - left, received, rest: restOf(offer, left) }
}

/** Whether the order gives at least what the offer asks: (bid / ask) of one times (bid / ask) of the other ≥ 1. */
function crosses(offer: Offer, order: Offer): boolean {
  return offer.ask === 0n || order.bid * offer.bid >= order.ask * offer.ask
}

function meet(left: bigint, order: BookOrder): Fill | null {
  if (left >= order.ask) return { order, paid: order.ask, received: order.bid, left: null }
  const received = (left * order.bid) / order.ask
  if (received === 0n) return null
  return { order, paid: left, received, left: { bid: order.bid - received, ask: order.ask - left } }
}

/** The remainder keeps its share of the asked amount, rounded up: never a worse ratio than the original offer. */
function restOf(offer: Offer, left: bigint): Offer | null {
  if (left === 0n) return null
  return { bid: left, ask: (offer.ask * left + offer.bid - 1n) / offer.bid }
}
