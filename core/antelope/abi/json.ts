// Converts JSON of nodes and history servers to decoded values, by type. Servers differ: wide integers are text or
// numbers, flags 0 and 1, times with or without milliseconds or `Z`.

import { DecodeError, UserError } from '../../errors.ts'
import { fromHex } from '../../hex.ts'
import { parseAsset } from '../asset.ts'
import { nameToString, nameToU64 } from '../name.ts'
import { Reader } from '../reader.ts'
import { TimePoint } from '../time-point.ts'
import { packPublicKey, packSignature, readPublicKey, readSignature } from './keys.ts'
import type { StructNode, TypeNode } from './types.ts'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d{1,6}))?Z?$/
const SYMBOL = /^(\d{1,3}),([A-Z]{0,7})$/

function refuse(type: string, json: unknown): never {
  const text = typeof json === 'object' ? 'an object' : JSON.stringify(String(json).slice(0, 40))
  throw new DecodeError('INVALID_JSON_VALUE', `not a value of ${type}: ${text}`)
}

/**
 * Converts a JSON value to the decoded form.
 *
 * @throws DecodeError INVALID_JSON_VALUE, or the code of an invalid name, asset or key
 */
export function valueFromJson(node: TypeNode, json: unknown): unknown {
  switch (node.kind) {
    case 'builtin':
      return builtinFromJson(node.builtin.name, json)
    case 'optional':
      return json === null || json === undefined ? null : valueFromJson(node.of, json)
    case 'list':
      if (!Array.isArray(json) || (node.count >= 0 && json.length !== node.count)) refuse('a list', json)
      return json.map((item) => valueFromJson(node.of, item))
    case 'variant': {
      const [name, value] = Array.isArray(json) ? json : refuse(node.name, json)
      const alternative = node.alternatives.find((candidate) => candidate.name === name)
      return alternative ? [name, valueFromJson(alternative.type, value)] : refuse(node.name, name)
    }
    case 'struct':
      return structFromJson(node, json)
  }
}

function structFromJson(node: StructNode, json: unknown): Record<string, unknown> {
  if (typeof json !== 'object' || json === null) refuse(node.name, json)
  const members = node.fields.map(({ name, type, extension }) => {
    const value = Object.hasOwn(json, name) ? (json as Record<string, unknown>)[name] : undefined
    return [name, extension && value === undefined ? undefined : valueFromJson(type, value)]
  })
  return Object.fromEntries(members)
}

function builtinFromJson(type: string, json: unknown): unknown {
  switch (type) {
    case 'bool':
      if (json === true || json === 1 || json === '1' || json === 'true') return true
      return json === false || json === 0 || json === '0' || json === 'false' ? false : refuse(type, json)
    case 'int64':
    case 'uint64':
    case 'int128':
    case 'uint128':
      return wideInteger(type, json)
    case 'float32':
    case 'float64':
      return float(type, json)
    case 'time_point_sec':
      return TimePoint.ofSeconds(Math.floor(Number(microseconds(type, json) / 1_000_000n)))
    case 'time_point':
      return microseconds(type, json)
    case 'block_timestamp_type':
      return Number(microseconds(type, json) / 1000n)
    case 'bytes':
    case 'float128':
      return fromHex(text(type, json).replace(/^0x/, ''))
    case 'checksum160':
    case 'checksum256':
    case 'checksum512':
      return /^[0-9a-f]+$/i.test(text(type, json)) ? text(type, json).toLowerCase() : refuse(type, json)
    default:
      return textOrNumber(type, json)
  }
}

function textOrNumber(type: string, json: unknown): unknown {
  switch (type) {
    case 'name':
      return edge(() => nameToString(nameToU64(text(type, json))))
    case 'string':
    case 'symbol_code':
    case 'bitset':
      return text(type, json)
    case 'symbol': {
      const [, precision, code] = SYMBOL.exec(text(type, json)) ?? refuse(type, json)
      return { precision: Number(precision), code }
    }
    case 'asset':
      return edge(() => parseAsset(text(type, json)))
    case 'extended_asset': {
      const { quantity, contract } = (typeof json === 'object' && json !== null ? json : refuse(type, json)) as {
        quantity?: unknown
        contract?: unknown
      }
      return { quantity: builtinFromJson('asset', quantity), contract: builtinFromJson('name', contract) }
    }
    case 'public_key':
      return edge(() => readPublicKey(new Reader(packPublicKey(text(type, json)))))
    case 'signature':
      return edge(() => readSignature(new Reader(packSignature(text(type, json)))))
    default: {
      const value = typeof json === 'string' && /^-?\d+$/.test(json) ? Number(json) : json
      return Number.isInteger(value) ? value : refuse(type, json)
    }
  }
}

/** Runs a parser of user input on server data: its UserError becomes a DecodeError. */
function edge<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof UserError) throw new DecodeError(error.code, error.message, { cause: error })
    throw error
  }
}

function text(type: string, json: unknown): string {
  return typeof json === 'string' ? json : refuse(type, json)
}

function wideInteger(type: string, json: unknown): bigint {
  if (typeof json === 'string' && /^-?\d{1,39}$/.test(json)) return BigInt(json)
  // A JSON number above 2^53 has already lost digits: refuse it instead of returning a wrong value.
  return Number.isSafeInteger(json) ? BigInt(json as number) : refuse(type, json)
}

function float(type: string, json: unknown): number {
  const value = typeof json === 'string' && json.trim() !== '' ? Number(json) : json
  return typeof value === 'number' ? value : refuse(type, json)
}

/** Microseconds of a UTC time text. */
function microseconds(type: string, json: unknown): bigint {
  const match = TIME.exec(text(type, json)) ?? refuse(type, json)
  const seconds = Date.parse(`${(match[0]).slice(0, 19)}Z`)
  if (Number.isNaN(seconds)) refuse(type, json)
  return BigInt(seconds) * 1000n + BigInt((match[1] ?? '').padEnd(6, '0'))
}
