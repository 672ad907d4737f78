// Merges a segment's current rows: staged by COPY, then applied. For reversible blocks the rows as they were are kept
// first, so that a rewind can put them back. Part of the caller's transaction.
import type { Table } from './catalog.ts'
import { CopyBuffer } from './copy/copy-buffer.ts'
import { compileRowEncoder, type RowEncoder } from './copy/row-encoder.ts'
import { columnList } from './ledger.ts'
import type { Script } from './script.ts'
import type { Segment } from './segment.ts'

interface Stage {
  into: string
  encode: RowEncoder
  buffer: CopyBuffer
  /** Rows deleted from the temporary table since it was emptied for good. */
  dead: number
}

/** Temporary tables that PostgreSQL empties itself at a commit cost it more time than a block; dead rows are cheaper. */
const MAX_DEAD = 1000

const PLACE = new Set(['chain', 'present'])

export class StateWriter {
  private readonly chain: string
  private readonly stages = new Map<string, Stage>()

  constructor(chain: string) {
    this.chain = chain
  }

  /**
   * Adds what merges a segment. The script must run before the next segment is merged, whose rows take the same place.
   *
   * @param undoBlock  the reversible block that wrote the rows, or null when they are final
   * @returns rows by table
   */
  merge(script: Script, segment: Segment, undoBlock: number | null): Map<string, number> {
    const written = new Map<string, number>()
    for (const { table, rows } of segment.state.values()) {
      if (rows.size === 0) continue
      const stage = this.stages.get(table.name) ?? this.open(script, table)
      let gone = false
      stage.buffer.clear()
      for (const { row, present } of rows.values()) {
        gone ||= !present
        stage.encode(row, { chain: this.chain, present }, stage.buffer)
      }
      written.set(table.id, rows.size)
      script.copy(stage.into, stage.buffer)
      if (undoBlock !== null) script.add(`execute keep_${table.name}(${undoBlock})`)
      if (gone) script.add(`execute drop_${table.name}`)
      script.add(`execute put_${table.name}`)
      stage.dead += rows.size
      script.add(`${stage.dead > MAX_DEAD ? 'truncate' : 'delete from'} stage_${table.name}`)
      if (stage.dead > MAX_DEAD) stage.dead = 0
    }
    return written
  }

  /** Starts over after a rollback: the places of staged rows are gone with it. */
  forget(): void {
    this.stages.clear()
  }

  /** Makes the place of a table's staged rows, and plans its statements once. */
  private open(script: Script, table: Table): Stage {
    const columns = table.columns.map((column) => ({ ...column, nullable: !table.key.includes(column.name) }))
    const staged = [...columns, { name: 'present', property: 'present', type: 'bool', nullable: false }]
    script
      .add(
        `create temp table if not exists stage_${table.name} as select *, true as present from ${table.id} with no data`,
      )
      .add(`prepare keep_${table.name}(int8) as ${keepSql(table, this.chain)}`)
      .add(`prepare drop_${table.name} as ${dropSql(table, this.chain)}`)
      .add(`prepare put_${table.name} as ${putSql(table)}`)
    const stage = {
      into: `stage_${table.name} (${columnList(table)}, present)`,
      encode: compileRowEncoder(table, staged, PLACE),
      buffer: new CopyBuffer(),
      dead: 0,
    }
    this.stages.set(table.name, stage)
    return stage
  }
}

/** Removes the rows that are gone. The chain name is one that the database has accepted. */
function dropSql(table: Table, chain: string): string {
  return `delete from ${table.id} s using stage_${table.name} k where s.chain = '${chain}' and ${keyMatch(table)} and not k.present`
}

/** Puts the rows that are there. */
function putSql(table: Table): string {
  const plain = table.columns.filter((column) => !table.key.includes(column.name))
  const update = plain.map((column) => `"${column.name}" = excluded."${column.name}"`).join(', ')
  const key = table.key.map((name) => `"${name}"`).join(', ')
  return (
    `insert into ${table.id} (${columnList(table)}) select ${columnList(table)} from stage_${table.name} where present` +
    ` on conflict (${key}) do update set ${update}`
  )
}

/** Keeps the rows that the staged ones replace, or that there were none. */
function keepSql(table: Table, chain: string): string {
  const columns = table.columns
    .map((column) => `${table.key.includes(column.name) ? 'k' : 's'}."${column.name}"`)
    .join(', ')
  return (
    `insert into undo.${table.name} (undo_block, existed, ${columnList(table)})` +
    ` select $1, s.chain is not null, ${columns} from stage_${table.name} k` +
    ` left join ${table.id} s on s.chain = '${chain}' and ${keyMatch(table)}`
  )
}

function keyMatch(table: Table): string {
  return table.key.map((name) => `s."${name}" = k."${name}"`).join(' and ')
}
