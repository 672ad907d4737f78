// Packs the changes of a block as state history does: `table_delta[]` with account, contract_table and contract_row. In
// a table: modified rows, then removed ones with their old value, then added ones. A row that was erased and set again
// is both removed and added; a row that was added and erased does not occur.

import { Writer } from '../../core/antelope/writer.ts'
import { type Account, AccountChange, AccountCreated, type ChainState, type Change, RowChange } from './state.ts'
import type { StoredRow, TableRows } from './table-rows.ts'

/** One row of a delta table, which packs itself with the given writer. */
interface DeltaRow {
  present: boolean
  write(writer: Writer): void
}

/** Changes of one row in a block. */
interface RowHistory {
  rows: TableRows
  key: bigint
  before: StoredRow | undefined
  now: StoredRow | undefined
  /** Whether the row from before the block was erased, even if set again later. */
  erased: boolean
}

function rowHistories(changes: readonly Change[]): RowHistory[] {
  const histories = new Map<TableRows, Map<bigint, RowHistory>>()
  const ordered: RowHistory[] = []
  for (const change of changes) {
    if (!(change instanceof RowChange)) continue
    const { rows, key, before, after } = change
    let byKey = histories.get(rows)
    if (!byKey) histories.set(rows, (byKey = new Map()))
    let history = byKey.get(key)
    if (!history) {
      history = { rows, key, before, now: before, erased: false }
      byKey.set(key, history)
      ordered.push(history)
    }
    if (!after && history.before) history.erased = true
    history.now = after
  }
  return ordered
}

function contractRow({ rows, key }: RowHistory, row: StoredRow, present: boolean): DeltaRow {
  return {
    present,
    write(writer) {
      writer.u8(0)
      writer.name(rows.code)
      writer.name(rows.scope)
      writer.name(rows.table)
      writer.u64(key)
      writer.name(row.payer)
      writer.lengthBytes(row.packed)
    },
  }
}

function contractRows(histories: readonly RowHistory[]): DeltaRow[] {
  const modified: DeltaRow[] = []
  const removed: DeltaRow[] = []
  const added: DeltaRow[] = []
  for (const history of histories) {
    const { before, now, erased } = history
    if (before && erased) removed.push(contractRow(history, before, false))
    if (now) (before && !erased ? modified : added).push(contractRow(history, now, true))
  }
  return [...modified, ...removed, ...added]
}

function contractTable(rows: TableRows, present: boolean): DeltaRow {
  return {
    present,
    write(writer) {
      writer.u8(0)
      writer.name(rows.code)
      writer.name(rows.scope)
      writer.name(rows.table)
      writer.name(rows.payer)
    },
  }
}

/** Tables that were empty before the block and are not any more, or the reverse. */
function contractTables(histories: readonly RowHistory[]): DeltaRow[] {
  const growth = new Map<TableRows, number>()
  for (const { rows, before, now } of histories) {
    growth.set(rows, (growth.get(rows) ?? 0) + (now ? 1 : 0) - (before ? 1 : 0))
  }
  const gone = [...growth].filter(([rows, by]) => rows.size === 0 && by < 0).map(([rows]) => rows)
  const come = [...growth].filter(([rows, by]) => rows.size > 0 && rows.size === by).map(([rows]) => rows)
  return [...gone.map((rows) => contractTable(rows, false)), ...come.map((rows) => contractTable(rows, true))]
}

function accountRow(account: Account): DeltaRow {
  return {
    present: true,
    write(writer) {
      writer.u8(0)
      writer.name(account.name)
      writer.u32(account.created)
      writer.lengthBytes(account.state.abi?.packed ?? new Uint8Array())
    },
  }
}

/** Accounts whose ABI changed, then accounts that were created. */
function accountRows(changes: readonly Change[]): DeltaRow[] {
  const created = new Set<Account>()
  const changed = new Set<Account>()
  for (const change of changes) {
    if (change instanceof AccountCreated) created.add(change.account)
    else if (change instanceof AccountChange && change.before.abi !== change.after.abi) changed.add(change.account)
  }
  return [...[...changed].filter((account) => !created.has(account)), ...created].map(accountRow)
}

/** Reused from block to block, unless a giant block has made them grow. */
let writer = new Writer(1 << 16)
let row = new Writer(1 << 12)
const MAX_REUSED = 1 << 22

function pack(tables: [name: string, rows: DeltaRow[]][]): Uint8Array {
  if (writer.data.length > MAX_REUSED) writer = new Writer(1 << 16)
  if (row.data.length > MAX_REUSED) row = new Writer(1 << 12)
  writer.pos = 0
  const filled = tables.filter(([, rows]) => rows.length > 0)
  writer.varuint32(filled.length)
  for (const [name, rows] of filled) {
    writer.u8(0) // table_delta_v0
    writer.string(name)
    writer.varuint32(rows.length)
    for (const { present, write } of rows) {
      row.pos = 0
      write(row)
      writer.u8(present ? 1 : 0)
      writer.lengthBytes(row.data.subarray(0, row.pos))
    }
  }
  return writer.finish()
}

/** Deltas of a block from its journal. The state must be as of the block. */
export function packDeltas(changes: readonly Change[]): Uint8Array {
  const histories = rowHistories(changes)
  return pack([
    ['account', accountRows(changes)],
    ['contract_table', contractTables(histories)],
    ['contract_row', contractRows(histories)],
  ])
}

/** The full delta: the whole state with every row added. */
export function packFullState(state: ChainState): Uint8Array {
  const tables = [...state.allTables()].filter((rows) => rows.size > 0)
  const histories = tables.flatMap((rows) =>
    [...rows.entries()].map(([key, now]): RowHistory => ({ rows, key, before: undefined, now, erased: false })),
  )
  return pack([
    ['account', [...state.allAccounts()].map(accountRow)],
    ['contract_table', tables.map((rows) => contractTable(rows, true))],
    ['contract_row', contractRows(histories)],
  ])
}
