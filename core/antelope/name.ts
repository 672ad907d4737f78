// Account, action and table names: 64 bits that encode up to 13 characters of `.12345a-z`. Texts are cached in bounded
// tables, because a few thousand names recur.

import { UserError } from '../errors.ts'

const ALPHABET = '.12345abcdefghijklmnopqrstuvwxyz'
const PATTERN = /^[.1-5a-z]{0,12}[.1-5a-j]?$/

const TABLE_BITS = 14
const tableLow = new Uint32Array(1 << TABLE_BITS)
const tableHigh = new Uint32Array(1 << TABLE_BITS)
const tableText = new Array<string>(1 << TABLE_BITS).fill('')

const VALUE_LIMIT = 1 << 16
const values = new Map<string, bigint>()

function spell(low: number, high: number): string {
  let text = ''
  for (let shift = 27; shift >= 2; shift -= 5) text += ALPHABET[(high >>> shift) & 31]
  text += ALPHABET[((high & 3) << 3) | (low >>> 29)]
  for (let shift = 24; shift >= 4; shift -= 5) text += ALPHABET[(low >>> shift) & 31]
  text += ALPHABET[low & 15]
  let length = text.length
  while (length > 0 && text[length - 1] === '.') length--
  return text.slice(0, length)
}

/** Text of a name, given as the low and high 32 bits of its value (unsigned). */
export function nameOfParts(low: number, high: number): string {
  const slot = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b) >>> (32 - TABLE_BITS)
  if (tableLow[slot] === low && tableHigh[slot] === high) return tableText[slot] as string
  const text = spell(low, high)
  tableLow[slot] = low
  tableHigh[slot] = high
  tableText[slot] = text
  return text
}

/** Text of a name: `''` for 0. Every 64-bit value has exactly one text. */
export function nameToString(value: bigint): string {
  return nameOfParts(Number(value & 0xffffffffn), Number((value >> 32n) & 0xffffffffn))
}

/**
 * Value of a name's text.
 *
 * @throws UserError INVALID_NAME when the text is not a name in normal form (at most 13 characters, no dot at the end)
 */
export function nameToU64(text: string): bigint {
  const known = values.get(text)
  if (known !== undefined) return known
  if (!PATTERN.test(text) || text.endsWith('.')) {
    throw new UserError('INVALID_NAME', `not a name: ${JSON.stringify(String(text).slice(0, 40))}`, {
      hint: 'a name has up to 12 characters of a-z, 1-5 and dots, perhaps a 13th of a-j, 1-5, and no dot at the end',
    })
  }
  let value = 0n
  for (let i = 0; i < 12; i++) value = (value << 5n) | BigInt(i < text.length ? ALPHABET.indexOf(text[i] as string) : 0)
  value = (value << 4n) | BigInt(text.length > 12 ? ALPHABET.indexOf(text[12] as string) : 0)
  if (values.size >= VALUE_LIMIT) values.clear()
  values.set(text, value)
  return value
}
