// Depth of an order book near its middle price; the feed lists it as the liquidity of the market. Pure.
import type { BookOrder } from '../../core/book/order.ts'
import type { LiveBook } from '../live-market/model.ts'

/** Orders count up to a tenth of the middle price away from it. */
const DISTANCE_DIVISOR = 10n

/** Best bid plus best ask, which is twice the middle price; null if a side is empty. */
export function twiceMiddle({ bids, asks }: Pick<LiveBook, 'bids' | 'asks'>): bigint | null {
  const [bid, ask] = [bids[0], asks[0]]
  return bid === undefined || ask === undefined ? null : bid.unitPrice + ask.unitPrice
}

/**
 * Target tokens of the orders within 10 percent of the middle price, bounds included: the amounts that buy orders offer
 * and sell orders want.
 *
 * @returns raw units; 0 when the book has only one side, and so no middle
 */
export function nearTarget(book: Pick<LiveBook, 'bids' | 'asks'>): bigint {
  const { bids, asks } = nearSides(book)
  return bids + asks
}

/** The same amounts for each side. */
export function nearSides(book: Pick<LiveBook, 'bids' | 'asks'>): { bids: bigint; asks: bigint } {
  const middle = twiceMiddle(book)
  if (middle === null) return { bids: 0n, asks: 0n }
  const sum = (orders: readonly BookOrder[], targetOf: (order: BookOrder) => bigint) => {
    let total = 0n
    // Orders are sorted best first, so the first one outside the bound ends the loop.
    for (const order of orders) {
      const away = 2n * order.unitPrice - middle
      if ((away < 0n ? -away : away) * DISTANCE_DIVISOR > middle) break
      total += targetOf(order)
    }
    return total
  }
  return { bids: sum(book.bids, ({ bid }) => bid), asks: sum(book.asks, ({ ask }) => ask) }
}
