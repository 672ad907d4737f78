// SQL literals.
import { escapeLiteral } from 'pg'

type Value = string | number | bigint | Date | null

/** A value as SQL literal; its type depends on the context. */
export function literal(value: Value): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return escapeLiteral(value)
  if (value instanceof Date) return `'${value.toISOString()}'`
  return String(value)
}

/** An array as SQL literal. */
export function arrayLiteral(values: readonly Exclude<Value, null>[]): string {
  const items = values.map((value) => `"${textOf(value).replace(/["\\]/g, '\\$&')}"`)
  return escapeLiteral(`{${items.join(',')}}`)
}

function textOf(value: Exclude<Value, null>): string {
  return value instanceof Date ? value.toISOString() : String(value)
}
