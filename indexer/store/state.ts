// Merges the current rows of a segment: stages them by COPY, then applies them. For reversible blocks, first stores the
// before-images, which a rewind restores. Part of the caller's transaction.
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
  /** Dead rows in the temporary table since it was last truncated. */
  dead: number
}

/** Limit of dead rows: truncating a temporary table at each commit would take longer than writing a block. */
const MAX_DEAD = 1000

const PLACE = new Set(['chain', 'present'])

export class StateWriter {
  private readonly chain: string
  private readonly stages = new Map<string, Stage>()

  constructor(chain: string) {
    this.chain = chain
  }

  /**
   * Adds the statements that merge a segment. Run the script before merging the next segment, which uses the same
   * buffers.
   *
   * @param undoBlock  the reversible block that wrote the rows, or null when they are final
   * @returns number of rows by table
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

  /** Resets after a rollback, which also removes the temporary tables. */
  forget(): void {
    this.stages.clear()
  }

  /** Creates the temporary table of a table's staged rows, and prepares its statements. */
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

/** Deletes removed rows. The chain name was checked by the database, so it needs no escaping. */
function dropSql(table: Table, chain: string): string {
  return `delete from ${table.id} s using stage_${table.name} k where s.chain = '${chain}' and ${keyMatch(table)} and not k.present`
}

/** Inserts or updates present rows. */
function putSql(table: Table): string {
  const plain = table.columns.filter((column) => !table.key.includes(column.name))
  const update = plain.map((column) => `"${column.name}" = excluded."${column.name}"`).join(', ')
  const key = table.key.map((name) => `"${name}"`).join(', ')
  return (
    `insert into ${table.id} (${columnList(table)}) select ${columnList(table)} from stage_${table.name} where present` +
    ` on conflict (${key}) do update set ${update}`
  )
}

/** Stores the before-images of the staged rows; `existed` is false for new rows. */
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
