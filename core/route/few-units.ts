// Very small amounts: where a trade is a few dozen raw units, each part's rounding is a large share of it, and curves say
// nothing. What paths give for every number of units is quoted, and the best way to divide them among paths that begin
// with different venues is found by dynamic programming.
import type { Edge } from './graph.ts'
import { clearFlows, type Path, pushExactly, samePath } from './path.ts'
import type { PathSearch } from './search.ts'

/** Most units that are divided so. */
export const FEW_UNITS = 48
const MOST_STARTS = 12
/** Paths that begin with the same venue, and paths looked at for each. */
const PER_START = 2
const LOOKED_AT = 60

export interface Division {
  paths: Path[]
  amounts: bigint[]
}

/** What a venue to begin with gives for each number of units, over the best of its paths. */
interface Start {
  outputs: Float64Array
  paths: (Path | null)[]
}

/** The best divisions into one part, two parts and so on. */
export function divideFewUnits(search: PathSearch, units: number, maxParts: number): Division[] {
  const starts = startsOf(search, units)
  const width = units + 1
  /** The best output of so many parts and units, at parts · width + units. */
  const best = new Float64Array((maxParts + 1) * width).fill(Number.NEGATIVE_INFINITY)
  best[0] = 0
  /** What each start takes in it. */
  const taken = starts.map(() => new Uint8Array((maxParts + 1) * width))
  starts.forEach(({ outputs }, s) => {
    const own = taken[s] as Uint8Array
    // Downwards, so that each start is used once.
    for (let parts = maxParts; parts > 0; parts--) {
      for (let total = units; total > 0; total--) {
        const at = parts * width + total
        for (let amount = 1; amount <= total; amount++) {
          const value = (best[at - width - amount] as number) + (outputs[amount] as number)
          if (value <= (best[at] as number)) continue
          best[at] = value
          own[at] = amount
        }
      }
    }
  })
  const divisions: Division[] = []
  for (let parts = 1; parts <= maxParts; parts++)
    if ((best[parts * width + units] as number) > 0) divisions.push(read(starts, taken, parts, units))
  return divisions
}

function read(starts: readonly Start[], taken: readonly Uint8Array[], most: number, units: number): Division {
  const division: Division = { paths: [], amounts: [] }
  let [parts, left] = [most, units]
  for (let s = starts.length - 1; s >= 0; s--) {
    const amount = (taken[s] as Uint8Array)[parts * (units + 1) + left] as number
    if (amount === 0) continue
    division.paths.push((starts[s] as Start).paths[amount] as Path)
    division.amounts.push(BigInt(amount))
    parts--
    left -= amount
  }
  return division
}

/** Good paths for few and for many units that begin differently: where they begin, most is rounded. */
function startsOf(search: PathSearch, units: number): Start[] {
  const begun = new Map<Edge, Path[]>()
  for (const amount of new Set([units, Math.ceil(units / 2), 4, 2, 1])) {
    if (amount > units) continue
    const counts = new Map<Edge, number>()
    for (const { path } of search.enumerate(amount, LOOKED_AT)) {
      const first = path[0] as Edge
      const known = begun.get(first) ?? []
      const count = counts.get(first) ?? 0
      if (count >= PER_START || (known.length === 0 && begun.size >= MOST_STARTS)) continue
      counts.set(first, count + 1)
      if (!known.some((other) => samePath(other, path))) begun.set(first, [...known, path])
    }
  }
  return [...begun.values()].map((paths) => outputsOf(paths, units, search.query.kept))
}

function outputsOf(paths: readonly Path[], units: number, kept: number): Start {
  const start: Start = { outputs: new Float64Array(units + 1).fill(Number.NEGATIVE_INFINITY), paths: [null] }
  for (let amount = 1; amount <= units; amount++) {
    start.paths.push(null)
    for (const path of paths) {
      const output = pushExactly(path, amount, kept)
      clearFlows(path)
      if (!(output > (start.outputs[amount] as number))) continue
      start.outputs[amount] = output
      start.paths[amount] = path
    }
  }
  return start
}
