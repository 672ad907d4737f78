// Pairs and threes of paths on a grid, where there are few paths: what rounding and the steps of order books do to a
// division is not told by any margin. Most need no look: at a price for the input, no division gives more than the price of
// the whole and what its paths give beyond the price of their parts.
import { clearFlows, type Path, pathSlope, pour, push, slopeOf } from './path.ts'

/** Shares of the whole that are tried for two paths, and for three. */
const STEPS = 100
const COARSE_STEP = 5
/** Halvings in the search for the part at which a path gives most beyond the price. */
const HALVINGS = 12
/** Units by which doubles may be wrong. */
const DOUBT = 1.5

export interface GridDivision {
  paths: Path[]
  /** Whole units that add up to the amount. */
  inputs: number[]
  /** In doubles that are rounded as the contracts do. */
  output: number
}

export interface GridOptions {
  /** What each transfer but the first may spend of the expectation before it. */
  kept: number
  /** Output for the last unit of input, about. */
  price: number
  /** The output to beat. */
  best: number
  /** Divisions to return at most. */
  limit: number
  maxParts: number
}

/** @returns divisions that may give more than the best, the most promising first */
export function searchGrid(paths: readonly Path[], amount: number, options: GridOptions): GridDivision[] {
  const { kept, price, best, limit, maxParts } = options
  const beyond = paths.map((path) => surplus(path, amount, kept, price))
  const found: GridDivision[] = []
  const least = () => (found.length < limit ? best - DOUBT : (found[limit - 1] as GridDivision).output)
  const enter = (division: GridDivision) => {
    let at = found.length
    while (at > 0 && (found[at - 1] as GridDivision).output < division.output) at--
    found.splice(at, 0, division)
    if (found.length > limit) found.pop()
  }
  const part = (share: number) => Math.floor((amount * share) / STEPS)
  const tables = new Map<Path, Tables>()
  const tablesOf = (path: Path): Tables => {
    const known = tables.get(path)
    if (known !== undefined) return known
    const made = new Tables(path, amount, kept)
    tables.set(path, made)
    return made
  }
  const promising = (...members: number[]) =>
    members.reduce((sum, i) => sum + (beyond[i] as number), price * amount) > Math.max(least(), best)
  for (let a = 0; a < paths.length; a++) {
    for (let b = 0; b < paths.length; b++) {
      if (a === b || !promising(a, b)) continue
      const pair = [paths[a] as Path, paths[b] as Path] as const
      const isShared = meet(...pair)
      if (!isShared && b < a) continue
      const [first, second] = [tablesOf(pair[0]).parts, tablesOf(pair[1]).rests]
      let [most, at] = [least(), 0]
      for (let share = 1; share < STEPS; share++) {
        let output = (first[share] as number) + (second[share] as number)
        if (!(output > most)) continue
        if (isShared) output = together(pair, [part(share), amount - part(share)], kept)
        if (output > most) [most, at] = [output, share]
      }
      if (at > 0) enter({ paths: [...pair], inputs: [part(at), amount - part(at)], output: most })
      if (isShared || maxParts < 3) continue
      for (let c = b + 1; c < paths.length; c++) {
        const third = paths[c] as Path
        if (!promising(a, b, c) || meet(pair[0], third) || meet(pair[1], third)) continue
        const three = bestOfThree(first, tablesOf(pair[1]).parts, tablesOf(third).rests, least())
        if (three === null) continue
        const inputs = [part(three.shares[0]), part(three.shares[1])]
        inputs.push(amount - inputs.reduce((sum, input) => sum + input, 0))
        enter({ paths: [...pair, third], inputs, output: three.output })
      }
    }
  }
  return found
}

/** What a path gives by itself for each share of the whole, and for what that leaves of it. */
class Tables {
  readonly parts: Float64Array
  readonly rests: Float64Array

  constructor(path: Path, amount: number, kept: number) {
    const give = (input: number) => {
      const output = input > 0 ? push(path, input, kept) : Number.NaN
      clearFlows(path)
      return output
    }
    const part = (share: number) => Math.floor((amount * share) / STEPS)
    this.parts = Float64Array.from({ length: STEPS }, (_, share) => give(part(share)))
    this.rests = Float64Array.from({ length: STEPS }, (_, share) => give(amount - part(share)))
  }
}

function bestOfThree(first: Float64Array, second: Float64Array, rests: Float64Array, least: number) {
  let best: { shares: [number, number]; output: number } | null = null
  let most = least
  for (let i = COARSE_STEP; i < STEPS; i += COARSE_STEP) {
    for (let j = COARSE_STEP; i + j < STEPS; j += COARSE_STEP) {
      const output = (first[i] as number) + (second[j] as number) + (rests[i + j] as number)
      if (!(output > most)) continue
      most = output
      best = { shares: [i, j], output }
    }
  }
  return best
}

/** The most that a path gives beyond the price of its input, and a little more, if nothing were rounded. */
function surplus(path: Path, amount: number, kept: number, price: number): number {
  let [low, high, most] = [0, amount, 0]
  let slope = Number.POSITIVE_INFINITY
  for (let i = 0; i <= HALVINGS; i++) {
    const input = i === 0 ? amount : (low + high) / 2
    const output = pour(path, input, kept)
    slopeOf(path, 'after', kept, margin)
    clearFlows(path)
    if (Number.isNaN(output)) low = input
    else if (margin.rate > price) [low, most, slope] = [input, output - price * input, margin.rate - price]
    else high = input
    if (low === amount) break
  }
  return Number.isFinite(slope) ? Math.max(0, most + slope * (high - low)) : topOf(path) * high
}

function topOf(path: Path): number {
  return path.reduce((rate, edge) => rate * edge.curve.top, 1)
}

function meet(one: Path, other: Path): boolean {
  return one.some((edge) => other.includes(edge))
}

/** NaN when they cannot take their inputs. */
function together(paths: readonly Path[], inputs: readonly number[], kept: number): number {
  let sum = 0
  paths.forEach((path, i) => {
    sum += (inputs[i] as number) > 0 ? push(path, inputs[i] as number, kept) : Number.NaN
  })
  for (const path of paths) clearFlows(path)
  return sum
}

const margin = pathSlope()
