// Logs contract rows that cannot be decoded. In each minute it logs the first rows one by one, then only their number.
import type { RefusedRow } from '../project/projector.ts'

/** Maximum number of rows that are logged one by one in a minute. */
const MAX_NAMED = 10
const MINUTE = 60_000

export interface RefusedRowsOptions {
  chain: string
  warn(message: string, fields: Record<string, unknown>): void
  /** Unix milliseconds. */
  now?: () => number
}

export class RefusedRows {
  private readonly options: RefusedRowsOptions
  private since = 0
  private named = 0
  private unnamed = 0

  constructor(options: RefusedRowsOptions) {
    this.options = options
  }

  note(row: RefusedRow): void {
    const { chain, warn, now = Date.now } = this.options
    if (now() - this.since >= MINUTE) this.begin(now())
    if (this.named >= MAX_NAMED) {
      if (this.unnamed++ === 0)
        warn('more rows of contracts cannot be decoded: head.stale_rows has all of them', { chain, block: row.block })
      return
    }
    this.named++
    const { block, contract, table, scope, primaryKey, reasonCode, reason } = row
    warn('a row of a contract cannot be decoded: answers show the version before it', {
      chain,
      block,
      contract,
      table,
      scope,
      primaryKey: String(primaryKey),
      code: reasonCode,
      reason,
    })
  }

  private begin(at: number): void {
    const { chain, warn } = this.options
    if (this.unnamed > 0) warn('rows of contracts could not be decoded', { chain, rows: this.named + this.unnamed })
    this.since = at
    this.named = 0
    this.unnamed = 0
  }
}
