// Swaps of a pool, newest first.
import {
  type AccountSwap,
  type History,
  type HistoryPage,
  pageParameters,
  readHistory,
  type SwapRow,
  swap,
} from '../../kit/history.ts'
import type { Queryable } from '../../kit/snapshot.ts'
import { timeParameters } from '../../kit/trade-range.ts'
import { POOL_SWAPS } from './sql.ts'

export interface SwapFilter {
  /** Range [from, before), Unix milliseconds. */
  from?: number
  before?: number
  sender?: string
  recipient?: string
}

/** @returns null when the chain is not indexed */
export function poolSwaps(
  database: Queryable,
  chain: string,
  pool: number,
  { sender, recipient, ...times }: SwapFilter,
  page: HistoryPage,
): Promise<History<AccountSwap> | null> {
  const own = [pool, ...timeParameters(times), sender ?? null, recipient ?? null]
  const statement = { name: 'pool-swaps', text: POOL_SWAPS, values: [chain, ...pageParameters(page), ...own] }
  return readHistory<SwapRow, AccountSwap>(database, statement, page, swap)
}
