// Names the rows that differ between two versions of a table's rows in one block.
import type { BlockRows } from './side.ts'

export interface DifferingRow {
  /** Columns of the primary key and their values. */
  key: Record<string, string | null>
  /** `missing`: only on the second side; `extra`: only on the first. */
  kind: 'changed' | 'missing' | 'extra'
  /** Columns that differ, with the values of both sides. */
  columns: Record<string, [string | null, string | null]>
}

export function differingRows([one, other]: readonly [BlockRows, BlockRows]): DifferingRow[] {
  const theirs = byKey(other)
  const found: DifferingRow[] = []
  for (const [id, row] of byKey(one)) {
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

function byKey(rows: BlockRows): Map<string, Row> {
  return new Map(rows.rows.map((row) => [JSON.stringify(keyOf(rows, row)), row]))
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
