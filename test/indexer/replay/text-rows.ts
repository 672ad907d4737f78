// Rows of the database as text, to compare them with other rows without losing digits.
import type { Pool } from 'pg'
import type { Test } from 'tap'

export type TextRow = Record<string, string | null>

const AS_TEXT: Record<string, (column: string) => string> = {
  timestamptz: (column) => `to_char("${column}" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  bytea: (column) => `encode("${column}", 'hex')`,
}

/** Columns of `state.*` that are null in current rows: only before-images fill them. */
const OF_IMAGES = ['undo_block', 'existed']

/** All rows of a chain in a table or view, without the chain's name, ordered by the given columns. */
export async function readRows(pool: Pool, relation: string, chain: string, order: string): Promise<TextRow[]> {
  const columns = await pool.query<{ name: string; type: string }>(
    `select a.attname as name, t.typname as type from pg_attribute a join pg_type t on t.oid = a.atttypid
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attname <> 'chain'
       and a.attname <> all ($2) order by a.attnum`,
    [relation, OF_IMAGES],
  )
  const list = columns.rows.map(({ name, type }) => `${AS_TEXT[type]?.(name) ?? `"${name}"::text`} as "${name}"`)
  const { rows } = await pool.query<TextRow>(
    `select ${list.join(', ')} from ${relation} o where chain = $1 order by ${order}`,
    [chain],
  )
  return rows
}

/** Compares rows one by one and shows the first difference. */
export function sameRows(t: Test, found: TextRow[], expected: TextRow[], what: string): void {
  const differs = (row: TextRow, index: number) => line(row) !== line(expected[index])
  const at = found.findIndex(differs)
  if (at >= 0) t.same(found[at], expected[at] ?? null, `${what}, row ${at}`)
  t.equal(found.length, expected.length, `${what}: ${expected.length} rows`)
}

function line(row: TextRow | undefined): string {
  if (!row) return ''
  return JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))
}
