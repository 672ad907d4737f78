// Common parts of the API's statements: the block of an answer is read with its rows, in one snapshot.
import type { BlockMark } from '../live-market/model.ts'

/** A connection or a pool of them. */
export interface Queryable {
  query<Row>(config: Statement): Promise<{ rows: Row[] }>
}

export interface Statement {
  name: string
  text: string
  values: unknown[]
}

/** Columns of meta.position that identify the block; `position` is the table's name in the statement. */
export const markColumns = (position: string) =>
  `${position}.block_num::float8 as "atBlock", ${position}.block_id as "atId", date_part('epoch', ${position}.block_time) * 1000 as "atTime"`

/** Start of every statement of a list: reads the chain's position, so that at least one row is returned. */
export const AT = `with at as materialized (select block_num, block_id, block_time from meta.position where chain = $1)`

export interface MarkRow {
  atBlock: number
  atId: string
  /** Unix milliseconds. */
  atTime: number
}

export function markOf({ atBlock, atId, atTime }: MarkRow): BlockMark {
  return { block: atBlock, id: atId, time: atTime }
}

/** Rows of one block. */
export interface Page<Row> {
  at: BlockMark
  rows: Row[]
}

/**
 * Runs a statement whose rows include the block. An empty result is one row with the block and null in column `key`.
 *
 * @returns null when the chain is not indexed
 */
export async function readPage<Row>(
  database: Queryable,
  statement: Statement,
  key: keyof Row,
): Promise<Page<Row> | null> {
  const { rows } = await database.query<Row & MarkRow>(statement)
  const first = rows[0]
  if (first === undefined) return null
  return { at: markOf(first), rows: rows.filter((row) => row[key] !== null) }
}
