// Merges a segment's current rows: staged by COPY, then applied. For reversible blocks the rows as they were are kept
// first, so that a rewind can put them back. Runs inside the caller's transaction.
import type { ClientBase } from 'pg'
import type { Table } from './catalog.ts'
import { CopyBuffer } from './copy/copy-buffer.ts'
import { copyIn } from './copy/copy-in.ts'
import { compileRowEncoder, type RowEncoder } from './copy/row-encoder.ts'
import { columnList } from './ledger.ts'
import type { Segment } from './segment.ts'

interface Stage {
  into: string
  encode: RowEncoder
  buffer: CopyBuffer
  keep: string
  merge: string
}

const PLACE = new Set(['chain', 'present'])

export class StateWriter {
  private readonly client: ClientBase
  private readonly chain: string
  private readonly stages = new Map<string, Stage>()

  constructor(client: ClientBase, chain: string) {
    this.client = client
    this.chain = chain
  }

  /**
   * @param undoBlock  the reversible block that wrote the rows, or null when they are final
   * @returns rows by table
   */
  async merge(segment: Segment, undoBlock: number | null): Promise<Map<string, number>> {
    const written = new Map<string, number>()
    for (const { table, rows } of segment.state.values()) {
      if (rows.size === 0) continue
      const stage = this.stages.get(table.name) ?? (await this.open(table))
      stage.buffer.clear()
      for (const { row, present } of rows.values()) {
        stage.encode(row, { chain: this.chain, present }, stage.buffer)
      }
      written.set(table.id, rows.size)
      await copyIn(this.client, stage.into, stage.buffer)
      const keep = undoBlock === null ? '' : stage.keep.replace('$undo_block', String(undoBlock))
      await this.client.query(keep + stage.merge)
    }
    return written
  }

  private async open(table: Table): Promise<Stage> {
    const columns = table.columns.map((column) => ({ ...column, nullable: !table.key.includes(column.name) }))
    const staged = [...columns, { name: 'present', property: 'present', type: 'bool', nullable: false }]
    await this.client.query(
      `create temp table if not exists stage_${table.name} on commit delete rows as select *, true as present from ${table.id} with no data`,
    )
    const stage = {
      into: `stage_${table.name} (${columnList(table)}, present)`,
      encode: compileRowEncoder(table, staged, PLACE),
      buffer: new CopyBuffer(),
      keep: keepSql(table, this.chain),
      merge: mergeSql(table, this.chain),
    }
    this.stages.set(table.name, stage)
    return stage
  }
}

/** Applies the staged rows. The chain name is one that the database has accepted. */
function mergeSql(table: Table, chain: string): string {
  const plain = table.columns.filter((column) => !table.key.includes(column.name))
  const update = plain.map((column) => `"${column.name}" = excluded."${column.name}"`).join(', ')
  const key = table.key.map((name) => `"${name}"`).join(', ')
  return (
    `delete from ${table.id} s using stage_${table.name} k where s.chain = '${chain}' and ${keyMatch(table)} and not k.present;` +
    `insert into ${table.id} (${columnList(table)}) select ${columnList(table)} from stage_${table.name} where present` +
    ` on conflict (${key}) do update set ${update};` +
    `delete from stage_${table.name}`
  )
}

/** Keeps the rows that the staged ones replace, or that there were none. */
function keepSql(table: Table, chain: string): string {
  const columns = table.columns
    .map((column) => `${table.key.includes(column.name) ? 'k' : 's'}."${column.name}"`)
    .join(', ')
  return (
    `insert into undo.${table.name} (undo_block, existed, ${columnList(table)})` +
    ` select $undo_block, s.chain is not null, ${columns} from stage_${table.name} k` +
    ` left join ${table.id} s on s.chain = '${chain}' and ${keyMatch(table)};`
  )
}

function keyMatch(table: Table): string {
  return table.key.map((name) => `s."${name}" = k."${name}"`).join(' and ')
}
