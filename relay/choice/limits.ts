// Limits that hold for every transaction, checked right before it is sent.

export type Limited =
  | 'switched-off'
  | 'stop-file'
  | 'gas-day'
  | 'gas-price-unknown'
  | 'node-lags'
  | 'fee-cap'
  | 'balance'
  | 'loss'

export interface Spending {
  /** USD of gas in the last 24 hours, open transactions at their most. */
  spentUsd: number
  /** Maximum cost of the transaction, USD; null when the coin has no price. */
  costUsd: number | null
  limitUsd: number
}

/**
 * Whether the balance pays for a transaction at its most.
 *
 * @param reserved  wei that open transactions may cost
 * @param most      wei: gas limit times the highest fee
 */
export function balanceLimit(balance: bigint, reserved: bigint, most: bigint): Limited | null {
  return balance < reserved + most ? 'balance' : null
}

/** Calls of a withdrawal after one of them. */
export interface Later {
  /** Hand-offs, each about as dear as the first one. */
  handoffs: number
  /** Gas of the rest. */
  gas: bigint
}

/**
 * What one call of a withdrawal may cost: what the withdrawal earns, without the gas that was spent on it before and
 * that its later calls need.
 *
 * @param budgetUsd  of the withdrawal, USD; null: no limit, it is sent even at a loss
 * @param laterUsd   null without a price of gas
 */
export function callBudget(budgetUsd: number | null, spentUsd: number, laterUsd: number | null): number | null {
  return budgetUsd === null ? null : budgetUsd - spentUsd - (laterUsd ?? 0)
}

/** Whether gas costs more than a transaction earns. @param budgetUsd  null: no limit, it is sent even at a loss */
export function lossLimit(gasUsd: number | null, budgetUsd: number | null): Limited | null {
  if (budgetUsd === null) return null
  if (gasUsd === null) return 'gas-price-unknown'
  return gasUsd > budgetUsd ? 'loss' : null
}

/** A day's gas, over all chains of a key. Without a price of the coin nothing is sent: the limit could not hold. */
export function gasLimit({ spentUsd, costUsd, limitUsd }: Spending): Limited | null {
  if (costUsd === null) return 'gas-price-unknown'
  return spentUsd + costUsd > limitUsd ? 'gas-day' : null
}
