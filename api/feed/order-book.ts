// The order book of a market of the feed, as of the newest block. (Tickers of the feed change once a minute.) In a
// reversed market, bids become asks.

import { formatRatio } from '../../core/amm/price.ts'
import type { BookOrder } from '../../core/book/order.ts'
import { VersionedCache } from '../../core/cache.ts'
import { decimalText, UNIT_PRICE_DECIMALS } from '../kit/numbers.ts'
import {
  type OrderBookLevels,
  type OrderLevel,
  orderBookLevels,
  type PriceLevel,
  priceLevels,
} from '../kit/order-book.ts'
import type { LiveBook } from '../live-market/model.ts'

/** Significant digits of an inverse price. */
const DIGITS = 16

/** Levels of whole books, by direction. */
const wholeBooks = { own: new VersionedCache<LiveBook, string>(), reversed: new VersionedCache<LiveBook, string>() }

/** Detail of a book: the best price of each side, merged prices, or single orders. */
export type BookDetail = 'best' | 'prices' | 'orders'

/**
 * `,"bids":[...],"asks":[...]` with the levels of `feedLevels`. The levels of a whole book are cached until it changes.
 */
export function feedLevelsJson(
  book: LiveBook,
  depth: number,
  isReversed = false,
  detail: BookDetail = 'prices',
): string {
  const make = () => {
    const { bids, asks } = feedLevels(book, detail === 'best' ? 2 : depth, isReversed, detail !== 'orders')
    return `,"bids":${JSON.stringify(bids)},"asks":${JSON.stringify(asks)}`
  }
  const isWhole = depth === 0 && detail === 'prices'
  return isWhole ? wholeBooks[isReversed ? 'reversed' : 'own'].get(book, book.changed.id, '', make) : make()
}

/**
 * @param depth       levels of both sides together; 0 for the whole book
 * @param isReversed  whether the target token is the base of the answer
 * @param isMerged    whether orders at one price are one level
 */
function feedLevels(book: LiveBook, depth: number, isReversed: boolean, isMerged: boolean): OrderBookLevels {
  const levelsASide = depth === 0 ? Number.POSITIVE_INFINITY : Math.ceil(depth / 2)
  if (!isReversed) return orderBookLevels(book, levelsASide, isMerged)
  const { decimals } = book.target
  const side = (orders: readonly BookOrder[], targetOf: (order: BookOrder) => bigint) =>
    reversed(priceLevels(invertible(orders), levelsASide, targetOf, isMerged), decimals)
  // Bids become asks and asks become bids. Quantities are in target: buy orders offer it, sell orders want it.
  return { bids: side(book.asks, ({ ask }) => ask), asks: side(book.bids, ({ bid }) => bid) }
}

/** Drops orders with unit price 0, which has no inverse. */
function invertible(orders: readonly BookOrder[]): readonly BookOrder[] {
  return orders.some(({ unitPrice }) => unitPrice === 0n) ? orders.filter(({ unitPrice }) => unitPrice > 0n) : orders
}

function reversed(levels: readonly PriceLevel[], decimals: number): OrderLevel[] {
  return levels.map(({ unitPrice, quantity }) => {
    const inverse = { numerator: 10n ** BigInt(UNIT_PRICE_DECIMALS), denominator: unitPrice }
    return [formatRatio(inverse, DIGITS), decimalText(quantity, decimals)]
  })
}
