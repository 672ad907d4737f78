// Formats prices and values with 8 significant digits, without exponent or trailing zeros.
import type { Ratio } from '../../core/amm/price.ts'

/** Significant digits of prices and values. */
const DIGITS = 8

const TOO_LARGE = 10 ** DIGITS
const LEAST = TOO_LARGE / 10
const TOP = BigInt(TOO_LARGE)
const LOG16 = Math.log10(16)
const ZERO = '0'.charCodeAt(0)
const powers: bigint[] = [1n]
/** Powers of ten that a double holds exactly. */
const EXACT = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)
/** A double exact to 14 digits is off by less than this when it is scaled to eight digits before the point. */
const DOUBT = 1e-6

/**
 * Formats an exact fraction, rounded half up to 8 significant digits: `1`, `0.0012345678`, `123456780000`.
 *
 * @param ratio  numerator at least 0, denominator above 0
 */
export function significant(ratio: Ratio): string {
  return nearText(Number(ratio.numerator) / Number(ratio.denominator)) ?? exactly(ratio)
}

/**
 * Formats a double in the same way, much faster.
 *
 * @param value  exact to 14 digits
 * @returns null when the value is too close to a rounding boundary: the exact fraction must decide
 */
export function nearText(value: number): string | null {
  const place = Math.floor(Math.log10(value))
  const shift = DIGITS - 1 - place
  const power = EXACT[Math.abs(shift)]
  if (power === undefined) return null
  const digits = shift < 0 ? value / power : value * power
  const whole = Math.floor(digits)
  const isDoubtful = Math.abs(digits - whole - 0.5) < DOUBT
  const rounded = digits - whole < 0.5 ? whole : whole + 1
  return isDoubtful || digits < LEAST || rounded >= TOO_LARGE ? null : plain(String(rounded), place)
}

function exactly({ numerator, denominator }: Ratio): string {
  if (numerator === 0n) return '0'
  // Position of the first digit: 0 for 1 to 9.99. The estimate is never too high: rounding up could hide that error.
  let place = Math.floor(log10(numerator) - log10(denominator) - 1e-9)
  for (;;) {
    const digits = rounded(numerator, denominator, DIGITS - 1 - place)
    if (digits < TOP) return plain(digits.toString(), place)
    // 99999999.7 rounds to 100000000: one digit more, and all others are zero.
    if (digits === TOP) return plain(String(LEAST), place + 1)
    place++
  }
}

/** Formats a double in the same way. It must be finite and at least 0. */
export function significantNumber(value: number): string {
  if (value === 0) return '0'
  const [digits, exponent] = value.toExponential(DIGITS - 1).split('e') as [string, string]
  return plain(digits.replace('.', ''), Number(exponent))
}

/** numerator · 10^shift / denominator, rounded half up. */
function rounded(numerator: bigint, denominator: bigint, shift: number): bigint {
  const n = shift > 0 ? numerator * power(shift) : numerator
  const d = shift < 0 ? denominator * power(-shift) : denominator
  return (2n * n + d) / (2n * d)
}

/** @param text  eight digits @param place  position of the first digit */
function plain(text: string, place: number): string {
  if (place >= DIGITS - 1) return text + '0'.repeat(place - DIGITS + 1)
  // End index after the last nonzero digit, but at least at the decimal point.
  let end = DIGITS
  while (end > Math.max(place + 1, 0) && text.charCodeAt(end - 1) === ZERO) end--
  if (place < 0) return `0.${'0'.repeat(-place - 1)}${text.slice(0, end)}`
  return end === place + 1 ? text.slice(0, end) : `${text.slice(0, place + 1)}.${text.slice(place + 1, end)}`
}

function power(exponent: number): bigint {
  return (powers[exponent] ??= 10n ** BigInt(exponent))
}

/** Exact to about 13 digits. */
function log10(value: bigint): number {
  const near = Number(value)
  return near < Number.POSITIVE_INFINITY
    ? Math.log10(near)
    : (value.toString(16).length - 12) * LOG16 + log10(value >> BigInt((value.toString(16).length - 12) * 4))
}
