/** The value below which a share (0 to 1) of ascending ones lies, with two decimals; `NaN` of none. */
export function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(2)
}
