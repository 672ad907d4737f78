// Numbers of about 31 digits as unevaluated sums of two doubles (Dekker 1971, Knuth 4.2.2): several times faster than
// bigints. Each operation returns the high part and leaves the low part in `low`, so that nothing is allocated.

/** Low part of the last result. */
export let low = 0

/** 2^27 + 1: splits 53 bits into halves whose products are exact. */
const SPLITTER = 134_217_729

/** (a + aLow) · (b + bLow), to about 2^-102. Magnitudes must stay within 10^±290. */
export function multiply(a: number, aLow: number, b: number, bLow: number): number {
  const product = a * b
  const left = SPLITTER * a
  const aHead = left - (left - a)
  const aTail = a - aHead
  const right = SPLITTER * b
  const bHead = right - (right - b)
  const bTail = b - bHead
  const error = aHead * bHead - product + aHead * bTail + aTail * bHead + aTail * bTail
  return join(product, error + (a * bLow + aLow * b))
}

/** (a + aLow) / (b + bLow), to about 2^-100. */
export function divide(a: number, aLow: number, b: number, bLow: number): number {
  const quotient = a / b
  const product = multiply(quotient, 0, b, bLow)
  const rest = a - product - low + aLow
  return join(quotient, rest / b)
}

/** a + b exactly, for |a| ≥ |b|. */
export function join(a: number, b: number): number {
  const sum = a + b
  low = b - (sum - a)
  return sum
}

/** The nearest two doubles to a fraction of bigints; sets `low`. */
export function fromFraction(numerator: bigint, denominator: bigint): number {
  // 160 bits of quotient, for operands of any size.
  const shift = BigInt(Math.max(0, 160 + denominator.toString(2).length - numerator.toString(2).length))
  const quotient = (numerator << shift) / denominator
  const high = Number(quotient)
  const rest = Number(quotient - BigInt(high))
  const scale = 2 ** -Number(shift)
  return join(high * scale, rest * scale)
}
