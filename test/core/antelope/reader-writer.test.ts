import t from 'tap'
import { Reader } from '../../../core/antelope/reader.ts'
import { Writer } from '../../../core/antelope/writer.ts'
import { fromHex, toHex } from '../../../core/hex.ts'

const written = (write: (w: Writer) => void) => {
  const w = new Writer(1)
  write(w)
  return toHex(w.finish())
}

t.test('values are packed little endian, lengths in groups of seven bits', async (t) => {
  t.equal(
    written((w) => w.u16(0x1234)),
    '3412',
  )
  t.equal(
    written((w) => w.u32(0xdeadbeef)),
    'efbeadde',
  )
  t.equal(
    written((w) => w.i32(-2)),
    'feffffff',
  )
  t.equal(
    written((w) => w.u64(0x0123456789abcdefn)),
    'efcdab8967452301',
  )
  t.equal(
    written((w) => w.i64(-1n)),
    'f'.repeat(16),
  )
  t.equal(
    written((w) => w.u128(1n << 64n)),
    '00000000000000000100000000000000',
  )
  t.equal(
    written((w) => w.i128(-1n)),
    'f'.repeat(32),
  )
  t.equal(
    written((w) => w.varuint32(0)),
    '00',
  )
  t.equal(
    written((w) => w.varuint32(127)),
    '7f',
  )
  t.equal(
    written((w) => w.varuint32(128)),
    '8001',
  )
  t.equal(
    written((w) => w.varuint32(0xffffffff)),
    'ffffffff0f',
  )
  t.equal(
    written((w) => w.string('é')),
    '02c3a9',
  )
  t.equal(
    written((w) => w.name('eosio')),
    '0000000000ea3055',
  )
  t.equal(
    written((w) => w.lengthBytes(Uint8Array.of(7, 8))),
    '020708',
  )
})

t.test('values are read back as they were written', async (t) => {
  const w = new Writer(1)
  for (const value of [0, 127, 128, 16383, 16384, 2097151, 2097152, 268435455, 268435456, 0xffffffff])
    w.varuint32(value)
  w.u128((1n << 128n) - 1n)
  w.i64(-(1n << 63n))
  w.string('x'.repeat(1000))
  w.checksum256('ab'.repeat(32))
  const r = new Reader(w.finish())
  for (const value of [0, 127, 128, 16383, 16384, 2097151, 2097152, 268435455, 268435456, 0xffffffff]) {
    t.equal(r.varuint32(), value)
  }
  t.equal(r.u128(), (1n << 128n) - 1n)
  t.equal(r.i64(), -(1n << 63n))
  t.equal(r.string(), 'x'.repeat(1000))
  t.equal(r.checksum256(), 'ab'.repeat(32))
  t.equal(r.remaining, 0)
})

t.test('a reader does not read beyond its end, and the error names the value', async (t) => {
  const r = new Reader(new Uint8Array(16), 4, 10)
  t.equal(r.u32(), 0)
  t.throws(() => r.u32(), { code: 'TRUNCATED', message: '4 bytes wanted at offset 8, 2 are left' })
  t.throws(() => new Reader(fromHex('ffffffff0f')).lengthBytes(), { code: 'TRUNCATED' }, 'a lying length')
  for (const read of [
    'u8',
    'u16',
    'u32',
    'u64',
    'u128',
    'varuint32',
    'name',
    'string',
    'checksum256',
    'flag',
  ] as const) {
    t.throws(() => new Reader(new Uint8Array(0))[read](), { code: 'TRUNCATED' }, read)
  }
})

t.test('a variable integer has at most 32 bits', async (t) => {
  t.throws(() => new Reader(fromHex('ffffffff10')).varuint32(), { code: 'INVALID_VARINT' })
  t.throws(() => new Reader(fromHex('ffffffffff01')).varuint32(), { code: 'INVALID_VARINT' })
  t.equal(new Reader(fromHex('8000')).varuint32(), 0, 'longer than need be, as nodes accept it')
})

t.test('text is strict UTF-8 of any length', async (t) => {
  for (const text of [
    '',
    'a',
    'seven77',
    'eight888',
    'ninechars',
    'é',
    `${'x'.repeat(39)}é`,
    '漢字'.repeat(40),
    '\ufeffbom',
    'a\ufffdb',
    '\u0000',
    '😀',
  ]) {
    const bytes = new TextEncoder().encode(text)
    const w = new Writer()
    w.lengthBytes(bytes)
    t.equal(new Reader(w.finish()).string(), text, JSON.stringify(text.slice(0, 10)))
  }
  const malformed = [
    'ff',
    'c3',
    'c080',
    'eda080',
    'f4908080',
    'e28228',
    '6162636465666768c3',
    `${'61'.repeat(50)}80`,
    'efbfbdff',
  ]
  for (const hex of malformed) {
    const w = new Writer()
    w.lengthBytes(fromHex(hex))
    t.throws(() => new Reader(w.finish()).string(), { code: 'INVALID_UTF8' }, hex)
  }
})

t.test('values out of range are refused, not cut', async (t) => {
  const w = new Writer()
  for (const write of [
    () => w.u8(256),
    () => w.u8(-1),
    () => w.u16(1.5),
    () => w.u32(2 ** 32),
    () => w.i32(2 ** 31),
    () => w.u64(-1n),
    () => w.u64(1n << 64n),
    () => w.i64(1n << 63n),
    () => w.u128(1n << 128n),
    () => w.u64(1 as never),
    () => w.varuint32(Number.NaN),
    () => w.string('\ud800'),
    () => w.checksum256('00'),
  ]) {
    t.throws(write, { code: 'INVALID_VALUE' })
  }
  t.equal(w.pos, 0, 'nothing of them is written')
})
