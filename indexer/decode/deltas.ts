// Walks packed table deltas row by row. Other tables and rows are skipped without being built. The layout is state
// history's `table_delta[]`. The first delta of a log holds the whole state, hundreds of megabytes; only watched rows
// of it are built.

import type { RowFilter } from '../../core/antelope/logs/delta-splitter.ts'
import { PROPERTIES_TABLE } from '../../core/antelope/logs/properties.ts'
import { nameOfParts } from '../../core/antelope/name.ts'
import { readU32, readU64 } from '../../core/antelope/raw.ts'
import { Reader } from '../../core/antelope/reader.ts'
import { DecodeError } from '../../core/errors.ts'
import type { TableRow } from './decoded.ts'
import { MATCH, type Match, type Watch } from './watch.ts'

/** The ABI of an account, as bytes of the frame. */
export interface RawAccount {
  account: string
  abi: Uint8Array
}

/** A watched row of a contract's table; its value is a range of the frame. */
export interface RawRow extends TableRow {
  match: Match
  /** The frame; the row's value is the range [start, end). */
  frame: Uint8Array
  start: number
  end: number
}

/** Accounts whose ABI is followed, as of the end of the block. @throws DecodeError for malformed deltas */
export function* accountRows(deltas: Uint8Array, watch: Watch): Generator<RawAccount> {
  const rows = new RowCursor(deltas, 'account')
  while (rows.next()) {
    const account = accountRow(rows, watch)
    if (account) yield account
  }
}

/** The rows of `accountRows` and `contractRows`, found in one pass. */
export function watchedRows(deltas: Uint8Array, watch: Watch): { accounts: RawAccount[]; rows: RawRow[] } {
  const cursor = new RowCursor(deltas, 'contract_row', 'account')
  const accounts: RawAccount[] = []
  const rows: RawRow[] = []
  while (cursor.next()) {
    if (cursor.isOther) {
      const account = accountRow(cursor, watch)
      if (account) accounts.push(account)
    } else {
      const row = contractRow(cursor, watch)
      if (row) rows.push(row)
    }
  }
  return { accounts, rows }
}

/** The cursor's row of the table `account`; null when its ABI is not followed. */
function accountRow({ reader, present }: RowCursor, watch: Watch): RawAccount | null {
  version(reader, 'account')
  reader.need(12)
  const low = readU32(reader.data, reader.pos)
  const high = readU32(reader.data, reader.pos + 4)
  if (!present || !watch.matchAbi(low, high)) return null
  reader.skip(12) // name, creation_date
  return { account: nameOfParts(low, high), abi: reader.lengthBytes() }
}

/** Whether a row is built by `accountRows` or `contractRows`, which read the tables `account` and `contract_row`. */
export function wantsRow(watch: Watch): RowFilter {
  return (table, data, start, end) => {
    if (table === PROPERTIES_TABLE) return false
    // Too short, or of another version: refused when the row is built.
    if (data[start] !== 0 || end - start < (table === 'account' ? 9 : 25)) return true
    const low = readU32(data, start + 1)
    const high = readU32(data, start + 5)
    if (table === 'account') return watch.matchAbi(low, high)
    const match = watch.matchTable(low, high, readU32(data, start + 17), readU32(data, start + 21))
    return match === MATCH.wanted || match === MATCH.any
  }
}

/** Watched rows in the order of the frame. @throws DecodeError for malformed deltas */
export function* contractRows(deltas: Uint8Array, watch: Watch): Generator<RawRow> {
  const rows = new RowCursor(deltas, 'contract_row')
  while (rows.next()) {
    const row = contractRow(rows, watch)
    if (row) yield row
  }
}

/** The cursor's row of the table `contract_row`; null when it is not watched. */
function contractRow({ reader, present }: RowCursor, watch: Watch): RawRow | null {
  version(reader, 'contract_row')
  reader.need(40)
  const { data, pos } = reader
  const codeLow = readU32(data, pos)
  const codeHigh = readU32(data, pos + 4)
  const tableLow = readU32(data, pos + 16)
  const tableHigh = readU32(data, pos + 20)
  const match = watch.matchTable(codeLow, codeHigh, tableLow, tableHigh)
  if (match !== MATCH.wanted && match !== MATCH.any) return null
  reader.skip(40) // code, scope, table, primary_key, payer
  const size = reader.varuint32()
  const start = reader.pos
  reader.skip(size)
  return {
    match,
    code: nameOfParts(codeLow, codeHigh),
    scope: nameOfParts(readU32(data, pos + 8), readU32(data, pos + 12)),
    scopeRaw: readU64(data, pos + 8),
    table: nameOfParts(tableLow, tableHigh),
    primaryKey: readU64(data, pos + 24),
    present,
    frame: data,
    start,
    end: start + size,
  }
}

/** Iterates over the rows of one or two of the node's own tables; other tables are skipped. */
class RowCursor {
  /** Positioned at the row's version; ends at the row's end. The same reader serves every row. */
  readonly reader: Reader
  present = false
  /** Whether the row is of the second table. */
  isOther = false
  private readonly frame: Reader
  private readonly table: string
  private readonly other: string | null
  private tables: number
  /** Rows left of the current table. */
  private rows = 0

  constructor(deltas: Uint8Array, table: string, other: string | null = null) {
    this.frame = new Reader(deltas)
    this.reader = new Reader(deltas)
    this.reader.end = 0
    this.table = table
    this.other = other
    this.tables = this.frame.varuint32()
  }

  /** Moves to the next row. @returns false at the end. @throws DecodeError for malformed deltas */
  next(): boolean {
    const { frame, reader } = this
    if (this.rows === 0 && !this.findTable()) return false
    this.rows--
    // A flag in the first layout; in the second, 1 and 2 distinguish changed rows from new ones.
    this.present = frame.u8() !== 0
    const size = frame.varuint32()
    reader.pos = frame.pos
    frame.skip(size)
    reader.end = frame.pos
    return true
  }

  private findTable(): boolean {
    const { frame } = this
    for (; this.tables > 0; this.tables--) {
      const layout = frame.varuint32()
      if (layout > 1) throw new DecodeError('INVALID_VARIANT', `table_delta has the unknown version ${layout}`)
      const name = frame.pos
      const isFirst = frame.isText(this.table)
      this.isOther = !isFirst && this.other !== null && this.isAt(name, this.other)
      this.rows = frame.varuint32()
      if ((isFirst || this.isOther) && this.rows > 0) {
        this.tables--
        return true
      }
      for (; this.rows > 0; this.rows--) {
        frame.skip(1)
        frame.skip(frame.varuint32())
      }
    }
    if (frame.remaining === 0) return false
    throw new DecodeError('TRAILING_BYTES', `${frame.remaining} bytes are left after the deltas`)
  }

  private isAt(pos: number, text: string): boolean {
    this.frame.pos = pos
    return this.frame.isText(text)
  }
}

function version(reader: Reader, type: string): void {
  const index = reader.varuint32()
  if (index !== 0) throw new DecodeError('INVALID_VARIANT', `${type} has the unknown version ${index}`)
}
