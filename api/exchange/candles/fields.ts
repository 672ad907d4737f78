// Fields of a text of numbers, each with a space behind it, read in place.
import { toNumber } from '../numbers.ts'
import type { AsciiWriter } from './ascii-writer.ts'

const ZERO = 48
const POINT = 46
const SPACE = 32
/** Decimal digits that come through a double unchanged. */
const EXACT_DIGITS = 15

/** The value of a digit; above 9 for any other byte. */
export function digitAt(source: Uint8Array, at: number): number {
  return ((source[at] as number) - ZERO) >>> 0
}

/** The field that begins at a place. */
export function fieldText(source: Uint8Array, start: number): string {
  return Buffer.from(source.subarray(start, nextField(source, start) - 1)).toString('latin1')
}

/** Where the field behind the one that begins at a place begins. */
export function nextField(source: Uint8Array, start: number): number {
  let end = start
  while (source[end] !== SPACE) end++
  return end + 1
}

/** The whole number at a place, up to 10^15. */
export function wholeAt(source: Uint8Array, start: number): number {
  let value = 0
  for (let at = start, digit = digitAt(source, at); digit <= 9; digit = digitAt(source, ++at))
    value = value * 10 + digit
  return value
}

/**
 * Writes the decimal number of a field, at least 0, divided by 10^decimals, as the JSON number of the nearest double.
 *
 * @param out  there must be room
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
  // So few digits are those of the nearest double; of more, it knows itself which ones it has.
  if (count > EXACT_DIGITS) {
    out.text(String(toNumber(fieldText(source, start), decimals)))
    return
  }
  const width = Math.max(1, count)
  out.zeros(Math.max(0, places + 1 - width))
  out.digits(value, width)
  if (places > 0) out.point(places)
}
