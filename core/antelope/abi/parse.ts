// Parses an ABI: packed bytes of `setabi` or of an account row, JSON text, or a JSON object.

import { DecodeError } from '../../errors.ts'
import { toHex } from '../../hex.ts'
import { Reader } from '../reader.ts'
import type { AbiDefinition } from './definition.ts'

const VERSION = /^eosio::abi\/1\.\d{1,3}$/

/**
 * @param source packed bytes, JSON text, or parsed JSON
 * @throws DecodeError INVALID_ABI, ABI_VERSION, or a reader's code for packed bytes that end early
 */
export function parseAbi(source: Uint8Array | string | object): AbiDefinition {
  const abi = source instanceof Uint8Array ? unpackAbi(source) : readJson(source)
  if (!VERSION.test(abi.version)) {
    throw new DecodeError('ABI_VERSION', `not an ABI version from 1.0 on: ${JSON.stringify(abi.version.slice(0, 40))}`)
  }
  return abi
}

function list<T>(reader: Reader, item: (reader: Reader) => T): T[] {
  const count = reader.varuint32()
  // Each item takes at least two bytes: bounds the work before it starts.
  reader.need(count * 2)
  const items: T[] = []
  for (let i = 0; i < count; i++) items.push(item(reader))
  return items
}

const field = (r: Reader) => ({ name: r.string(), type: r.string() })

/** Members that were added later; an older ABI ends before them. */
function optionalList<T>(reader: Reader, item: (reader: Reader) => T): T[] {
  return reader.remaining > 0 ? list(reader, item) : []
}

function unpackAbi(bytes: Uint8Array): AbiDefinition {
  const reader = new Reader(bytes)
  return {
    version: reader.string(),
    types: list(reader, (r) => ({ new_type_name: r.string(), type: r.string() })),
    structs: list(reader, (r) => ({ name: r.string(), base: r.string(), fields: list(r, field) })),
    actions: list(reader, (r) => ({ name: r.name(), type: r.string(), ricardian_contract: r.string() })),
    tables: list(reader, (r) => ({
      name: r.name(),
      index_type: r.string(),
      key_names: textList(r),
      key_types: textList(r),
      type: r.string(),
    })),
    ricardian_clauses: optionalList(reader, (r) => ({ id: r.string(), body: r.string() })),
    error_messages: optionalList(reader, (r) => ({ error_code: r.u64(), error_msg: r.string() })),
    abi_extensions: optionalList(reader, (r) => ({ tag: r.u16(), value: toHex(r.lengthBytes()) })),
    variants: optionalList(reader, (r) => ({ name: r.string(), types: textList(r) })),
    action_results: optionalList(reader, (r) => ({ name: r.name(), result_type: r.string() })),
  }
}

function textList(reader: Reader): string[] {
  const count = reader.varuint32()
  reader.need(count)
  const texts: string[] = []
  for (let i = 0; i < count; i++) texts.push(reader.string())
  return texts
}

function readJson(source: string | object): AbiDefinition {
  let json: unknown = source
  if (typeof source === 'string') {
    try {
      json = JSON.parse(source)
    } catch (cause) {
      throw new DecodeError('INVALID_ABI', `the ABI is not JSON: ${(cause as Error).message}`)
    }
  }
  const abi = members(json, 'the ABI')
  const items = <T>(member: string, read: (item: Record<string, unknown>, at: string) => T): T[] =>
    array(abi[member], member).map((item, i) => read(members(item, `${member}[${i}]`), `${member}[${i}]`))
  const optional = <T>(member: string, read: (item: Record<string, unknown>, at: string) => T) =>
    abi[member] === undefined ? {} : { [member]: items(member, read) }
  return {
    version: string(abi.version, 'version'),
    types: items('types', (x, at) => ({ new_type_name: string(x.new_type_name, at), type: string(x.type, at) })),
    structs: items('structs', (x, at) => ({
      name: string(x.name, at),
      base: string(x.base ?? '', at),
      fields: array(x.fields, at).map((f) => {
        const entry = members(f, at)
        return { name: string(entry.name, at), type: string(entry.type, at) }
      }),
    })),
    actions: items('actions', (x, at) => ({
      name: string(x.name, at),
      type: string(x.type, at),
      ricardian_contract: string(x.ricardian_contract ?? '', at),
    })),
    tables: items('tables', (x, at) => ({
      name: string(x.name, at),
      index_type: string(x.index_type ?? '', at),
      key_names: array(x.key_names, at).map((name) => string(name, at)),
      key_types: array(x.key_types, at).map((name) => string(name, at)),
      type: string(x.type, at),
    })),
    variants: items('variants', (x, at) => ({
      name: string(x.name, at),
      types: array(x.types, at).map((name) => string(name, at)),
    })),
    ...optional('ricardian_clauses', (x, at) => ({ id: string(x.id, at), body: string(x.body, at) })),
    ...optional('error_messages', (x, at) => ({
      error_code: integer(x.error_code, at),
      error_msg: string(x.error_msg, at),
    })),
    ...optional('abi_extensions', (x, at) => ({ tag: Number(integer(x.tag, at)), value: string(x.value, at) })),
    ...optional('action_results', (x, at) => ({ name: string(x.name, at), result_type: string(x.result_type, at) })),
  }
}

function wrong(at: string, expected: string): never {
  throw new DecodeError('INVALID_ABI', `${at} of the ABI is not ${expected}`)
}

function members(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) wrong(at, 'an object')
  return value as Record<string, unknown>
}

function array(value: unknown, at: string): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : wrong(at, 'a list')
}

function string(value: unknown, at: string): string {
  return typeof value === 'string' ? value : wrong(at, 'made of texts')
}

function integer(value: unknown, at: string): bigint {
  const digits = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  return /^\d{1,20}$/.test(digits) ? BigInt(digits) : wrong(at, 'a whole number')
}
