// Packs what a block changed as state history does: `table_delta[]` with account, contract_table and contract_row.
// Inside a table: modified rows, then removed ones with their old value, then added ones. A row that was erased and
// set again is removed and added; one that was added and erased does not occur.

import { Writer } from '../../core/antelope/writer.ts'
import { type Account, AccountChange, AccountCreated, type ChainState, type Change, RowChange } from './state.ts'
import type { StoredRow, TableRows } from './table-rows.ts'

/** One row of a delta table: its packed form goes to the writer given. */
interface DeltaRow {
  present: boolean
  write(writer: Writer): void
}

/** What happened to one row in a block. */
interface RowFate {
  rows: TableRows
  key: bigint
  before: StoredRow | undefined
  now: StoredRow | undefined
  /** The row that stood before the block was erased, whatever came after. */
  erased: boolean
}

function rowFates(changes: readonly Change[]): RowFate[] {
  const fates = new Map<TableRows, Map<bigint, RowFate>>()
  const ordered: RowFate[] = []
  for (const change of changes) {
    if (!(change instanceof RowChange)) continue
    const { rows, key, before, after } = change
    let byKey = fates.get(rows)
    if (!byKey) fates.set(rows, (byKey = new Map()))
    let fate = byKey.get(key)
    if (!fate) {
      fate = { rows, key, before, now: before, erased: false }
      byKey.set(key, fate)
      ordered.push(fate)
    }
    if (!after && fate.before) fate.erased = true
    fate.now = after
  }
  return ordered
}

function contractRow({ rows, key }: RowFate, row: StoredRow, present: boolean): DeltaRow {
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

function contractRows(fates: readonly RowFate[]): DeltaRow[] {
  const modified = fates.filter(({ before, now, erased }) => before && now && !erased)
  const removed = fates.filter(({ erased }) => erased)
  const added = fates.filter(({ before, now, erased }) => now && (!before || erased))
  return [
    ...modified.map((fate) => contractRow(fate, fate.now!, true)),
    ...removed.map((fate) => contractRow(fate, fate.before!, false)),
    ...added.map((fate) => contractRow(fate, fate.now!, true)),
  ]
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

/** Tables that had no row before the block and have some now, or the other way round. */
function contractTables(fates: readonly RowFate[]): DeltaRow[] {
  const growth = new Map<TableRows, number>()
  for (const { rows, before, now } of fates) {
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

/** Accounts whose ABI changed, then those that came into being. */
function accountRows(changes: readonly Change[]): DeltaRow[] {
  const created = new Set<Account>()
  const changed = new Set<Account>()
  for (const change of changes) {
    if (change instanceof AccountCreated) created.add(change.account)
    else if (change instanceof AccountChange && change.before.abi !== change.after.abi) changed.add(change.account)
  }
  return [...[...changed].filter((account) => !created.has(account)), ...created].map(accountRow)
}

/** Kept from block to block, unless a giant one has made them grow. */
let writer = new Writer(1 << 16)
let row = new Writer(1 << 12)
const LARGEST_KEPT = 1 << 22

function pack(tables: [name: string, rows: DeltaRow[]][]): Uint8Array {
  if (writer.data.length > LARGEST_KEPT) writer = new Writer(1 << 16)
  if (row.data.length > LARGEST_KEPT) row = new Writer(1 << 12)
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

/** Deltas of a block, from its journal, while the state is as the block left it. */
export function packDeltas(changes: readonly Change[]): Uint8Array {
  const fates = rowFates(changes)
  return pack([
    ['account', accountRows(changes)],
    ['contract_table', contractTables(fates)],
    ['contract_row', contractRows(fates)],
  ])
}

/** The whole state as the first delta of a fresh state-history log has it: every row added. */
export function packFullState(state: ChainState): Uint8Array {
  const tables = [...state.allTables()].filter((rows) => rows.size > 0)
  const fates = tables.flatMap((rows) =>
    [...rows.entries()].map(([key, now]): RowFate => ({ rows, key, before: undefined, now, erased: false })),
  )
  return pack([
    ['account', [...state.allAccounts()].map(accountRow)],
    ['contract_table', tables.map((rows) => contractTable(rows, true))],
    ['contract_row', contractRows(fates)],
  ])
}
