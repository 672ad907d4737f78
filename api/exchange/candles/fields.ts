// Fields of a text of numbers that spaces separate, read in place.
import { toNumber } from '../numbers.ts'
import type { AsciiWriter } from './ascii-writer.ts'

export const ZERO = 48
const NINE = 57
const POINT = 46
const SPACE = 32
/** Decimal digits that come through a double unchanged. */
const EXACT_DIGITS = 15

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}

/** The field that begins at a place. */
export function fieldText(source: Uint8Array, start: number): string {
  let end = start
  while (end < source.length && source[end] !== SPACE) end++
  return Buffer.from(source.buffer, source.byteOffset + start, end - start).toString('latin1')
}

/** Where the field behind the one that begins at a place begins. */
export function nextField(source: Uint8Array, start: number): number {
  let end = start
  while (end < source.length && source[end] !== SPACE) end++
  return end + 1
}

/** The whole number at a place, up to 10^15. */
export function wholeAt(source: Uint8Array, start: number): number {
  let value = 0
  for (let at = start; isDigit(source[at]); at++) value = value * 10 + ((source[at] as number) - ZERO)
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
  for (let at = start; at < source.length && source[at] !== SPACE; at++) {
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
