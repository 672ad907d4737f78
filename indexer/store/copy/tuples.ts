// Rows in PostgreSQL's binary COPY format, without the header and the end mark of a stream: a field count (i16), then
// each field with its length (i32, -1 for null); numbers are big-endian. PostgreSQL manual, "COPY", binary format.

const HEADER = Buffer.from('5047434f50590aff0d0a000000000000000000', 'hex')
const END = Buffer.from('ffff', 'hex')

/** The beginning and the end of a binary COPY stream. */
export const COPY_STREAM = { head: HEADER, end: END }

export class TupleError extends Error {}

/** Cuts the output of `COPY ... TO STDOUT (FORMAT binary)` into whole rows. */
export class TupleSplitter {
  #rest: Buffer = Buffer.alloc(0)
  #hasHeader = false
  #ended = false

  /** The whole rows that a piece of the output completes, and their number. */
  add(piece: Buffer): { bytes: Buffer; rows: number } {
    const all = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    let at = 0
    if (!this.#hasHeader) {
      if (all.length < HEADER.length) return this.#keep(all, 0, 0, 0)
      this.#hasHeader = true
      at = HEADER.length
    }
    const start = at
    let rows = 0
    for (;;) {
      const end = tupleEnd(all, at)
      if (end === null) return this.#keep(all, start, at, rows)
      if (end === at) {
        this.#ended = true
        return this.#keep(all, start, at, rows)
      }
      at = end
      rows++
    }
  }

  /** Whether the end mark was read. */
  get ended(): boolean {
    return this.#ended
  }

  #keep(all: Buffer, start: number, end: number, rows: number): { bytes: Buffer; rows: number } {
    this.#rest = all.subarray(end)
    return { bytes: all.subarray(start, end), rows }
  }
}

/** End of the row at an offset; null when it is not complete, the offset itself at the end mark. */
function tupleEnd(bytes: Buffer, at: number): number | null {
  if (at + 2 > bytes.length) return null
  const fields = bytes.readInt16BE(at)
  if (fields === -1) return at
  let pos = at + 2
  for (let i = 0; i < fields; i++) {
    if (pos + 4 > bytes.length) return null
    const length = bytes.readInt32BE(pos)
    pos += 4 + Math.max(length, 0)
  }
  return pos > bytes.length ? null : pos
}

/** Offsets of the fields of one row. */
export interface Tuple {
  /** Offset of the row, and its end. */
  start: number
  end: number
  /** Offset of each field's value. */
  at: Int32Array
  /** Length of each field's value; -1 for null. */
  length: Int32Array
}

/**
 * Calls `visit` for each row. The object is the same for all rows: it is valid during the call.
 *
 * @param fields  number of fields that every row must have
 * @throws TupleError for bytes that are no such rows
 */
export function eachTuple(bytes: Buffer, fields: number, visit: (tuple: Tuple) => void): number {
  const tuple: Tuple = { start: 0, end: 0, at: new Int32Array(fields), length: new Int32Array(fields) }
  let pos = 0
  let rows = 0
  while (pos < bytes.length) {
    tuple.start = pos
    if (pos + 2 > bytes.length || bytes.readInt16BE(pos) !== fields) throw new TupleError('a row has other columns')
    pos += 2
    for (let i = 0; i < fields; i++) {
      if (pos + 4 > bytes.length) throw new TupleError('a row is cut')
      const length = bytes.readInt32BE(pos)
      pos += 4
      if (length < -1 || pos + length > bytes.length) throw new TupleError('a row is cut')
      tuple.at[i] = pos
      tuple.length[i] = length
      if (length > 0) pos += length
    }
    tuple.end = pos
    rows++
    visit(tuple)
  }
  return rows
}
