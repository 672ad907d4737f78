// Rows of one attempt at a block range, in tables of their own that readers never see. Nothing here is durable: a crash
// of the database server empties the tables, which the stitcher notices.
import type { ClientBase } from 'pg'
import type { Catalog, Table } from '../store/catalog.ts'
import { CopyBuffer } from '../store/copy/copy-buffer.ts'
import { copyIn } from '../store/copy/copy-in.ts'
import { compileRowEncoder, type RowEncoder } from '../store/copy/row-encoder.ts'
import { columnList } from '../store/ledger.ts'
import type { Segment } from '../store/segment.ts'
import {
  CANDLES,
  createStaged,
  createStagedCandles,
  FORGET_SETS,
  mergeState,
  moveLedger,
  NEW_SET,
  stagedCandles,
  stagedName,
  TABLES_OF_SET,
} from './sql.ts'

interface StateStage {
  encode: RowEncoder
  buffer: CopyBuffer
}

const PLACE = new Set(['chain', 'present', 'version'])
const REFRESH = 'select meta.refresh_candles($1, $2, $3, $4, null)'

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

  /** Adds a segment; its current rows are newer than all before. */
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
    if (segment.candles.size === 0) return
    await this.make('candles', createStagedCandles(this.id))
    const candles = [...segment.candles.values()]
    await this.client.query(
      `insert into staging.${stagedName(this.id, CANDLES)} select * from unnest($1::text[], $2::int8[], $3::timestamptz[])`,
      [candles.map(({ kind }) => kind), candles.map(({ id }) => id), candles.map(({ minute }) => new Date(minute))],
    )
  }

  private async make(id: string, sql: string): Promise<void> {
    if (this.made.has(id)) return
    await this.client.query(sql)
    this.made.add(id)
  }

  private stageOf(table: Table): StateStage {
    const known = this.stages.get(table.name)
    if (known) return known
    // A row that is gone may have its key only.
    const columns = table.columns.map((column) => ({ ...column, nullable: !table.key.includes(column.name) }))
    const marks = [
      { name: 'present', property: 'present', type: 'bool', nullable: false },
      { name: 'version', property: 'version', type: 'int8', nullable: false },
    ]
    const stage = { encode: compileRowEncoder(table, [...columns, ...marks], PLACE), buffer: new CopyBuffer() }
    this.stages.set(table.name, stage)
    return stage
  }
}

/** Moves the rows of a set to where they belong, inside the caller's transaction. */
export async function adoptSet(client: ClientBase, catalog: Catalog, chain: string, setId: string): Promise<void> {
  const names = await tablesOf(client, setId)
  const staged = [...catalog.values()].filter((table) => names.has(stagedName(setId, table)))
  for (const table of staged) {
    await client.query(table.schema === 'ledger' ? moveLedger(setId, table) : mergeState(setId, table))
  }
  if (!names.has(stagedName(setId, CANDLES))) return
  const { rows } = await client.query(stagedCandles(setId))
  for (const { kinds, ids, minutes } of rows) await client.query(REFRESH, [chain, kinds, ids, minutes])
}

/** Blocks that a set holds. */
export async function countBlocks(client: ClientBase, setId: string): Promise<number> {
  const name = stagedName(setId, { schema: 'ledger', name: 'blocks' })
  if (!(await tablesOf(client, setId)).has(name)) return 0
  const { rows } = await client.query(`select count(*)::int as blocks from staging.${name}`)
  return rows[0].blocks
}

/** Drops sets, those of workers that still write to them included: these fail then, and are no longer needed. */
export async function dropSets(client: ClientBase, setIds: readonly string[]): Promise<void> {
  for (const setId of setIds) {
    const names = [...(await tablesOf(client, setId))].map((name) => `staging.${name}`)
    if (names.length > 0) await client.query(`drop table if exists ${names.join(', ')}`)
  }
  await client.query(FORGET_SETS, [setIds])
}

async function tablesOf(client: ClientBase, setId: string): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(TABLES_OF_SET, [setId])
  return new Set(rows.map(({ name }) => name))
}
