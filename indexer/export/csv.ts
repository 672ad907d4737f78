// Rows as CSV by RFC 4180: a header, CRLF, quotes where they are needed. Null is an empty field, an empty text is "".
import type { ViewColumn } from './view.ts'

/** SQL that gives a column's value as text. */
export function csvExpression({ name, type }: ViewColumn): string {
  const column = `v."${name}"`
  if (type === 'timestamptz') return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
  if (type === 'bytea') return `encode(${column}, 'hex')`
  if (type.startsWith('_') || type === 'jsonb') return `to_json(${column})::text`
  return `${column}::text`
}

export function csvLine(values: readonly (string | null)[]): string {
  return `${values.map(field).join(',')}\r\n`
}

function field(value: string | null): string {
  if (value === null) return ''
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
