// How late a chain may be, and how long a contradiction counts.

/** A contradiction counts for this long even if another node continues: an operator must examine it. Seconds. */
export const CONTRADICTION_SECONDS = 120
/** Minimum tolerated lag of an EVM chain, seconds: its blocks can be nearly a minute apart. */
const EVM_LAG_SECONDS = 60

/** Tolerated lag of a chain, seconds. */
export function toleratedLag(maxLagSeconds: number, isEvm: boolean): number {
  return isEvm ? Math.max(maxLagSeconds, EVM_LAG_SECONDS) : maxLagSeconds
}
