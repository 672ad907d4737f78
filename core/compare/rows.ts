// Finds the rows of a table in one block that differ between two databases.
import type { BlockRows } from './side.ts'

export interface DifferingRow {
  /** Columns of the primary key and their values. */
  key: Record<string, string | null>
  /** `missing`: only on the second side; `extra`: only on the first. */
  kind: 'changed' | 'missing' | 'extra'
  /** Columns that differ, with the values of both sides. */
  columns: Record<string, [string | null, string | null]>
}

/**
 * Compares the rows of both sides. If a side was truncated, only the rows up to its last key are compared: later rows
 * may exist on both sides.
 */
export function differingRows(sides: readonly [BlockRows, BlockRows]): DifferingRow[] {
  const [one, other] = sides
  const last = sides.flatMap((side) => (side.more ? [lastKey(side)] : [])).sort(compareKeys)[0]
  const theirs = byKey(other, last)
  const found: DifferingRow[] = []
  for (const [id, row] of byKey(one, last)) {
    const match = theirs.get(id)
    theirs.delete(id)
    if (match === undefined) found.push({ key: keyOf(one, row), kind: 'extra', columns: {} })
    else {
      const columns = changes(one.columns, row, match)
      if (Object.keys(columns).length > 0) found.push({ key: keyOf(one, row), kind: 'changed', columns })
    }
  }
  for (const row of theirs.values()) found.push({ key: keyOf(other, row), kind: 'missing', columns: {} })
  return found
}

type Row = (string | null)[]

type Key = readonly (string | null)[]

/** @param last  last key that is compared; undefined: all are */
function byKey(rows: BlockRows, last: Key | undefined): Map<string, Row> {
  const keyed = rows.rows.map((row) => [valuesOfKey(rows, row), row] as const)
  const compared = keyed.filter(([key]) => last === undefined || compareKeys(key, last) <= 0)
  return new Map(compared.map(([key, row]) => [JSON.stringify(key), row]))
}

function lastKey(rows: BlockRows): Key {
  const row = rows.rows.at(-1)
  return row === undefined ? [] : valuesOfKey(rows, row)
}

function valuesOfKey({ columns, key }: BlockRows, row: Row): Key {
  return key.map((column) => row[columns.indexOf(column)] ?? null)
}

/** Compares keys in the order in which a database sends rows: column by column, by the bytes of the values' text. */
function compareKeys(one: Key, other: Key): number {
  for (const [i, value] of one.entries()) {
    const order = Buffer.compare(Buffer.from(value ?? ''), Buffer.from(other[i] ?? ''))
    if (order !== 0) return order
  }
  return one.length - other.length
}

function keyOf({ columns, key }: BlockRows, row: Row): Record<string, string | null> {
  return Object.fromEntries(key.map((column) => [column, row[columns.indexOf(column)] ?? null]))
}

function changes(columns: readonly string[], one: Row, other: Row): DifferingRow['columns'] {
  const changed = columns.flatMap((column, i): [string, [string | null, string | null]][] =>
    one[i] === other[i] ? [] : [[column, [one[i] ?? null, other[i] ?? null]]],
  )
  return Object.fromEntries(changed)
}
