// A trade of a market or of a pool.
import { type Page, type Queryable, readPage, type Statement } from '../snapshot.ts'
import type { TradeSide } from '../trade-range.ts'

export interface Trade {
  /** Global sequence of the match or the swap. */
  id: string
  /** From the view of the base token: a buyer takes base out. */
  side: TradeSide
  /** Target per base, as traded. */
  price: number
  /** Base tokens. */
  baseVolume: number
  /** Target tokens. */
  targetVolume: number
  /** Unix milliseconds. */
  time: number
  trxId: string
}

/** @returns trades in the statement's order; null when the chain is not indexed */
export async function readTrades<Row extends { id: string }, Item extends Trade>(
  database: Queryable,
  statement: Statement,
  trade: (row: Row) => Item,
): Promise<Page<Item> | null> {
  const page = await readPage<Row>(database, statement, 'id')
  return page && { at: page.at, rows: page.rows.map(trade) }
}
