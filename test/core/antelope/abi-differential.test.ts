import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import { ABI, Serializer } from '@wharfkit/antelope'
import eosjs from 'eosjs/dist/eosjs-serialize.js'
import t from 'tap'
import { compileAbi } from '../../../core/antelope/abi/compile.ts'
import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import { packAbi } from '../../../core/antelope/abi/pack.ts'
import { toHex } from '../../../core/hex.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { COMMON_TYPES, canonical, randomAbi, randomBuiltin, randomValue, toJson } from '../../support/random-abi.ts'

// Every library that can read the type is an oracle: eosjs in both directions, wharfkit and abieos from bytes.

const seed = seedFromEnvironment()
const rounds = process.env.HEADWATER_TEST_LONG ? 20_000 : 400
const { Abieos } = createRequire(import.meta.url)('@eosrio/node-abieos') as {
  Abieos: { getInstance(): AbieosInstance }
}
interface AbieosInstance {
  loadAbiHex(name: string, hex: string): boolean
  binToJson(name: string, type: string, bytes: Buffer): unknown
  deleteContract(name: string): boolean
}
const abieos = Abieos.getInstance()

interface EosjsType {
  serialize(buffer: unknown, value: unknown): void
  deserialize(buffer: unknown): unknown
}

function eosjsType(abi: AbiDefinition, type: string): EosjsType {
  const types = eosjs.getTypesFromAbi(eosjs.createInitialTypes(), abi as never)
  return eosjs.getType(types, type) as unknown as EosjsType
}

function eosjsEncode(type: EosjsType, json: unknown): Uint8Array {
  const buffer = new eosjs.SerialBuffer()
  type.serialize(buffer, json)
  return Uint8Array.from(buffer.asUint8Array())
}

const eosjsDecode = (type: EosjsType, bytes: Uint8Array) =>
  type.deserialize(new eosjs.SerialBuffer({ array: bytes } as never))

const wrap = (type: string): AbiDefinition => ({
  version: 'eosio::abi/1.1',
  types: [],
  structs: [{ name: 's0', base: '', fields: [{ name: 'f', type }] }],
  variants: [],
  actions: [{ name: 'act', type: 's0' }],
  tables: [],
})

const isAbsent = (value: unknown) => (value as { late?: unknown }).late === undefined

function agree(
  t: { fail(message: string, extra: object): void },
  abi: AbiDefinition,
  value: unknown,
  label: string,
): void {
  const compiled = compileAbi(abi)
  const json = toJson(abi, 's0', value)
  const theirs = eosjsType(abi, 's0')
  const bytes = eosjsEncode(theirs, json)
  const expected = JSON.stringify(canonical(json))
  const check = (ok: boolean, what: string, got: unknown) => {
    if (!ok) t.fail(`${label}: ${what}`, { abi, bytes: toHex(bytes), expected, got })
  }
  const ours = compiled.encodeAction('act', value)
  check(toHex(ours) === toHex(bytes), 'our bytes are those of eosjs', toHex(ours))
  const decoded = compiled.decodeAction('act', bytes)
  check(isDeepStrictEqual(decoded, value), 'the decoded value is the one encoded', decoded)
  const canon = (other: unknown) => JSON.stringify(canonical(other))
  check(canon(toJson(abi, 's0', decoded)) === expected, 'our value in JSON', canon(toJson(abi, 's0', decoded)))
  const fromEosjs = canon(eosjsDecode(theirs, bytes))
  check(fromEosjs === expected, 'eosjs reads the same', fromEosjs)
  const wharfkit = Serializer.objectify(Serializer.decode({ data: bytes, type: 's0', abi: ABI.from(abi as never) }))
  // It shows an absent extension as null.
  if (isAbsent(value)) wharfkit.late = undefined
  check(canon(wharfkit) === expected, 'wharfkit reads the same', canon(wharfkit))
  abieos.loadAbiHex('differential', toHex(packAbi(abi)))
  const fromAbieos = canon(abieos.binToJson('differential', 's0', Buffer.from(bytes)))
  check(fromAbieos === expected, 'abieos reads the same', fromAbieos)
  abieos.deleteContract('differential')
  const fromJson = compiled.actionFromJson('act', json)
  check(isDeepStrictEqual(fromJson, value), 'the value from the JSON of nodes', fromJson)
}

for (const type of COMMON_TYPES) {
  t.test(`${type} agrees with eosjs, wharfkit and abieos (HEADWATER_SEED=${seed})`, async (t) => {
    const random = new Random(seed)
    for (let i = 0; i < Math.max(20, rounds / 20); i++)
      agree(t, wrap(type), { f: randomBuiltin(random, type) }, `${type} ${i}`)
  })
}

t.test(`values of random ABIs agree with eosjs, wharfkit and abieos (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  for (let i = 0; i < rounds; i++) {
    const abi = randomAbi(random, 'common')
    agree(t, abi, randomValue(random, abi, 's0'), `round ${i}`)
  }
})

t.test(`values of the newest types are read back unchanged (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  for (let i = 0; i < rounds * 2; i++) {
    const abi = randomAbi(random, 'newest')
    const compiled = compileAbi(abi)
    const value = randomValue(random, abi, 's0')
    const bytes = compiled.encodeAction('act', value)
    const check = (got: unknown, what: string) => {
      if (!isDeepStrictEqual(got, value)) t.fail(`round ${i}: ${what}`, { abi, bytes: toHex(bytes), got, value })
    }
    check(compiled.decodeAction('act', bytes), 'decoded')
    const framed = new Uint8Array(bytes.length + 7)
    framed.set(bytes, 3)
    check(compiled.decodeAction('act', framed, 3, 3 + bytes.length), 'decoded within a frame')
    check(compiled.actionFromJson('act', toJson(abi, 's0', value)), 'from JSON')
  }
})
