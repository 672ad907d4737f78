// Numbers and times in the explorer's form, written a second time with exact decimal arithmetic, so that tests do not
// compare the page's code with itself.
import { Decimal } from 'decimal.js'

const Exact = Decimal.clone({ precision: 100, toExpNeg: -100, toExpPos: 100 })
type Value = number | string | null | undefined

const UNKNOWN = '–'
const SUBSCRIPT = '₀₁₂₃₄₅₆₇₈₉'
const UNITS = ['', 'K', 'M', 'B', 'T']

function decimalOf(value: Value): Decimal | null {
  if (value === null || value === undefined || value === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? new Exact(number) : null
}

/** Groups of three digits in the whole part of a decimal text. */
export function grouped(text: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text
  const [whole = '', fraction] = text.split('.')
  let digits = whole.replace('-', '')
  const groups: string[] = []
  for (; digits.length > 3; digits = digits.slice(0, -3)) groups.unshift(digits.slice(-3))
  return `${whole.startsWith('-') ? '-' : ''}${[digits, ...groups].join(',')}${fraction === undefined ? '' : `.${fraction}`}`
}

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : grouped(new Exact(value).toFixed(0))
}

/** Three significant digits and the letter of thousands. */
function compact(decimal: Decimal): string {
  const rounded = decimal.toSignificantDigits(3)
  const unit = Math.min(UNITS.length - 1, Math.floor(rounded.e / 3))
  const scaled = rounded.div(new Exact(1000).pow(unit))
  return `${scaled.toFixed(Math.max(0, 2 - scaled.e))}${UNITS[unit]}`
}

export function price(value: Value): string {
  const decimal = decimalOf(value)
  if (decimal === null) return UNKNOWN
  if (decimal.isZero()) return '0'
  if (decimal.e >= -4) return grouped(decimal.toDecimalPlaces(Math.max(0, 4 - decimal.e)).toString())
  const rounded = decimal.toSignificantDigits(4)
  const [, zeros = '', digits = ''] = /^0\.(0*)(\d+)$/.exec(rounded.abs().toFixed()) ?? []
  const counted = [...String(zeros.length)].map((digit) => SUBSCRIPT[Number(digit)]).join('')
  return `${rounded.isNegative() ? '-' : ''}0.0${counted}${digits}`
}

export function usd(value: Value): string {
  const decimal = decimalOf(value)
  if (decimal === null) return UNKNOWN
  if (decimal.isZero()) return '$0'
  const size = decimal.abs()
  const sign = decimal.isNegative() ? '-' : ''
  if (size.lt(0.01)) return `${sign}<$0.01`
  return `${sign}$${size.lt('999.995') ? size.toFixed(2) : compact(size)}`
}

export function usdPrice(value: Value): string {
  const text = price(value)
  return text === UNKNOWN ? text : `$${text}`
}

export function short(value: Value): string {
  const decimal = decimalOf(value)
  if (decimal === null) return UNKNOWN
  const size = decimal.abs()
  if (size.isZero()) return '0'
  if (size.gte(10_000)) return compact(decimal)
  if (size.gte(1)) return grouped(decimal.toDecimalPlaces(size.gte(100) ? 2 : 4).toString())
  return size.lt('0.0001') ? price(value) : decimal.toSignificantDigits(3).toString()
}

/** With the exact change as title. */
export function change(value: number | null | undefined): string {
  const decimal = decimalOf(value)
  if (decimal === null) return UNKNOWN
  const size = decimal.abs()
  const text = size.gte(1000) ? compact(size) : size.toFixed(size.gte(100) ? 1 : 2)
  const sign = Number(text) === 0 ? '' : decimal.isNegative() ? '−' : '+'
  return `‹${grouped(decimal.toFixed())}%› ${sign}${text}%`
}

export function percent(value: Value): string {
  const decimal = decimalOf(value)
  if (decimal === null) return UNKNOWN
  const size = decimal.abs()
  if (size.gte(1000)) return `${compact(decimal)}%`
  return `${size.gte(10) ? decimal.toFixed(1) : decimal.toSignificantDigits(3)}%`
}

/** Age of a block or an item. */
export function age(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${count(Math.floor(hours / 24))} d`
}

/** A time with UTC on hover, in a browser whose zone is UTC. @param now  the page's clock, Unix milliseconds */
export function when(at: number | string, now: number): string {
  const iso = new Date(at).toISOString()
  const [day = '', time = ''] = iso.replace('Z', '').split('T')
  const seconds = time.slice(0, 8)
  const isToday = day === new Date(now).toISOString().slice(0, 10)
  const exact = `${day} ${time.endsWith('.000') ? seconds : time} UTC`
  return `‹${exact} · ${day} ${seconds} local› ${isToday ? seconds : `${day} ${seconds}`}`
}

/** A time with its date and its age. */
export function moment(at: number | string, now: number): string {
  const time = typeof at === 'number' ? at : Date.parse(at)
  return `${when(time, 0)} (${when(time, now).split('›')[0]}› ${age((now - time) / 1000)} ago )`
}
