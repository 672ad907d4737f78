// Own process: it measures the memory of its process.
// Deltas cut into parts while their bytes arrive: the same rows however the bytes are cut, and errors for malformed ones.
import t from 'tap'
import { DeltaSplitter, type RowFilter } from '../../../../core/antelope/logs/delta-splitter.ts'
import { Reader } from '../../../../core/antelope/reader.ts'
import { Writer } from '../../../../core/antelope/writer.ts'

const TABLES = new Set(['account', 'contract_row'])

interface Row {
  table: string
  flag: number
  row: string
}

/** Packed deltas of some tables; the layout of each. */
function pack(tables: readonly { name: string; layout?: number; rows: readonly Uint8Array[] }[]): Uint8Array {
  const out = new Writer()
  out.varuint32(tables.length)
  for (const { name, layout = 0, rows } of tables) {
    out.varuint32(layout)
    out.string(name)
    out.varuint32(rows.length)
    for (const [index, row] of rows.entries()) {
      out.u8(index % 2)
      out.lengthBytes(row)
    }
  }
  return out.finish()
}

/** The rows of packed deltas, read in the plain way. */
function rowsOf(deltas: Uint8Array): Row[] {
  const reader = new Reader(deltas)
  const found: Row[] = []
  for (let tables = reader.varuint32(); tables > 0; tables--) {
    reader.varuint32()
    const table = reader.string()
    for (let rows = reader.varuint32(); rows > 0; rows--) {
      found.push({ table, flag: reader.u8(), row: Buffer.from(reader.lengthBytes()).toString('hex') })
    }
  }
  if (reader.remaining > 0) throw new Error('bytes are left')
  return found
}

function split(deltas: Uint8Array, chunk: number, filter: RowFilter = () => true, partBytes = 64) {
  const parts: Uint8Array[] = []
  const splitter = new DeltaSplitter({ tables: TABLES, filter, partBytes, onPart: (part) => parts.push(part) })
  for (let at = 0; at < deltas.length; at += chunk) splitter.push(deltas.subarray(at, at + chunk))
  splitter.end()
  return { parts, rows: parts.flatMap(rowsOf) }
}

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value)
const DELTAS = pack([
  { name: 'resource_limits', rows: [bytes(300, 1), bytes(0, 0)] },
  { name: 'account', layout: 1, rows: [bytes(14, 2), bytes(200, 3)] },
  { name: 'contract_row', rows: [] },
  { name: 'contract_row', rows: Array.from({ length: 30 }, (_, index) => bytes(20 + index, index)) },
  { name: 'key_value', rows: [bytes(90, 4)] },
])

t.test('the same rows for any division of the bytes into pieces', async (t) => {
  const wanted = rowsOf(DELTAS).filter(({ table }) => TABLES.has(table))
  t.equal(wanted.length, 32)
  for (const chunk of [1, 2, 3, 7, 95, 96, 97, 300, 100_000]) {
    const { rows, parts } = split(DELTAS, chunk)
    t.same(rows, wanted, `in pieces of ${chunk} bytes`)
    t.ok(parts.every(({ length }) => length < 64 + 230) && parts.length > 10)
  }
  const even: RowFilter = (_table, data, start) => data[start]! % 2 === 0
  t.same(
    split(DELTAS, 7, even).rows,
    wanted.filter(({ row }) => Number.parseInt(row.slice(0, 2), 16) % 2 === 0),
  )
  t.same(split(Uint8Array.of(0), 1).parts, [])
})

t.test('a row that is not wanted is not held in memory', async (t) => {
  const head = pack([{ name: 'code', rows: [] }])
  head[head.length - 1] = 1
  const splitter = new DeltaSplitter({ tables: TABLES, filter: () => true, onPart: () => t.fail('a part') })
  const out = new Writer()
  out.u8(1)
  out.varuint32(300_000_000)
  splitter.push(Buffer.concat([head, out.finish()]))
  const zeros = new Uint8Array(1_000_000)
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 300; i++) splitter.push(zeros)
  splitter.end()
  t.ok(process.memoryUsage().arrayBuffers - before < 20e6)
})

t.test('malformed deltas', async (t) => {
  for (let length = 0; length < DELTAS.length; length++) {
    for (const chunk of [5, 1000]) {
      t.throws(() => split(DELTAS.subarray(0, length), chunk), { name: 'DecodeError' }, `cut at ${length}`)
    }
  }
  t.throws(() => split(Buffer.concat([DELTAS, Uint8Array.of(0)]), 9), { code: 'TRAILING_BYTES' })
  t.throws(() => split(pack([{ name: 'account', layout: 2, rows: [] }]), 9), { code: 'INVALID_VARIANT' })
  t.throws(() => split(pack([{ name: 'x'.repeat(65), rows: [] }]), 500), { code: 'TOO_LONG' })
})
