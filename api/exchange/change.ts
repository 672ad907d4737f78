// Changes of prices in percent.

/**
 * From an earlier price to a later one, both of one unit; 0 when there is no earlier one.
 *
 * @returns percent, to four decimals
 */
export function changePercent(before: bigint | null, after: bigint | null): number {
  if (before === null || after === null || before === 0n) return 0
  return Number(((after - before) * 1_000_000n) / before) / 10_000
}
