// Writes a Parquet file from COPY's binary format: zstd-compressed columns with statistics. Holds two row groups.
import type { Sink } from '../sink.ts'
import type { Chunk, ColumnWriter } from './column.ts'
import type { FileColumn, SourceColumn } from './schema.ts'
import { ThriftWriter, type Write } from './thrift.ts'
import { TupleReader } from './tuples.ts'

/** Rows of a row group: engines divide their work by row groups. */
const ROW_GROUP = 122_880
/** Input bytes from which a row group ends early. */
const MAX_GROUP_BYTES = 2 ** 27
const MAGIC = Buffer.from('PAR1')
const ZSTD = 6
const OPTIONAL = 1
/** Orders bounds by the logical type. */
const TYPE_ORDER: Write = (out) => out.child(1, () => {})

interface RowGroup {
  rows: number
  size: number
  plainSize: number
  columns: Write[]
}

export class ParquetSink implements Sink {
  rows = 0
  private groupRows = 0
  private groupBytes = 0
  private readonly columns: FileColumn[]
  private readonly writers: ColumnWriter[]
  /** Writers for each field of a row. */
  private readonly fields: ColumnWriter[][]
  private readonly write: (bytes: Uint8Array) => void
  private readonly maxGroupBytes: number
  private readonly groups: RowGroup[] = []
  private offset = 0
  private hasBegun = false
  /** Resolves when all ended row groups are written. */
  private writing: Promise<void> = Promise.resolve()
  private readonly input: TupleReader

  /** @param write  receives the bytes of the file, in order */
  constructor(
    sources: readonly SourceColumn[],
    write: (bytes: Uint8Array) => void,
    maxGroupBytes: number = MAX_GROUP_BYTES,
  ) {
    this.write = write
    this.maxGroupBytes = maxGroupBytes
    this.columns = sources.flatMap(({ targets }) => targets)
    this.fields = sources.map(({ targets }) => targets.map((target) => target.open()))
    this.writers = this.fields.flat()
    this.input = new TupleReader(this.fields)
    this.put(MAGIC)
  }

  begin(): void {
    if (this.hasBegun) this.input.end()
    this.hasBegun = true
    this.input.begin()
  }

  async add(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const { next, rows } = this.input.add(chunk, at, ROW_GROUP - this.groupRows)
      this.groupBytes += next - at
      at = next
      this.rows += rows
      this.groupRows += rows
      if (this.groupRows === ROW_GROUP || (this.groupBytes > this.maxGroupBytes && this.groupRows > 0))
        await this.endGroup()
    }
  }

  async end(): Promise<void> {
    if (this.hasBegun) this.input.end()
    if (this.groupRows > 0) await this.endGroup()
    await this.writing
    const footer = new ThriftWriter().struct((out) => this.describe(out)).take()
    this.put(footer)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(footer.length)
    this.put(length)
    this.put(MAGIC)
  }

  private put(bytes: Uint8Array): void {
    this.write(bytes)
    this.offset += bytes.length
  }

  /** Ends the row group: compresses it while the next one is read. Waits until the previous one is written. */
  private async endGroup(): Promise<void> {
    const before = this.writing
    const chunks = Promise.all(this.writers.map((writer) => writer.end()))
    const rows = this.groupRows
    this.groupRows = 0
    this.groupBytes = 0
    this.writing = before.then(async () => this.writeGroup(rows, await chunks))
    // The next `await` of `writing` reports a failure.
    this.writing.catch(() => {})
    chunks.catch(() => {})
    await before
  }

  private writeGroup(rows: number, chunks: Chunk[]): void {
    const group: RowGroup = { rows, size: 0, plainSize: 0, columns: [] }
    for (const [i, chunk] of chunks.entries()) {
      const start = this.offset
      for (const page of chunk.pages) for (const bytes of page.bytes) this.put(bytes)
      const plainSize = chunk.pages.reduce((sum, page) => sum + page.plainSize, 0)
      group.size += this.offset - start
      group.plainSize += plainSize
      group.columns.push(chunkOf(this.columns[i] as FileColumn, chunk, start, this.offset - start, plainSize))
    }
    this.groups.push(group)
  }

  private describe(out: ThriftWriter): void {
    out.int32(1, 2)
    out.structs(2, [
      (root) => {
        root.binary(4, 'root')
        root.int32(5, this.columns.length)
      },
      ...this.columns.map(
        ({ name, physical, size, logical }): Write =>
          (element) => {
            element.int32(1, physical)
            if (size !== undefined) element.int32(2, size)
            element.int32(3, OPTIONAL)
            element.binary(4, name)
            logical?.(element)
          },
      ),
    ])
    out.int64(3, this.rows)
    out.structs(
      4,
      this.groups.map(({ rows, size, plainSize, columns }) => (group) => {
        group.structs(1, columns)
        group.int64(2, plainSize)
        group.int64(3, rows)
        group.int64(6, size)
      }),
    )
    out.binary(6, 'headwater')
    out.structs(
      7,
      this.columns.map(() => TYPE_ORDER),
    )
  }
}

function chunkOf({ name, physical }: FileColumn, chunk: Chunk, start: number, size: number, plainSize: number): Write {
  const { min, max, nulls } = chunk.statistics
  const firstData = start + (chunk.hasDictionary ? (chunk.pages[0]?.size ?? 0) : 0)
  return (out) => {
    out.int64(2, start)
    out.child(3, (data) => {
      data.int32(1, physical)
      data.int32s(2, chunk.encodings)
      data.texts(3, [name])
      data.int32(4, ZSTD)
      data.int64(5, chunk.values)
      data.int64(6, plainSize)
      data.int64(7, size)
      data.int64(9, firstData)
      if (chunk.hasDictionary) data.int64(11, start)
      data.child(12, (statistics) => {
        statistics.int64(3, nulls)
        if (max !== null) statistics.binary(5, max)
        if (min !== null) statistics.binary(6, min)
      })
    })
  }
}
