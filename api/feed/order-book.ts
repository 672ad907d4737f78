// The order book of a market of the feed: live, not of the minute. Seen from the other token, bids become asks.
import { formatRatio } from '../../core/amm/price.ts'
import type { BookOrder } from '../../core/book/order.ts'
import { Kept } from '../exchange/kept.ts'
import { decimalText, UNIT_PRICE_DECIMALS } from '../exchange/numbers.ts'
import { type OrderBookLevels, type OrderLevel, orderBookLevels } from '../exchange/spot/order-book.ts'
import type { LiveBook } from '../market/model.ts'

/** Significant digits of an inverse price. */
const DIGITS = 16

const whole = { own: new Kept<LiveBook, string>(), reversed: new Kept<LiveBook, string>() }

/** `,"bids":[...],"asks":[...]` of levels as `feedLevels` takes them; those of a whole book are kept until it changes. */
export function feedLevelsJson(book: LiveBook, depth: number, isReversed = false): string {
  const make = () => {
    const { bids, asks } = feedLevels(book, depth, isReversed)
    return `,"bids":${JSON.stringify(bids)},"asks":${JSON.stringify(asks)}`
  }
  return depth === 0 ? whole[isReversed ? 'reversed' : 'own'].of(book, book.changed, '', make) : make()
}

/**
 * @param depth       levels of both sides together; 0 for the whole book
 * @param isReversed  whether the book is seen from its target token
 */
function feedLevels(book: LiveBook, depth: number, isReversed = false): OrderBookLevels {
  const most = depth === 0 ? Number.POSITIVE_INFINITY : Math.ceil(depth / 2)
  if (!isReversed) return orderBookLevels(book, most)
  const { decimals } = book.target
  // The target that a sell order wants is what somebody gives for base who, seen from the target, sells it.
  return {
    bids: reversed(book.asks, most, decimals, ({ ask }) => ask),
    asks: reversed(book.bids, most, decimals, ({ bid }) => bid),
  }
}

/** @param orders  best first, so that those of one price stand together */
function reversed(
  orders: readonly BookOrder[],
  most: number,
  decimals: number,
  targetOf: (order: BookOrder) => bigint,
): OrderLevel[] {
  const levels: OrderLevel[] = []
  for (let at = 0; at < orders.length && levels.length < most; ) {
    const { unitPrice } = orders[at] as BookOrder
    let quantity = 0n
    for (; at < orders.length && (orders[at] as BookOrder).unitPrice === unitPrice; at++)
      quantity += targetOf(orders[at] as BookOrder)
    // A price below all digits has no inverse.
    if (unitPrice === 0n) continue
    const inverse = { numerator: 10n ** BigInt(UNIT_PRICE_DECIMALS), denominator: unitPrice }
    levels.push([formatRatio(inverse, DIGITS), decimalText(quantity, decimals)])
  }
  return levels
}
