// PostgreSQL reads the same values that were written in the binary COPY format.
import pg from 'pg'
import t from 'tap'
import { TimePoint } from '../../../core/antelope/time-point.ts'
import { BugError } from '../../../core/errors.ts'
import type { Column, Table } from '../../../indexer/store/catalog.ts'
import { CopyBuffer } from '../../../indexer/store/copy/copy-buffer.ts'
import { copyIn } from '../../../indexer/store/copy/copy-in.ts'
import { DecimalNumber, readInteger } from '../../../indexer/store/copy/numeric.ts'
import { compileRowEncoder } from '../../../indexer/store/copy/row-encoder.ts'
import { testDatabase } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const TYPES = ['bool', 'int2', 'int4', 'int8', 'numeric', 'text', 'bytea', 'timestamptz', 'jsonb', '_text']
const columns: Column[] = TYPES.map((type) => ({ name: `c_${type}`, property: type, type, nullable: true }))
const table: Table = { id: 'copied', schema: 'public', name: 'copied', columns, key: [] }
const encode = compileRowEncoder(table, columns, new Set())

interface Sample {
  row: Record<string, unknown>
  text: (string | null)[]
}

const EDGES = [
  0n,
  1n,
  -1n,
  9999n,
  10_000n,
  10_001n,
  99_999_999n,
  100_000_000n,
  1n << 53n,
  (1n << 53n) - 1n,
  10n ** 12n,
  10n ** 24n,
]
const WIDE = [...EDGES, (1n << 64n) - 1n, (1n << 128n) - 1n, -(1n << 127n), 10n ** 38n, 123_000_000_000_000_000_000n]

function sample(random: Random, i: number): Sample {
  const numeric =
    i < WIDE.length
      ? (WIDE[i] as bigint)
      : random.bigint(1n << BigInt(random.integer(1, 128))) * (random.chance(0.2) ? -1n : 1n)
  const int8 = random.bigint(1n << 64n) - (1n << 63n)
  const time = random.integer(-1, 1) * random.integer(0, 4_000_000_000) * 1000 + random.integer(0, 999)
  const text = random.pick(['', 'alice', 'a.b.c', 'Grüße', '漢字 🚀', 'nul\0inside', 'x'.repeat(5000)])
  const hex = random.hex(random.integer(0, 40))
  const list = random.pick([[], ['a'], ['', 'b"c', 'ü']])
  const row = {
    bool: random.chance(0.5),
    int2: random.integer(-32768, 32767),
    int4: random.integer(-2147483648, 2147483647),
    int8: random.chance(0.2) ? Number(int8 >> 12n) : int8,
    numeric: random.chance(0.2) && numeric < 1n << 53n && numeric > -(1n << 53n) ? Number(numeric) : numeric,
    text,
    bytea: random.chance(0.5) ? hex : Uint8Array.from(Buffer.from(hex, 'hex')),
    timestamptz: TimePoint.ofMs(time),
    jsonb: { text, list },
    _text: list,
  }
  if (random.chance(0.1)) {
    const nulls = Object.fromEntries(TYPES.map((type) => [type, random.chance(0.5) ? null : undefined]))
    return { row: nulls, text: TYPES.map(() => null) }
  }
  const clean = text.replaceAll('\0', '\uFFFD')
  const expected = [
    String(row.bool),
    String(row.int2),
    String(row.int4),
    String(row.int8),
    String(row.numeric),
    clean,
    hex,
    new Date(time).toISOString(),
    JSON.stringify({ list, text: clean }),
    JSON.stringify(list),
  ]
  return { row, text: expected }
}

t.test('values of every type and width are read back unchanged', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const { url } = await testDatabase(t)
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`set timezone = 'Pacific/Auckland'`)
  const definition = TYPES.map((type) => `c_${type} ${type}`).join(', ')
  await client.query(`create table copied (n serial, ${definition})`)
  const samples = Array.from({ length: 1000 }, (_, i) => sample(random, i))
  const buffer = new CopyBuffer()
  for (const { row } of samples) encode(row, row, buffer)
  await copyIn(client, `copied (${columns.map(({ name }) => name).join(', ')})`, buffer)
  const { rows } = await client.query({
    rowMode: 'array',
    text: `select c_bool::text, c_int2::text, c_int4::text, c_int8::text, c_numeric::text, c_text, encode(c_bytea, 'hex'),
      to_char(c_timestamptz at time zone 'UTC', 'FMYYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), c_jsonb, c__text from copied order by n`,
  })
  await client.end()
  t.equal(rows.length, samples.length)
  rows.forEach((found: unknown[], i) => {
    const [json, list] = found.splice(8, 2) as [{ text: string; list: string[] } | null, string[] | null]
    const texts = [...found, json && JSON.stringify({ list: json.list, text: json.text }), list && JSON.stringify(list)]
    t.same(texts, (samples[i] as Sample).text, `row ${i}, HEADWATER_SEED=${seed}`)
  })
})

t.test('values that do not fit are refused, never truncated', (t) => {
  const buffer = new CopyBuffer()
  t.throws(() => buffer.int2(32768), RangeError)
  t.throws(() => buffer.int4(2147483648), RangeError)
  t.throws(() => buffer.int4(1.5), RangeError)
  t.throws(() => buffer.int8(1n << 63n), RangeError)
  t.throws(() => buffer.int8(-(1n << 63n) - 1n), RangeError)
  t.throws(() => buffer.int8(2 ** 53), RangeError)
  t.throws(() => buffer.numeric(0.5), RangeError)
  t.end()
})

t.test('a row without a required value is a bug', (t) => {
  const strict = compileRowEncoder(
    table,
    [{ name: 'c_int4', property: 'int4', type: 'int4', nullable: false }],
    new Set(),
  )
  t.throws(() => strict({}, {}, new CopyBuffer()), { code: 'ROW_INCOMPLETE' })
  t.throws(() => strict({}, {}, new CopyBuffer()), BugError)
  t.end()
})

t.test('a time without a unit is refused, whatever its value', async (t) => {
  const times: Column[] = ['block_time', 'unlock_time'].map((name) => ({
    name,
    property: name === 'block_time' ? 'blockTime' : 'unlockTime',
    type: 'timestamptz',
    nullable: true,
  }))
  const write = compileRowEncoder({ ...table, columns: times }, times, new Set())
  for (const unlockTime of [1_767_225_600, 1_767_225_600_000, '2026-01-01'])
    t.throws(() => write({ blockTime: 0, unlockTime }, {}, new CopyBuffer()), {
      code: 'TIME_UNIT',
      message: /^copied\.unlock_time: /,
    })
  const [seconds, ms] = [TimePoint.ofSeconds(1_767_225_600), TimePoint.ofMs(1_767_225_600_000)].map((unlockTime) => {
    const buffer = new CopyBuffer()
    write({ blockTime: 0, unlockTime }, {}, buffer)
    return buffer.finish().toString('hex')
  })
  t.equal(seconds, ms)
})

t.test('whole numbers are read from the fields that are written; fractions are refused', (t) => {
  const seed = seedFromEnvironment()
  t.comment(`HEADWATER_SEED=${seed}`)
  const random = new Random(seed)
  const values = [...WIDE, ...WIDE.map((value) => -value)]
  for (let i = 0; i < 500; i++) values.push(random.bigint(1n << BigInt(random.integer(1, 250))))
  for (const value of values) {
    const buffer = new CopyBuffer()
    buffer.numeric(value)
    const field = Buffer.from(buffer.tuples())
    t.equal(readInteger(field, 4), value)
  }
  const fraction = new CopyBuffer()
  fraction.numeric(new DecimalNumber(15n, 4))
  t.throws(() => readInteger(fraction.tuples(), 4), RangeError)
  t.end()
})
