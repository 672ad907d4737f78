// Numbers as pages show them: few digits, never an exponent. Pure. Exact amounts stay texts.

import { formatUnits, parseDecimal } from '../../shared/amounts.ts'

const GROUPED = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const SHORT = new Intl.NumberFormat('en', {
  notation: 'compact',
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
})
const SHARE = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, maximumFractionDigits: 6 })
const TINY = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, maximumFractionDigits: 20 })
/** Shown for a value that is not known. */
export const UNKNOWN = '–'
const SUBSCRIPT = '₀₁₂₃₄₅₆₇₈₉'
/** Minimum number of zeros after the point that are counted instead of written. */
const COUNTED_ZEROS = 4

/** A whole number in groups of three digits. */
export function count(value: number | null | undefined): string {
  return value == null || !Number.isFinite(value) ? UNKNOWN : GROUPED.format(value)
}

/**
 * A price with five significant digits. Many zeros after the point are counted: `0.0₅1234` is 0.000001234.
 *
 * @param value  a number, or a decimal text
 */
export function price(value: number | string | null | undefined): string {
  const number = Number(value)
  if (value == null || value === '' || !Number.isFinite(number)) return UNKNOWN
  if (number === 0) return '0'
  const size = Math.floor(Math.log10(Math.abs(number)))
  if (size < -COUNTED_ZEROS) return withCountedZeros(number)
  const digits = Math.max(0, 4 - size)
  return withDigits(Math.min(digits, 20)).format(number)
}

/** By greatest number of digits after the point. To make one takes a hundred times as long as to use it. */
const formats: Intl.NumberFormat[] = []

function withDigits(digits: number): Intl.NumberFormat {
  return (formats[digits] ??= new Intl.NumberFormat('en', { maximumFractionDigits: digits }))
}

/** By number of digits after the point. */
const fixedFormats: Intl.NumberFormat[] = []

/** With a number of digits after the point. Half is rounded away from zero by the decimal digits: `toFixed` makes 1.005 to 1.00. */
function fixed(number: number, digits: number): string {
  fixedFormats[digits] ??= new Intl.NumberFormat('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  })
  return fixedFormats[digits].format(number)
}

function withCountedZeros(number: number): string {
  // The exponent after rounding: 0.0000099999 becomes 0.00001.
  const [mantissa = '', exponent] = Math.abs(number).toExponential(3).split('e')
  const digits = mantissa.replace('.', '')
  const counted = [...String(-Number(exponent) - 1)].map((digit) => SUBSCRIPT[Number(digit)]).join('')
  return `${number < 0 ? '-' : ''}0.0${counted}${digits.replace(/0+$/, '') || '0'}`
}

/** US dollars: `$1.23M`, `$0.42`, `<$0.01`. */
export function usd(value: number | string | null | undefined): string {
  const number = Number(value)
  if (value == null || value === '' || !Number.isFinite(number)) return UNKNOWN
  const size = Math.abs(number)
  const sign = number < 0 ? '-' : ''
  if (size === 0) return '$0'
  if (size < 0.01) return `${sign}<$0.01`
  if (size < 999.995) return `${sign}$${fixed(size, 2)}`
  return `${sign}$${SHORT.format(size)}`
}

/** The price of a token in US dollars: `$0.027915`. */
export function usdPrice(value: number | string | null | undefined): string {
  const text = price(value)
  return text === UNKNOWN ? text : text.startsWith('-') ? `-$${text.slice(1)}` : `$${text}`
}

/** By number of digits after the point. */
const alignedFormats: Intl.NumberFormat[] = []

/**
 * Prices of one column: each with as many digits after the point as the longest of them, so that the points align.
 * Prices whose zeros are counted stay as they are.
 */
export function alignedPrices(values: readonly string[]): (value: number | string | null) => string {
  const texts = values.map((value) => price(value))
  if (texts.length === 0 || texts.some((text) => /[₀-₉]/.test(text))) return price
  const digits = Math.max(...texts.map((text) => (text.split('.')[1] ?? '').length))
  const format = (alignedFormats[digits] ??= new Intl.NumberFormat('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }))
  return (value) => (value === null ? UNKNOWN : format.format(Number(value)))
}

/** An amount in short: `4.98M`, `12.5`, `0.0012`. @param value  a number, or a decimal text */
export function short(value: number | string | null | undefined): string {
  const number = Number(value)
  if (value == null || value === '' || !Number.isFinite(number)) return UNKNOWN
  const size = Math.abs(number)
  if (size === 0) return '0'
  if (size >= 10_000) return SHORT.format(number)
  if (size >= 1) return withDigits(size >= 100 ? 2 : 4).format(number)
  return size < 1e-4 ? price(number) : TINY.format(number)
}

/** A change in percent with its sign: `+3.59%`. */
export function change(percent: number | null | undefined): string {
  if (percent == null || !Number.isFinite(percent)) return UNKNOWN
  const size = Math.abs(percent)
  const text = size >= 1000 ? SHORT.format(size) : fixed(size, size >= 100 ? 1 : 2)
  return `${Number(text) === 0 ? '' : percent < 0 ? '−' : '+'}${text}%`
}

/** A share in percent: `0.3%`, `21.4%`. */
export function percent(value: number | string | null | undefined): string {
  const number = Number(value)
  if (value == null || value === '' || !Number.isFinite(number)) return UNKNOWN
  if (Math.abs(number) >= 1000) return `${SHORT.format(number)}%`
  if (Math.abs(number) >= 10) return `${fixed(number, 1)}%`
  return `${SHARE.format(number)}%`
}

/** A part of one, as exact percent: `0.12345` is `12.345`. @param share  decimal text */
export function inPercent(share: string): string {
  const parsed = parseDecimal(share)
  return parsed === null ? share : formatUnits(parsed.units * 100n, parsed.decimals)
}

/** An exact decimal text with groups in its whole part; no digit is lost. Other texts are returned unchanged. */
export function grouped(text: string): string {
  const parts = /^(-?)(\d+)(\.\d+)?$/.exec(withoutExponent(text))
  if (parts === null) return text
  return `${parts[1]}${(parts[2] as string).replace(/\B(?=(\d{3})+$)/g, ',')}${parts[3] ?? ''}`
}

/** The decimal text of a number that JavaScript writes with an exponent: `1.5e-7` is `0.00000015`. */
function withoutExponent(text: string): string {
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (parts === null) return text
  const [, sign = '', whole = '', fraction = '', exponent] = parts
  const point = 1 + Number(exponent)
  const digits = `${whole}${fraction}`
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}
