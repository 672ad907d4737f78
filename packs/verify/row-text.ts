// A row in binary COPY format as a text that is equal for equal rows, with columns left out.
import type { Tuple } from '../../indexer/store/copy/tuples.ts'

/** A field to compare: its place in the row, and its PostgreSQL type. */
export interface ComparedField {
  index: number
  type: string
}

/** @param fields  null for a column that the row leaves out: it equals a null */
export function rowText(bytes: Buffer, { at, length }: Tuple, fields: readonly (ComparedField | null)[]): string {
  let text = ''
  for (const field of fields) {
    if (field === null) {
      text += '-;'
      continue
    }
    const { index, type } = field
    const start = at[index] as number
    const size = length[index] as number
    if (size < 0) text += '-;'
    else text += `${size === 0 ? '' : fieldText(bytes, start, size, type)};`
  }
  return text
}

function fieldText(bytes: Buffer, start: number, size: number, type: string): string {
  if (type === 'numeric') return numericText(bytes, start, size)
  if (type === 'jsonb') return canonicalJson(bytes, start, size)
  return `${size}:${bytes.toString('latin1', start, start + size)}`
}

/** Signs from this one on mean NaN and the infinities. */
const NAN = 0xc000

/** Digits in base 10,000 without zeros at either end: writers may differ in these. */
function numericText(bytes: Buffer, start: number, size: number): string {
  const digits = size < 8 ? -1 : bytes.readUInt16BE(start)
  // PostgreSQL refuses it.
  if (size !== 8 + 2 * digits) return `?${bytes.toString('latin1', start, start + size)}`
  let first = 0
  let end = digits
  const digit = (i: number) => bytes.readUInt16BE(start + 8 + 2 * i)
  while (first < end && digit(first) === 0) first++
  while (end > first && digit(end - 1) === 0) end--
  const sign = bytes.readUInt16BE(start + 4)
  if (first === end) return sign < NAN ? '0' : `special ${sign}`
  const weight = bytes.readInt16BE(start + 2)
  const decimals = 4 * (end - 1 - weight) - zerosAtEnd(digit(end - 1))
  // PostgreSQL drops digits after the last decimal that is displayed.
  if (decimals > bytes.readUInt16BE(start + 6)) return `?${bytes.toString('latin1', start, start + size)}`
  return `${weight - first}/${sign}/${bytes.toString('latin1', start + 8 + 2 * first, start + 8 + 2 * end)}`
}

/** Decimal zeros at the end of a digit in base 10,000 that is not 0. */
function zerosAtEnd(digit: number): number {
  if (digit % 1000 === 0) return 3
  return digit % 100 === 0 ? 2 : digit % 10 === 0 ? 1 : 0
}

/** Strings and numbers of a JSON text. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * JSON with the members of objects sorted and exact numbers: strings begin with `s`, numbers are strings that begin with
 * `n`. The first byte is the version of the format.
 */
function canonicalJson(bytes: Buffer, start: number, size: number): string {
  // PostgreSQL refuses another version.
  if (bytes[start] !== 1) return bytes.toString('latin1', start, start + size)
  try {
    const text = bytes.toString('utf8', start + 1, start + size)
    const exact = text.replaceAll(TOKEN, (token) =>
      token.startsWith('"') ? `"s${token.slice(1)}` : `"n${exactNumber(token)}"`,
    )
    return JSON.stringify(sorted(JSON.parse(exact)))
  } catch {
    return bytes.toString('latin1', start, start + size)
  }
}

/** Limit of exponents that are written out; PostgreSQL writes all numbers without one. */
const MAX_EXPONENT = 1000

/** A number of JSON as PostgreSQL writes it: without an exponent, with its zeros at the end. */
function exactNumber(token: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? []
  const power = Number(exponent)
  if (whole === '' || Math.abs(power) > MAX_EXPONENT) return token
  const scale = Math.max(0, fraction.length - power)
  const digits = BigInt(`${whole}${fraction}${'0'.repeat(Math.max(0, power - fraction.length))}`)
  return `${digits === 0n ? '' : sign}${digits}/${scale}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const)
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
