// Token amounts between two square-root prices at constant liquidity, and the price after an amount.
// Source: the AMM contract; derivation in docs/develop/amm.md, "Amounts". All values are non-negative integers.
import { Q64, type Round, type SqrtPrice } from './q64.ts'

/** Quotient of non-negative integers, rounded up. */
export function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}

/**
 * Amount of token A between two prices.
 *
 * @param liquidity  L, 0 ≤ L < 2^64
 * @param lower      square-root price, 0 < lower ≤ upper
 * @param upper      square-root price
 * @returns raw units of token A: L·(1/√lower − 1/√upper)
 */
export function amountA(liquidity: bigint, lower: SqrtPrice, upper: SqrtPrice, round: Round): bigint {
  const product = (liquidity << 64n) * (upper - lower)
  // Two roundings, one per division, as in the contract.
  return round === 'up' ? divideUp(divideUp(product, upper), lower) : product / upper / lower
}

/**
 * Amount of token B between two prices.
 *
 * @param liquidity  L, 0 ≤ L < 2^64
 * @param lower      square-root price, lower ≤ upper
 * @param upper      square-root price
 * @returns raw units of token B: L·(√upper − √lower)
 */
export function amountB(liquidity: bigint, lower: SqrtPrice, upper: SqrtPrice, round: Round): bigint {
  const product = liquidity * (upper - lower)
  return round === 'up' ? (product + Q64 - 1n) >> 64n : product >> 64n
}

/**
 * Price after an input has entered the pool, rounded towards the old price.
 *
 * @param liquidity  L > 0
 * @param amount     raw units of the input token, after the fee
 * @param aForB      true when token A enters (the price falls)
 */
export function priceAfterInput(price: SqrtPrice, liquidity: bigint, amount: bigint, aForB: boolean): SqrtPrice {
  if (!aForB) return price + (amount << 64n) / liquidity
  const scaled = liquidity << 64n
  return divideUp(scaled * price, scaled + amount * price)
}

/**
 * Price after an output has left the pool, rounded away from the old price.
 *
 * @param liquidity  L > 0, enough to hold the amount between the current price and the step's target
 * @param amount     raw units of the output token
 * @param aForB      true when token B leaves (the price falls)
 */
export function priceAfterOutput(price: SqrtPrice, liquidity: bigint, amount: bigint, aForB: boolean): SqrtPrice {
  if (aForB) return price - divideUp(amount << 64n, liquidity)
  const scaled = liquidity << 64n
  return divideUp(scaled * price, scaled - amount * price)
}
