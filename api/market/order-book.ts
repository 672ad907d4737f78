// Order-book markets as the market API shows them. Base and quote are named as in the contract, the reverse of the
// tickers. Prices are contract base per one contract quote, which equals the ticker's price.

import type { BookOrder } from '../../core/book/order.ts'
import { VersionedCache } from '../../core/cache.ts'
import { significant } from '../kit/digits.ts'
import { LIMITS } from '../kit/limits.ts'
import { decimalText } from '../kit/numbers.ts'
import { percentText } from '../kit/texts.ts'
import { type TokenObject, tokenObject } from '../kit/token-object.ts'
import type { LiveBook } from '../live-market/model.ts'

interface BookAnswer {
  id: number
  base: TokenObject
  quote: TokenObject
  fee: string
  frozen: boolean
  bestBid: string | null
  bestAsk: string | null
}

/** Market fees are hundredths of a percent. */
const FEE_DECIMALS = 2

function bookAnswer({ id, base, target, fee, frozen, bids, asks }: LiveBook): BookAnswer {
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

/** A market object belongs to one chain. */
const texts = new VersionedCache<LiveBook, string>()
const fullTexts = new VersionedCache<LiveBook, string>()

/** JSON of a market without its orders, cached until the market changes. */
export function bookText(book: LiveBook): string {
  return texts.get(book, book.changed.id, '', () => JSON.stringify(bookAnswer(book)))
}

/** JSON of a market with the best orders of each side. */
export function bookWithOrdersText(book: LiveBook): string {
  return fullTexts.get(book, book.changed.id, '', () => {
    // A buy order wants the contract's quote; a sell order offers it.
    const bids = ordersText(book, book.bids, ({ ask }) => ask)
    const asks = ordersText(book, book.asks, ({ bid }) => bid)
    return `${bookText(book).slice(0, -1)},"bids":[${bids}],"asks":[${asks}]}`
  })
}

function ordersText({ base }: LiveBook, orders: readonly BookOrder[], amountOf: (order: BookOrder) => bigint): string {
  const best = orders.slice(0, LIMITS.marketBookOrders)
  const textOf = (order: BookOrder) =>
    `{"price":"${priceText(order.unitPrice)}","amount":"${decimalText(amountOf(order), base.decimals)}"}`
  return best.map(textOf).join()
}

function bestOf(orders: readonly BookOrder[]): string | null {
  return orders[0] === undefined ? null : priceText(orders[0].unitPrice)
}

/** Unit prices are 10^-8. */
function priceText(unitPrice: bigint): string {
  return significant({ numerator: unitPrice, denominator: 100_000_000n })
}
