// Prices of candles as text: from square-root prices Q64.64, exactly, to 16 significant digits. An answer has thousands of
// them, so what depends on the pool and the order of magnitude alone is computed once.

/** Significant digits of prices that are text. */
export const PRICE_DIGITS = 16

const LOWEST = 10n ** BigInt(PRICE_DIGITS - 1)
const HIGHEST = 10n ** BigInt(PRICE_DIGITS)
const LOG10_OF_2 = Math.log10(2)

/** Formats a square-root price Q64.64, given as decimal text and above 0. */
export type PriceFormatter = (sqrtPrice: string) => string

/**
 * Formats prices of a pool, for whole tokens: rounded half up, no exponent, no zeros at the end of decimals.
 *
 * Remembers them, so a formatter is for one answer.
 *
 * @param reverse  false: price of A in B, P² / 2^128 · 10^(decimals of A − decimals of B); true: its inverse
 */
export function priceFormatter(decimalsA: number, decimalsB: number, reverse: boolean): PriceFormatter {
  const shift = reverse ? decimalsB - decimalsA : decimalsA - decimalsB
  const known = new Map<string, string>()
  const scales = new Map<number, Scale>()
  const scale = (exponent: number) => {
    let found = scales.get(exponent)
    if (found === undefined) {
      found = makeScale(shift - exponent, reverse)
      scales.set(exponent, found)
    }
    return found
  }
  const format = (sqrtPrice: string) => {
    const root = BigInt(sqrtPrice)
    const square = root * root
    const logarithm = 2 * (Math.log10(Number(root)) - 64 * LOG10_OF_2)
    let exponent = Math.floor((reverse ? -logarithm : logarithm) + shift) - (PRICE_DIGITS - 1)
    let digits = scale(exponent)(square)
    // The logarithm is a guess, and rounding may carry into one more digit.
    if (digits < LOWEST) digits = scale(--exponent)(square)
    else if (digits >= HIGHEST) digits = scale(++exponent)(square)
    return placePoint(digits.toString(), exponent)
  }
  return (sqrtPrice) => {
    let text = known.get(sqrtPrice)
    if (text === undefined) {
      text = format(sqrtPrice)
      known.set(sqrtPrice, text)
    }
    return text
  }
}

/** From the square of a root to a price times a power of ten, rounded half up. */
type Scale = (square: bigint) => bigint

/** @param power  of ten by which the price is multiplied */
function makeScale(power: number, reverse: boolean): Scale {
  const factor = 10n ** BigInt(Math.abs(power))
  if (!reverse) {
    const half = 1n << 127n
    if (power >= 0) return (square) => (square * factor + half) >> 128n
    const divisor = factor << 128n
    return (square) => (square + divisor / 2n) / divisor
  }
  const above = (power >= 0 ? factor : 1n) << 128n
  if (power >= 0) return (square) => (above + square / 2n) / square
  return (square) => {
    const divisor = square * factor
    return (above + divisor / 2n) / divisor
  }
}

/** digits · 10^exponent as decimal text. */
function placePoint(digits: string, exponent: number): string {
  if (exponent >= 0) return digits + '0'.repeat(exponent)
  const padded = digits.padStart(1 - exponent, '0')
  const point = padded.length + exponent
  return trimZeros(`${padded.slice(0, point)}.${padded.slice(point)}`)
}

/** Without zeros behind the point, and without a point at the end. */
function trimZeros(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === 48) end--
  if (text.charCodeAt(end - 1) === 46) end--
  return text.slice(0, end)
}
