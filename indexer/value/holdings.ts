// What the exchange holds, as far as its hourly value depends on it: the reserves of pools, and what open orders offer.
import { poolValue } from '../../core/price/pool-value.ts'
import type { PricePool } from '../../core/price/price-graph.ts'
import type { TokenId } from '../../core/price/token-id.ts'
import type { Side, UsdValue, Valuation } from '../../core/price/usd-value.ts'
import type { MarketTokens, OrderRow } from './rows.ts'

/** Milliseconds. */
export const HOUR = 3_600_000

/** An amount of a token with its price and whether it is trusted. */
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

  /** Value of all pools, each by the rule of `poolValue`. */
  inPools(valuation: Valuation, side: SideOf): UsdValue {
    let sum = 0n
    for (const { tokenA, tokenB, reserveA, reserveB } of this.pools.values())
      sum += poolValue(valuation, side(tokenA, reserveA), side(tokenB, reserveB))
    return sum
  }

  /** Value of what open orders offer, in tokens that are trusted and priced; added up by token before it is rounded. */
  inOrders(valuation: Valuation, side: SideOf, markets: ReadonlyMap<number, MarketTokens>): UsdValue {
    const amounts = new Map<TokenId, bigint>()
    for (const { market, isBuy, amount } of this.orders.values()) {
      const tokens = markets.get(market)
      if (tokens === undefined) continue
      const token = tokens[isBuy ? 1 : 0]
      amounts.set(token, (amounts.get(token) ?? 0n) + amount)
    }
    let sum = 0n
    for (const [token, amount] of amounts) {
      const offered = side(token, amount)
      if (offered.isTrusted) sum += valuation.holding(offered, { ...offered, amount: 0n })
    }
    return sum
  }
}

function keyOf({ marketId, side, orderId }: Pick<OrderRow, 'marketId' | 'side' | 'orderId'>): string {
  return `${marketId} ${side} ${orderId}`
}
