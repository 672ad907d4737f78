import fc from 'fast-check'
import t from 'tap'
import { compileAbi } from '../../../core/antelope/abi/compile.ts'
import { TimePoint } from '../../../core/antelope/time-point.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { seedFromEnvironment } from '../../support/random.ts'

const seed = seedFromEnvironment()
const abi = compileAbi({ version: 'eosio::abi/1.3', types: [], structs: [], actions: [], tables: [], variants: [] })
const utc = (text: string) => Date.parse(`${text}Z`)

/** Bytes written by hand or recorded from a node, and their value. */
const golden: [type: string, hex: string, value: unknown][] = [
  ['bool', '01', true],
  ['int8', '80', -128],
  ['uint8', 'ff', 255],
  ['int16', '0080', -32768],
  ['uint16', 'ffff', 65535],
  ['int32', '00000080', -2147483648],
  ['uint32', 'ffffffff', 4294967295],
  ['int64', '0000000000000080', -9223372036854775808n],
  ['uint64', 'ffffffffffffffff', 18446744073709551615n],
  ['int128', `${'00'.repeat(15)}80`, -(2n ** 127n)],
  ['uint128', 'ff'.repeat(16), 2n ** 128n - 1n],
  ['varint32', '01', -1],
  ['varint32', 'ffffffff0f', -2147483648],
  ['varint32', 'feffffff0f', 2147483647],
  ['varuint32', 'ac02', 300],
  ['float32', '0000c03f', 1.5],
  ['float32', '0000807f', Number.POSITIVE_INFINITY],
  ['float64', '000000000000f8bf', -1.5],
  ['float64', '0000000000000080', -0],
  ['float64', '000000000000f87f', Number.NaN],
  ['float128', '000102030405060708090a0b0c0d0e0f', Uint8Array.from({ length: 16 }, (_, i) => i)],
  ['time_point_sec', '00e1f505', TimePoint.ofSeconds(100_000_000)],
  ['time_point', '40420f0000000000', 1_000_000n],
  ['block_timestamp_type', '02000000', utc('2000-01-01T00:00:01')],
  ['name', '0000000000ea3055', 'eosio'],
  ['bytes', '03010203', Uint8Array.of(1, 2, 3)],
  ['string', '05 68656c6c6f', 'hello'],
  ['checksum160', 'aa'.repeat(20), 'aa'.repeat(20)],
  ['checksum256', 'bb'.repeat(32), 'bb'.repeat(32)],
  ['checksum512', 'cc'.repeat(64), 'cc'.repeat(64)],
  ['symbol', '04 454f530000 0000', { precision: 4, code: 'EOS' }],
  ['symbol', '00'.repeat(8), { precision: 0, code: '' }],
  ['symbol_code', '454f530000000000', 'EOS'],
  ['asset', '1027000000000000 04 454f5300000000', { amount: 10000n, precision: 4, symbol: 'EOS' }],
  [
    'extended_asset',
    'ffffffffffffffff 00 41424344454647 0000000000ea3055',
    { quantity: { amount: -1n, precision: 0, symbol: 'ABCDEFG' }, contract: 'eosio' },
  ],
  // The well-known development key of Antelope.
  [
    'public_key',
    '00 02c0ded2bc1f1305fb0faac5e6c03ee3a1924234985427b6167ca569d13df435cf',
    'PUB_K1_6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5BoDq63',
  ],
  ['bitset', '00', ''],
  ['bitset', '09 0501', '100000101'],
  ['bool[]', '020001', [false, true]],
  ['uint16[2]', '01000200', [1, 2]],
  ['string[2]', '01610162', ['a', 'b']],
  ['uint8[0]', '', []],
  ['uint8?', '00', null],
  ['uint8?', '0105', 5],
  ['uint8[]?', '01020506', [5, 6]],
  ['uint8?[]', '02000106', [null, 6]],
  ['uint8[][]', '0201050100', [[5], [0]]],
]

t.test('bytes and values of every built-in type convert in both directions', async (t) => {
  for (const [type, spaced, value] of golden) {
    const hex = spaced.replaceAll(' ', '')
    t.strictSame(abi.decode(type, fromHex(hex)), value, `${type} from ${hex}`)
    t.equal(toHex(abi.encode(type, value)), hex, `${type} to ${hex}`)
  }
})

t.test('bytes that are not a value of the type are refused with a code', async (t) => {
  const cases: [type: string, hex: string, code: string][] = [
    ['bool', '02', 'INVALID_BOOL'],
    ['uint8?', '02', 'INVALID_BOOL'],
    ['uint32', '000000', 'TRUNCATED'],
    ['uint32', '0000000000', 'TRAILING_BYTES'],
    ['string', '05616263', 'TRUNCATED'],
    ['string', '02c328', 'INVALID_UTF8'],
    ['symbol_code', '454f530000000041', 'INVALID_SYMBOL'],
    ['symbol_code', '4500530000000000', 'INVALID_SYMBOL'],
    ['asset', `${'00'.repeat(8)}0461000000000000`, 'INVALID_SYMBOL'],
    ['symbol', '0441004200000000', 'INVALID_SYMBOL'],
    ['symbol', '0441000000000042', 'INVALID_SYMBOL'],
    ['public_key', `03${'00'.repeat(33)}`, 'INVALID_KEY'],
    ['public_key', `02${'00'.repeat(34)}ffffff7f`, 'TRUNCATED'],
    ['public_key', `02${'00'.repeat(34)}8820${'00'.repeat(4104)}`, 'INVALID_KEY'],
    ['signature', `00${'00'.repeat(64)}`, 'TRUNCATED'],
    ['bitset', '09ffff', 'INVALID_BITSET'],
    ['bitset', 'ffffffff0f00', 'TRUNCATED'],
    ['uint8[]', 'ffffffff0f00', 'LIST_TOO_LONG'],
    ['uint64[]', `02${'00'.repeat(15)}`, 'LIST_TOO_LONG'],
    ['varuint32', 'ffffffff1f', 'INVALID_VARINT'],
  ]
  for (const [type, hex, code] of cases)
    t.throws(() => abi.decode(type, fromHex(hex)), { code }, `${type} ${hex.slice(0, 20)}`)
})

t.test('values that no type can hold are refused', async (t) => {
  const cases: [type: string, value: unknown][] = [
    ['bool', 1],
    ['int8', 128],
    ['int16', -32769],
    ['uint64', 2 ** 53],
    ['uint64', '1'],
    ['int128', 2n ** 127n],
    ['varint32', 2 ** 31],
    ['float64', '1.5'],
    ['float128', new Uint8Array(15)],
    ['block_timestamp_type', utc('2000-01-01T00:00:00.250')],
    ['bytes', 'abcd'],
    ['checksum256', 'aa'],
    ['string', 5],
    ['bitset', '102'],
    ['asset', null],
    ['symbol', null],
    ['uint8[2]', [1]],
    ['uint8[]', 'ab'],
  ]
  for (const [type, value] of cases)
    t.throws(() => abi.encode(type, value), { code: 'INVALID_VALUE' }, `${type} ${value}`)
  t.throws(() => abi.encode('asset', { amount: 1n, precision: 4, symbol: 'wax' }), { code: 'INVALID_SYMBOL' })
  t.throws(() => abi.encode('name', 'NO'), { code: 'INVALID_NAME' })
  t.throws(() => abi.encode('public_key', 'PUB_K1_nonsense'), { code: 'INVALID_KEY' })
})

t.test('keys and signatures of all kinds keep their bytes; one wrong letter is noticed', async (t) => {
  const property = fc.property(
    fc.uint8Array({ minLength: 65, maxLength: 65 }),
    fc.uint8Array({ maxLength: 200 }),
    (fixed, tail) => {
      const webauthn = [...fixed, tail.length & 0x7f, ...tail.slice(0, tail.length & 0x7f), 0]
      const packed: [string, number[]][] = [
        ['public_key', [0, ...fixed.slice(0, 33)]],
        ['public_key', [1, ...fixed.slice(0, 33)]],
        ['public_key', [2, ...fixed.slice(0, 34), tail.length & 0x7f, ...tail.slice(0, tail.length & 0x7f)]],
        ['signature', [0, ...fixed]],
        ['signature', [1, ...fixed]],
        ['signature', [2, ...webauthn]],
      ]
      for (const [type, bytes] of packed) {
        const text = abi.decode(type, Uint8Array.from(bytes)) as string
        if (toHex(abi.encode(type, text)) !== toHex(Uint8Array.from(bytes))) return false
        const wrong = text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a')
        let isRefused = false
        try {
          abi.encode(type, wrong)
        } catch {
          isRefused = true
        }
        if (!isRefused) return false
      }
      return true
    },
  )
  t.doesNotThrow(() => fc.assert(property, { seed, numRuns: 50 }), `HEADWATER_SEED=${seed}`)
  const legacy = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'
  t.equal(
    toHex(abi.encode('public_key', legacy)),
    '0002c0ded2bc1f1305fb0faac5e6c03ee3a1924234985427b6167ca569d13df435cf',
  )
})

/** Any character but lone surrogates: the unit `binary` of fast-check, which takes a second to list all of them. */
const character = fc.nat(0x10ffff - 0x800).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800),
  (text) => {
    const code = [...String(text)].length === 1 ? String(text).codePointAt(0)! : -1
    return code < 0xd800 ? code : code - 0x800
  },
)

t.test(`any value of a built-in type is read back unchanged (HEADWATER_SEED=${seed})`, async (t) => {
  const hexOf = (size: number) => fc.uint8Array({ minLength: size, maxLength: size }).map(toHex)
  const code = fc.stringMatching(/^[A-Z]{1,7}$/)
  const name = fc.stringMatching(/^(?:[.1-5a-z]{0,11}[1-5a-z])?$/)
  const asset = fc.record({
    amount: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    precision: fc.integer({ min: 0, max: 255 }),
    symbol: code,
  })
  const values: Record<string, fc.Arbitrary<unknown>> = {
    bool: fc.boolean(),
    int8: fc.integer({ min: -128, max: 127 }),
    int16: fc.integer({ min: -32768, max: 32767 }),
    int32: fc.integer(),
    int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    int128: fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }),
    uint8: fc.nat(255),
    uint16: fc.nat(65535),
    uint32: fc.nat(0xffffffff),
    uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    uint128: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
    varint32: fc.integer(),
    varuint32: fc.nat(0xffffffff),
    float32: fc.float(),
    float64: fc.double(),
    float128: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    time_point: fc.bigInt({ min: 0n, max: 2n ** 62n }),
    time_point_sec: fc.nat(0xffffffff).map((seconds) => TimePoint.ofSeconds(seconds)),
    block_timestamp_type: fc.nat(0xffffffff).map((slot) => 946_684_800_000 + slot * 500),
    name,
    bytes: fc.uint8Array(),
    string: fc.string({ unit: character }),
    checksum160: hexOf(20),
    checksum256: hexOf(32),
    checksum512: hexOf(64),
    symbol: fc.record({ precision: fc.nat(255), code }),
    symbol_code: code,
    asset,
    extended_asset: fc.record({ quantity: asset, contract: name }),
    bitset: fc.stringMatching(/^[01]{0,40}$/),
  }
  for (const [type, value] of Object.entries(values)) {
    const property = fc.property(fc.array(value, { maxLength: 3 }), (list) => {
      const bytes = abi.encode(`${type}[]`, list)
      const back = abi.decode(`${type}[]`, bytes) as unknown[]
      return back.length === list.length && back.every((item, i) => same(item, list[i]))
    })
    t.doesNotThrow(() => fc.assert(property, { seed, numRuns: 100 }), type)
  }
})

function same(a: unknown, b: unknown): boolean {
  const plain = (value: unknown) =>
    JSON.stringify(value, (_, member) =>
      typeof member === 'bigint' ? `${member}n` : Object.is(member, -0) ? '-0' : member,
    )
  return plain(a) === plain(b)
}
