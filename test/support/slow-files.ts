// Order of test files in a run: the slowest first, so that no long file runs alone at the end.

/** Files that take more than about ten seconds, the slowest first. */
const SLOW: readonly string[] = []

/** Slow files first; the others keep their order. */
export function slowestFirst<T extends { source: string }>(tests: readonly T[]): T[] {
  const rank = ({ source }: T) => (SLOW.includes(source) ? SLOW.indexOf(source) : SLOW.length)
  return [...tests].sort((a, b) => rank(a) - rank(b))
}
