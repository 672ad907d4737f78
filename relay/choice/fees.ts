// Fees of EIP-1559 transactions: the first offer, and the offer of a replacement with the same nonce. Wei a unit of gas.

export interface Fees {
  maxFee: bigint
  maxTip: bigint
}

export interface FeeLimits {
  /** Maximum price of a unit of gas. */
  cap: bigint
  tip: bigint
}

export const GWEI = 1_000_000_000n

/** @param gwei  at most nine decimals count */
export const weiOf = (gwei: number): bigint => BigInt(Math.round(gwei * 1e9))

/**
 * Fees of a new transaction: enough for five full blocks in a row, in each of which the base fee grows by an eighth.
 *
 * @returns null when the base fee and the tip exceed the cap now
 */
export function firstFees(baseFee: bigint, { cap, tip }: FeeLimits): Fees | null {
  if (baseFee + tip > cap) return null
  const wanted = baseFee * 2n + tip
  return { maxFee: wanted < cap ? wanted : cap, maxTip: tip }
}

/**
 * Nodes take a replacement when both fees are at least a tenth higher, and higher at all, which a tenth of 0 is not. 12.5
 * percent, rounded up, suits all of them.
 */
const raised = (fee: bigint): bigint => larger((fee * 9n + 7n) / 8n, fee + 1n)

/**
 * Fees of a replacement: at least 12.5 percent above those before, and enough for the base fee now.
 *
 * @param most  what a unit may cost, wei; nodes may demand an eighth more than that. Null: no limit
 * @returns null when that would exceed the cap
 */
export function replacementFees(
  before: Fees,
  baseFee: bigint,
  limits: FeeLimits,
  most: bigint | null = null,
): Fees | null {
  const first = firstFees(baseFee, limits)
  const wanted = first && feesWithin(first, baseFee, most)
  const maxTip = larger(raised(before.maxTip), limits.tip)
  const maxFee = larger(larger(raised(before.maxFee), wanted?.maxFee ?? 0n), maxTip)
  return maxFee > limits.cap || wanted === null ? null : { maxFee, maxTip }
}

/**
 * Lowers the maximum fee to what a unit may cost, and not below what it costs now.
 *
 * @param most  wei a unit of gas; null: no limit
 */
export function feesWithin(fees: Fees, baseFee: bigint, most: bigint | null): Fees {
  if (most === null || most >= fees.maxFee) return fees
  return { ...fees, maxFee: larger(most, priceOf(fees, baseFee)) }
}

/** What a unit costs in a block of this base fee. */
export function priceOf({ maxFee, maxTip }: Fees, baseFee: bigint): bigint {
  return baseFee + maxTip < maxFee ? baseFee + maxTip : maxFee
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
