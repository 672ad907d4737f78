// The exchange's holdings, for their hourly value: the reserves of pools, and the amounts that open orders offer.
import { poolValue } from '../../core/price/pool-value.ts'
import type { PricePool } from '../../core/price/price-graph.ts'
import type { TokenId } from '../../core/price/token-id.ts'
import { type Side, USD_VALUE_DIGITS, type UsdValue, type Valuation } from '../../core/price/usd-value.ts'
import { DecimalNumber } from '../store/copy/numeric.ts'
import type { MarketTokens, OrderRow } from './rows.ts'

/** An hour in milliseconds. */
export const HOUR = 3_600_000

/** A sum of values. */
interface Holding {
  /** Null when there are holdings, but the value of none is known. */
  usd: UsdValue | null
  /** Number of pools or orders with unknown value, which are not in the sum. */
  withoutUsd: number
}

/** USD; null when unknown. */
export interface HeldValues {
  swapLocked: DecimalNumber | null
  spotLocked: DecimalNumber | null
  poolsWithoutUsd: number
  ordersWithoutUsd: number
  pools: number
}

/** An amount with its token's price and whether the token is trusted. */
type SideOf = (token: TokenId, amount: bigint) => Side

interface Offer {
  market: number
  isBuy: boolean
  /** Raw units. */
  amount: bigint
}

export class Holdings {
  readonly pools = new Map<number, PricePool>()
  private readonly orders = new Map<string, Offer>()

  putOrder(row: OrderRow): void {
    this.orders.set(keyOf(row), {
      market: Number(row.marketId),
      isBuy: row.side === 'buy',
      amount: BigInt(row.bidAmount),
    })
  }

  removeOrder(row: OrderRow): void {
    this.orders.delete(keyOf(row))
  }

  /** Value of each pool by `poolValue`; null when unknown. @param valuation  null while prices are unknown */
  poolValues(valuation: Valuation | null, side: SideOf): Map<number, UsdValue | null> {
    const values = new Map<number, UsdValue | null>()
    for (const [id, { tokenA, tokenB, reserveA, reserveB }] of this.pools)
      values.set(id, valuation && poolValue(valuation, side(tokenA, reserveA), side(tokenB, reserveB)))
    return values
  }

  /**
   * Values of all holdings, as columns of `ledger.hour_snapshots`.
   *
   * @param poolValues  value of each pool; null when unknown
   * @param valuation   null while prices are unknown
   */
  values(
    poolValues: ReadonlyMap<number, UsdValue | null>,
    valuation: Valuation | null,
    side: SideOf,
    markets: ReadonlyMap<number, MarketTokens>,
  ): HeldValues {
    const pools = sumOf(poolValues)
    const orders = valuation ? this.inOrders(valuation, side, markets) : { usd: null, withoutUsd: this.orders.size }
    return {
      swapLocked: decimal(pools.usd),
      spotLocked: decimal(orders.usd),
      poolsWithoutUsd: pools.withoutUsd,
      ordersWithoutUsd: orders.withoutUsd,
      pools: this.pools.size,
    }
  }

  /** Value of the offers of open orders in trusted tokens with a price. Summed by token before rounding. */
  private inOrders(valuation: Valuation, side: SideOf, markets: ReadonlyMap<number, MarketTokens>): Holding {
    const offers = new Map<TokenId, { amount: bigint; orders: number }>()
    let withoutUsd = 0
    for (const { market, isBuy, amount } of this.orders.values()) {
      const token = markets.get(market)?.[isBuy ? 1 : 0]
      if (token === undefined) {
        withoutUsd++
        continue
      }
      const offer = offers.get(token) ?? { amount: 0n, orders: 0 }
      offers.set(token, { amount: offer.amount + amount, orders: offer.orders + 1 })
    }
    let sum = 0n
    for (const [token, { amount, orders }] of offers) {
      const offered = side(token, amount)
      if (offered.isTrusted && offered.price !== undefined)
        sum += valuation.holding(offered, { ...offered, amount: 0n })
      else withoutUsd += orders
    }
    return holding(sum, withoutUsd, this.orders.size)
  }
}

const decimal = (usd: UsdValue | null) => (usd === null ? null : new DecimalNumber(usd, USD_VALUE_DIGITS))

function sumOf(values: ReadonlyMap<number, UsdValue | null>): Holding {
  let sum = 0n
  let withoutUsd = 0
  for (const value of values.values()) {
    if (value === null) withoutUsd++
    else sum += value
  }
  return holding(sum, withoutUsd, values.size)
}

function holding(sum: UsdValue, withoutUsd: number, count: number): Holding {
  return { usd: count > 0 && withoutUsd === count ? null : sum, withoutUsd }
}

function keyOf({ marketId, side, orderId }: Pick<OrderRow, 'marketId' | 'side' | 'orderId'>): string {
  return `${marketId} ${side} ${orderId}`
}
