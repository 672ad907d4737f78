import { readdirSync, readFileSync } from 'node:fs'
import { ABI, Serializer } from '@wharfkit/antelope'
import t from 'tap'
import { compileAbi } from '../../../core/antelope/abi/compile.ts'
import { packAbi } from '../../../core/antelope/abi/pack.ts'
import { parseAbi } from '../../../core/antelope/abi/parse.ts'
import { Writer } from '../../../core/antelope/writer.ts'
import { toHex } from '../../../core/hex.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const folder = new URL('../../../abis/', import.meta.url)
/** The Solidity ABIs in the same folder are lists. */
const texts = readdirSync(folder)
  .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }))
  .filter(({ text }) => text.trimStart().startsWith('{'))

t.test('the ABIs of the project are read from JSON and from the bytes that wharfkit packs', async (t) => {
  t.ok(texts.length >= 10)
  for (const { file, text } of texts) {
    const fromJson = parseAbi(text)
    const packed = Serializer.encode({ object: ABI.from(text), type: ABI }).array
    const fromBytes = parseAbi(packed)
    t.same(fromBytes.structs, fromJson.structs, file)
    t.same(fromBytes.variants, fromJson.variants, file)
    t.same(fromBytes.actions, fromJson.actions, file)
    t.same(fromBytes.tables, fromJson.tables, file)
    t.doesNotThrow(() => compileAbi(fromBytes), file)
  }
})

t.test('wharfkit reads a packed ABI, and packs it to the same bytes', async (t) => {
  for (const { file, text } of texts) {
    const packed = packAbi(parseAbi(text))
    const theirs = Serializer.decode({ data: packed, type: ABI })
    t.same(JSON.parse(JSON.stringify(theirs.structs)), parseAbi(text).structs, file)
    t.equal(toHex(packAbi(parseAbi(packed))), toHex(packed), file)
  }
})

t.test('an ABI of the first version ends before the later members', async (t) => {
  const w = new Writer()
  w.string('eosio::abi/1.0')
  for (let list = 0; list < 4; list++) w.varuint32(0)
  const abi = parseAbi(w.finish())
  t.equal(abi.version, 'eosio::abi/1.0')
  t.same(abi.variants, [])
  t.doesNotThrow(() => compileAbi(abi))
})

t.test('bytes and JSON that are not an ABI are refused with a code', async (t) => {
  t.throws(() => parseAbi('{'), { code: 'INVALID_ABI' })
  t.throws(() => parseAbi('[]'), { code: 'INVALID_ABI' })
  t.throws(() => parseAbi({}), { code: 'INVALID_ABI' })
  t.throws(() => parseAbi({ version: 'eosio::abi/1.1', structs: 5 }), { code: 'INVALID_ABI' })
  t.throws(() => parseAbi({ version: 'eosio::abi/1.1', structs: [{ name: 5 }] }), { code: 'INVALID_ABI' })
  t.throws(() => parseAbi({ version: 'eosio::abi/1.1', actions: [null] }), { code: 'INVALID_ABI' })
  t.throws(() => parseAbi({ version: 'eosio::abi/2.0' }), { code: 'ABI_VERSION' })
  t.throws(() => parseAbi({ version: '' }), { code: 'ABI_VERSION' })
  t.throws(() => parseAbi(new Uint8Array(0)), { code: 'TRUNCATED' })
})

const seed = seedFromEnvironment()
t.test(`damaged packed ABIs end in a code, never in another error (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  const packed = packAbi(parseAbi((texts[0] as { text: string }).text))
  const codes = new Set<string>()
  for (let i = 0; i < 1000; i++) {
    const damaged = packed.slice(0, random.chance(0.3) ? random.integer(0, packed.length) : packed.length)
    for (let flips = random.integer(0, 4); flips > 0 && damaged.length > 0; flips--) {
      damaged[random.integer(0, damaged.length - 1)] = random.integer(0, 255)
    }
    try {
      compileAbi(parseAbi(damaged))
      codes.add('none')
    } catch (error) {
      codes.add((error as { code?: string }).code ?? String(error))
    }
  }
  const known = /^(none|TRUNCATED|INVALID_UTF8|INVALID_VARINT|ABI_\w+|INVALID_ABI)$/
  t.same(
    [...codes].filter((code) => !known.test(code)),
    [],
  )
  t.ok(codes.size > 3, [...codes].join(' '))
})
