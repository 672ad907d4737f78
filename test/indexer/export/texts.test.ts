// Columns of texts: with a dictionary when values repeat, one after the other when they do not.
import { decompress } from 'fzstd'
import t from 'tap'
import { BytesColumn } from '../../../indexer/export/parquet/bytes.ts'
import type { Chunk } from '../../../indexer/export/parquet/column.ts'
import { DecimalColumn } from '../../../indexer/export/parquet/decimal-column.ts'

async function encode(column: BytesColumn, values: readonly string[]): Promise<Chunk> {
  const lengths = Int32Array.from(values, ({ length }) => length)
  let at = 0
  const starts = lengths.map((length) => (at += length) - length)
  column.addAll({ bytes: Buffer.from(values.join('')), starts, lengths }, 0, values.length)
  return column.end()
}

/** Content of a chunk's only page: levels, lengths, then the values one after the other. */
function contentOf({ pages }: Chunk): string {
  return Buffer.from(decompress(pages[0]?.bytes[1] ?? new Uint8Array())).toString('latin1')
}

t.test('values of which hardly any repeats are written without a dictionary, in their order', async (t) => {
  const distinct = Array.from({ length: 1000 }, (_, i) => `transaction ${i * 7919}`)
  const repeating = distinct.map((value, i) => (i % 20 === 0 ? 'the same' : value))
  for (const values of [distinct, repeating]) {
    const column = new BytesColumn()
    const chunk = await encode(column, values)
    t.equal(chunk.hasDictionary, false)
    t.equal(chunk.pages.length, 1)
    t.ok(contentOf(chunk).endsWith(values.join('')))
    const sorted = [...values].sort()
    t.equal(Buffer.from(chunk.statistics.min ?? []).toString(), sorted[0])
    t.equal(Buffer.from(chunk.statistics.max ?? []).toString(), sorted.at(-1))
    const next = values.map((_, i) => `account ${i % 3}`)
    const after = await encode(column, next)
    t.equal(after.hasDictionary, false, 'the next row group tries no dictionary')
    t.ok(contentOf(after).endsWith(next.join('')))
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

t.test('a dictionary has each of many values once', async (t) => {
  const different = Array.from({ length: 10_000 }, (_, i) => `account ${i}`)
  const { hasDictionary, pages } = await encode(new BytesColumn(), [...different, ...different, ...different])
  t.equal(hasDictionary, true)
  // Each value after its length.
  const dictionary = decompress(pages[0]?.bytes[1] ?? new Uint8Array())
  t.equal(dictionary.length, different.join('').length + 4 * different.length)
})

t.test('columns of few rows take little memory', async (t) => {
  const before = process.memoryUsage().arrayBuffers
  const columns = Array.from({ length: 300 }, () => [new BytesColumn(), new DecimalColumn('n', 38, 0)] as const)
  const bytes = process.memoryUsage().arrayBuffers - before
  t.ok(bytes < columns.length * 32_768, `${Math.round(bytes / columns.length)} bytes of a text and a decimal`)
})
