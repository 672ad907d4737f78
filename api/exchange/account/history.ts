// The history of an account: deals, swaps and position events.
import {
  type AccountSwap,
  type History,
  type HistoryPage,
  type HistoryRow,
  type PoolRow,
  pageParameters,
  readHistory,
  type SwapRow,
  swap,
} from '../../kit/history.ts'
import { toNumber, UNIT_PRICE_DECIMALS } from '../../kit/numbers.ts'
import type { Queryable } from '../../kit/snapshot.ts'
import { timeParameters } from '../../kit/trade-range.ts'
import { ACCOUNT_DEALS, ACCOUNT_POSITION_EVENTS, ACCOUNT_SWAPS } from './sql.ts'

export interface Deal {
  _id: string
  market: number
  type: string
  trx_id: string
  unit_price: number
  bidder: string
  asker: string
  bid: number
  ask: number
  time: string
}

export interface PositionEvent {
  _id: string
  id: number
  pool: number
  owner: string
  type: string
  tokenA: number
  tokenB: number
  tokenAUSDPrice: number
  tokenBUSDPrice: number
  totalUSDValue: number
  trx_id: string
  time: string
}

interface DealRow extends HistoryRow {
  market: number
  type: string
  bidder: string
  asker: string
  amountBase: string
  amountTarget: string
  decimalsBase: number
  decimalsTarget: number
  unitPrice: string
}

interface EventRow extends PoolRow {
  usdPriceA: number | null
  usdPriceB: number | null
  position: number
  owner: string
  type: string
}

/** Deals of which the account was taker or maker. @returns null when the chain is not indexed */
export function accountDeals(
  database: Queryable,
  chain: string,
  account: string,
  filter: { market?: number; from?: number; before?: number },
  page: HistoryPage,
): Promise<History<Deal> | null> {
  const own = [filter.market ?? null, ...timeParameters(filter)]
  const statement = {
    name: 'account-deals',
    text: ACCOUNT_DEALS,
    values: [chain, account, ...pageParameters(page), ...own],
  }
  return readHistory<DealRow, Deal>(database, statement, page, deal)
}

/** Swaps that the account sent or received. @returns null when the chain is not indexed */
export function accountSwaps(
  database: Queryable,
  chain: string,
  account: string,
  page: HistoryPage,
): Promise<History<AccountSwap> | null> {
  const statement = { name: 'account-swaps', text: ACCOUNT_SWAPS, values: [chain, account, ...pageParameters(page)] }
  return readHistory<SwapRow, AccountSwap>(database, statement, page, swap)
}

/** Events of the account's positions, including closed ones. @returns null when the chain is not indexed */
export function accountPositionEvents(
  database: Queryable,
  chain: string,
  account: string,
  page: HistoryPage,
): Promise<History<PositionEvent> | null> {
  const values = [chain, account, ...pageParameters(page)]
  const statement = { name: 'account-position-events', text: ACCOUNT_POSITION_EVENTS, values }
  return readHistory<EventRow, PositionEvent>(database, statement, page, positionEvent)
}

function deal(row: DealRow): Deal {
  const base = toNumber(row.amountBase, row.decimalsBase)
  const target = toNumber(row.amountTarget, row.decimalsTarget)
  // A buyer pays target for base; a seller pays base for target.
  const [bid, ask] = row.type === 'buymatch' ? [target, base] : [base, target]
  return {
    _id: row.id,
    market: row.market,
    type: row.type,
    trx_id: row.trxId,
    unit_price: toNumber(row.unitPrice, UNIT_PRICE_DECIMALS),
    bidder: row.bidder,
    asker: row.asker,
    bid,
    ask,
    time: new Date(row.time).toISOString(),
  }
}

function positionEvent(row: EventRow): PositionEvent {
  return {
    _id: row.id,
    id: row.position,
    pool: row.pool,
    owner: row.owner,
    type: row.type,
    tokenA: toNumber(row.amountA, row.decimalsA),
    tokenB: toNumber(row.amountB, row.decimalsB),
    tokenAUSDPrice: row.usdPriceA ?? 0,
    tokenBUSDPrice: row.usdPriceB ?? 0,
    totalUSDValue: row.usd ?? 0,
    trx_id: row.trxId,
    time: new Date(row.time).toISOString(),
  }
}
