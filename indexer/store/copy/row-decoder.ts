// Reads rows that `compileRowEncoder` has written, for the types of columns that the program reads back.
import { BugError } from '../../../core/errors.ts'
import type { Column } from '../catalog.ts'
import { readInteger } from './numeric.ts'
import type { Tuple } from './tuples.ts'

/** Reads a value of `length` bytes. */
type FieldReader = (bytes: Buffer, at: number, length: number) => unknown

const READERS: Record<string, FieldReader> = {
  bool: (bytes, at) => bytes[at] === 1,
  int2: (bytes, at) => bytes.readInt16BE(at),
  int4: (bytes, at) => bytes.readInt32BE(at),
  int8: (bytes, at) => bytes.readBigInt64BE(at),
  numeric: readInteger,
  text: (bytes, at, length) => bytes.toString('utf8', at, at + length),
}

/** Reads the tuple's fields as the properties of a row. A field without value is null. */
export type RowDecoder = (bytes: Buffer, tuple: Tuple) => Record<string, unknown>

/** @throws BugError UNKNOWN_COLUMN_TYPE */
export function compileRowDecoder(columns: readonly Column[]): RowDecoder {
  const fields = columns.map(({ name, property, type }): [string, FieldReader] => {
    const read = READERS[type]
    if (!read) throw new BugError('UNKNOWN_COLUMN_TYPE', `${name} is of type ${type}`)
    return [property, read]
  })
  return (bytes, { at, length }) => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < fields.length; i++) {
      const [property, read] = fields[i] as [string, FieldReader]
      const size = length[i] as number
      row[property] = size < 0 ? null : read(bytes, at[i] as number, size)
    }
    return row
  }
}
