import t from 'tap'
import { type CompiledAbi, compileAbi } from '../../../core/antelope/abi/compile.ts'
import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import { DecodeError } from '../../../core/errors.ts'
import { fromHex, toHex } from '../../../core/hex.ts'

const HOSTILE_STRUCT = `\`\${x}\``

type Fields = Record<string, string>

/** An ABI from structs written as `{ name: { field: type } }`; `name<base` has a base. */
function abiOf(structs: Record<string, Fields>, more: Partial<AbiDefinition> = {}): AbiDefinition {
  return {
    version: 'eosio::abi/1.2',
    types: [],
    structs: Object.entries(structs).map(([title, fields]) => {
      const [name, base = ''] = title.split('<') as [string, string?]
      return { name, base, fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })) }
    }),
    actions: [],
    tables: [],
    variants: [],
    ...more,
  }
}

const codeOf = (run: () => unknown): string => {
  try {
    run()
    return 'none'
  } catch (error) {
    return error instanceof DecodeError ? error.code : String(error)
  }
}

t.test('an ABI that never ends is refused', async (t) => {
  const typedef = (a: string, b: string) => ({ new_type_name: a, type: b })
  const endless: [string, AbiDefinition][] = [
    ['a struct in itself', abiOf({ a: { x: 'a' } })],
    ['structs in each other', abiOf({ a: { x: 'b' }, b: { y: 'c' }, c: { z: 'a' } })],
    ['a fixed list of itself', abiOf({ a: { x: 'a[2]' } })],
    ['its own base', abiOf({ 'a<a': {} })],
    ['bases in a circle', abiOf({ 'a<b': {}, 'b<a': {} })],
    ['a typedef of itself', abiOf({}, { types: [typedef('a', 'a')] })],
    ['typedefs in a circle', abiOf({}, { types: [typedef('a', 'b'), typedef('b', 'a[]')] })],
    ['a base through typedefs in a circle', abiOf({ 's<a': {} }, { types: [typedef('a', 'b'), typedef('b', 'a')] })],
  ]
  for (const [label, abi] of endless)
    t.equal(
      codeOf(() => compileAbi(abi)),
      'ABI_RECURSIVE',
      label,
    )
})

t.test('an ABI with an unknown type, or two definitions of one name, is refused', async (t) => {
  const twice = (name: string) => ({ name, base: '', fields: [] })
  const action = { name: 'act', type: 'a' }
  t.equal(
    codeOf(() => compileAbi(abiOf({ a: { x: 'nothing' } }))),
    'ABI_UNKNOWN_TYPE',
  )
  t.equal(
    codeOf(() => compileAbi(abiOf({ 'a<nothing': {} }))),
    'ABI_UNKNOWN_TYPE',
  )
  t.equal(
    codeOf(() => compileAbi(abiOf({ a: { x: 'uint8[' } }))),
    'ABI_UNKNOWN_TYPE',
  )
  t.equal(
    codeOf(() => compileAbi(abiOf({ a: { x: 'toString' } }))),
    'ABI_UNKNOWN_TYPE',
  )
  t.equal(
    codeOf(() => compileAbi(abiOf({}, { actions: [action] }))),
    'ABI_UNKNOWN_TYPE',
  )
  t.equal(
    codeOf(() => compileAbi(abiOf({}, { variants: [{ name: 'v', types: ['nothing'] }] }))),
    'ABI_UNKNOWN_TYPE',
  )
  t.equal(
    codeOf(() => compileAbi(abiOf({}, { structs: [twice('a'), twice('a')] }))),
    'ABI_DUPLICATE',
  )
  t.equal(
    codeOf(() => compileAbi(abiOf({ a: {} }, { variants: [{ name: 'a', types: [] }] }))),
    'ABI_DUPLICATE',
  )
  t.equal(
    codeOf(() => compileAbi(abiOf({ a: {} }, { types: [{ new_type_name: 'a', type: 'name' }] }))),
    'ABI_DUPLICATE',
  )
  t.equal(
    codeOf(() => compileAbi(abiOf({ a: {} }, { actions: [action, action] }))),
    'ABI_DUPLICATE',
  )
  t.equal(
    codeOf(() => compileAbi(abiOf({ a: {} }, { tables: [action, action] }))),
    'ABI_DUPLICATE',
  )
  t.equal(
    codeOf(() => compileAbi(abiOf({ 'a<b': { x: 'name' }, b: { x: 'name' } }))),
    'ABI_DUPLICATE',
  )
  const message = abiOf({ a: { x: 'y'.repeat(1000) } })
  t.throws(() => compileAbi(message), { message: /^the ABI uses the type "y{60}\.\.\." and does not define it$/ })
})

t.test('depth and size of an ABI are bounded', async (t) => {
  const chain = (length: number, link: (next: string) => string) =>
    abiOf(
      Object.fromEntries(
        Array.from({ length }, (_, i) => [`s${i}`, { x: i + 1 < length ? link(`s${i + 1}`) : 'name' }]),
      ),
    )
  t.equal(
    codeOf(() => compileAbi(chain(32, (next) => next))),
    'none',
  )
  t.equal(
    codeOf(() => compileAbi(chain(33, (next) => next))),
    'ABI_TOO_DEEP',
  )
  t.equal(
    codeOf(() => compileAbi(chain(20_000, (next) => next))),
    'ABI_TOO_DEEP',
  )
  t.equal(
    codeOf(() => compileAbi(chain(20_000, (next) => `${next}[]`))),
    'ABI_TOO_DEEP',
  )
  t.equal(
    codeOf(() => compileAbi(abiOf({ a: { x: `name${'[]'.repeat(5000)}` } }))),
    'ABI_RECURSIVE',
  )
  const wide = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`f${i}`, 'name']))
  const heirs = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`s${i}<wide`, {}]))
  t.equal(
    codeOf(() => compileAbi(abiOf({ wide, ...heirs }))),
    'ABI_TOO_LARGE',
  )
})

t.test('a recursive type is accepted if its values are finite, up to a bounded depth', async (t) => {
  const abi = compileAbi(
    abiOf(
      { tree: { id: 'uint8', children: 'tree[]' }, list: { id: 'uint8', next: 'list?' }, leaf: { v: 'either' } },
      { variants: [{ name: 'either', types: ['uint8', 'leaf'] }] },
    ),
  )
  const tree = {
    id: 1,
    children: [
      { id: 2, children: [] },
      { id: 3, children: [{ id: 4, children: [] }] },
    ],
  }
  t.equal(toHex(abi.encode('tree', tree)), '0102020003010400')
  t.same(abi.decode('tree', fromHex('0102020003010400')), tree)
  t.same(abi.decode('leaf', fromHex('01010007')), { v: ['leaf', { v: ['leaf', { v: ['uint8', 7] }] }] })
  const deep = (levels: number) => fromHex(`${'0701'.repeat(levels - 1)}0700`)
  t.doesNotThrow(() => abi.decode('list', deep(32)))
  t.throws(() => abi.decode('list', deep(33)), { code: 'TOO_DEEP' })
  t.throws(() => abi.decode('list', deep(100_000)), { code: 'TOO_DEEP' })
  t.doesNotThrow(() => abi.decode('list', deep(32)), 'the decoder is not affected by the earlier error')
})

t.test('few bytes cannot cause much work', async (t) => {
  const double = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`s${i}`, i === 29 ? {} : { a: `s${i + 1}`, b: `s${i + 1}` }]),
  )
  const abi = compileAbi(abiOf({ ...double, nothing: {}, wide: { a: 'nothing[1000]', b: 'uint8?' } }))
  const cases: [string, string, string][] = [
    ['s0', '', 'TOO_COMPLEX'],
    ['s0[]', 'ff07', 'TOO_COMPLEX'],
    ['s0[4]', '', 'TOO_COMPLEX'],
    ['nothing[]', 'ffffffff0f', 'LIST_TOO_LONG'],
    ['nothing[][]', `8008${'8008'.repeat(1024)}`, 'TOO_COMPLEX'],
    ['wide[]', `8080 04${'00'.repeat(65536)}`.replace(' ', ''), 'TOO_COMPLEX'],
    ['nothing[999999999]', '', 'TOO_COMPLEX'],
    ['uint64[999999999]', '', 'TOO_COMPLEX'],
    ['uint64[999999999][999999999]', '', 'TOO_COMPLEX'],
  ]
  for (const [type, hex, code] of cases) {
    // Processor time: other processes do not count.
    const start = process.cpuUsage()
    t.equal(
      codeOf(() => abi.decode(type, fromHex(hex))),
      code,
      type,
    )
    const { user, system } = process.cpuUsage(start)
    t.ok(user + system < 500_000, `${type} is refused at once`)
  }
  t.same(abi.decode('nothing[]', fromHex('03')), [{}, {}, {}])
})

t.test('names from the chain never become code', async (t) => {
  const hostile = [
    '__proto__',
    'constructor',
    'toString',
    'a"b',
    "a'b",
    `a\`\${b}\``,
    '"]: 0}; throw new Error("run"); ({["',
    'a\nb',
    'a\u2028b',
    '*/ globalThis.hacked = true /*',
    'a\\',
    '',
    '0',
    'v0',
    'c',
    '漢字',
  ]
  const fields = Object.fromEntries(hostile.map((name) => [name, 'uint8']))
  Object.defineProperty(fields, '__proto__', { value: 'uint8', enumerable: true })
  const open = hostile.map((name) => ({ name, type: 'string$' }))
  const definition = abiOf({}, { variants: [{ name: '"); throw 1; ("', types: ['uint8', HOSTILE_STRUCT] }] })
  definition.structs.push(
    { name: '"); throw 1; //', base: '', fields: hostile.map((name) => ({ name, type: 'uint8' })) },
    { name: HOSTILE_STRUCT, base: '', fields: open },
  )
  const abi = compileAbi(definition)
  const bytes = Uint8Array.from(hostile, (_, i) => i)
  for (const type of ['"); throw 1; //', HOSTILE_STRUCT]) {
    const data = type.startsWith('"') ? bytes : Uint8Array.from(hostile.flatMap((_, i) => [1, 97 + i]))
    const value = abi.decode(type, data) as Record<string, unknown>
    t.same(Object.keys(value).sort(), [...hostile].sort())
    t.equal(Object.getPrototypeOf(value), Object.prototype, 'no field sets the prototype')
    for (const [i, name] of hostile.entries()) {
      t.equal(
        Object.getOwnPropertyDescriptor(value, name)?.value,
        type.startsWith('"') ? i : String.fromCharCode(97 + i),
      )
    }
    t.equal(toHex(abi.encode(type, value)), toHex(data))
    t.equal(toHex(abi.encode('"); throw 1; ("', ['uint8', 3])), '0003')
  }
  t.throws(() => abi.encode('"); throw 1; //', {}), { code: 'INVALID_VALUE' }, 'inherited members are no fields')
  t.equal((globalThis as { hacked?: boolean }).hacked, undefined)
})

t.test('fields are in the order of the bytes, fields of the base first', async (t) => {
  const abi = compileAbi(
    abiOf(
      { 'c<b': { z: 'uint8' }, 'b<alias': { y: 'uint8' }, a: { x: 'uint8' } },
      {
        types: [{ new_type_name: 'alias', type: 'a' }],
        actions: [{ name: 'go', type: 'c' }],
        tables: [{ name: 'rows', type: 'c[]' }],
      },
    ),
  )
  t.same(Object.entries(abi.decodeAction('go', Uint8Array.of(1, 2, 3))), [
    ['x', 1],
    ['y', 2],
    ['z', 3],
  ])
  t.same(abi.decodeRow('rows', Uint8Array.of(1, 1, 2, 3)), [{ x: 1, y: 2, z: 3 }])
  t.equal(toHex(abi.encodeRow('rows', [{ x: 1, y: 2, z: 3 }])), '01010203')
  t.equal(toHex(abi.encodeAction('go', { z: 3, y: 2, x: 1 })), '010203')
  t.same([...abi.actions], [['go', 'c']])
  t.same([...abi.tables], [['rows', 'c[]']])
  t.throws(() => abi.decodeAction('nogo', new Uint8Array(3)), { code: 'UNKNOWN_ACTION' })
  t.throws(() => abi.decodeRow('norows', new Uint8Array(3)), { code: 'UNKNOWN_TABLE' })
  t.throws(() => abi.decodeAction('go', new Uint8Array(4)), { code: 'TRAILING_BYTES' })
  t.throws(() => abi.decodeAction('go', new Uint8Array(2)), { code: 'TRUNCATED' })
})

t.test('binary extensions may be absent from some field on', async (t) => {
  const abi = compileAbi(abiOf({ a: { x: 'uint8', y: 'uint8$', z: 'name[]$' } }))
  t.strictSame(abi.decode('a', Uint8Array.of(1)), { x: 1, y: undefined, z: undefined })
  t.strictSame(abi.decode('a', Uint8Array.of(1, 2)), { x: 1, y: 2, z: undefined })
  t.strictSame(abi.decode('a', Uint8Array.of(1, 2, 0)), { x: 1, y: 2, z: [] })
  t.equal(toHex(abi.encode('a', { x: 1 })), '01')
  t.equal(toHex(abi.encode('a', { x: 1, y: 2, z: undefined })), '0102')
  t.throws(() => abi.encode('a', { x: 1, z: [] }), { code: 'INVALID_VALUE' }, 'a gap has no bytes')
  t.throws(() => abi.encode('a', { y: 1 }), { code: 'INVALID_VALUE', message: 'a: a lacks x' })
})

t.test('variants carry the name of their type', async (t) => {
  const abi: CompiledAbi = compileAbi(abiOf({}, { variants: [{ name: 'v', types: ['uint8', 'string', 'name[]'] }] }))
  t.same(abi.decode('v', fromHex('00ff')), ['uint8', 255])
  t.same(abi.decode('v', fromHex('010161')), ['string', 'a'])
  t.same(abi.decode('v?', fromHex('010200')), ['name[]', []])
  t.equal(
    toHex(
      abi.encode('v[]', [
        ['uint8', 1],
        ['string', 'b'],
      ]),
    ),
    '020001010162',
  )
  t.throws(() => abi.decode('v', fromHex('0300')), { code: 'INVALID_VARIANT' })
  t.throws(() => abi.encode('v', ['bool', true]), { code: 'INVALID_VALUE' })
  t.throws(() => abi.encode('v', 5), { code: 'INVALID_VALUE' })
})

t.test('decoded bytes do not change when the frame’s buffer changes', async (t) => {
  const abi = compileAbi(abiOf({}))
  const frame = Buffer.from('0401020304', 'hex')
  const value = abi.decode('bytes', frame) as Uint8Array
  frame.fill(0)
  t.same([...value], [1, 2, 3, 4])
})
