// Values of columns as text, equal in PostgreSQL and in DuckDB.

export interface Column {
  name: string
  /** PostgreSQL's type. */
  type: string
}

/** SQL of a column's value as text, of the row `v`. */
export function inSql(name: string, type: string): string {
  const value = `v."${name}"`
  if (type === 'timestamp with time zone') return `(extract(epoch from ${value}) * 1000000)::int8::text`
  if (type === 'numeric') return `trim_scale(${value})::text`
  if (type === 'bytea') return `encode(${value}, 'hex')`
  return type.endsWith('[]') || type === 'jsonb' ? `to_json(${value})::text` : `${value}::text`
}

/** The same text in DuckDB. */
export function inDuckDb(name: string, type: string): string {
  if (type === 'timestamp with time zone') return `epoch_us("${name}")::varchar`
  if (type === 'bytea') return `lower(hex("${name}"))`
  return `"${name}"::varchar`
}

/** Rows as sorted texts, with decimals without zeros at their end. */
export function sorted(rows: Record<string, unknown>[], columns: readonly Column[]): string[] {
  const plain = (value: unknown, type: string) =>
    type === 'numeric' && typeof value === 'string' && value.includes('.') ? value.replace(/\.?0+$/, '') : value
  return rows.map((row) => JSON.stringify(columns.map(({ name, type }) => plain(row[name], type)))).sort()
}
