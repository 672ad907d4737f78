// Encodings of pages, read back by another library: differences of rising integers, lengths before texts.
import { decompress } from 'fzstd'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import t from 'tap'
import { sourceColumn } from '../../../indexer/export/parquet/schema.ts'
import { ParquetSink } from '../../../indexer/export/parquet/writer.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const seed = seedFromEnvironment()
/** More than a page. */
const ROWS = 70_000
const MAX_INT64 = 2n ** 63n - 1n

interface Row {
  number: bigint | null
  text: string | null
}

t.test('integers and texts of all shapes come back as they were', async (t) => {
  t.comment(`HEADWATER_SEED=${seed}`)
  const random = new Random(seed)
  for (const [name, next, isRising] of shapes(random)) {
    let number: bigint | null = null
    const rows = Array.from({ length: ROWS }, (_, i): Row => {
      number = next(i, number)
      return { number: isNull(random, i) ? null : number, text: isNull(random, i) ? null : textOf(random, i) }
    })
    const { file, encodings } = await write(rows)
    t.same(await read(file), rows, name)
    t.equal(encodings.includes('DELTA_BINARY_PACKED'), isRising, `${name}: differences`)
  }
})

t.test('a page of one value, and one of nulls', async (t) => {
  for (const rows of [[{ number: 5n, text: '' }], [{ number: null, text: null }], []]) {
    const { file } = await write(rows)
    t.same(await read(file), rows)
  }
})

t.test('rising numbers take next to no space', async (t) => {
  const { file } = await write(
    Array.from({ length: ROWS }, (_, i) => ({ number: 10_000_000_000n + BigInt(i), text: null })),
  )
  t.ok(file.length < 3000, `${file.length} bytes for ${ROWS} numbers`)
})

/** Names, the number after another one, and whether pages of the shape are written as differences. */
function shapes(
  random: Random,
): [name: string, next: (i: number, before: bigint | null) => bigint, isRising: boolean][] {
  const below = (limit: number) => random.bigint(BigInt(limit))
  return [
    ['rising by 0 to 1', (_, before) => (before ?? -7n) + below(2), true],
    ['rising by up to 2^24', (_, before) => (before ?? -(2n ** 52n)) + below(2 ** 24), true],
    ['rising, with jumps of 2^32 - 1', (i, before) => (before ?? 0n) + (i % 5000 === 4000 ? 2n ** 32n - 1n : 0n), true],
    ['rising, with jumps of 2^32', (i, before) => (before ?? 0n) + (i % 5000 === 4000 ? 2n ** 32n : 0n), false],
    ['of 64 bits', (i) => (i % 2 === 0 ? MAX_INT64 - below(9) : -MAX_INT64 - 1n + below(9)), false],
    ['above 2^53', (i) => 2n ** 53n + BigInt(i), false],
    ['falling', (i) => -BigInt(i), false],
  ]
}

function isNull(random: Random, row: number): boolean {
  return row % 5000 < 2500 && random.chance(1 / 3)
}

function textOf(random: Random, row: number): string {
  if (row === 12_345) return 'long '.repeat(30_000)
  return `${row * 7919}`.repeat(random.integer(0, 3))
}

/** Rows as COPY sends them, written as a file. */
async function write(rows: readonly Row[]): Promise<{ file: Buffer; encodings: string[] }> {
  const sources = [
    { name: 'number', type: 'int8' },
    { name: 'text', type: 'text' },
  ].map((column) => sourceColumn({ ...column, precision: null, scale: null }))
  const written: Buffer[] = []
  const sink = new ParquetSink(sources, (bytes) => written.push(Buffer.from(bytes)))
  sink.begin()
  await sink.add(Buffer.concat([Buffer.alloc(19), ...rows.map(tuple), Buffer.from([255, 255])]))
  await sink.end()
  const file = Buffer.concat(written)
  const groups = parquetMetadata(arrayOf(file)).row_groups
  return {
    file,
    encodings: groups.flatMap(({ columns }) => columns.flatMap((column) => column.meta_data?.encodings ?? [])),
  }
}

function tuple({ number, text }: Row): Buffer {
  const count = Buffer.alloc(2)
  count.writeInt16BE(2)
  const bytes = Buffer.alloc(8)
  if (number !== null) bytes.writeBigInt64BE(number)
  return Buffer.concat([count, field(number === null ? null : bytes), field(text === null ? null : Buffer.from(text))])
}

function field(value: Buffer | null): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(value?.length ?? -1)
  return Buffer.concat([length, value ?? Buffer.alloc(0)])
}

async function read(file: Buffer): Promise<Record<string, unknown>[]> {
  const compressors = { ZSTD: (input: Uint8Array) => decompress(input) }
  return parquetReadObjects({ file: arrayOf(file), compressors })
}

function arrayOf(file: Buffer): ArrayBuffer {
  return Uint8Array.from(file).buffer
}
