// Reads a text of numbers in place. Each number is a field that ends with a space.
import { toNumber } from '../numbers.ts'
import type { AsciiWriter } from './ascii-writer.ts'

const ZERO = 48
const POINT = 46
const SPACE = 32
/** Decimal digits that a double represents exactly. */
const EXACT_DIGITS = 15

/** The value of a digit; above 9 for any other byte. */
export function digitAt(source: Uint8Array, at: number): number {
  return ((source[at] as number) - ZERO) >>> 0
}

/** The field that starts at `start`. */
export function fieldText(source: Uint8Array, start: number): string {
  return Buffer.from(source.subarray(start, nextField(source, start) - 1)).toString('latin1')
}

/** Start of the next field. */
export function nextField(source: Uint8Array, start: number): number {
  let end = start
  while (source[end] !== SPACE) end++
  return end + 1
}

/** The whole number at `start`, at most 10^15. */
export function wholeAt(source: Uint8Array, start: number): number {
  let value = 0
  for (let at = start, digit = digitAt(source, at); digit <= 9; digit = digitAt(source, ++at))
    value = value * 10 + digit
  return value
}

/**
 * Writes a field's decimal number, at least 0, divided by 10^decimals, as the JSON number of the nearest double.
 *
 * @param out  must have enough room
 */
export function writeNumber(source: Uint8Array, start: number, decimals: number, out: AsciiWriter): void {
  let value = 0
  let count = 0
  let places = decimals
  let isFraction = false
  for (let at = start; source[at] !== SPACE; at++) {
    const byte = source[at] as number
    if (byte === POINT) {
      isFraction = true
      continue
    }
    value = value * 10 + (byte - ZERO)
    if (value > 0) count++
    if (isFraction) places++
  }
  // Up to 15 digits equal those of the nearest double. With more digits, the double decides.
  if (count > EXACT_DIGITS) {
    out.text(String(toNumber(fieldText(source, start), decimals)))
    return
  }
  const width = Math.max(1, count)
  out.zeros(Math.max(0, places + 1 - width))
  out.digits(value, width)
  if (places > 0) out.point(places)
}
