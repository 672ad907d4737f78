// The order-book contract. Its base and quote are swapped here: base is the contract's quote token, target its base
// token, as in the tickers. A bid is the amount that an order offers, an ask the amount that it wants.

import { TimePoint } from '../../../core/antelope/time-point.ts'
import type { Actions, Tables } from '../../../core/contracts/dex.ts'
import { int8 } from '../int8.ts'
import {
  type ActionPlace,
  type ActionProjection,
  type BlockContext,
  ledger,
  minuteOf,
  type Projected,
  state,
  symbolOf,
  type TableProjection,
} from '../projection.ts'
import type { OrderPlace } from './resting-orders.ts'

/** The newer layout adds the fee. */
type Match = Actions['buymatch'] | Actions['sellmatch']
type Order = Tables['buyorder'] | Tables['sellorder']
type Cancel = Actions['cancelbuy'] | Actions['cancelsell']

function dealRows(
  type: 'buymatch' | 'sellmatch',
  { record }: Match,
  at: ActionPlace,
  { restingOrders }: BlockContext,
): Projected {
  const [base, target] = type === 'buymatch' ? [record.ask, record.bid] : [record.bid, record.ask]
  const marketId = int8(record.market.id)
  const columns = {
    marketId,
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
    orderId: null,
  }
  const side = type === 'buymatch' ? 'sell' : 'buy'
  restingOrders.addDeal({ marketId, side, account: record.asker, unitPrice: record.unit_price }, columns)
  return {
    ledger: [ledger('deals', at, columns)],
    candles: [{ kind: 'spot', id: record.market.id, minute: minuteOf(at.blockTime) }],
  }
}

export const buyMatch: ActionProjection<Actions, 'buymatch'> = {
  contract: 'spot',
  action: 'buymatch',
  rows: (a, at, _, context) => dealRows('buymatch', a, at, context),
}

export const sellMatch: ActionProjection<Actions, 'sellmatch'> = {
  contract: 'spot',
  action: 'sellmatch',
  rows: (a, at, _, context) => dealRows('sellmatch', a, at, context),
}

function orderColumns(order: Order): object {
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
    orderTime: TimePoint.ofSeconds(order.timestamp),
  }
}

function missOrder({ restingOrders }: BlockContext): void {
  restingOrders.missOrder()
}

function placeOf(side: 'buy' | 'sell', marketId: bigint, { account, unit_price: unitPrice }: Order): OrderPlace {
  return { marketId, side, account, unitPrice }
}

function placedRows(
  side: 'buy' | 'sell',
  marketId: bigint,
  order: Order,
  at: ActionPlace,
  { restingOrders }: BlockContext,
): Projected {
  const market = int8(marketId)
  restingOrders.addPlaced(placeOf(side, market, order), order.id)
  return {
    ledger: [ledger('order_events', at, { marketId: market, type: 'placed', side, ...orderColumns(order) })],
  }
}

export const buyOrderPlaced: ActionProjection<Actions, 'buyreceipt'> = {
  contract: 'spot',
  action: 'buyreceipt',
  rows: (a, at, _, context) => placedRows('buy', a.market_id, a.buy_order, at, context),
  missed: missOrder,
}

export const sellOrderPlaced: ActionProjection<Actions, 'sellreceipt'> = {
  contract: 'spot',
  action: 'sellreceipt',
  rows: (a, at, _, context) => placedRows('sell', a.market_id, a.sell_order, at, context),
  missed: missOrder,
}

function cancelledRows(side: 'buy' | 'sell', a: Cancel, at: ActionPlace): Projected {
  const row = { marketId: int8(a.market_id), type: 'cancelled', side, orderId: a.order_id, account: a.executor }
  return { ledger: [ledger('order_events', at, row)] }
}

export const buyOrderCancelled: ActionProjection<Actions, 'cancelbuy'> = {
  contract: 'spot',
  action: 'cancelbuy',
  rows: (a, at) => cancelledRows('buy', a, at),
}

export const sellOrderCancelled: ActionProjection<Actions, 'cancelsell'> = {
  contract: 'spot',
  action: 'cancelsell',
  rows: (a, at) => cancelledRows('sell', a, at),
}

export const markets: TableProjection<Tables, 'markets'> = {
  contract: 'spot',
  table: 'markets',
  current: (at) => ({ table: 'markets', key: { marketId: int8(at.primaryKey) } }),
  rows: (r, at) => {
    const base = symbolOf(r.quote_token)
    const target = symbolOf(r.base_token)
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

function orderTable<Name extends 'buyorder' | 'sellorder'>(
  table: Name,
  side: 'buy' | 'sell',
): TableProjection<Tables, Name> {
  return {
    contract: 'spot',
    table,
    current: (at) => ({ table: 'orders', key: { marketId: int8(at.scopeRaw), side, orderId: at.primaryKey } }),
    rows: (r, at, { restingOrders }) => {
      const marketId = int8(at.scopeRaw)
      restingOrders.addChanged(placeOf(side, marketId, r), r.id)
      return { state: [state('orders', at, { marketId, side, ...orderColumns(r) })] }
    },
    missed: missOrder,
  }
}

export const buyOrders = orderTable('buyorder', 'buy')
export const sellOrders = orderTable('sellorder', 'sell')
