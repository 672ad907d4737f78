// Counts the events of the simulation's seeds, to show that the cases occurred.
export interface Report {
  seeds: number
  commits: number
  forks: number
  /** Depth of the deepest fork in blocks. */
  deepest: number
  /** Crashes in the middle of a commit. */
  restarts: number
  /** How often each step of a commit was reached. */
  points: Map<string, number>
  /** Errors of the source and the indexer, by code. */
  anomalies: Map<string, number>
}

export function emptyReport(): Report {
  return { seeds: 0, commits: 0, forks: 0, deepest: 0, restarts: 0, points: new Map(), anomalies: new Map() }
}

export function addReport(sum: Report, one: Report): void {
  sum.seeds += one.seeds
  sum.commits += one.commits
  sum.forks += one.forks
  sum.deepest = Math.max(sum.deepest, one.deepest)
  sum.restarts += one.restarts
  for (const [point, times] of one.points) count(sum.points, point, times)
  for (const [code, times] of one.anomalies) count(sum.anomalies, code, times)
}

export function count(into: Map<string, number>, key: string, times = 1): void {
  into.set(key, (into.get(key) ?? 0) + times)
}

/** As one line. */
export function tell({ seeds, commits, forks, deepest, restarts, points, anomalies }: Report): string {
  const list = (counts: Map<string, number>) => [...counts].map(([key, times]) => `${key} ${times}`).join(', ')
  const done = `${seeds} seeds, ${commits} commits, ${forks} forks up to ${deepest} deep, ${restarts} crashes`
  return `${done}; steps: ${list(points)}; met: ${list(anomalies)}`
}
