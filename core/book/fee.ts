// The spot market's fee: it comes off what each side receives, rounded in favour of the market.

/** Fees are in hundredths of a percent. */
export const SPOT_FEE_UNIT = 10_000n

/**
 * What a side gets of an amount that it has traded.
 *
 * @param amount  raw units before the fee
 * @param fee     hundredths of a percent, 0 to 255
 */
export function afterFee(amount: bigint, fee: number): bigint {
  return (amount * (SPOT_FEE_UNIT - BigInt(fee))) / SPOT_FEE_UNIT
}

/** The market's part of an amount. */
export function feeOf(amount: bigint, fee: number): bigint {
  return amount - afterFee(amount, fee)
}
