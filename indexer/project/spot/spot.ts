// The order-book contract. Its base and quote are swapped here: base is the contract's quote token, target its base
// token, as in the tickers. A bid is the amount that an order offers, an ask the amount that it wants.

import type { Asset } from '../../../core/antelope/asset.ts'
import type { OrderRow } from '../../../core/contract-rows.ts'
import { int8 } from '../int8.ts'
import {
  type ActionPlace,
  type ActionProjection,
  type ExtendedSymbol,
  ledger,
  minuteOf,
  type Projected,
  state,
  type TableProjection,
} from '../projection.ts'

/** The newer layout adds the fee. */
interface Match {
  record: {
    market: { id: bigint }
    ask: Asset
    bid: Asset
    asker: string
    bidder: string
    unit_price: bigint
    fee_paid?: Asset
  }
}

interface Cancel {
  executor: string
  market_id: bigint
  order_id: bigint
}

function dealRows(type: 'buymatch' | 'sellmatch', { record }: Match, at: ActionPlace): Projected {
  const [base, target] = type === 'buymatch' ? [record.ask, record.bid] : [record.bid, record.ask]
  return {
    ledger: [
      ledger('deals', at, {
        marketId: int8(record.market.id),
        type,
        bidder: record.bidder,
        asker: record.asker,
        amountBase: base.amount,
        amountTarget: target.amount,
        decimalsBase: base.precision,
        decimalsTarget: target.precision,
        unitPrice: record.unit_price,
        feeAmount: record.fee_paid?.amount,
        feeSymbol: record.fee_paid?.symbol,
        feeDecimals: record.fee_paid?.precision,
      }),
    ],
    candles: [{ kind: 'spot', id: record.market.id, minute: minuteOf(at.blockTime) }],
  }
}

export const buyMatch: ActionProjection<Match> = {
  contract: 'spot',
  action: 'buymatch',
  rows: (a, at) => dealRows('buymatch', a, at),
}

export const sellMatch: ActionProjection<Match> = {
  contract: 'spot',
  action: 'sellmatch',
  rows: (a, at) => dealRows('sellmatch', a, at),
}

function orderColumns(order: OrderRow): object {
  return {
    orderId: order.id,
    account: order.account,
    bidAmount: order.bid.amount,
    bidSymbol: order.bid.symbol,
    bidDecimals: order.bid.precision,
    askAmount: order.ask.amount,
    askSymbol: order.ask.symbol,
    askDecimals: order.ask.precision,
    unitPrice: order.unit_price,
    orderTime: order.timestamp * 1000,
  }
}

function placedRows(side: 'buy' | 'sell', marketId: bigint, order: OrderRow, at: ActionPlace): Projected {
  return {
    ledger: [ledger('order_events', at, { marketId: int8(marketId), type: 'placed', side, ...orderColumns(order) })],
  }
}

export const buyOrderPlaced: ActionProjection<{ market_id: bigint; buy_order: OrderRow }> = {
  contract: 'spot',
  action: 'buyreceipt',
  rows: (a, at) => placedRows('buy', a.market_id, a.buy_order, at),
}

export const sellOrderPlaced: ActionProjection<{ market_id: bigint; sell_order: OrderRow }> = {
  contract: 'spot',
  action: 'sellreceipt',
  rows: (a, at) => placedRows('sell', a.market_id, a.sell_order, at),
}

function cancelledRows(side: 'buy' | 'sell', a: Cancel, at: ActionPlace): Projected {
  const row = { marketId: int8(a.market_id), type: 'cancelled', side, orderId: a.order_id, account: a.executor }
  return { ledger: [ledger('order_events', at, row)] }
}

export const buyOrderCancelled: ActionProjection<Cancel> = {
  contract: 'spot',
  action: 'cancelbuy',
  rows: (a, at) => cancelledRows('buy', a, at),
}

export const sellOrderCancelled: ActionProjection<Cancel> = {
  contract: 'spot',
  action: 'cancelsell',
  rows: (a, at) => cancelledRows('sell', a, at),
}

interface MarketRow {
  base_token: ExtendedSymbol
  quote_token: ExtendedSymbol
  min_buy: Asset
  min_sell: Asset
  frozen: boolean
  fee: number
}

export const markets: TableProjection<MarketRow> = {
  contract: 'spot',
  table: 'markets',
  current: (at) => ({ table: 'markets', key: { marketId: int8(at.primaryKey) } }),
  rows: (r, at) => {
    const base = r.quote_token.sym ?? r.quote_token.symbol
    const target = r.base_token.sym ?? r.base_token.symbol
    const { chain, blockNum, blockTime } = at
    const marketId = int8(at.primaryKey)
    const tokens = {
      baseContract: r.quote_token.contract,
      baseSymbol: base?.code,
      baseDecimals: base?.precision,
      targetContract: r.base_token.contract,
      targetSymbol: target?.code,
      targetDecimals: target?.precision,
    }
    // Keeps every version of the fee: a market can change its fee or be closed, and past trades need their fee.
    const rate = { table: 'market_fees', row: { chain, marketId, blockNum, blockTime, fee: r.fee, ...tokens } }
    return {
      ledger: at.present ? [rate] : [],
      state: [
        state('markets', at, {
          marketId,
          ...tokens,
          minBuy: r.min_buy.amount,
          minBuyDecimals: r.min_buy.precision,
          minSell: r.min_sell.amount,
          minSellDecimals: r.min_sell.precision,
          frozen: r.frozen,
          fee: r.fee,
        }),
      ],
    }
  },
}

function orderTable(table: string, side: 'buy' | 'sell'): TableProjection<OrderRow> {
  return {
    contract: 'spot',
    table,
    current: (at) => ({ table: 'orders', key: { marketId: int8(at.scopeRaw), side, orderId: at.primaryKey } }),
    rows: (r, at) => ({ state: [state('orders', at, { marketId: int8(at.scopeRaw), side, ...orderColumns(r) })] }),
  }
}

export const buyOrders = orderTable('buyorder', 'buy')
export const sellOrders = orderTable('sellorder', 'sell')
