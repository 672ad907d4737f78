// Prices of a pool as exact fractions and as decimal text. Formatting is the only use of decimals here.
import { Decimal } from 'decimal.js'
import type { SqrtPrice } from './q64.ts'

/** An exact price: numerator / denominator, both positive. */
export interface Ratio {
  numerator: bigint
  denominator: bigint
}

/**
 * Price of one A in B (whole tokens, not raw units): P² / 2^128 · 10^(decimals of A − decimals of B).
 *
 * @param decimalsA  0 to 18
 * @param decimalsB  0 to 18
 */
export function priceOfA(sqrtPrice: SqrtPrice, decimalsA: number, decimalsB: number): Ratio {
  return {
    numerator: sqrtPrice * sqrtPrice * 10n ** BigInt(decimalsA),
    denominator: (10n ** BigInt(decimalsB)) << 128n,
  }
}

/** The price of the other token. */
export function invert({ numerator, denominator }: Ratio): Ratio {
  return { numerator: denominator, denominator: numerator }
}

// Pure: a bundle that formats nothing does not need the library.
const Wide = /* @__PURE__ */ Decimal.clone({ precision: 120, toExpNeg: -1_000, toExpPos: 1_000 })

/** A ratio as decimal text without exponent, rounded half up to `digits` significant digits, 1 to 60. */
export function formatRatio({ numerator, denominator }: Ratio, digits: number): string {
  return new Wide(numerator.toString())
    .div(denominator.toString())
    .toSignificantDigits(digits, Decimal.ROUND_HALF_UP)
    .toString()
}

/** A ratio as a double, correct to about one unit in the last place. */
export function ratioToNumber({ numerator, denominator }: Ratio): number {
  const shift = BigInt(Math.max(0, bitLength(denominator) - bitLength(numerator) + 64))
  const quotient = (numerator << shift) / denominator
  const excess = BigInt(Math.max(0, bitLength(quotient) - 1000))
  return Number(quotient >> excess) * 2 ** (Number(excess) - Number(shift))
}

function bitLength(value: bigint): number {
  return value.toString(16).length * 4
}
