// Reads all rows of contract tables from a node's chain API, in pages. Each page belongs to one head of the node.
// Memory holds a few pages at a time, independent of the size of the tables.
import { nameToU64 } from '../../core/antelope/name.ts'
import { RetryableError } from '../../core/errors.ts'
import type { NodeApi } from './node-api.ts'
import type { SteadyHead } from './steady-head.ts'
import { type KeyedRow, TableReader } from './table-reader.ts'

export interface WantedTable {
  code: string
  table: string
  /** Scopes to read, as names; all scopes with rows when absent. */
  scopes?: readonly string[]
}

/** Rows of one scope of a table. */
export interface RowPage {
  code: string
  table: string
  scope: bigint
  rows: KeyedRow[]
}

export interface ReadOptions {
  api: NodeApi
  head: SteadyHead
  /** Decodes a row by the current ABI; null when it cannot be decoded. */
  decode: (code: string, table: string, value: Uint8Array) => Record<string, unknown> | null
  /** Rows in one request. Default 1000. */
  pageRows?: number
  /** Concurrent requests. Default 8. */
  concurrency?: number
}

const SCOPES_IN_PAGE = 1000
/** Limit of consecutive empty answers, which a busy node may give. */
const MAX_EMPTY = 8

/**
 * Reads tables one after another. Rows that are added or removed while reading may be missing or present: the blocks
 * after `head.seen[0]` correct them.
 *
 * @throws RetryableError, UserError as NodeApi and SteadyHead
 */
export async function* readTables(wanted: readonly WantedTable[], options: ReadOptions): AsyncGenerator<RowPage> {
  for (const table of wanted) yield* readTable(table, options)
}

interface Cursor {
  scope: bigint
  lower: bigint
}

async function* readTable({ code, table, scopes }: WantedTable, options: ReadOptions): AsyncGenerator<RowPage> {
  const { api, head, decode, pageRows = 1000, concurrency = 8 } = options
  const reader = new TableReader({ api, code, table, pageRows, decode: (value) => decode(code, table, value) })
  const lists = scopes ? [scopes] : scopePages(code, table, options)
  for await (const list of lists) {
    let cursors: Cursor[] = list.map((scope) => ({ scope: nameToU64(scope), lower: 0n }))
    while (cursors.length > 0) {
      const taken = cursors.slice(0, concurrency)
      const pages = await head.read(
        taken.map(
          ({ scope, lower }) =>
            () =>
              reader.page(scope, lower),
        ),
      )
      const unfinished: Cursor[] = []
      for (const [index, { rows, next }] of pages.entries()) {
        const { scope } = taken[index] as Cursor
        if (rows.length > 0) yield { code, table, scope, rows }
        if (next !== null) unfinished.push({ scope, lower: next })
      }
      cursors = [...unfinished, ...cursors.slice(concurrency)]
    }
  }
}

async function* scopePages(code: string, table: string, { api, head }: ReadOptions): AsyncGenerator<string[]> {
  let lower: bigint | null = 0n
  let empty = 0
  while (lower !== null) {
    const from: bigint = lower
    const [page] = await head.read([() => api.scopes(code, table, from, SCOPES_IN_PAGE)])
    if (!page) return
    if (page.scopes.length > 0) yield page.scopes
    lower = page.next === null ? null : nameToU64(page.next)
    empty = lower === from ? empty + 1 : 0
    if (empty > MAX_EMPTY)
      throw new RetryableError('NODE_TOO_BUSY', `${api.url} has no time to list the scopes of ${code}/${table}`, {
        hint: 'use a node with less load',
      })
  }
}
