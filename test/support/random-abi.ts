// Random ABIs with random values of their types, and the JSON that other libraries use for these values.
// Finds types in the definition by a plain search, and shares no code with the compiler under test.

import { PublicKey, Signature } from '@wharfkit/antelope'
import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import type { Asset, ExtendedAsset, TokenSymbol } from '../../core/antelope/asset.ts'
import { TimePoint } from '../../core/antelope/time-point.ts'
import type { Random } from './random.ts'

/** Built-in types that all libraries support. */
export const COMMON_TYPES = [
  'bool',
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'int128',
  'uint128',
  'varint32',
  'varuint32',
  'float32',
  'float64',
  'float128',
  'time_point',
  'time_point_sec',
  'block_timestamp_type',
  'name',
  'bytes',
  'string',
  'checksum160',
  'checksum256',
  'checksum512',
  'public_key',
  'signature',
  'symbol',
  'symbol_code',
  'asset',
  'extended_asset',
]

/** `newest` adds fixed-size lists, bit sets and lists of optionals, which only newer nodes support. */
export type Dialect = 'common' | 'newest'

/** An ABI whose action `act` has the struct `s0`. */
export function randomAbi(random: Random, dialect: Dialect): AbiDefinition {
  const names = Array.from({ length: random.integer(2, 6) }, (_, i) => `s${i}`)
  const suffixes =
    dialect === 'common' ? ['', '', '', '[]', '?'] : ['', '', '[]', '?', '[]?', '?[]', '[3]', '[][]', '[0]']
  const builtins = dialect === 'common' ? COMMON_TYPES : [...COMMON_TYPES, 'bitset']
  // A struct only refers to later ones and to itself through a list, so values are finite. A struct that may end early
  // cannot be nested.
  const isLate = random.chance(0.4)
  const typeFor = (at: number) => {
    const later = names.slice(at + 1)
    const bases = random.chance(0.35) ? [...later, 'v0', 't0'] : builtins
    if (random.chance(0.05) && !(isLate && at === 0)) return `s${at}[]`
    return `${random.pick(bases)}${random.pick(suffixes)}`
  }
  const structs = names.map((name, at) => ({
    name,
    base: at + 1 < names.length && at > 0 && random.chance(0.2) ? (names[at + 1] as string) : '',
    fields: Array.from({ length: random.integer(at === 0 ? 1 : 0, 6) }, (_, i) => ({
      name: `f${at}_${i}`,
      type: typeFor(at),
    })),
  }))
  const first = structs[0]
  if (isLate) first?.fields.push({ name: 'late', type: `${random.pick(builtins)}$` })
  return {
    version: 'eosio::abi/1.2',
    types: [
      { new_type_name: 't0', type: `${random.pick(builtins)}${dialect === 'common' ? '' : random.pick(['', '[]'])}` },
    ],
    structs,
    variants: [{ name: 'v0', types: [...new Set([random.pick(builtins), random.pick(builtins), 'uint8'])] }],
    actions: [{ name: 'act', type: 's0' }],
    tables: [],
  }
}

const fullFields = (abi: AbiDefinition, name: string): { name: string; type: string }[] => {
  const struct = abi.structs.find((candidate) => candidate.name === name)
  return struct ? [...(struct.base ? fullFields(abi, struct.base) : []), ...struct.fields] : []
}

/** A random value in the form that decoders return. Nesting is limited. */
export function randomValue(random: Random, abi: AbiDefinition, type: string, depth = 0): unknown {
  const inner = (suffix: string) => randomValue(random, abi, type.slice(0, -suffix.length), depth + 1)
  if (type.endsWith('$')) return random.chance(0.5) ? inner('$') : undefined
  if (type.endsWith('?')) return random.chance(0.5) ? inner('?') : null
  if (type.endsWith('[]')) {
    return Array.from({ length: depth > 4 ? 0 : random.integer(0, 3) }, () => inner('[]'))
  }
  const fixed = /\[(\d+)\]$/.exec(type)
  if (fixed) return Array.from({ length: Number(fixed[1]) }, () => inner(fixed[0]))
  const typedef = abi.types.find((candidate) => candidate.new_type_name === type)
  if (typedef) return randomValue(random, abi, typedef.type, depth)
  const variant = abi.variants.find((candidate) => candidate.name === type)
  if (variant) {
    const choice = random.pick(variant.types)
    return [choice, randomValue(random, abi, choice, depth + 1)]
  }
  if (abi.structs.some((candidate) => candidate.name === type)) {
    const fields = fullFields(abi, type)
    return Object.fromEntries(fields.map((f) => [f.name, randomValue(random, abi, f.type, depth + 1)]))
  }
  return randomBuiltin(random, type)
}

const wide = (random: Random, bits: number, signed: boolean) => {
  const size = BigInt(random.integer(1, bits))
  const value = random.bigint(1n << size)
  return signed ? BigInt.asIntN(bits, random.chance(0.5) ? value : -value) : value
}
const letters = (random: Random, alphabet: string, most: number) =>
  Array.from({ length: random.integer(1, most) }, () => alphabet[random.integer(0, alphabet.length - 1)]).join('')
const bytes = (random: Random, length: number) => Uint8Array.from({ length }, () => random.integer(0, 255))
const code = (random: Random) => letters(random, 'ABCXYZ', 7)

/** A random value of a built-in type. */
export function randomBuiltin(random: Random, type: string): unknown {
  const bits = Number(/\d+$/.exec(type)?.[0] ?? 0)
  switch (type) {
    case 'bool':
      return random.chance(0.5)
    case 'int8':
    case 'int16':
    case 'int32':
      return Number(wide(random, bits, true))
    case 'uint8':
    case 'uint16':
    case 'uint32':
      return Number(wide(random, bits, false))
    case 'varint32':
      return Number(wide(random, 32, true))
    case 'varuint32':
      return Number(wide(random, 32, false))
    case 'time_point_sec':
      return TimePoint.ofSeconds(Number(wide(random, 32, false)))
    case 'int64':
    case 'int128':
      return wide(random, bits, true)
    case 'uint64':
    case 'uint128':
      return wide(random, bits, false)
    case 'float32':
    case 'float64':
      // Few digits, because wharfkit prints no more.
      return random.integer(-9999, 9999) / 8
    case 'float128':
      return bytes(random, 16)
    case 'time_point':
      // Whole milliseconds, because the other libraries truncate the rest.
      return BigInt(random.integer(0, 4_000_000_000)) * 1_000_000n + BigInt(random.integer(0, 999)) * 1000n
    case 'block_timestamp_type':
      return 946_684_800_000 + random.integer(0, 0xffffffff) * 500
    case 'name':
      return random.chance(0.1) ? '' : letters(random, 'abcxyz12345', 12)
    case 'bytes':
      return bytes(random, random.integer(0, random.chance(0.1) ? 300 : 20))
    case 'string':
      return random.chance(0.1) ? '' : letters(random, 'abc XYZ0189"\\é漢', random.chance(0.1) ? 200 : 50)
    case 'checksum160':
    case 'checksum256':
    case 'checksum512':
      return random.hex(bits / 8)
    case 'symbol':
      return { precision: random.integer(0, 18), code: code(random) }
    case 'symbol_code':
      return code(random)
    case 'asset':
      return { amount: wide(random, 62, true), precision: random.integer(0, 18), symbol: code(random) }
    case 'extended_asset':
      return { quantity: randomBuiltin(random, 'asset'), contract: randomBuiltin(random, 'name') }
    case 'bitset':
      return letters(random, '01', 40)
    case 'public_key':
      return String(PublicKey.from({ type: random.pick(['K1', 'R1']), compressed: bytes(random, 33) }))
    case 'signature':
      return String(
        Signature.from({
          type: random.pick(['K1', 'R1']),
          recid: random.integer(0, 3),
          r: bytes(random, 32),
          s: bytes(random, 32),
        }),
      )
    default:
      throw new Error(`no random value for ${type}`)
  }
}

const hex = (value: Uint8Array) => Buffer.from(value).toString('hex').toUpperCase()
const isoMs = (ms: number) => new Date(ms).toISOString().slice(0, -1)
const assetText = ({ amount, precision, symbol }: Asset) => {
  const digits = String(amount < 0n ? -amount : amount).padStart(precision + 1, '0')
  const whole = digits.slice(0, digits.length - precision)
  return `${amount < 0n ? '-' : ''}${whole}${precision ? `.${digits.slice(-precision)}` : ''} ${symbol}`
}

/** The JSON of a value in the form of eosjs. */
export function toJson(abi: AbiDefinition, type: string, value: unknown): unknown {
  const inner = (suffix: string, item: unknown) => toJson(abi, type.slice(0, -suffix.length), item)
  if (value === undefined) return undefined
  if (type.endsWith('$')) return inner('$', value)
  if (type.endsWith('?')) return value === null ? null : inner('?', value)
  const list = /\[\d*\]$/.exec(type)
  if (list) return (value as unknown[]).map((item) => inner(list[0], item))
  const typedef = abi.types.find((candidate) => candidate.new_type_name === type)
  if (typedef) return toJson(abi, typedef.type, value)
  if (abi.variants.some((candidate) => candidate.name === type)) {
    const [name, item] = value as [string, unknown]
    return [name, toJson(abi, name, item)]
  }
  if (abi.structs.some((candidate) => candidate.name === type)) {
    const members = value as Record<string, unknown>
    const pairs = fullFields(abi, type).map((f) => [f.name, toJson(abi, f.type, members[f.name])])
    return Object.fromEntries(pairs.filter(([, item]) => item !== undefined))
  }
  if (type === 'time_point_sec') return isoMs((value as TimePoint).ms)
  if (type === 'time_point') return isoMs(Number((value as bigint) / 1000n))
  if (type === 'block_timestamp_type') return isoMs(value as number)
  if (type === 'asset') return assetText(value as Asset)
  if (type === 'symbol') return `${(value as TokenSymbol).precision},${(value as TokenSymbol).code}`
  if (type === 'extended_asset') {
    const { quantity, contract } = value as ExtendedAsset
    return { quantity: assetText(quantity), contract }
  }
  if (value instanceof Uint8Array) return hex(value)
  if (type.startsWith('checksum')) return (value as string).toUpperCase()
  return typeof value === 'bigint' ? String(value) : value
}

/** Normalises JSON of different libraries: numbers or text, case of hex, fractions of seconds. */
export function canonical(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(canonical)
  if (typeof json === 'object' && json !== null) {
    const members = Object.entries(json).filter(([, value]) => value !== undefined)
    return Object.fromEntries(members.map(([name, value]) => [name, canonical(value)]))
  }
  const text = String(json)
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && !/^-?\d+$/.test(text)) return String(Number(text))
  if (/^(0x)?[0-9a-f]+$/i.test(text)) return text.toLowerCase().replace(/^0x/, '')
  return text.replace(/^(\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d)\.0+$/, '$1')
}
