// An account as of a block: its balances, positions and open orders with their values, and sums.
import { tokenId } from '../../../core/price/token-id.ts'
import { decimalText, UNIT_PRICE_DECIMALS } from '../../kit/numbers.ts'
import { tokenObject } from '../../kit/token-object.ts'
import { rawValue } from '../../kit/values.ts'
import type { MarketState, TokenRef } from '../../live-market/model.ts'
import { type PositionRow, positionJson, type Valued, valued } from '../position.ts'
import { sumOf, valueMembers } from '../values.ts'

/** Rows of an account; amounts in raw units. */
export interface AccountRows {
  /** Whether no row of the chain's state is missing. */
  isWhole: boolean
  balances: BalanceRow[]
  positions: PositionRow[]
  orders: OrderRow[]
}

interface BalanceRow {
  contract: string
  symbol: string
  decimals: number
  amount: string
  isFinal: boolean
}

interface OrderRow {
  market: number
  side: 'buy' | 'sell'
  id: string
  bid: string
  bidDecimals: number
  ask: string
  askDecimals: number
  unitPrice: string
  /** Unix milliseconds. */
  placed: number
  isFinal: boolean
}

/** Limit of each list. */
export const MAX_ACCOUNT_ROWS = 1000

/** @param rows  at most one row more than `MAX_ACCOUNT_ROWS` in each list: then the lists are cut */
export function accountAnswer(state: MarketState, account: string, { isWhole, ...rows }: AccountRows) {
  const { prices } = state
  const cut = <T>(list: readonly T[]) => list.slice(0, MAX_ACCOUNT_ROWS)
  const balances = cut(rows.balances).map((row) => balanceOf(state, row))
  const positions = cut(rows.positions).flatMap((row) => valued(state, row) ?? [])
  const orders = cut(rows.orders).flatMap((row) => orderOf(state, row) ?? [])
  // Anyone can give a token of their own any price, so sums are of trusted tokens alone.
  const trusted = (value: bigint | null, ...ids: string[]) =>
    ids.every((id) => prices.quote(id).isTrusted) ? value : null
  const parts = {
    balances: balances.map(({ id, value }) => trusted(value, id)),
    positions: positions.map(({ pool: { a, b }, value }) => trusted(value, a.id, b.id)),
    fees: positions.map(({ pool: { a, b }, feesValue }) => trusted(feesValue, a.id, b.id)),
    orders: orders.map(({ id, value }) => trusted(value, id)),
  }
  const sums = {
    balances: sumOf(parts.balances),
    positions: sumOf(parts.positions),
    fees: sumOf(parts.fees),
    orders: sumOf(parts.orders),
  }
  const all = sumOf([...parts.balances, ...parts.positions, ...parts.orders])
  const total = ({ value, unknown }: ReturnType<typeof sumOf>) => ({
    ...valueMembers(value, prices),
    unvalued: unknown,
  })
  return {
    block: state.at.block,
    account,
    balances: balances.sort(byValue).map(({ json }) => json),
    positions: positions.sort(byValue).map((one: Valued) => positionJson(state, one)),
    orders: orders.map(({ json }) => json),
    totals: {
      ...total(all),
      balances: total(sums.balances),
      positions: total(sums.positions),
      fees: total(sums.fees),
      orders: total(sums.orders),
    },
    complete: isWhole,
    truncated: Object.values(rows).some((list) => list.length > MAX_ACCOUNT_ROWS),
  }
}

/** The most valuable first, unknown values last; equal ones keep their order. */
function byValue(x: { value: bigint | null }, y: { value: bigint | null }): number {
  if (x.value === null || y.value === null) return (x.value === null ? 1 : 0) - (y.value === null ? 1 : 0)
  return x.value === y.value ? 0 : x.value > y.value ? -1 : 1
}

function balanceOf({ prices, tokens }: MarketState, row: BalanceRow) {
  const { contract, symbol, decimals } = row
  const id = tokenId(symbol, contract)
  const token: TokenRef = tokens.get(id) ?? { id, contract, symbol, decimals }
  const amount = BigInt(row.amount)
  const value = rawValue(prices, id, amount)
  const json = {
    token: tokenObject(token),
    amount: decimalText(amount, decimals),
    ...valueMembers(value, prices),
    final: row.isFinal,
  }
  return { id, value, json }
}

/** @returns null when the market is not known */
function orderOf({ prices, books }: MarketState, row: OrderRow) {
  const book = books.get(row.market)
  if (book === undefined) return null
  const [offered, wanted] = row.side === 'buy' ? [book.target, book.base] : [book.base, book.target]
  const value = rawValue(prices, offered.id, BigInt(row.bid))
  const json = {
    market: row.market,
    id: row.id,
    side: row.side,
    base: tokenObject(book.base),
    target: tokenObject(book.target),
    price: decimalText(BigInt(row.unitPrice), UNIT_PRICE_DECIMALS),
    offered: { token: offered.id, amount: decimalText(BigInt(row.bid), row.bidDecimals) },
    wanted: { token: wanted.id, amount: decimalText(BigInt(row.ask), row.askDecimals) },
    ...valueMembers(value, prices),
    placed: new Date(row.placed).toISOString(),
    final: row.isFinal,
  }
  return { id: offered.id, value, json }
}
