// Splits packed table deltas of any size into small ones while their bytes arrive, and keeps only the wanted rows. Pure.
// Memory does not grow with the deltas: other rows are skipped without being held.
import { DecodeError } from '../../errors.ts'
import { Reader } from '../reader.ts'
import { Writer } from '../writer.ts'

/** Whether a row is wanted. The row, which begins with its version, is the range [start, end) of the data. */
export type RowFilter = (table: string, data: Uint8Array, start: number, end: number) => boolean

export interface SplitterOptions {
  /** The tables of the node whose rows are examined; others are skipped. */
  tables: ReadonlySet<string>
  filter: RowFilter
  /** Called with each part: a packed `table_delta[]` of one table. */
  onPart: (part: Uint8Array, rows: number) => void
  /** Size of a part, bytes; one row may exceed it. */
  partBytes?: number
}

/** More than the heads of a table and of a row together: layout, name, count, flag and size. */
const HEAD_BYTES = 96
const MAX_NAME = 64
/** Size limit of a row that is examined, bytes. */
const MAX_ROW = 128 << 20
const NOTHING = new Uint8Array()

export class DeltaSplitter {
  readonly #options: SplitterOptions
  readonly #partBytes: number
  #rest = NOTHING
  /** Bytes of a row that are still to be skipped. */
  #skipped = 0
  /** Tables that are not begun; null before their number is known. */
  #tables: number | null = null
  #rowsLeft = 0
  #table = ''
  #layout = 0
  #isWanted = false
  readonly #part = new Writer(1 << 16)
  #partRows = 0

  constructor(options: SplitterOptions) {
    this.#options = options
    this.#partBytes = options.partBytes ?? 2 << 20
  }

  /** Takes the next bytes. @throws DecodeError for malformed deltas */
  push(chunk: Uint8Array): void {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const reader = new Reader(data)
    this.#walk(reader, HEAD_BYTES)
    this.#rest = data.slice(reader.pos)
  }

  /** Ends with the last part. @throws DecodeError when the deltas do not end here */
  end(): void {
    const reader = new Reader(this.#rest)
    this.#walk(reader, 0)
    if (this.#skipped > 0) throw new DecodeError('TRUNCATED', `${this.#skipped} bytes of a row are missing`)
    if (this.#rowsLeft > 0 || this.#tables !== 0) reader.need(1)
    if (reader.remaining > 0) {
      throw new DecodeError('TRAILING_BYTES', `${reader.remaining} bytes are left after the deltas`)
    }
    this.#flush()
  }

  /** Walks while `headBytes` are left: with less, a head may be incomplete. */
  #walk(reader: Reader, headBytes: number): void {
    for (;;) {
      if (this.#skipped > 0) {
        const step = Math.min(this.#skipped, reader.remaining)
        reader.pos += step
        this.#skipped -= step
      }
      if (reader.remaining <= headBytes && (headBytes > 0 || reader.remaining === 0)) return
      if (this.#tables === null) this.#tables = reader.varuint32()
      else if (this.#rowsLeft > 0) {
        if (!this.#row(reader, headBytes > 0)) return
      } else if (this.#tables > 0) this.#begin(reader)
      else return
    }
  }

  #begin(reader: Reader): void {
    this.#flush()
    this.#tables = (this.#tables as number) - 1
    this.#layout = reader.varuint32()
    if (this.#layout > 1) {
      throw new DecodeError('INVALID_VARIANT', `table_delta has the unknown version ${this.#layout}`)
    }
    const { pos } = reader
    const length = reader.varuint32()
    if (length > MAX_NAME) throw new DecodeError('TOO_LONG', `a table's name of ${length} bytes`)
    reader.pos = pos
    this.#table = reader.string()
    this.#isWanted = this.#options.tables.has(this.#table)
    this.#rowsLeft = reader.varuint32()
  }

  /** Takes a row. @returns false when more of it must arrive first */
  #row(reader: Reader, mayGrow: boolean): boolean {
    const { pos } = reader
    reader.skip(1)
    const size = reader.varuint32()
    if (!this.#isWanted) this.#skipped = size
    else {
      if (size > MAX_ROW) throw new DecodeError('TOO_LONG', `a row of ${size} bytes in ${this.#table}`)
      if (size > reader.remaining && mayGrow) {
        reader.pos = pos
        return false
      }
      const start = reader.pos
      reader.skip(size)
      if (this.#options.filter(this.#table, reader.data, start, reader.pos)) this.#keep(reader.data, pos, reader.pos)
    }
    this.#rowsLeft--
    return true
  }

  #keep(data: Uint8Array, start: number, end: number): void {
    this.#part.bytes(data.subarray(start, end))
    this.#partRows++
    if (this.#part.pos >= this.#partBytes) this.#flush()
  }

  #flush(): void {
    if (this.#partRows === 0) return
    const head = new Writer(HEAD_BYTES)
    head.varuint32(1)
    head.varuint32(this.#layout)
    head.string(this.#table)
    head.varuint32(this.#partRows)
    this.#options.onPart(Buffer.concat([head.finish(), this.#part.data.subarray(0, this.#part.pos)]), this.#partRows)
    this.#part.pos = 0
    this.#partRows = 0
  }
}
