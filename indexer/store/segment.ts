// Rows that are written together: encoded ledger rows, the last version of each current row, and the candles that
// trades change. Independent of a connection, so that one segment can be filled while another is written.
import { BugError } from '../../core/errors.ts'
import type { Catalog, Table } from './catalog.ts'
import { CopyBuffer } from './copy/copy-buffer.ts'
import { compileRowEncoder, type RowEncoder } from './copy/row-encoder.ts'
import type { BlockRows, StateRow, TouchedCandle } from './rows.ts'

export interface LedgerTarget {
  table: Table
  buffer: CopyBuffer
  encode: RowEncoder
  /** For rows whose common columns are in `at`. */
  encodePlaced: RowEncoder
}

export interface StateTarget {
  table: Table
  keyOf: (row: object) => string
  /** By key. */
  rows: Map<string, StateRow>
}

/** Columns that most rows of a block take from `at`. */
const PLACE = new Set(['chain', 'blockNum', 'blockTime', 'globalSeq', 'trxId'])

export class Segment {
  private readonly catalog: Catalog
  /** By table, without the schema. */
  readonly ledger = new Map<string, LedgerTarget>()
  readonly state = new Map<string, StateTarget>()
  readonly candles = new Map<string, TouchedCandle>()
  /** Rows added; a current row counts each time. */
  rows = 0

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /** Adds the rows of a block. @throws BugError UNKNOWN_TABLE; the errors of row encoders */
  add({ ledger, state, candles }: BlockRows): void {
    this.rows += ledger.length + state.length
    for (const { table, at, row } of ledger) {
      const target = this.ledger.get(table) ?? this.openLedger(table)
      if (at) target.encodePlaced(row, at, target.buffer)
      else target.encode(row, row, target.buffer)
    }
    for (const row of state) {
      const target = this.state.get(row.table) ?? this.openState(row.table)
      target.rows.set(target.keyOf(row.row), row)
    }
    for (const candle of candles) this.candles.set(`${candle.kind} ${candle.id} ${candle.minute}`, candle)
  }

  /** Removes all rows. Buffers are reused. */
  clear(): void {
    for (const { buffer } of this.ledger.values()) buffer.clear()
    for (const { rows } of this.state.values()) rows.clear()
    this.candles.clear()
    this.rows = 0
  }

  private openLedger(name: string): LedgerTarget {
    const table = this.table(`ledger.${name}`)
    const target = {
      table,
      buffer: new CopyBuffer(),
      encode: compileRowEncoder(table, table.columns, new Set()),
      encodePlaced: compileRowEncoder(table, table.columns, PLACE),
    }
    this.ledger.set(name, target)
    return target
  }

  private openState(name: string): StateTarget {
    const table = this.table(`state.${name}`)
    const target = { table, keyOf: compileKey(table), rows: new Map() }
    this.state.set(name, target)
    return target
  }

  private table(id: string): Table {
    const table = this.catalog.get(id)
    if (!table) throw new BugError('UNKNOWN_TABLE', `no table ${id}`)
    return table
  }
}

/** Compiles a function that returns a row's key, unique within a chain. */
function compileKey(table: Table): (row: object) => string {
  const columns = table.columns.filter((column) => column.name !== 'chain' && table.key.includes(column.name))
  const parts = columns.map((column) => `row[${JSON.stringify(column.property)}]`)
  return new Function('row', `return ${["''", ...parts].join(" + '\\0' + ")}`) as (row: object) => string
}
