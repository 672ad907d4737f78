// Changes of prices in percent.

/** Steps in one whole: percent with four decimals. */
const STEPS = 1_000_000n

/**
 * Change from an earlier price to a later one, in the same unit; 0 without an earlier price.
 *
 * @returns percent, rounded to four decimals, half away from zero
 */
export function changePercent(before: bigint | null, after: bigint | null): number {
  if (before === null || after === null || before === 0n) return 0
  const change = after - before
  const size = change < 0n ? -change : change
  const steps = Number((2n * size * STEPS + before) / (2n * before))
  return (change < 0n && steps > 0 ? -steps : steps) / 10_000
}
