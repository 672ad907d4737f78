// Constants of the AMM's fixed-point numbers. Square-root prices and fee growth are Q64.64: an integer that represents
// itself divided by 2^64. Token amounts and liquidity have 64 bits; fee growth wraps at 2^128.

/** Square root of (raw units of B per raw unit of A), times 2^64. */
export type SqrtPrice = bigint

/** `up` for what a user pays, `down` for what a user gets. */
export type Round = 'up' | 'down'

export const Q64 = 1n << 64n
export const I64_LIMIT = 1n << 63n
/** Fees are in parts per million. */
export const FEE_UNIT = 1_000_000n

/** A pool's fee in percent. */
export const feePercent = (fee: number): number => (fee * 100) / Number(FEE_UNIT)

/** Difference modulo 2^128: fee growth wraps. */
export function wrappingSub128(a: bigint, b: bigint): bigint {
  return BigInt.asUintN(128, a - b)
}
