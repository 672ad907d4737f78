// Conversions of EVM chains: byte strings and JSON-RPC quantities as hex text with 0x, and integers as big-endian bytes
// without leading zeros.
import { DecodeError } from '../errors.ts'
import { fromHex, toHex } from '../hex.ts'

/** `0x` and lower-case digits. */
export function toPrefixedHex(bytes: Uint8Array): string {
  return `0x${toHex(bytes)}`
}

/**
 * Bytes of a text such as `0x00ff`.
 *
 * @param length  required length of the result, if fixed
 * @throws DecodeError INVALID_HEX
 */
export function fromPrefixedHex(text: string, length?: number): Uint8Array {
  if (typeof text !== 'string' || !text.startsWith('0x')) throw invalid(text, 'hexadecimal digits after 0x')
  const bytes = fromHex(text.slice(2))
  if (length !== undefined && bytes.length !== length) throw invalid(text, `${length} bytes`)
  return bytes
}

/** The integer of a quantity such as `0x1f`. @throws DecodeError INVALID_HEX */
export function quantity(text: string): bigint {
  if (typeof text !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(text)) throw invalid(text, 'a quantity')
  return BigInt(text)
}

/** A quantity used as a block number, time or index. @throws DecodeError INVALID_HEX when it is above 2^53 - 1 */
export function smallQuantity(text: string): number {
  const value = Number(quantity(text))
  if (!Number.isSafeInteger(value)) throw invalid(text, 'a quantity below 2^53')
  return value
}

/** Big-endian bytes without leading zeros; empty for 0. @param value  0 or more @throws RangeError below 0 */
export function integerBytes(value: bigint | number): Uint8Array {
  if (value < 0) throw new RangeError(`negative: ${value}`)
  if (BigInt(value) === 0n) return new Uint8Array(0)
  const digits = value.toString(16)
  return fromHex(digits.length % 2 === 0 ? digits : `0${digits}`)
}

/** The unsigned integer of big-endian bytes; 0 for no bytes. */
export function bytesInteger(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(toPrefixedHex(bytes))
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

function invalid(text: unknown, expected: string): DecodeError {
  return new DecodeError('INVALID_HEX', `not ${expected}: ${String(JSON.stringify(text)).slice(0, 80)}`)
}
