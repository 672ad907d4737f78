// Order-book markets as the market API shows them: base and quote as the contract names them, which is the reverse of the
// tickers. Prices are contract base per one contract quote, numerically those of the ticker.
import type { BookOrder } from '../../core/book/order.ts'
import { Kept } from '../exchange/kept.ts'
import { LIMITS } from '../exchange/meta.ts'
import { decimalText } from '../exchange/numbers.ts'
import type { LiveBook } from '../market/model.ts'
import { percentText } from '../route/texts.ts'
import { significant } from './digits.ts'

import { type TokenObject, tokenObject } from './token.ts'

export interface BookAnswer {
  id: number
  base: TokenObject
  quote: TokenObject
  fee: string
  frozen: boolean
  bestBid: string | null
  bestAsk: string | null
}

export interface OrderAnswer {
  price: string
  /** Contract quote. */
  amount: string
}

/** Market fees are hundredths of a percent. */
const FEE_DECIMALS = 2

export function bookAnswer({ id, base, target, fee, frozen, bids, asks }: LiveBook): BookAnswer {
  return {
    id,
    base: tokenObject(target),
    quote: tokenObject(base),
    fee: percentText(fee, FEE_DECIMALS),
    frozen,
    bestBid: bestOf(bids),
    bestAsk: bestOf(asks),
  }
}

/** The same with the best orders of each side. */
export function bookWithOrders(book: LiveBook): BookAnswer & { bids: OrderAnswer[]; asks: OrderAnswer[] } {
  const order = (amountOf: (order: BookOrder) => bigint) => (one: BookOrder) => ({
    price: priceText(one.unitPrice),
    amount: decimalText(amountOf(one), book.base.decimals),
  })
  // A buy order wants the contract's quote, a sell order offers it.
  return {
    ...bookAnswer(book),
    bids: book.bids.slice(0, LIMITS.marketBookOrders).map(order(({ ask }) => ask)),
    asks: book.asks.slice(0, LIMITS.marketBookOrders).map(order(({ bid }) => bid)),
  }
}

/** A market object belongs to one chain. */
const texts = new Kept<LiveBook, string>()
const fullTexts = new Kept<LiveBook, string>()

/** The JSON of a market without orders, made again only when the market has changed. */
export function bookText(book: LiveBook): string {
  return texts.of(book, book.changed, '', () => JSON.stringify(bookAnswer(book)))
}

/** The JSON of a market with its orders. */
export function bookWithOrdersText(book: LiveBook): string {
  return fullTexts.of(book, book.changed, '', () => JSON.stringify(bookWithOrders(book)))
}

function bestOf(orders: readonly BookOrder[]): string | null {
  return orders[0] === undefined ? null : priceText(orders[0].unitPrice)
}

/** Unit prices are 10^-8. */
function priceText(unitPrice: bigint): string {
  return significant({ numerator: unitPrice, denominator: 100_000_000n })
}
