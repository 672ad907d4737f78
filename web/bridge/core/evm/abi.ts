// ABI encoding of contract calls, limited to the types of the bridge's contracts. Values are integers as text, 0x text
// for bytes, arrays, and objects for structs. A value that does not fit its type throws: otherwise something else is
// signed.
import { keccakOfText } from '../parties.ts'

/** A type by its name, or a struct by the names and types of its members, in order. */
export type AbiType = string | readonly AbiMember[]
export interface AbiMember {
  name: string
  type: AbiType
}

const WORD = 64

/** The type as written in a signature. */
function nameOfType(type: AbiType): string {
  return typeof type === 'string' ? type : `(${type.map((member) => nameOfType(member.type)).join(',')})`
}

/** First 4 bytes of the hash of a signature, with 0x: `deposit(address,uint256)`. */
export function selectorOf(signature: string): string {
  return `0x${keccakOfText(signature).slice(0, 8)}`
}

/** Hash of an event's signature, with 0x. */
export function topicOf(signature: string): string {
  return `0x${keccakOfText(signature)}`
}

function isDynamic(type: AbiType): boolean {
  if (typeof type !== 'string') return type.some((member) => isDynamic(member.type))
  return type === 'bytes' || type.endsWith('[]')
}

/** Size of the head of a type. Structs without dynamic members are encoded in place. */
function headSize(type: AbiType): number {
  if (isDynamic(type) || typeof type === 'string') return WORD
  return type.reduce((size, member) => size + headSize(member.type), 0)
}

function encodeInteger(bits: number, value: unknown): string {
  const number = typeof value === 'bigint' ? value : exact(value)
  if (number < 0n || number >= 1n << BigInt(bits)) throw new RangeError(`${value} is no uint${bits}`)
  return number.toString(16).padStart(WORD, '0')
}

function exact(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^\d{1,78}$/.test(value)) return BigInt(value)
  throw new RangeError(`${JSON.stringify(value)} is no whole number`)
}

/** @param length  in bytes; null for any */
function digitsOf(value: unknown, length: number | null): string {
  const digits = typeof value === 'string' ? /^0x((?:[0-9a-f]{2})*)$/i.exec(value)?.[1] : undefined
  if (digits === undefined || (length !== null && digits.length !== length * 2))
    throw new RangeError(`${JSON.stringify(value)?.slice(0, 80)} is no ${length ?? ''} bytes in hexadecimal digits`)
  return digits.toLowerCase()
}

function encodeOne(type: AbiType, value: unknown): string {
  if (typeof type !== 'string') {
    if (typeof value !== 'object' || value === null) throw new RangeError('a struct is missing')
    const members = value as Record<string, unknown>
    const types = type.map((member) => member.type)
    const values = type.map((member) => members[member.name])
    return encodeRow(types, values)
  }
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) throw new RangeError(`no list of ${type}`)
    const item = type.slice(0, -2)
    const items: string[] = value.map(() => item)
    return encodeInteger(256, value.length) + encodeRow(items, value)
  }
  if (type === 'bytes') {
    const digits = digitsOf(value, null)
    return encodeInteger(256, digits.length / 2) + digits.padEnd(Math.ceil(digits.length / WORD) * WORD, '0')
  }
  if (type === 'bytes32') return digitsOf(value, 32)
  if (type === 'address') return digitsOf(value, 20).padStart(WORD, '0')
  const bits = /^uint(\d+)$/.exec(type)?.[1]
  if (bits === undefined) throw new RangeError(`type ${type} is not known`)
  return encodeInteger(Number(bits), value)
}

/** Heads, followed by the dynamic values that they point to. */
function encodeRow(types: readonly AbiType[], values: readonly unknown[]): string {
  let offset = types.reduce((size: number, type) => size + headSize(type), 0)
  let [heads, tails] = ['', '']
  for (const [i, type] of types.entries()) {
    const encoded = encodeOne(type, values[i])
    if (!isDynamic(type)) heads += encoded
    else {
      heads += encodeInteger(256, BigInt(offset / 2))
      tails += encoded
      offset += encoded.length
    }
  }
  return heads + tails
}

/** Data of a call, with 0x. @throws RangeError for a value that does not fit its type */
export function encodeCall(name: string, types: readonly AbiType[], values: readonly unknown[]): string {
  if (types.length !== values.length) throw new RangeError(`${name} takes ${types.length} values`)
  return selectorOf(`${name}(${types.map(nameOfType).join(',')})`) + encodeRow(types, values)
}

/** Words of a response or of a log's data, as integers. @returns null when there are fewer, or the text is not hex */
export function words(data: unknown, count: number): bigint[] | null {
  if (typeof data !== 'string' || !/^0x[0-9a-f]*$/i.test(data) || data.length < 2 + count * WORD) return null
  return Array.from({ length: count }, (_, i) => BigInt(`0x${data.slice(2 + i * WORD, 2 + (i + 1) * WORD)}`))
}
