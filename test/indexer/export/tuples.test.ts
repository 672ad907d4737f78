// Rows of binary COPY are complete, wherever the bytes are split.
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import t from 'tap'
import { type Fields, TupleReader } from '../../../indexer/export/parquet/tuples.ts'
import { testDatabase } from '../../support/database.ts'

t.test('binary rows, cut anywhere', async (t) => {
  const { url } = await testDatabase(t)
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())
  const parts: Buffer[] = []
  const query = `select i::text, case when i % 3 > 0 then repeat('x', i) end from generate_series(1, 40) i`
  for await (const chunk of client.query(copyTo(`copy (${query}) to stdout (format binary)`))) parts.push(chunk)
  const sent = Buffer.concat(parts)
  const expected = (await client.query({ text: query, rowMode: 'array' })).rows

  const read = (size: number, most: number, bytes = sent) => {
    const found: (string | null)[][] = [[], []]
    const fields = found.map((values) => [
      {
        addAll({ bytes, starts, lengths }: Fields, first: number, end: number) {
          for (let i = first; i < end; i++) {
            const [at, length] = [starts[i] as number, lengths[i] as number]
            values.push(length < 0 ? null : bytes.toString('utf8', at, at + length))
          }
        },
      },
    ])
    const reader = new TupleReader(fields)
    reader.begin()
    let rows = 0
    for (let start = 0; start < bytes.length; start += size) {
      const chunk = bytes.subarray(start, start + size)
      for (let at = 0; at < chunk.length; ) {
        const step = reader.add(chunk, at, most)
        at = step.next
        rows += step.rows
      }
    }
    reader.end()
    return { found, rows }
  }
  for (const most of [1, 3, 1000])
    for (let size = 1; size <= 130; size++) {
      const { found, rows } = read(size, most)
      if (rows !== 40) t.fail(`${rows} rows of pieces of ${size} bytes`)
      t.same(
        found[0]?.map((value, i) => [value, found[1]?.[i]]),
        expected,
      )
    }
  for (const cut of [1, 2, 3, 30, sent.length - 30])
    t.throws(() => read(64, 1000, sent.subarray(0, sent.length - cut)), /ends within its rows/, `${cut} bytes less`)
  const other = new TupleReader([[]])
  other.begin()
  t.throws(() => other.add(sent, 0, 1000), /2 fields, not 1/)
})
