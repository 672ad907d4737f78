// Reads rows in COPY's binary format into columns, a batch of rows at a time: a column that takes many values in one call
// takes half the time of one that takes each value in a call. Chunks may split rows anywhere.

/** Signature, flags, and the length of the header extension, which servers leave empty. */
const HEADER_BYTES = 19
const NULL = -1
const END = -1
/** Rows of a batch. The places of their fields and the rows themselves fit into the processor's cache. */
const BATCH = 256

/** Fields of one column in a chunk. */
export interface Fields {
  bytes: Buffer
  /** Offsets of the values. */
  starts: Int32Array
  /** Bytes of the values; negative for null. */
  lengths: Int32Array
}

interface FieldWriter {
  /** Adds the fields [first, end). */
  addAll(fields: Fields, first: number, end: number): void
}

export class TupleReader {
  private readonly fields: readonly (readonly FieldWriter[])[]
  /** Offsets and lengths of the batch's fields, column by column. */
  private readonly starts: Int32Array
  private readonly lengths: Int32Array
  /** Rows in the batch. */
  private rows = 0
  private rest: Buffer | null = null
  private header = HEADER_BYTES
  /** Whether the end-of-rows mark was read. */
  private isAtEnd = false

  constructor(fields: readonly (readonly FieldWriter[])[]) {
    this.fields = fields
    this.starts = new Int32Array(fields.length * BATCH)
    this.lengths = new Int32Array(fields.length * BATCH)
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
      this.flush(joined)
      at += end - before
      rows++
    }
    while (rows < most && at < chunk.length) {
      const end = this.row(chunk, at)
      if (end < 0) this.rest = Buffer.from(chunk.subarray(at))
      if (end < 0 || end === at) {
        at = chunk.length
        break
      }
      at = end
      rows++
      if (this.rows === BATCH) this.flush(chunk)
    }
    this.flush(chunk)
    return { next: at, rows }
  }

  /** Gives the batch to the columns. */
  private flush(bytes: Buffer): void {
    const fields: Fields = { bytes, starts: this.starts, lengths: this.lengths }
    for (let i = 0; i < this.fields.length; i++)
      for (const writer of this.fields[i] as readonly FieldWriter[])
        writer.addAll(fields, i * BATCH, i * BATCH + this.rows)
    this.rows = 0
  }

  /** Adds a row to the batch. @returns its end; negative when it is incomplete; `start` at the end of the rows */
  private row(bytes: Buffer, start: number): number {
    if (start + 2 > bytes.length) return -1
    const count = bytes.readInt16BE(start)
    if (count === END) {
      this.isAtEnd = true
      return start
    }
    const { starts, lengths, rows } = this
    if (count !== this.fields.length) throw new Error(`COPY sent a row of ${count} fields, not ${this.fields.length}`)
    let at = start + 2
    for (let i = rows; i < count * BATCH; i += BATCH) {
      if (at + 4 > bytes.length) return -1
      const length = bytes.readInt32BE(at)
      at += 4
      starts[i] = at
      lengths[i] = length
      if (length !== NULL) at += length
    }
    if (at > bytes.length) return -1
    this.rows++
    return at
  }
}
