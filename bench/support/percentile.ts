/** Percentile of ascending values (share 0 to 1), with two decimals; `NaN` without values. */
export function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(2)
}
