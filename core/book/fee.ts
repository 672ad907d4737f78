// The spot market's fee: deducted from what each side receives, rounded in the market's favour.

/** Fees are in hundredths of a percent. */
export const SPOT_FEE_UNIT = 10_000n

/**
 * Amount that a side receives of a traded amount.
 *
 * @param amount  raw units before the fee
 * @param fee     hundredths of a percent, 0 to 255
 */
export function afterFee(amount: bigint, fee: number): bigint {
  return (amount * (SPOT_FEE_UNIT - BigInt(fee))) / SPOT_FEE_UNIT
}

/** The market's share of an amount. */
export function feeOf(amount: bigint, fee: number): bigint {
  return amount - afterFee(amount, fee)
}
