// Formats amounts, times and addresses. Pure, except that times are in the zone of the browser.
import { local } from '../../shared/times.ts'

/** `1234567.50` as `1,234,567.50`. A text that is not a number is returned unchanged. */
export function grouped(amount: string): string {
  const [whole = '', fraction] = amount.split('.')
  if (!/^\d+$/.test(whole)) return amount
  const parts = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? parts : `${parts}.${fraction}`
}

/** Compares decimal texts exactly. @returns negative, 0 or positive, as sorting needs; null when one is not a number */
export function compare(one: string, other: string): number | null {
  if (!isDecimal(one) || !isDecimal(other)) return null
  const places = Math.max(...[one, other].map((text) => (text.split('.')[1] ?? '').length))
  const [left, right] = [one, other].map((text) => scaled(text, places)) as [bigint, bigint]
  return left < right ? -1 : left > right ? 1 : 0
}

function isDecimal(text: string): boolean {
  return /^\d+(\.\d*)?$/.test(text)
}

function scaled(text: string, places: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

/** Shortens a long text to its two ends. */
export function shortened(text: string): string {
  return text.length <= 20 ? text : `${text.slice(0, 8)}…${text.slice(-6)}`
}

/** In the user's time zone, as on every page: `2026-11-26 04:43:59`. @param seconds  Unix */
export function moment(seconds: number): string {
  return local(seconds * 1000, 0)
}
