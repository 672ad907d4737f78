// Matching: a taker's offer against resting orders, each at that order's own ratio. Amounts are before fees
// (fee.ts). Pure: resting orders are not changed, the fills say what is left of them.
import type { BookOrder, Offer } from './order.ts'

/** One resting order that a taker has met. */
export interface Fill {
  order: BookOrder
  /** Raw units that the taker paid and the order's owner gets. */
  paid: bigint
  /** Raw units that the order held and the taker gets. */
  received: bigint
  /** What is left of the order, null when it is filled. */
  left: Offer | null
}

export interface Match {
  fills: Fill[]
  /** Sum of what was paid. */
  paid: bigint
  /** Sum of what was received, before the fee. */
  received: bigint
  /** What is left of the taker's offer, at the ratio that it asked for; null when nothing is. */
  rest: Offer | null
}

/**
 * Matches an offer.
 *
 * The offer is spent on the best orders first, as long as their ratio is at least as good as its own. An order that
 * is met only in part gives the amount in proportion, rounded down for the taker.
 *
 * @param offer    `ask` 0 is a market order: any ratio will do
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

/** Whether the order gives at least what the offer asks for: bid / ask of the one times bid / ask of the other ≥ 1. */
function crosses(offer: Offer, order: Offer): boolean {
  return offer.ask === 0n || order.bid * offer.bid >= order.ask * offer.ask
}

function meet(left: bigint, order: BookOrder): Fill | null {
  if (left >= order.ask) return { order, paid: order.ask, received: order.bid, left: null }
  const received = (left * order.bid) / order.ask
  if (received === 0n) return null
  return { order, paid: left, received, left: { bid: order.bid - received, ask: order.ask - left } }
}

/** The rest wants its share of the asked amount, rounded up: never a worse ratio than the offer's own. */
function restOf(offer: Offer, left: bigint): Offer | null {
  if (left === 0n) return null
  return { bid: left, ask: (offer.ask * left + offer.bid - 1n) / offer.bid }
}
