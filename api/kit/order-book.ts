// The order book of a market in the format of the API: orders at one price are merged into a level; numbers are exact
// text.
import type { BookOrder } from '../../core/book/order.ts'
import type { LiveBook } from '../live-market/model.ts'
import { decimalText, UNIT_PRICE_DECIMALS } from './numbers.ts'

/** Price in target per base, and quantity in base. */
export type OrderLevel = [price: string, quantity: string]

export interface OrderBookLevels {
  /** Highest price first. */
  bids: OrderLevel[]
  /** Lowest price first. */
  asks: OrderLevel[]
}

/** Orders of a side at one price, or a single order. */
export interface PriceLevel {
  /** Target per base, in units of `UNIT_PRICE_DECIMALS`. */
  unitPrice: bigint
  /** Raw units. */
  quantity: bigint
}

/**
 * @param depth     limit of levels for each side
 * @param isMerged  whether orders at one price are one level
 */
export function orderBookLevels(
  { bids, asks, base }: Pick<LiveBook, 'bids' | 'asks' | 'base'>,
  depth: number,
  isMerged = true,
): OrderBookLevels {
  // A buy order offers target and wants base; a sell order offers base.
  return {
    bids: levels(
      priceLevels(bids, depth, ({ ask }) => ask, isMerged),
      base.decimals,
    ),
    asks: levels(
      priceLevels(asks, depth, ({ bid }) => bid, isMerged),
      base.decimals,
    ),
  }
}

/**
 * @param orders      best first, so that equal prices are adjacent
 * @param depth       limit of levels
 * @param quantityOf  returns raw units
 * @param isMerged    whether orders at one price are one level, else each order is one
 */
export function priceLevels(
  orders: readonly BookOrder[],
  depth: number,
  quantityOf: (order: BookOrder) => bigint,
  isMerged: boolean,
): PriceLevel[] {
  const found: PriceLevel[] = []
  for (const order of orders) {
    const { unitPrice } = order
    const last = found.at(-1)
    if (isMerged && last?.unitPrice === unitPrice) last.quantity += quantityOf(order)
    else if (found.length < depth) found.push({ unitPrice, quantity: quantityOf(order) })
    else break
  }
  return found
}

function levels(found: readonly PriceLevel[], decimals: number): OrderLevel[] {
  return found.map(({ unitPrice, quantity }) => [
    decimalText(unitPrice, UNIT_PRICE_DECIMALS),
    decimalText(quantity, decimals),
  ])
}
