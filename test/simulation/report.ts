// What seeds of the simulation did, to show that they did anything at all.
export interface Report {
  seeds: number
  commits: number
  forks: number
  /** Blocks undone by the deepest fork. */
  deepest: number
  /** Crashes in the middle of a commit. */
  restarts: number
  /** How often each step of a commit was passed. */
  points: Map<string, number>
  /** What the source and the indexer complained of, by code. */
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

/** In a line. */
export function tell({ seeds, commits, forks, deepest, restarts, points, anomalies }: Report): string {
  const list = (counts: Map<string, number>) => [...counts].map(([key, times]) => `${key} ${times}`).join(', ')
  const done = `${seeds} seeds, ${commits} commits, ${forks} forks up to ${deepest} deep, ${restarts} crashes`
  return `${done}; steps: ${list(points)}; met: ${list(anomalies)}`
}
