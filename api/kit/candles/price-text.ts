// Formats prices of candles from square-root prices Q64.64, exactly, with 16 significant digits. An answer has
// thousands of prices. Factors that depend only on the pool and the order of magnitude are computed once. Digits come
// from double-double arithmetic, and from bigints only if that leaves the last digit in doubt.
import { AsciiWriter } from './ascii-writer.ts'
import { divide, fromFraction, join, low, multiply } from './double-double.ts'
import { digitAt, fieldText } from './fields.ts'

/** Significant digits of prices that are text. */
const PRICE_DIGITS = 16

const LOWEST = 10n ** BigInt(PRICE_DIGITS - 1)
const HIGHEST = 10n ** BigInt(PRICE_DIGITS)
const LOG10_OF_2 = Math.log10(2)
/** Digits in each half of a price. Doubles hold them exactly. */
const PART = 8
const PART_ONE = 10 ** PART
const ROOT_PART = 15
/** Number of cached prices: those of a candle. */
const RECENT = 4
/**
 * Double-double results are exact to 10^-13 here. Results closer to a rounding boundary than this bound are in doubt.
 */
const DOUBT = 1e-9

/** Writes the price of the square-root price Q64.64, above 0, whose digits start at `start` and end with a space. */
export type PriceWriter = (source: Uint8Array, start: number) => void

/**
 * Makes a writer for prices of a pool, for whole tokens: rounded half up, no exponent, no trailing zeros.
 *
 * Caches the last prices: those of a candle, and of flat candles, are often equal.
 *
 * @param reverse  false: price of A in B, P² / 2^128 · 10^(decimals of A − decimals of B); true: its inverse
 * @param out  output; must have enough room
 */
export function priceWriter(decimalsA: number, decimalsB: number, reverse: boolean, out: AsciiWriter): PriceWriter {
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
  /** Exponent of the last price; the next price usually has the same. */
  let usual = 0
  let usualScale: Scale | null = null
  const writeExact = (root: bigint) => {
    const square = root ** 2n
    const logarithm = 2 * (Math.log10(Number(root)) - 64 * LOG10_OF_2)
    let exponent = Math.floor((reverse ? -logarithm : logarithm) + shift) - (PRICE_DIGITS - 1)
    let digits = scaleOf(exponent).exact(square)
    // The logarithm is an estimate, and rounding may carry into one more digit.
    if (digits < LOWEST) digits = scaleOf(--exponent).exact(square)
    else if (digits >= HIGHEST) digits = scaleOf(++exponent).exact(square)
    usual = exponent
    usualScale = scaleOf(exponent)
    const part = BigInt(PART_ONE)
    placePoint(out, Number(digits / part), Number(digits % part), exponent)
  }
  const roots = new Float64Array(RECENT)
  const rootLows = new Float64Array(RECENT)
  const starts = new Uint32Array(RECENT)
  const ends = new Uint32Array(RECENT)
  let oldest = 0
  return (source, start) => {
    const root = readRoot(source, start)
    const rootLow = low
    // The root has more digits than a double-double holds, so different roots could compare equal.
    if (root === null) return writeExact(BigInt(fieldText(source, start)))
    for (let i = 0; i < RECENT; i++)
      if (roots[i] === root && rootLows[i] === rootLow) return out.again(starts[i] as number, ends[i] as number)
    const from = out.length
    if (usualScale?.quick(root, rootLow)) placePoint(out, head, tail, usual)
    else writeExact(BigInt(fieldText(source, start)))
    roots[oldest] = root
    rootLows[oldest] = rootLow
    starts[oldest] = from
    ends[oldest] = out.length
    oldest = (oldest + 1) % RECENT
  }
}

/** Formats one square-root price Q64.64, given as decimal text above 0, in the same format as `priceWriter`. */
export function priceText(sqrtPrice: string, decimalsA: number, decimalsB: number, reverse: boolean): string {
  const out = new AsciiWriter()
  priceWriter(decimalsA, decimalsB, reverse, out)(Buffer.from(`${sqrtPrice} `), 0)
  return out.toBuffer().toString()
}

/** Powers of ten that doubles hold exactly. */
const TENS = Array.from({ length: ROOT_PART + 1 }, (_, power) => 10 ** power)

/** A root as a double-double, with its low part in `low`; null when it has too many digits. */
function readRoot(source: Uint8Array, start: number): number | null {
  const high = readPart(source, start)
  if (partEnd < start + ROOT_PART) return join(high, 0)
  const middle = partEnd
  const rest = readPart(source, middle)
  if (digitAt(source, partEnd) <= 9) return null
  const scaled = multiply(high, 0, TENS[partEnd - middle] as number, 0)
  return join(scaled, low + rest)
}

/** Index at which `readPart` stopped. */
let partEnd = 0

/** Reads up to 15 digits, which a double holds exactly. */
function readPart(source: Uint8Array, start: number): number {
  let value = 0
  let at = start
  for (const end = start + ROOT_PART; at < end; at++) {
    const digit = digitAt(source, at)
    if (digit > 9) break
    value = value * 10 + digit
  }
  partEnd = at
  return value
}

/** The two halves of the digits from the last `quick`. */
let head = 0
let tail = 0

/** Converts a root to a price times a power of ten, rounded half up. */
interface Scale {
  /** @param square  square of the root */
  exact(square: bigint): bigint
  /** Stores the 16 digits in `head` and `tail`. @returns false if they are in doubt */
  quick(root: number, rootLow: number): boolean
}

/** @param power  power of ten by which the price is multiplied */
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

function quickScale(power: number, reverse: boolean): Scale['quick'] {
  const ten = 10n ** BigInt(Math.abs(power))
  const [above, below] = power >= 0 ? [ten, 1n] : [1n, ten]
  const factor = reverse ? fromFraction(above << 128n, below) : fromFraction(above, below << 128n)
  const factorLow = low
  return (root, rootLow) => {
    const square = multiply(root, rootLow, root, rootLow)
    const value = reverse ? divide(factor, factorLow, square, low) : multiply(square, low, factor, factorLow)
    return findDigits(value, low)
  }
}

/** Rounds a double-double to a whole number of 16 digits. @returns false if the digits are in doubt or not 16 */
function findDigits(value: number, rest: number): boolean {
  const floor = Math.floor(value)
  const fraction = value - floor + rest
  const add = Math.floor(fraction + 0.5)
  if (Math.abs(fraction + 0.5 - Math.round(fraction + 0.5)) < DOUBT) return false
  head = Math.floor(floor / PART_ONE)
  tail = floor - head * PART_ONE + add
  if (tail < 0) {
    head--
    tail += PART_ONE
  } else if (tail >= PART_ONE) {
    head++
    tail -= PART_ONE
  }
  return head >= PART_ONE / 10 && head < PART_ONE
}

/** Writes 16 digits, given in two halves, times 10^exponent. */
function placePoint(out: AsciiWriter, head: number, tail: number, exponent: number): void {
  // The number has at least one digit before the point.
  out.zeros(Math.max(0, 1 - exponent - PRICE_DIGITS))
  out.digits(head, PART)
  out.digits(tail, PART)
  if (exponent < 0) out.point(-exponent)
  else out.zeros(exponent)
}
