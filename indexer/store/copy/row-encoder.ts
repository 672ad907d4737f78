// Compiles a table's columns to a function that writes one row in binary COPY format.
import { TimePoint } from '../../../core/antelope/time-point.ts'
import { BugError } from '../../../core/errors.ts'
import type { Column, Table } from '../catalog.ts'
import type { CopyBuffer } from './copy-buffer.ts'

/**
 * Writes one row. `place` has the properties that several rows share, such as chain and block; their names are the
 * argument `placed` of `compileRowEncoder`. `row` has all other properties.
 */
export type RowEncoder = (row: object, place: object, buffer: CopyBuffer) => void

const METHODS: Record<string, keyof CopyBuffer> = {
  bool: 'bool',
  int2: 'int2',
  int4: 'int4',
  int8: 'int8',
  numeric: 'numeric',
  text: 'text',
  bytea: 'bytea',
  timestamptz: 'timestamptz',
  jsonb: 'jsonb',
  _text: 'textArray',
}

/** Columns whose values the program makes itself, in Unix milliseconds: times of blocks, and starts of hours and minutes. */
const PROGRAM_TIMES = new Set(['block_time', 'hour', 'minute'])

/**
 * @param placed  properties to read from the encoder's second argument
 * @returns a function that throws BugError ROW_INCOMPLETE when a required column has no value, TIME_UNIT when a time is
 *   a bare number
 * @throws BugError UNKNOWN_COLUMN_TYPE
 */
export function compileRowEncoder(table: Table, columns: Column[], placed: ReadonlySet<string>): RowEncoder {
  const lines = columns.map((column) => {
    const method = METHODS[column.type]
    if (!method) throw new BugError('UNKNOWN_COLUMN_TYPE', `${table.id}.${column.name} is of type ${column.type}`)
    const value = `${placed.has(column.property) ? 'place' : 'row'}[${JSON.stringify(column.property)}]`
    const missing = column.nullable ? 'buffer.null()' : `incomplete(${JSON.stringify(column.name)})`
    const isTimePoint = method === 'timestamptz' && !PROGRAM_TIMES.has(column.name)
    const argument = isTimePoint ? `millisecondsOf(v, ${JSON.stringify(column.name)})` : 'v'
    return `v = ${value}; if (v === null || v === undefined) ${missing}; else buffer.${method}(${argument});`
  })
  const incomplete = (name: string): never => {
    throw new BugError('ROW_INCOMPLETE', `${table.id}: a row has no ${name}`)
  }
  const millisecondsOf = (value: unknown, name: string): number => {
    if (value instanceof TimePoint) return value.ms
    throw new BugError('TIME_UNIT', `${table.id}.${name}: ${value} is a number of unknown unit, not a TimePoint`)
  }
  const source = `return (row, place, buffer) => { let v; buffer.row(${columns.length}); ${lines.join(' ')} }`
  return new Function('incomplete', 'millisecondsOf', source)(incomplete, millisecondsOf) as RowEncoder
}
