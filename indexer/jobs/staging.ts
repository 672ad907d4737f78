// Staged rows of one attempt at a block range, in separate tables that readers never see. The tables are unlogged: a
// crash of the database server empties them, which is detected when the range is taken over.
import type { ClientBase } from 'pg'
import type { Catalog, Column, Table } from '../store/catalog.ts'
import { CopyBuffer } from '../store/copy/copy-buffer.ts'
import { copyIn } from '../store/copy/copy-in.ts'
import { compileRowEncoder, type RowEncoder } from '../store/copy/row-encoder.ts'
import { columnList } from '../store/ledger.ts'
import type { Segment } from '../store/segment.ts'
import {
  clearMarked,
  createStaged,
  FORGET_SETS,
  isValuedTable,
  MARKED_TABLES,
  mergeState,
  moveLedger,
  NEW_SET,
  stagedName,
  stagedStart,
  TABLES_OF_SET,
} from './sql.ts'

interface StateStage {
  encode: RowEncoder
  buffer: CopyBuffer
}

const PLACE = new Set(['chain', 'present', 'version'])
const MARKS: Column[] = [
  { name: 'present', property: 'present', type: 'bool', nullable: false },
  { name: 'version', property: 'version', type: 'int8', nullable: false },
]

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

  /** Adds a segment without its valued rows (minute-rows.ts). Its current rows replace those of earlier segments. */
  async write(segment: Segment): Promise<void> {
    this.version++
    for (const { table, buffer } of segment.ledger.values()) {
      if (buffer.rows === 0 || isValuedTable(table)) continue
      await this.make(table.id, createStaged(this.id, table))
      await copyIn(this.client, `staging.${stagedName(this.id, table)} (${columnList(table)})`, buffer)
    }
    for (const { table, rows } of segment.state.values()) {
      if (rows.size === 0) continue
      await this.make(table.id, createStaged(this.id, table))
      const { encode, buffer } = this.stageOf(table)
      for (const { row, present } of rows.values()) {
        encode(row, { chain: this.chain, present, version: this.version }, buffer)
      }
      await copyIn(
        this.client,
        `staging.${stagedName(this.id, table)} (${columnList(table)}, present, version)`,
        buffer,
      )
    }
  }

  private async make(id: string, sql: string): Promise<void> {
    if (this.made.has(id)) return
    await this.client.query(sql)
    this.made.add(id)
  }

  private stageOf(table: Table): StateStage {
    const known = this.stages.get(table.name)
    if (known) return known
    // A removed row may have only its key.
    const columns = table.columns.map((column) => ({ ...column, nullable: !table.key.includes(column.name) }))
    const stage = { encode: compileRowEncoder(table, [...columns, ...MARKS], PLACE), buffer: new CopyBuffer() }
    this.stages.set(table.name, stage)
    return stage
  }
}

/** Moves the rows of a set to the real tables, except valued rows (`valueRange`), inside the caller's transaction. */
export async function adoptSet(client: ClientBase, catalog: Catalog, chain: string, setId: string): Promise<void> {
  const names = await tablesOf(client, setId)
  const staged = [...catalog.values()].filter((table) => names.has(stagedName(setId, table)))
  await clearMarks(client, staged, chain, setId)
  for (const table of staged)
    await client.query(table.schema === 'ledger' ? moveLedger(setId, table) : mergeState(setId, table))
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
