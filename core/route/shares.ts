// Shares of a trade as multiples of 0.01 percent, and the raw units that they stand for.

/** Units of a share in the whole. */
const WHOLE = 10_000
/** Units that may move so that percents add up. */
const MOST_MOVES = 3

/**
 * Divides a whole in the ratio of the parts, each share rounded to a unit and never less than one.
 *
 * @param parts  above 0
 * @returns units that add up to WHOLE
 */
function roundShares(parts: readonly number[]): number[] {
  const sum = parts.reduce((total, part) => total + part, 0)
  const exact = parts.map((part) => (part / sum) * WHOLE)
  const units = exact.map((share) => Math.max(1, Math.floor(share)))
  for (let left = WHOLE - units.reduce((total, unit) => total + unit, 0); left !== 0; left -= Math.sign(left)) {
    // The part that is furthest from its exact share.
    let furthest = 0
    const lack = (i: number) => ((exact[i] as number) - (units[i] as number)) * Math.sign(left)
    for (let i = 1; i < units.length; i++) if (lack(i) > lack(furthest)) furthest = i
    units[furthest] = (units[furthest] as number) + Math.sign(left)
  }
  return units
}

/** The largest of the parts gets what they lack of the amount, or gives what they exceed it by. */
export function withRest(amount: bigint, parts: readonly bigint[]): bigint[] {
  const rest = amount - parts.reduce((sum, part) => sum + part, 0n)
  const largest = parts.reduce((best, part, i) => (part > (parts[best] as bigint) ? i : best), 0)
  return parts.map((part, i) => (i === largest ? part + rest : part))
}

/**
 * Shares as percent, multiples of 0.01. Doubles do not hold most hundredths, so a few of them move between parts until the
 * plain sum of the numbers is 100 itself.
 */
export function percents(parts: readonly bigint[]): number[] {
  const units = roundShares(parts.map(Number))
  let tried = [units]
  for (let moves = 0; moves <= MOST_MOVES; moves++) {
    const found = tried.find((trial) => sums(trial.map(percent)))
    if (found !== undefined) return found.map(percent)
    tried = tried.flatMap((trial) => [...neighboursOf(trial)])
  }
  return units.map(percent)
}

/** All ways to move a unit from one part to another. */
function* neighboursOf(units: readonly number[]): Generator<number[]> {
  for (let from = 0; from < units.length; from++) {
    for (let to = 0; to < units.length; to++) {
      if (from === to || (units[from] as number) <= 1) continue
      yield units.map((unit, i) => unit + (i === to ? 1 : 0) - (i === from ? 1 : 0))
    }
  }
}

function percent(unit: number): number {
  return unit / 100
}

function sums(percent: readonly number[]): boolean {
  return percent.reduce((sum, part) => sum + part, 0) === 100
}
