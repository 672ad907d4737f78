// Limits that hold for every transaction, checked right before it is sent.

export type Limited = 'switched-off' | 'stop-file' | 'gas-day' | 'gas-price-unknown' | 'node-lags' | 'fee-cap'

export interface Spending {
  /** USD of gas in the last 24 hours, open transactions at their most. */
  spentUsd: number
  /** Most that the transaction may cost, USD; null without a price of the coin. */
  costUsd: number | null
  limitUsd: number
}

/** A day's gas, over all chains of a key. Without a price of the coin nothing is sent: the limit could not hold. */
export function gasLimit({ spentUsd, costUsd, limitUsd }: Spending): Limited | null {
  if (costUsd === null) return 'gas-price-unknown'
  return spentUsd + costUsd > limitUsd ? 'gas-day' : null
}
