// Pages of a contract table with the primary key of each row. Nodes list rows without keys, so keys are guessed from
// rows (primary-key.ts) and checked with the node. A table that does not follow the convention, or a page with a row
// that cannot be decoded, is read row by row. One state must answer all requests of a page: call under a steady head.
import { nameToU64 } from '../../core/antelope/name.ts'
import { RetryableError } from '../../core/errors.ts'
import type { NodeApi, RowsQuery } from './node-api.ts'
import { keyOfRow } from './primary-key.ts'

export interface KeyedRow {
  key: bigint
  value: Uint8Array
}

export interface KeyedPage {
  rows: KeyedRow[]
  /** Key of the next row; null at the end of the scope. */
  next: bigint | null
}

export interface TableReaderOptions {
  api: NodeApi
  code: string
  table: string
  /** Decodes a row by the current ABI; null when it cannot be decoded. */
  decode: (value: Uint8Array) => Record<string, unknown> | null
  /** Rows of a page. */
  pageRows: number
}

/** The attempts to read a page row by row. */
interface Walk {
  lower: bigint
  attempts: number
  /** Key of the first row, as last found. */
  first: bigint | null
}

const MAX_KEY = (1n << 64n) - 1n
/** Rows of a page that is read row by row; halved at each further attempt. */
const STEPS = 64
const MAX_WALKS = 10_000

export class TableReader {
  private readonly options: TableReaderOptions
  /** Whether the node confirmed that this table follows the key convention. */
  private confirmed = false
  private isWalked = false
  /** Latest walk of each scope. An attempt that took too long has at least found the first key. */
  private readonly walks = new Map<bigint, Walk>()

  constructor(options: TableReaderOptions) {
    this.options = options
  }

  /** Rows of a scope from key `lower`. @throws RetryableError, UserError as NodeApi */
  async page(scope: bigint, lower: bigint): Promise<KeyedPage> {
    return (this.isWalked ? null : await this.byRule(scope, lower)) ?? (await this.walk(scope, lower))
  }

  /** Null when the key convention does not hold for this page. */
  private async byRule(scope: bigint, lower: bigint): Promise<KeyedPage | null> {
    const { decode, pageRows } = this.options
    const { rows: values, next } = await this.rows({ scope, lower, limit: pageRows })
    const rows: KeyedRow[] = []
    let least = lower
    for (const value of values) {
      const row = decode(value)
      const key = row && keyOfRow(row)
      if (row === null) return null
      if (key === null || key < least) return this.walkFromNowOn()
      rows.push({ key, value })
      least = key + 1n
    }
    if (next !== null && next < least) return this.walkFromNowOn()
    const last = rows.at(-1)
    if (last && !this.confirmed) {
      if (!(await this.isAt(scope, last))) return this.walkFromNowOn()
      this.confirmed = true
    }
    return { rows, next }
  }

  private walkFromNowOn(): null {
    this.isWalked = true
    return null
  }

  private async isAt(scope: bigint, { key, value }: KeyedRow): Promise<boolean> {
    const { rows } = await this.rows({ scope, lower: key, upper: key, limit: 1 })
    return rows.length === 1 && Buffer.compare(rows[0] as Uint8Array, value) === 0
  }

  /** Reads row by row: each answer has the key of the next row. The key of the first row is searched. */
  private async walk(scope: bigint, lower: bigint): Promise<KeyedPage> {
    const walk = this.walkOf(scope, lower)
    const steps = Math.max(1, STEPS >> walk.attempts++)
    const rows: KeyedRow[] = []
    let key = await this.firstKey(scope, walk)
    walk.first = key
    while (key !== null && rows.length < steps) {
      const page = await this.rows({ scope, lower: key, limit: 1 })
      const [value] = page.rows
      if (!value) throw this.contradiction(scope, key)
      rows.push({ key, value })
      key = page.next
    }
    return { rows, next: key }
  }

  private walkOf(scope: bigint, lower: bigint): Walk {
    const known = this.walks.get(scope)
    if (known?.lower === lower) return known
    if (this.walks.size >= MAX_WALKS) this.walks.clear()
    const walk = { lower, attempts: 0, first: null }
    this.walks.set(scope, walk)
    return walk
  }

  /** Smallest key at or above `lower`, by binary search. */
  private async firstKey(scope: bigint, { lower, first }: Walk): Promise<bigint | null> {
    const { table } = this.options
    const hasRow = async (upper: bigint) => (await this.rows({ scope, lower, upper, limit: 1 })).rows.length > 0
    const isBefore = async (key: bigint) => key > lower && (await hasRow(key - 1n))
    if (first !== null && (await hasRow(first)) && !(await isBefore(first))) return first
    if (await hasRow(lower)) return lower
    if (!(await hasRow(MAX_KEY))) return null
    let [below, at] = [lower, MAX_KEY]
    // A singleton table uses its own name as key. Trying it first saves most searches.
    const own = nameToU64(table)
    if (own > lower && (await hasRow(own))) {
      at = own
      if (!(await isBefore(own))) return own
    }
    while (at - below > 1n) {
      const middle = (below + at) >> 1n
      if (await hasRow(middle)) at = middle
      else below = middle
    }
    return at
  }

  /** A page; retries empty answers of a busy node, at most 8 times. */
  private async rows(query: Omit<RowsQuery, 'code' | 'table'>): Promise<{ rows: Uint8Array[]; next: bigint | null }> {
    const { api, code, table } = this.options
    for (let empty = 0; empty < 8; empty++) {
      const page = await api.rows({ code, table, ...query })
      if (page.rows.length > 0 || page.next === null) return page
    }
    throw new RetryableError('NODE_TOO_BUSY', `${api.url} has no time to list ${code}/${table}`, {
      hint: 'use a node with less load, or a smaller page',
    })
  }

  private contradiction(scope: bigint, key: bigint): RetryableError {
    const { api, code, table } = this.options
    return new RetryableError('NODE_API_MALFORMED', `${api.url}: ${code}/${table} of ${scope} has no row at ${key}`, {
      hint: 'the address must be one node, not a load balancer',
    })
  }
}
