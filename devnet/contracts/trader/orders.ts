// Order-book traffic: makers around the fair price, takers of the best orders, cancellations.
import { type Asset, formatAsset } from '../../../core/antelope/asset.ts'
import { afterFee } from '../../../core/book/fee.ts'
import { matchOffer } from '../../../core/book/match.ts'
import type { Offer } from '../../../core/book/order.ts'
import type { OrderRow } from '../../../core/contract-rows.ts'
import type { ActionCall } from '../../chain/contract.ts'
import { call } from '../actions.ts'
import { type MarketRow, marketScope, orderTable, restingOrders } from '../dex.ts'
import { amountOf, DEX } from '../exchange.ts'
import type { TokenSpec } from '../profile.ts'
import { transfer, type View } from './view.ts'

const MAX_ORDERS = 40
/** Maximum orders of one side taken in a block because they give more than they ask. */
const MAX_TAKEN = 8

interface Market {
  id: bigint
  base: TokenSpec
  target: TokenSpec
  /** Hundredths of a percent. */
  fee: number
}

function markets(view: View): Market[] {
  return view
    .tables(DEX)
    .rows<MarketRow>('markets', DEX)
    .flatMap(({ id, base_token, quote_token, fee, frozen }) => {
      if (frozen) return []
      const base = view.token(quote_token.contract, quote_token.sym.code)
      const target = view.token(base_token.contract, base_token.sym.code)
      return base && target ? [{ id, base, target, fee }] : []
    })
}

export function orderTraffic(view: View): ActionCall[] | null {
  const all = markets(view)
  if (all.length === 0) return null
  const market = view.pick(all)
  const side = view.random() < 0.5 ? 'buy' : 'sell'
  const resting = view.tables(DEX).rows<OrderRow>(orderTable(side), marketScope(market.id))
  const kind = view.random()
  if (resting.length > MAX_ORDERS || (kind < 0.18 && resting.length > 4)) return cancel(view, market, side, resting)
  return kind < 0.62 ? make(view, market, side) : take(view, market, side)
}

/**
 * Takes orders that give more than they ask after the fee, one by one. Each depends on the tables after the one before.
 *
 * @param slack  minimum gain, as a share of the asked amount
 */
export function* arbitrageOrders(view: View, takers: readonly string[], slack: number): Generator<ActionCall[]> {
  for (const market of markets(view))
    for (const side of ['buy', 'sell'] as const)
      for (let taken = 0; taken < MAX_TAKEN; taken++) {
        const calls = takeGenerous(view, market, side, view.pick(takers), slack)
        if (calls === null) break
        yield calls
      }
}

function takeGenerous(
  view: View,
  market: Market,
  side: 'buy' | 'sell',
  taker: string,
  slack: number,
): ActionCall[] | null {
  const [best] = restingOrders(view.tables(DEX), market.id, side === 'buy' ? 'sell' : 'buy')
  if (best === undefined) return null
  const { offered, wanted } = tokensOf(market, side)
  const value = view.usd(offered) * (Number(best.ask) / 10 ** offered.precision)
  const worth = view.usd(wanted) * (Number(afterFee(best.bid, market.fee)) / 10 ** wanted.precision)
  const quantity = worth > value * (1 + slack) ? view.affordable(taker, offered, value * 1.01) : null
  if (!quantity || quantity.amount < best.ask) return null
  const bought = { amount: best.bid, precision: wanted.precision, symbol: wanted.code }
  return [order(taker, offered, wanted, { ...quantity, amount: best.ask }, bought)]
}

/** Tokens that an order of one side offers and wants. */
function tokensOf({ base, target }: Market, side: 'buy' | 'sell'): { offered: TokenSpec; wanted: TokenSpec } {
  return side === 'buy' ? { offered: target, wanted: base } : { offered: base, wanted: target }
}

function cancel(view: View, { id }: Market, side: 'buy' | 'sell', resting: readonly OrderRow[]): ActionCall[] {
  const order = view.pick(resting)
  const data = { executor: order.account, market_id: id, order_id: order.id }
  return [call(DEX, side === 'buy' ? 'cancelbuy' : 'cancelsell', order.account, data)]
}

/** Target tokens per base token, in whole tokens. */
function fairPrice(view: View, { base, target }: Market): number {
  return view.usd(base) / view.usd(target)
}

function make(view: View, market: Market, side: 'buy' | 'sell'): ActionCall[] | null {
  const offset = view.between(0.002, 0.08) - 0.004
  const price = fairPrice(view, market) * (side === 'buy' ? 1 - offset : 1 + offset)
  return limitOrder(view, market, side, price, view.between(2, 150))
}

/** Takes the best orders: a limit order that crosses the best price, or a market order. */
function take(view: View, market: Market, side: 'buy' | 'sell'): ActionCall[] | null {
  const value = view.between(0.5, 80)
  const other = side === 'buy' ? 'sell' : 'buy'
  const [first] = view.tables(DEX).rows<OrderRow>(orderTable(other), marketScope(market.id))
  if (view.random() < 0.6 || !first) {
    const price = fairPrice(view, market) * (side === 'buy' ? 1.02 : 0.98)
    return limitOrder(view, market, side, price, value)
  }
  const user = view.user()
  const { offered, wanted } = tokensOf(market, side)
  const quantity = view.affordable(user, offered, Math.max(value, 3 * view.usd(wanted) * 10 ** -wanted.precision))
  if (!quantity || quantity.amount < 10n) return null
  const { bid } = withoutChange(view, market, side, { bid: quantity.amount, ask: 0n })
  return [order(user, offered, wanted, { ...quantity, amount: bid }, amountOf(wanted, 0))]
}

/**
 * The offer without the part that would buy nothing of the last order that it matches. A partial fill pays out whole
 * units only but takes the full remainder: with a token of no decimals, several times its price.
 */
function withoutChange(view: View, { id }: Market, side: 'buy' | 'sell', offer: Offer): Offer {
  const { fills, rest } = matchOffer(offer, restingOrders(view.tables(DEX), id, side === 'buy' ? 'sell' : 'buy'))
  const last = fills.at(-1)
  if (rest !== null || !last?.left) return offer
  const { bid, ask } = last.order
  const cost = (last.received * ask + bid - 1n) / bid
  const spent = offer.bid - last.paid + cost
  return { bid: spent, ask: (offer.ask * spent) / offer.bid }
}

function order(user: string, offered: TokenSpec, wanted: TokenSpec, quantity: Asset, ask: Asset): ActionCall {
  return transfer(offered.contract, user, DEX, quantity, `${formatAsset(ask)}@${wanted.contract}`)
}

function limitOrder(
  view: View,
  market: Market,
  side: 'buy' | 'sell',
  price: number,
  value: number,
): ActionCall[] | null {
  const user = view.user()
  const { offered, wanted } = tokensOf(market, side)
  const quantity = view.affordable(
    user,
    offered,
    Math.max(value, view.usd(market.base) * 2 * 10 ** -market.base.precision),
  )
  if (!quantity) return null
  const whole = Number(quantity.amount) / 10 ** offered.precision
  const ask = amountOf(wanted, side === 'buy' ? whole / price : whole * price)
  if (ask.amount === 0n) return null
  const offer = withoutChange(view, market, side, { bid: quantity.amount, ask: ask.amount })
  if (offer.ask === 0n) return null
  return [order(user, offered, wanted, { ...quantity, amount: offer.bid }, { ...ask, amount: offer.ask })]
}
