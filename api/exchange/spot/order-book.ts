// The order book of a market as the API answers it: orders at one price merged into a level, all of it exact text.
import type { BookOrder } from '../../../core/book/order.ts'
import type { LiveBook } from '../../market/model.ts'
import { decimalText, UNIT_PRICE_DECIMALS } from '../numbers.ts'

/** Price in target per base, and quantity in base. */
export type OrderLevel = [price: string, quantity: string]

export interface OrderBookLevels {
  /** Highest price first. */
  bids: OrderLevel[]
  /** Lowest price first. */
  asks: OrderLevel[]
}

/** @param depth  most levels of a side */
export function orderBookLevels(
  { bids, asks, base }: Pick<LiveBook, 'bids' | 'asks' | 'base'>,
  depth: number,
): OrderBookLevels {
  // A buy order offers target and wants base, a sell order offers base.
  return {
    bids: levels(bids, depth, base.decimals, ({ ask }) => ask),
    asks: levels(asks, depth, base.decimals, ({ bid }) => bid),
  }
}

/** @param orders  best first, so that those of one price stand together */
function levels(
  orders: readonly BookOrder[],
  depth: number,
  decimals: number,
  quantityOf: (order: BookOrder) => bigint,
): OrderLevel[] {
  const merged: OrderLevel[] = []
  for (let at = 0; at < orders.length && merged.length < depth; ) {
    const { unitPrice } = orders[at] as BookOrder
    let quantity = 0n
    for (; at < orders.length && (orders[at] as BookOrder).unitPrice === unitPrice; at++) {
      quantity += quantityOf(orders[at] as BookOrder)
    }
    merged.push([decimalText(unitPrice, UNIT_PRICE_DECIMALS), decimalText(quantity, decimals)])
  }
  return merged
}
