// Generates core/contracts/*.ts from abis/: types of the decoded actions and table rows of each contract.
//
// Some contracts have had several ABIs. Their file covers all of them: a member that only some have is optional. The
// devnet's contracts use files of one ABI. Contracts store Unix times as plain uint32: SECONDS names those members.
import { readFileSync } from 'node:fs'
import type { AbiDefinition, AbiStruct } from '../core/antelope/abi/definition.ts'
import { parseAbi } from '../core/antelope/abi/parse.ts'

/** ABIs of each generated file, oldest first. */
const CONTRACTS: Readonly<Record<string, readonly string[]>> = {
  amm: ['swap.svc.2023-08', 'swap.svc.newer', 'swap.svc.locks'],
  'amm-newest': ['swap.svc.locks'],
  bridge: ['bridge.svc.telos', 'bridge.svc.wax'],
  'bridge-telos-devnet': ['bridge.svc.telos.devnet'],
  'bridge-wax-devnet': ['bridge.svc.wax.devnet'],
  dex: ['svcdexmain', 'svcdexmain.next'],
  'gateway-antelope-devnet': ['gateway.antelope.devnet'],
  'gateway-evm-devnet': ['gateway.evm.devnet'],
  hop: ['hop.svc'],
  oracle: ['delphioracle'],
  registry: ['tokenregistry'],
  token: ['eosio.token'],
  wrap: ['wrap.svc'],
}

/** Structs that contracts unpack from bytes, by generated file. */
const PACKED: Readonly<Record<string, readonly string[]>> = {
  'gateway-evm-devnet': ['relayed', 'outcome'],
}

/** Members of type uint32 that hold Unix seconds, by struct. `unmarkedTimes` finds candidates. */
const SECONDS: Readonly<Record<string, readonly string[]>> = {
  CurrSlotS: ['lastObservationTimestamp'],
  ObservationS: ['timestampInSec'],
  IncentiveS: ['startTime', 'endTime', 'periodFinish', 'lastUpdateTime'],
  LockS: ['unlockTime'],
  addliquid: ['deadline'],
  beacon_network: ['genesisTime'],
  lockpos: ['unlockTime'],
  loglock: ['unlockTime'],
  newincentive: ['startTime', 'endTime'],
  order: ['timestamp'],
  parked: ['arrived'],
  subliquid: ['deadline'],
}

/** TypeScript types of built-in types, as `core/antelope/abi` decodes them. */
const BUILTINS: Readonly<Record<string, string>> = {
  bool: 'boolean',
  ...same('number', ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'varint32', 'varuint32']),
  ...same('number', ['float32', 'float64', 'block_timestamp_type']),
  ...same('bigint', ['int64', 'uint64', 'int128', 'uint128']),
  ...same('string', ['name', 'string', 'symbol_code', 'public_key', 'signature', 'bitset']),
  ...same('string', ['checksum160', 'checksum256', 'checksum512']),
  ...same('Uint8Array', ['bytes', 'float128']),
  time_point: 'UnixMicroseconds',
  time_point_sec: 'TimePoint',
  asset: 'Asset',
  extended_asset: 'ExtendedAsset',
  symbol: 'TokenSymbol',
  extended_symbol: 'ExtendedSymbol',
}

const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  '../antelope/asset.ts': ['Asset', 'ExtendedAsset', 'ExtendedSymbol', 'TokenSymbol'],
  '../antelope/time.ts': ['UnixMicroseconds', 'UnixSeconds'],
  '../antelope/time-point.ts': ['TimePoint'],
}

/** Texts of the generated files, by path. */
export function contractTypes(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(CONTRACTS).map(([name, files]) => [
      `core/contracts/${name}.ts`,
      contractFile(files, PACKED[name] ?? []),
    ]),
  )
}

/** Unsigned members of structs whose name speaks of a time and that SECONDS does not list. */
export function unmarkedTimes(): string[] {
  const speaks = /time(?!slot)|stamp|finish|until|expir/i
  return [...new Set(Object.values(CONTRACTS).flat())].flatMap((file) =>
    readAbi(file).structs.flatMap(({ name, fields }) =>
      fields
        .filter((field) => field.type.startsWith('uint') && speaks.test(field.name))
        .filter((field) => !SECONDS[name]?.includes(field.name))
        .map((field) => `${file} ${name}.${field.name}`),
    ),
  )
}

interface Member {
  /** TypeScript types in the ABIs that have the member. */
  types: Set<string>
  count: number
}

function contractFile(files: readonly string[], packed: readonly string[]): string {
  const abis = files.map(readAbi)
  const structs = new Map<string, Map<string, Member>>()
  const versions = new Map<string, number>()
  for (const abi of abis)
    for (const name of reachable(abi, packed)) {
      versions.set(name, (versions.get(name) ?? 0) + 1)
      const members = structs.get(name) ?? new Map<string, Member>()
      structs.set(name, members)
      for (const { name: field, type } of fieldsOf(abi, name)) {
        const member = members.get(field) ?? { types: new Set(), count: 0 }
        members.set(field, member)
        member.count++
        member.types.add(SECONDS[name]?.includes(field) ? 'UnixSeconds' : typeOf(abi, type))
      }
    }
  const parts = [...structs].map(([name, members]) => {
    const lines = [...members].map(([field, { types, count }]) => {
      const isOptional = count < (versions.get(name) ?? 0)
      return `  ${field}${isOptional ? '?' : ''}: ${[...types].join(' | ')}\n`
    })
    return declared(typeName(name), lines)
  })
  parts.push(`/** @public */\nexport ${declared('Actions', entries(abis.map(({ actions }) => actions)))}`)
  parts.push(`/** @public */\nexport ${declared('Tables', entries(abis.map(({ tables }) => tables)))}`)
  if (packed.length > 0) {
    const structs = packed.map((name) => ({ name, type: name }))
    parts.push(`/** @public */\nexport ${declared('Packed', entries([structs]))}`)
  }
  const body = parts.join('\n')
  const imports = Object.entries(IMPORTS).flatMap(([path, names]) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(body))
    return used.length === 0 ? [] : [`import type { ${used.join(', ')} } from '${path}'\n`]
  })
  const sources = files.map((file) => `abis/${file}.abi.json`)
  const about = ['// Generated by `npm run generate` from:', ...sources.map((source) => `// - ${source}`)]
  return `${about.join('\n')}\n${imports.join('')}\n${body}`
}

/** Struct names by action or table name. */
function entries(versions: readonly (readonly { name: string; type: string }[])[]): string[] {
  const types = new Map<string, Set<string>>()
  for (const { name, type } of versions.flat()) types.set(name, (types.get(name) ?? new Set()).add(typeName(type)))
  return [...types].map(([name, all]) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${[...all].join(' | ')}\n`)
}

function declared(name: string, lines: readonly string[]): string {
  if (lines.length === 0) return `type ${name} = Record<never, never>\n`
  return `interface ${name} {\n${lines.join('')}}\n`
}

/** Names of the structs that actions, tables and packed bytes use, directly or through other structs. */
function reachable(abi: AbiDefinition, packed: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (type: string): void => {
    const plain = withoutSuffix(type)
    const typedef = abi.types.find(({ new_type_name }) => new_type_name === plain)
    if (typedef) visit(typedef.type)
    for (const name of abi.variants.find((variant) => variant.name === plain)?.types ?? []) visit(name)
    if (plain in BUILTINS || found.has(plain) || !abi.structs.some(({ name }) => name === plain)) return
    found.add(plain)
    for (const field of fieldsOf(abi, plain)) visit(field.type)
  }
  for (const { type } of [...abi.actions, ...abi.tables]) visit(type)
  for (const name of packed) visit(name)
  return [...found].sort()
}

/** Fields of a struct, those of its base first. */
function fieldsOf(abi: AbiDefinition, name: string): AbiStruct['fields'] {
  const struct = abi.structs.find((one) => one.name === name)
  if (!struct) throw new RangeError(`no struct ${name}`)
  return [...(struct.base === '' ? [] : fieldsOf(abi, struct.base)), ...struct.fields]
}

function typeOf(abi: AbiDefinition, type: string): string {
  if (type.endsWith('$')) return `${typeOf(abi, type.slice(0, -1))} | undefined`
  if (type.endsWith('?')) return `${typeOf(abi, type.slice(0, -1))} | null`
  if (type.endsWith(']')) {
    const item = typeOf(abi, type.slice(0, type.lastIndexOf('[')))
    return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`
  }
  const builtin = BUILTINS[type]
  if (builtin !== undefined) return builtin
  const typedef = abi.types.find(({ new_type_name }) => new_type_name === type)
  if (typedef) return typeOf(abi, typedef.type)
  const variant = abi.variants.find(({ name }) => name === type)
  if (variant) return variant.types.map((name) => `['${name}', ${typeOf(abi, name)}]`).join(' | ')
  if (abi.structs.some(({ name }) => name === type)) return typeName(type)
  throw new RangeError(`no type ${type}`)
}

/** `match_record` is `MatchRecord`. */
function typeName(struct: string): string {
  return struct.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase())
}

function withoutSuffix(type: string): string {
  return type.replace(/(\[\d*\]|\?|\$)+$/, '')
}

function readAbi(file: string): AbiDefinition {
  return parseAbi(readFileSync(new URL(`../abis/${file}.abi.json`, import.meta.url), 'utf8'))
}

function same(type: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, type]))
}
