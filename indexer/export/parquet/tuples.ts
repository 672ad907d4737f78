// Reads rows in COPY's binary format into columns. Chunks may split rows anywhere.
import type { ColumnWriter } from './column.ts'

/** Signature, flags, and the length of the header extension, which servers leave empty. */
const HEADER_BYTES = 19
const NULL = -1
const END = -1

type FieldWriter = Pick<ColumnWriter, 'add' | 'addNull'>

export class TupleReader {
  private readonly fields: readonly (readonly FieldWriter[])[]
  /** Lengths of the current row's fields. */
  private readonly lengths: Int32Array
  private rest: Buffer | null = null
  private header = HEADER_BYTES
  /** Whether the end-of-rows mark was read. */
  private isAtEnd = false

  constructor(fields: readonly (readonly FieldWriter[])[]) {
    this.fields = fields
    this.lengths = new Int32Array(fields.length)
  }

  /** Call before the output of each statement. */
  begin(): void {
    this.rest = null
    this.header = HEADER_BYTES
    this.isAtEnd = false
  }

  /** @throws Error when the statement's output is truncated */
  end(): void {
    if (!this.isAtEnd) throw new Error('the output of COPY ends within its rows')
  }

  /**
   * Reads rows of a chunk into the columns.
   *
   * @param from  start offset in the chunk
   * @param most  maximum number of rows
   * @returns offset of the next row in the chunk, and the number of rows read
   */
  add(chunk: Buffer, from: number, most: number): { next: number; rows: number } {
    let at = from
    if (this.header > 0) {
      const skipped = Math.min(this.header, chunk.length - at)
      this.header -= skipped
      at += skipped
    }
    let rows = 0
    if (this.rest !== null) {
      // Rare: a row that began in the previous chunk.
      const joined = Buffer.concat([this.rest, chunk.subarray(at)])
      const before = this.rest.length
      this.rest = null
      const end = this.row(joined, 0)
      if (end < 0) {
        this.rest = joined
        return { next: chunk.length, rows }
      }
      if (end === 0) return { next: chunk.length, rows }
      at += end - before
      rows++
    }
    while (rows < most && at < chunk.length) {
      const end = this.row(chunk, at)
      if (end < 0) {
        this.rest = Buffer.from(chunk.subarray(at))
        return { next: chunk.length, rows }
      }
      if (end === at) return { next: chunk.length, rows }
      at = end
      rows++
    }
    return { next: at, rows }
  }

  /** @returns end of the row; negative when it is incomplete; `start` at the end of the rows */
  private row(bytes: Buffer, start: number): number {
    if (start + 2 > bytes.length) return -1
    const count = bytes.readInt16BE(start)
    if (count === END) {
      this.isAtEnd = true
      return start
    }
    if (count !== this.fields.length) throw new Error(`COPY sent a row of ${count} fields, not ${this.fields.length}`)
    const { fields, lengths } = this
    let end = start + 2
    for (let i = 0; i < fields.length; i++) {
      if (end + 4 > bytes.length) return -1
      const length = bytes.readInt32BE(end)
      lengths[i] = length
      end += length === NULL ? 4 : 4 + length
    }
    if (end > bytes.length) return -1
    let at = start + 2
    for (let i = 0; i < fields.length; i++) {
      const writers = fields[i] as readonly FieldWriter[]
      const length = lengths[i] as number
      at += 4
      if (length === NULL) for (const writer of writers) writer.addNull()
      else {
        for (const writer of writers) writer.add(bytes, at, length)
        at += length
      }
    }
    return end
  }
}
