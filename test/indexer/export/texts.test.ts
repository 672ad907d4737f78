// Columns of texts: with a dictionary when values repeat, plain when they do not.
import { decompress } from 'fzstd'
import t from 'tap'
import { BytesColumn } from '../../../indexer/export/parquet/bytes.ts'
import type { Chunk } from '../../../indexer/export/parquet/column.ts'

/** Bytes of the definition levels of a page without nulls: a length, a run of at most 8191 values. */
const LEVELS = 4 + 3

async function encode(column: BytesColumn, values: readonly string[]): Promise<Chunk> {
  for (const value of values) column.add(Buffer.from(value), 0, value.length)
  return column.end()
}

/** Values of a chunk's only page, which is plain. */
function plainValues({ pages }: Chunk): string[] {
  const content = Buffer.from(decompress(pages[0]?.bytes[1] ?? new Uint8Array()))
  const found: string[] = []
  for (let at = LEVELS; at < content.length; ) {
    const length = content.readUInt32LE(at)
    found.push(content.toString('latin1', at + 4, at + 4 + length))
    at += 4 + length
  }
  return found
}

t.test('values of which hardly any repeats are written plain, in their order', async (t) => {
  const distinct = Array.from({ length: 1000 }, (_, i) => `transaction ${i * 7919}`)
  const repeating = distinct.map((value, i) => (i % 20 === 0 ? 'the same' : value))
  for (const values of [distinct, repeating]) {
    const column = new BytesColumn()
    const chunk = await encode(column, values)
    t.equal(chunk.hasDictionary, false)
    t.equal(chunk.pages.length, 1)
    t.same(plainValues(chunk), values)
    const sorted = [...values].sort()
    t.equal(Buffer.from(chunk.statistics.min ?? []).toString(), sorted[0])
    t.equal(Buffer.from(chunk.statistics.max ?? []).toString(), sorted.at(-1))
    const next = values.map((_, i) => `account ${i % 3}`)
    const after = await encode(column, next)
    t.equal(after.hasDictionary, false, 'the next row group tries no dictionary')
    t.same(plainValues(after), next)
  }
})

t.test('values that repeat are in a dictionary', async (t) => {
  const column = new BytesColumn()
  for (const different of [1, 3, 500]) {
    const chunk = await encode(
      column,
      Array.from({ length: 1000 }, (_, i) => `account ${i % different}`),
    )
    t.equal(chunk.hasDictionary, true)
    t.equal(chunk.pages.length, 2)
  }
})
