// Levels of an order book: orders with the same unit price are merged. The best level comes first.
import type { BookOrder, Offer, Side } from './order.ts'

export interface Level extends Offer {
  /** Target tokens per base token, in whole tokens, times 10^8. */
  unitPrice: bigint
  /** Number of merged orders. */
  orders: number
}

/** Levels of one side: highest price first for buy orders, lowest first for sell orders. */
export function mergeLevels(side: Side, orders: Iterable<BookOrder>): Level[] {
  const levels = new Map<bigint, Level>()
  for (const { unitPrice, bid, ask } of orders) {
    const level = levels.get(unitPrice)
    if (level) {
      level.bid += bid
      level.ask += ask
      level.orders++
    } else levels.set(unitPrice, { unitPrice, bid, ask, orders: 1 })
  }
  const direction = side === 'sell' ? 1 : -1
  return [...levels.values()].sort((a, b) => (a.unitPrice < b.unitPrice ? -direction : direction))
}

/** Best unit price of a side: the highest for buy orders, the lowest for sell orders. Null if the side is empty. */
export function bestPrice(side: Side, orders: Iterable<BookOrder>): bigint | null {
  let best: bigint | null = null
  for (const { unitPrice } of orders) {
    if (best === null || (side === 'buy' ? unitPrice > best : unitPrice < best)) best = unitPrice
  }
  return best
}
