// The order-book contract of the devnet: orders arrive as token transfers, deals are logged in the layout of the real
// contract. core/book does the matching.

import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import { type Asset, type ExtendedAsset, parseAsset } from '../../core/antelope/asset.ts'
import { nameToString } from '../../core/antelope/name.ts'
import { msToSlot } from '../../core/antelope/time.ts'
import { afterFee, feeOf } from '../../core/book/fee.ts'
import { type Fill, matchOffer } from '../../core/book/match.ts'
import { type BookOrder, byPriority, type Offer, type Side, unitPrice } from '../../core/book/order.ts'
import type { OrderRow } from '../../core/contract-rows.ts'
import type { ApplyContext, Contract, TableStore } from '../chain/contract.ts'
import { abiFile } from './abi-file.ts'
import { incomingTransfer, log, nowSeconds, pay, requireAuthority, type Transfer } from './actions.ts'

export interface TokenRef {
  sym: { precision: number; code: string }
  contract: string
}

export interface MarketRow {
  id: bigint
  base_token: TokenRef
  quote_token: TokenRef
  min_buy: Asset
  min_sell: Asset
  frozen: boolean
  fee: number
}

export interface DexOptions {
  account?: string
  /** `next` logs the fee with each deal. */
  layout: 'first' | 'next'
  /** Fee of new markets, hundredths of a percent. */
  fee?: number
}

interface Taker {
  account: string
  side: Side
  market: MarketRow
  bid: Asset
  ask: Asset
  /** Minimum output after fees; null for a limit order. */
  floor: bigint | null
}

const MEMO = /^(\d+(?:\.\d+)? [A-Z]{1,7})@([a-z1-5.]{1,13})(\|min)?$/

/** Table of one side's resting orders. */
export function orderTable(side: Side): 'buyorder' | 'sellorder' {
  return side === 'buy' ? 'buyorder' : 'sellorder'
}

/** Scope of a market's orders: its id encoded as a name. */
export function marketScope(marketId: bigint): string {
  return nameToString(marketId)
}

export class DexContract implements Contract {
  readonly account: string
  readonly abi: AbiDefinition
  private readonly options: DexOptions

  constructor(options: DexOptions) {
    this.account = options.account ?? 'svcdexmain'
    this.abi = abiFile(options.layout === 'first' ? 'svcdexmain' : 'svcdexmain.next')
    this.options = options
  }

  apply(context: ApplyContext): void {
    const { action } = context
    if (action.account !== this.account) {
      const transfer = incomingTransfer(context)
      if (transfer) this.order(context, transfer, action.account)
    } else if (action.name === 'openmarket') this.openMarket(context)
    else if (action.name === 'cancelbuy') this.cancel(context, 'buy')
    else if (action.name === 'cancelsell') this.cancel(context, 'sell')
    else if (action.name === 'setfrozen' || action.name === 'setmfee' || action.name === 'setmins') this.change(context)
  }

  private openMarket(context: ApplyContext): void {
    requireAuthority(context, this.account)
    const { base_con, base_sym, quote_con, quote_sym } = context.action.data as {
      base_con: string
      base_sym: Asset
      quote_con: string
      quote_sym: Asset
    }
    let id = 0n
    for (const row of context.db.rows<MarketRow>('markets', this.account)) id = row.id + 1n
    const row: MarketRow = {
      id,
      base_token: { sym: { precision: base_sym.precision, code: base_sym.symbol }, contract: base_con },
      quote_token: { sym: { precision: quote_sym.precision, code: quote_sym.symbol }, contract: quote_con },
      min_buy: { ...base_sym, amount: 1n },
      min_sell: { ...quote_sym, amount: 1n },
      frozen: false,
      fee: this.options.fee ?? 20,
    }
    context.db.set('markets', this.account, id, row)
  }

  private change(context: ApplyContext): void {
    requireAuthority(context, this.account)
    const { market_id, ...members } = context.action.data as { market_id: bigint }
    context.db.set('markets', this.account, market_id, { ...this.market(context, market_id), ...members })
  }

  private cancel(context: ApplyContext, side: Side): void {
    const { executor, market_id, order_id } = context.action.data as {
      executor: string
      market_id: bigint
      order_id: bigint
    }
    requireAuthority(context, executor)
    const market = this.market(context, market_id)
    const scope = marketScope(market_id)
    const row = context.db.get<OrderRow>(orderTable(side), scope, order_id)
    context.check(row !== undefined, 'order not found')
    context.check(row.account === executor, 'order of another account')
    context.db.erase(orderTable(side), scope, order_id)
    pay(context, offered(market, side).contract, row.account, row.bid, 'order cancelled')
  }

  private order(context: ApplyContext, { from, quantity, memo }: Transfer, token: string): void {
    const match = MEMO.exec(memo)
    context.check(match !== null, 'invalid memo')
    const wanted = { quantity: parseAsset(match[1] as string), contract: match[2] as string }
    const market = findMarket(context.db, this.account, { quantity, contract: token }, wanted)
    context.check(market !== null, 'market not found')
    const side = isToken(market.base_token, token, quantity) ? 'buy' : 'sell'
    const least = side === 'buy' ? market.min_buy : market.min_sell
    context.check(!market.frozen, 'market is frozen')
    context.check(quantity.amount >= least.amount, 'order is below the minimum')
    const { amount } = wanted.quantity
    const floor = match[3] ? amount : amount === 0n ? 0n : null
    this.take(context, { account: from, side, market, bid: quantity, ask: wanted.quantity, floor })
  }

  private take(context: ApplyContext, taker: Taker): void {
    const { account, side, market, bid, ask, floor } = taker
    const offer = { bid: bid.amount, ask: floor === null ? ask.amount : 0n }
    const match = matchOffer(offer, restingOrders(context.db, market.id, side === 'buy' ? 'sell' : 'buy'))
    for (const fill of match.fills) this.settle(context, taker, fill)
    const income = match.fills.reduce((sum, fill) => sum + afterFee(fill.received, market.fee), 0n)
    context.check(floor === null || (match.paid > 0n && income >= floor), 'received less than the minimum')
    if (income > 0n)
      pay(context, wantedToken(market, side).contract, account, { ...ask, amount: income }, memoOf(market))
    if (match.rest === null) return
    if (floor === null) this.place(context, taker, match.rest)
    else pay(context, offered(market, side).contract, account, { ...bid, amount: match.rest.bid }, 'order refund')
  }

  private settle(context: ApplyContext, { account, side, market, bid, ask }: Taker, fill: Fill): void {
    const { order, paid, received, left } = fill
    const scope = marketScope(market.id)
    const table = orderTable(side === 'buy' ? 'sell' : 'buy')
    const row = context.db.get<OrderRow>(table, scope, order.id) as OrderRow
    if (left === null) context.db.erase(table, scope, order.id)
    else {
      const rest = { bid: { ...row.bid, amount: left.bid }, ask: { ...row.ask, amount: left.ask } }
      context.db.set(table, scope, order.id, { ...row, ...rest })
    }
    log(context, side === 'buy' ? 'buymatch' : 'sellmatch', {
      record: {
        market,
        ask: { ...ask, amount: received },
        bid: { ...bid, amount: paid },
        asker: order.account,
        bidder: account,
        unit_price: order.unitPrice,
        ...(this.options.layout === 'next' ? { fee_paid: { ...ask, amount: feeOf(received, market.fee) } } : {}),
      },
    })
    const income = afterFee(paid, market.fee)
    if (income > 0n)
      pay(context, offered(market, side).contract, order.account, { ...bid, amount: income }, memoOf(market))
  }

  private place(context: ApplyContext, { account, side, market, bid, ask }: Taker, rest: Offer): void {
    const table = orderTable(side)
    const scope = marketScope(market.id)
    // Ids grow with time, so that no id is reused.
    let id = BigInt(msToSlot(context.now)) << 10n
    while (context.db.get(table, scope, id)) id++
    const { sym: target } = market.base_token
    const { sym: base } = market.quote_token
    const row: OrderRow = {
      id,
      account,
      bid: { ...bid, amount: rest.bid },
      ask: { ...ask, amount: rest.ask },
      unit_price: unitPrice(side, rest, target.precision, base.precision),
      timestamp: nowSeconds(context),
    }
    context.db.set(table, scope, id, row)
    log(context, `${side}receipt`, { market_id: market.id, [`${side}_order`]: row })
  }

  private market(context: ApplyContext, id: bigint): MarketRow {
    const row = context.db.get<MarketRow>('markets', this.account, id)
    context.check(row !== undefined, 'market not found')
    return row
  }
}

/** Resting orders of one side, best for a taker first. */
export function restingOrders(db: Pick<TableStore, 'rows'>, marketId: bigint, side: Side): BookOrder[] {
  const orders: BookOrder[] = []
  for (const row of db.rows<OrderRow>(orderTable(side), marketScope(marketId))) {
    const { id, account, unit_price } = row
    orders.push({ id, account, bid: row.bid.amount, ask: row.ask.amount, unitPrice: unit_price })
  }
  return orders.sort(byPriority)
}

function findMarket(
  db: Pick<TableStore, 'rows'>,
  dex: string,
  paid: ExtendedAsset,
  wanted: ExtendedAsset,
): MarketRow | null {
  for (const market of db.rows<MarketRow>('markets', dex)) {
    const { base_token: target, quote_token: base } = market
    const buys = isToken(target, paid.contract, paid.quantity) && isToken(base, wanted.contract, wanted.quantity)
    const sells = isToken(base, paid.contract, paid.quantity) && isToken(target, wanted.contract, wanted.quantity)
    if (buys || sells) return market
  }
  return null
}

function isToken({ sym, contract }: TokenRef, account: string, { symbol, precision }: Asset): boolean {
  return contract === account && sym.code === symbol && sym.precision === precision
}

function offered(market: MarketRow, side: Side): TokenRef {
  return side === 'buy' ? market.base_token : market.quote_token
}

function wantedToken(market: MarketRow, side: Side): TokenRef {
  return side === 'buy' ? market.quote_token : market.base_token
}

function memoOf(market: MarketRow): string {
  return `order match | market ${market.id}`
}
