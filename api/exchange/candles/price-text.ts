// Prices of candles as text: from square-root prices Q64.64, exactly, to 16 significant digits. An answer has thousands of
// them, so what depends on the pool and the order of magnitude alone is computed once, and the digits come from pairs of
// doubles; from bigints only where those leave the last digit in doubt.
import { divide, fromFraction, join, low, multiply } from './double-double.ts'

/** Significant digits of prices that are text. */
export const PRICE_DIGITS = 16

const LOWEST = 10n ** BigInt(PRICE_DIGITS - 1)
const HIGHEST = 10n ** BigInt(PRICE_DIGITS)
const LOG10_OF_2 = Math.log10(2)
/** Digits that a pair of doubles holds exactly. */
const LONGEST = 30
/** Prices that are remembered: those of a candle. */
const RECENT = 4

/** Formats a square-root price Q64.64, given as decimal text and above 0. */
export type PriceFormatter = (sqrtPrice: string) => string

/**
 * Formats prices of a pool, for whole tokens: rounded half up, no exponent, no zeros at the end of decimals.
 *
 * Remembers the last ones: prices of a candle, and of quiet ones, are often the same.
 *
 * @param reverse  false: price of A in B, P² / 2^128 · 10^(decimals of A − decimals of B); true: its inverse
 */
export function priceFormatter(decimalsA: number, decimalsB: number, reverse: boolean): PriceFormatter {
  const shift = reverse ? decimalsB - decimalsA : decimalsA - decimalsB
  const scales = new Map<number, Scale>()
  const scaleOf = (exponent: number) => {
    let found = scales.get(exponent)
    if (found === undefined) {
      found = makeScale(shift - exponent, reverse)
      scales.set(exponent, found)
    }
    return found
  }
  /** Of the last price: the next one is most often of the same magnitude. */
  let usual = Number.NaN
  const format = (root: number, rootLow: number, sqrtPrice: string) => {
    const quick = Number.isNaN(usual) ? null : scaleOf(usual).quick(root, rootLow)
    if (quick !== null) return placePoint(quick, usual)
    const square = BigInt(sqrtPrice) ** 2n
    const logarithm = 2 * (Math.log10(root) - 64 * LOG10_OF_2)
    let exponent = Math.floor((reverse ? -logarithm : logarithm) + shift) - (PRICE_DIGITS - 1)
    let digits = scaleOf(exponent).exact(square)
    // The logarithm is a guess, and rounding may carry into one more digit.
    if (digits < LOWEST) digits = scaleOf(--exponent).exact(square)
    else if (digits >= HIGHEST) digits = scaleOf(++exponent).exact(square)
    usual = exponent
    return placePoint(digits.toString(), exponent)
  }
  // Numbers are compared faster than parts of texts.
  const roots = new Float64Array(RECENT)
  const rootLows = new Float64Array(RECENT)
  const texts: string[] = Array(RECENT).fill('')
  let oldest = 0
  return (sqrtPrice) => {
    const root = readRoot(sqrtPrice)
    const rootLow = low
    // Two roots of more digits than a pair of doubles has may look the same.
    if (sqrtPrice.length > LONGEST) return format(root, rootLow, sqrtPrice)
    for (let i = 0; i < RECENT; i++) if (roots[i] === root && rootLows[i] === rootLow) return texts[i] as string
    const text = format(root, rootLow, sqrtPrice)
    roots[oldest] = root
    rootLows[oldest] = rootLow
    texts[oldest] = text
    oldest = (oldest + 1) % RECENT
    return text
  }
}

/** A root as a pair of doubles; sets `low`. */
function readRoot(text: string): number {
  // Of up to 15 digits a double is exact.
  const cut = text.length - 15
  if (cut <= 0) return join(Number(text), 0)
  if (text.length > LONGEST) return fromFraction(BigInt(text), 1n)
  const high = multiply(Number(text.slice(0, cut)), 0, 1e15, 0)
  return join(high, low + Number(text.slice(cut)))
}

/** From a root to a price times a power of ten, rounded half up. */
interface Scale {
  /** @param square  square of the root */
  exact(square: bigint): bigint
  /** The 16 digits; null when it cannot tell them for sure. */
  quick(root: number, rootLow: number): string | null
}

/** @param power  of ten by which the price is multiplied */
function makeScale(power: number, reverse: boolean): Scale {
  return { exact: exactScale(power, reverse), quick: quickScale(power, reverse) }
}

function exactScale(power: number, reverse: boolean): Scale['exact'] {
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

/** Digits of a part of a price: what doubles hold exactly. */
const PART = 8
const PART_ONE = 10 ** PART
/** Pairs of doubles are right to 10^-13 here: closer to a half than this, they do not decide. */
const DOUBT = 1e-9

function quickScale(power: number, reverse: boolean): Scale['quick'] {
  const ten = 10n ** BigInt(Math.abs(power))
  const [above, below] = power >= 0 ? [ten, 1n] : [1n, ten]
  const factor = reverse ? fromFraction(above << 128n, below) : fromFraction(above, below << 128n)
  const factorLow = low
  return (root, rootLow) => {
    const square = multiply(root, rootLow, root, rootLow)
    const value = reverse ? divide(factor, factorLow, square, low) : multiply(square, low, factor, factorLow)
    return nearestDigits(value, low)
  }
}

/** Digits of the whole number nearest to a pair of doubles, if there are 16 and it is beyond doubt. */
function nearestDigits(value: number, rest: number): string | null {
  const floor = Math.floor(value)
  const fraction = value - floor + rest
  const add = Math.floor(fraction + 0.5)
  if (Math.abs(fraction + 0.5 - Math.round(fraction + 0.5)) < DOUBT) return null
  let head = Math.floor(floor / PART_ONE)
  let tail = floor - head * PART_ONE + add
  if (tail < 0) {
    head--
    tail += PART_ONE
  } else if (tail >= PART_ONE) {
    head++
    tail -= PART_ONE
  }
  if (head < PART_ONE / 10 || head >= PART_ONE) return null
  return `${head}${tail < PART_ONE / 10 ? String(tail).padStart(PART, '0') : tail}`
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
