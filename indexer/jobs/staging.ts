// Staged rows of one attempt at a block range, in separate tables that readers never see. The tables are unlogged: a
// crash of the database server empties them, which the stitcher detects.
import type { ClientBase } from 'pg'
import { BugError } from '../../core/errors.ts'
import type { Catalog, Column, Table } from '../store/catalog.ts'
import { CopyBuffer } from '../store/copy/copy-buffer.ts'
import { copyIn } from '../store/copy/copy-in.ts'
import { compileRowEncoder, type RowEncoder } from '../store/copy/row-encoder.ts'
import { columnList } from '../store/ledger.ts'
import type { Segment } from '../store/segment.ts'
import { JOURNALED, type Journaled, type JournalRow } from './price-journal.ts'
import {
  CANDLES,
  clearMarked,
  createJournal,
  createStaged,
  createStagedCandles,
  FORGET_SETS,
  isValuedTable,
  journalName,
  MARKED_TABLES,
  mergeState,
  moveLedger,
  NEW_SET,
  refreshCandles,
  stagedName,
  stagedStart,
  TABLES_OF_SET,
  valuesName,
} from './sql.ts'

interface StateStage {
  encode: RowEncoder
  buffer: CopyBuffer
}

const PLACE = new Set(['chain', 'present', 'version', 'minute'])

export class StagingSet {
  private readonly client: ClientBase
  private readonly chain: string
  readonly id: string
  private readonly made = new Set<string>()
  private readonly stages = new Map<string, StateStage>()
  private version = 0n

  private constructor(client: ClientBase, chain: string, id: string) {
    this.client = client
    this.chain = chain
    this.id = id
  }

  static async create(client: ClientBase, chain: string, firstBlock: number): Promise<StagingSet> {
    const { rows } = await client.query(NEW_SET, [chain, firstBlock])
    return new StagingSet(client, chain, rows[0].id)
  }

  /** Opens a finished set, to add rows to tables that it does not have yet. */
  static resume(client: ClientBase, chain: string, id: string): StagingSet {
    return new StagingSet(client, chain, id)
  }

  /** Adds a segment. Its current rows replace those of earlier segments. */
  async write(segment: Segment): Promise<void> {
    this.version++
    for (const { table, buffer } of segment.ledger.values()) {
      if (buffer.rows === 0) continue
      await this.make(table.id, createStaged(this.id, table))
      await copyIn(this.client, `staging.${stagedName(this.id, table)} (${columnList(table)})`, buffer)
    }
    for (const { table, rows } of segment.state.values()) {
      if (rows.size === 0) continue
      await this.make(table.id, createStaged(this.id, table))
      const version = { name: 'version', property: 'version', type: 'int8', nullable: false }
      const { encode, buffer } = this.stageOf(table, table.name, [version])
      for (const { row, present } of rows.values()) {
        encode(row, { chain: this.chain, present, version: this.version }, buffer)
      }
      await copyIn(
        this.client,
        `staging.${stagedName(this.id, table)} (${columnList(table)}, present, version)`,
        buffer,
      )
    }
    if (segment.candles.size === 0) return
    await this.make('candles', createStagedCandles(this.id))
    const candles = [...segment.candles.values()]
    await this.client.query(
      `insert into staging.${stagedName(this.id, CANDLES)} select * from unnest($1::text[], $2::int8[], $3::timestamptz[])`,
      [candles.map(({ kind }) => kind), candles.map(({ id }) => id), candles.map(({ minute }) => new Date(minute))],
    )
  }

  /** Adds rows of the price journal. */
  async writeJournal(rows: readonly JournalRow[], catalog: Catalog): Promise<void> {
    for (const name of Object.keys(JOURNALED) as Journaled[]) {
      const ofTable = rows.filter((row) => row.table === name)
      if (ofTable.length === 0) continue
      const table = catalog.get(`state.${name}`)
      if (!table) throw new BugError('UNKNOWN_TABLE', `no table state.${name}`)
      await this.make(`journal.${name}`, createJournal(this.id, name, table))
      const mark = { name: 'minute', property: 'minute', type: 'timestamptz', nullable: false }
      const { encode, buffer } = this.stageOf(table, `journal.${name}`, [mark])
      for (const { minute, row } of ofTable)
        encode(row.row, { chain: this.chain, present: row.present, minute }, buffer)
      await copyIn(this.client, `staging.${journalName(this.id, name)} (${columnList(table)}, present, minute)`, buffer)
    }
  }

  private async make(id: string, sql: string): Promise<void> {
    if (this.made.has(id)) return
    await this.client.query(sql)
    this.made.add(id)
  }

  private stageOf(table: Table, name: string, marks: Column[]): StateStage {
    const known = this.stages.get(name)
    if (known) return known
    // A removed row may have only its key.
    const columns = table.columns.map((column) => ({ ...column, nullable: !table.key.includes(column.name) }))
    const present = { name: 'present', property: 'present', type: 'bool', nullable: false }
    const encode = compileRowEncoder(table, [...columns, present, ...marks], PLACE)
    const stage = { encode, buffer: new CopyBuffer() }
    this.stages.set(name, stage)
    return stage
  }
}

/** Moves the rows of a set to the real tables, except valued rows (`ValuedMove`), inside the caller's transaction. */
export async function adoptSet(client: ClientBase, catalog: Catalog, chain: string, setId: string): Promise<void> {
  const names = await tablesOf(client, setId)
  const staged = [...catalog.values()].filter((table) => names.has(stagedName(setId, table)))
  await clearMarks(client, staged, chain, setId)
  const isValued = names.has(valuesName(setId))
  for (const table of staged) {
    if (isValued && isValuedTable(table)) continue
    await client.query(table.schema === 'ledger' ? moveLedger(setId, table) : mergeState(setId, table))
  }
  if (!names.has(stagedName(setId, CANDLES))) return
  await client.query(refreshCandles(setId), [chain])
}

/** Removes stale marks of rows that changed since. The range's own marks are added later. */
async function clearMarks(client: ClientBase, staged: readonly Table[], chain: string, setId: string): Promise<void> {
  const { rows } = await client.query<{ table: string }>(MARKED_TABLES, [chain])
  const marked = new Set(rows.map(({ table }) => table))
  for (const table of staged) if (marked.has(table.name)) await client.query(clearMarked(setId, table), [chain])
}

/** Number of blocks in a set. */
export async function countBlocks(client: ClientBase, setId: string): Promise<number> {
  const name = stagedName(setId, { schema: 'ledger', name: 'blocks' })
  if (!(await tablesOf(client, setId)).has(name)) return 0
  const { rows } = await client.query(`select count(*)::int as blocks from staging.${name}`)
  return rows[0].blocks
}

/** Time of the first block in a set, Unix milliseconds. */
export async function firstTime(client: ClientBase, setId: string): Promise<number> {
  const { rows } = await client.query<{ time: Date }>(stagedStart(setId))
  return (rows[0] as { time: Date }).time.getTime()
}

/** Drops sets. A worker that still writes to one fails, but its rows are no longer needed. */
export async function dropSets(client: ClientBase, setIds: readonly string[]): Promise<void> {
  for (const setId of setIds) {
    const names = [...(await tablesOf(client, setId))].map((name) => `staging.${name}`)
    if (names.length > 0) await client.query(`drop table if exists ${names.join(', ')}`)
  }
  await client.query(FORGET_SETS, [setIds])
}

export async function tablesOf(client: ClientBase, setId: string): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(TABLES_OF_SET, [setId])
  return new Set(rows.map(({ name }) => name))
}
