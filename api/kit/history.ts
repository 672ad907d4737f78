// Histories listed newest first: pages by skip and limit or by a cursor. The Link header of a full page has the next one.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BlockMark } from '../live-market/model.ts'
import { answerAt } from './answer.ts'
import { cursorParameters, cursorText } from './cursor.ts'
import { LIMITS } from './limits.ts'
import { toNumber } from './numbers.ts'
import { type Queryable, readPage } from './snapshot.ts'

/** Maximum number of rows of a page. */
export const MAX_ROWS = LIMITS.poolSwapsMost

export interface HistoryPage {
  /** Cursor: end of the previous page. */
  cursor?: string
  /** Rows to skip. */
  skip: number
  /** Limit of rows. */
  limit: number
}

export interface History<Item> {
  at: BlockMark
  /** Newest first. */
  items: Item[]
  /** Cursor of the next page; null if this page is not full. */
  next: string | null
}

export interface AccountSwap {
  _id: string
  pool: number
  trx_id: string
  sender: string
  recipient: string
  sqrtPriceX64: string
  totalUSDVolume: number
  tokenA: number
  tokenB: number
  time: string
}

export interface HistoryRow {
  id: string
  /** Unix milliseconds. */
  time: number
  trxId: string
}

export interface PoolRow extends HistoryRow {
  pool: number
  amountA: string
  amountB: string
  decimalsA: number
  decimalsB: number
  usd: number | null
}

export interface SwapRow extends PoolRow {
  sender: string
  recipient: string
  sqrtPriceX64: string
}

/** A page as parameters of a statement. */
export function pageParameters({ cursor, skip, limit }: HistoryPage): unknown[] {
  return [...cursorParameters(cursor), skip, limit]
}

/** Runs a statement of the form: cursor, skip, limit. @returns null when the chain is not indexed */
export async function readHistory<R extends HistoryRow, Item>(
  database: Queryable,
  statement: { name: string; text: string; values: unknown[] },
  { limit }: HistoryPage,
  item: (row: R) => Item,
): Promise<History<Item> | null> {
  const page = await readPage<R>(database, statement, 'id')
  if (page === null) return null
  const last = page.rows.at(-1)
  const isFull = last !== undefined && page.rows.length === limit
  const next = isFull ? cursorText({ time: last.time, sequence: last.id }) : null
  return { at: page.at, items: page.rows.map(item), next }
}

/** A swap in the format of the API. */
export function swap(row: SwapRow): AccountSwap {
  return {
    _id: row.id,
    pool: row.pool,
    trx_id: row.trxId,
    sender: row.sender,
    recipient: row.recipient,
    sqrtPriceX64: row.sqrtPriceX64,
    totalUSDVolume: row.usd ?? 0,
    tokenA: toNumber(row.amountA, row.decimalsA),
    tokenB: toNumber(row.amountB, row.decimalsB),
    time: new Date(row.time).toISOString(),
  }
}

interface PageValues {
  limit?: number
  skip?: number
  cursor?: string
}

/** The page that a query requests; limit 0 means the default. */
export function pageOf({ limit = 0, skip = 0, cursor }: PageValues, usual: number): HistoryPage {
  return { limit: limit === 0 ? usual : Math.min(limit, MAX_ROWS), skip, cursor }
}

/** Sends a page, with the address of the next page in its Link header. */
export function sendHistory<Item>(
  request: FastifyRequest,
  reply: FastifyReply,
  read: History<Item> | null,
): Item[] | FastifyReply {
  const history = answerAt(request, reply, read)
  if (history === null) return reply
  if (history.next !== null)
    reply.header('link', `<${request.chainPrefix}${nextPage(request.url, history.next)}>; rel="next"`)
  return history.items
}

/** The same request with the next page's cursor. */
function nextPage(url: string, cursor: string): string {
  const [path, query] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.delete('skip')
  parameters.set('cursor', cursor)
  return `${path}?${parameters}`
}
