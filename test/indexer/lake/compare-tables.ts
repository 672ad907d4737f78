// Compares the tables of a lake in ClickHouse with the views of PostgreSQL, value by value.
import type pg from 'pg'
import { inSql } from '../export/plain-values.ts'

export type Row = Record<string, string | number | boolean | null>

interface ComparedTable {
  table: string
  rows: number
  values: number
  /** Null when the rows are equal to the last digit. */
  difference: { here: string | undefined; there: string | undefined } | null
}

/**
 * @param query  runs a query in the lake's database of ClickHouse
 * @param where    condition on the rows of PostgreSQL
 * @param isFacts  only tables of facts, without the copies of current rows
 */
export async function compareTables(
  query: (sql: string) => Promise<Row[]>,
  pool: pg.Pool,
  { where = 'true', isFacts }: { where?: string; isFacts: boolean },
): Promise<ComparedTable[]> {
  const tables = await query(
    `select name from system.tables where database = currentDatabase() and engine = 'MergeTree'
     ${isFacts ? `and sorting_key <> ''` : ''} order by name`,
  )
  const compared: ComparedTable[] = []
  for (const { name } of tables) compared.push(await compareTable(query, pool, { table: String(name), where }))
  return compared
}

async function compareTable(
  query: (sql: string) => Promise<Row[]>,
  pool: pg.Pool,
  { table, where }: { table: string; where: string },
): Promise<ComparedTable> {
  const view = table.startsWith('board_') ? table.replace('_', '.') : `final.${table}`
  const columns = await query(
    `select name from system.columns where database = currentDatabase() and table = '${table}' order by position`,
  )
  const names = new Set(columns.map((column) => String(column.name)))
  const { rows: sources } = await pool.query<{ name: string; type: string }>(
    'select attname as name, format_type(atttypid, null) as type from pg_attribute where attrelid = $1::regclass and attnum > 0 order by attnum',
    [view],
  )
  const here = sources.map(({ name, type }) => inClickHouse(names.has(`${name}_exact`) ? `${name}_exact` : name, type))
  const there = sources.map(({ name, type }) => `${inSql(name, type)} as "${name}"`)
  const loaded = (await query(`select ${here.join(', ')} from ${table}`)).map(textOf).sort()
  const { rows } = await pool.query(`select ${there.join(', ')} from ${view} v where ${where}`)
  const expected = rows.map(textOf).sort()
  const at = Array.from({ length: Math.max(loaded.length, expected.length) }).findIndex(
    (_, i) => loaded[i] !== expected[i],
  )
  return {
    table,
    rows: loaded.length,
    values: loaded.length * columns.length,
    difference: at < 0 ? null : { here: loaded[at], there: expected[at] },
  }
}

function textOf(row: object): string {
  return JSON.stringify(Object.values(row))
}

function inClickHouse(name: string, type: string): string {
  if (type === 'timestamp with time zone') return `toString(toUnixTimestamp64Micro(${name})) as "${name}"`
  if (type === 'bytea') return `lower(hex(${name})) as "${name}"`
  return `toString(${name}) as "${name}"`
}
