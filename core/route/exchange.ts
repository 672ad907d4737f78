// Newton's step for a division: how much each path should take or give so that all marginal rates become equal, with
// the edges that paths share counted once for all of them (docs/routes.md, "Splits").
import type { Slope } from './curve.ts'
import type { Edge } from './graph.ts'
import { type Path, PROBE, startsTransfer } from './path.ts'

const MOST_PATHS = 32
const MOST_HOPS = 3
/** Keeps the system solvable where paths are combinations of one another. */
const RIDGE = 1e-7
/** Paths that would fall below nothing are fixed there, and the others solved again, so often. */
const ROUNDS = 4

/** For path i and hop h, at i · MOST_HOPS + h: units that arrive there for one more unit of input. */
const arriving = new Float64Array(MOST_PATHS * MOST_HOPS)
/** Final output for one more unit that leaves the hop. */
const onward = new Float64Array(MOST_PATHS * MOST_HOPS)
/** How fast the hop's rate falls, absolutely. */
const falling = new Float64Array(MOST_PATHS * MOST_HOPS)
const matrix = new Float64Array(MOST_PATHS * MOST_PATHS)
const factor = new Float64Array(MOST_PATHS * MOST_PATHS)
const gains = new Float64Array(MOST_PATHS)
const weights = new Float64Array(MOST_PATHS)
const step: Slope = { rate: 0, bend: 0, room: 0 }

export interface Exchange {
  /** For each path, what it takes (or gives when negative); they add up to 0. */
  changes: Float64Array
  /** What the output would grow by. */
  gain: number
  /**
   * A smaller exchange, in which no path goes much further than its curve is known; null when there is none. Only until
   * the next one is sought.
   */
  within(): Float64Array | null
}

/**
 * @param paths   with their flows on the edges; at most 32
 * @param inputs  of the paths
 * @param after   how their outputs change with more input
 * @param before  and with less, for those that have any
 * @returns null when no exchange is worth anything
 */
export function bestExchange(
  paths: readonly Path[],
  inputs: readonly number[],
  after: readonly Slope[],
  before: readonly Slope[],
  kept: number,
): Exchange | null {
  const level = levelOf(inputs, after, before)
  const active: number[] = []
  const rooms: number[] = []
  for (let i = 0; i < paths.length && active.length < MOST_PATHS; i++) {
    const more = (after[i] as Slope).rate
    const isUsed = (inputs[i] as number) > 0
    const less = isUsed ? (before[i] as Slope).rate : Number.POSITIVE_INFINITY
    // At a kink, where one more unit is worth too little and the last one is worth it, a path stays as it is.
    if (more <= level && less >= level && more < less * (1 - 1e-12)) continue
    const side = more > level ? 'after' : 'before'
    const slope = side === 'after' ? (after[i] as Slope) : (before[i] as Slope)
    const at = active.push(i) - 1
    gains[at] = slope.rate
    measure(paths[i] as Path, side, kept, at)
    rooms.push(Math.max(slope.room, 1))
    weights[at] = slope.bend > 0 ? 0 : Math.abs(slope.rate - level) / Math.max(slope.room, 1)
  }
  if (active.length < 2) return null
  fillMatrix(paths, active)
  const first = solveWithin(active, paths.length, inputs)
  if (first === null) return null
  const within = () => {
    active.forEach((path, i) => {
      const room = rooms[i] as number
      if (Math.abs(first.changes[path] as number) <= room) return
      const at = i * active.length + i
      matrix[at] = (matrix[at] as number) + Math.abs((gains[i] as number) - level) / room
    })
    return solveWithin(active, paths.length, inputs)?.changes ?? null
  }
  return { ...first, within }
}

/** The rate at which paths neither gain nor lose: between the least that is used and the best that is to be had. */
function levelOf(inputs: readonly number[], after: readonly Slope[], before: readonly Slope[]): number {
  let [sum, share] = [0, 0]
  for (let i = 0; i < inputs.length; i++) {
    const { rate, bend } = (inputs[i] as number) > 0 ? (before[i] as Slope) : (after[i] as Slope)
    if ((inputs[i] as number) <= 0) continue
    const weight = 1 / Math.max(rate * bend, 1e-300)
    sum += weight * rate
    share += weight
  }
  return sum / share
}

function measure(path: Path, side: 'after' | 'before', kept: number, at: number): void {
  let rate = 1
  for (let h = 0; h < path.length; h++) {
    const edge = path[h] as Edge
    if (h > 0 && startsTransfer(path, h)) rate *= kept
    const probe = PROBE * rate
    if (side === 'after') edge.curve.slopeAfter(edge.flow, probe, step)
    else edge.curve.slopeBefore(edge.flow, probe, step)
    arriving[at * MOST_HOPS + h] = rate
    falling[at * MOST_HOPS + h] = step.rate * step.bend
    rate *= step.rate
    onward[at * MOST_HOPS + h] = rate
  }
  // So far: output for one unit of input at each hop; what is asked is the output at the end for one at this hop.
  for (let h = 0; h < path.length; h++) onward[at * MOST_HOPS + h] = rate / (onward[at * MOST_HOPS + h] as number)
}

function fillMatrix(paths: readonly Path[], active: readonly number[]): void {
  const size = active.length
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      const curvature = sharedCurvature(paths[active[i] as number] as Path, i, paths[active[j] as number] as Path, j)
      matrix[i * size + j] = curvature
      matrix[j * size + i] = curvature
    }
  }
  for (let i = 0; i < size; i++) {
    const own = (matrix[i * size + i] as number) + (weights[i] as number)
    matrix[i * size + i] = own * (1 + RIDGE) + 1e-300
  }
}

function sharedCurvature(first: Path, i: number, second: Path, j: number): number {
  let sum = 0
  for (let h = 0; h < first.length; h++) {
    for (let k = 0; k < second.length; k++) {
      if (first[h] !== second[k]) continue
      const [x, y] = [i * MOST_HOPS + h, j * MOST_HOPS + k]
      const through = Math.sqrt((onward[x] as number) * (onward[y] as number))
      const fall = Math.max(falling[x] as number, falling[y] as number)
      sum += (arriving[x] as number) * (arriving[y] as number) * through * fall
    }
  }
  return sum
}

/** Solves for changes that add up to nothing, none of which takes more from a path than it has. */
function solveWithin(
  active: readonly number[],
  count: number,
  inputs: readonly number[],
): Pick<Exchange, 'changes' | 'gain'> | null {
  const size = active.length
  const fixed = new Uint8Array(size)
  const delta = new Float64Array(size)
  for (let round = 0; round < ROUNDS; round++) {
    if (!solve(size, fixed, delta)) return null
    let isWithin = true
    for (let i = 0; i < size; i++) {
      const input = inputs[active[i] as number] as number
      if (fixed[i] === 1 || input + (delta[i] as number) >= 0) continue
      fixed[i] = 1
      delta[i] = -input
      isWithin = false
    }
    if (isWithin) break
  }
  const changes = new Float64Array(count)
  let sum = 0
  let gain = 0
  let largest = -1
  for (let i = 0; i < size; i++) {
    const at = active[i] as number
    const change = Math.max(delta[i] as number, -(inputs[at] as number))
    changes[at] = change
    sum += change
    gain += (change * (gains[i] as number)) / 2
    if (largest < 0 || (inputs[at] as number) > (inputs[largest] as number)) largest = at
  }
  if (largest < 0) return null
  const rest = (changes[largest] as number) - sum
  if (!((inputs[largest] as number) + rest >= 0)) return null
  changes[largest] = rest
  return gain > 0 ? { changes, gain } : null
}

/** Those that are not fixed: falling rates times changes = rates less a common one. @returns false when there is none */
function solve(size: number, fixed: Uint8Array, delta: Float64Array): boolean {
  const free: number[] = []
  let taken = 0
  for (let i = 0; i < size; i++) {
    if (fixed[i] === 0) free.push(i)
    else taken += delta[i] as number
  }
  const n = free.length
  if (n < 1) return false
  const [x, y] = [new Float64Array(n), new Float64Array(n)]
  for (let i = 0; i < n; i++) {
    const row = free[i] as number
    let right = gains[row] as number
    for (let j = 0; j < size; j++)
      if (fixed[j] === 1) right -= (matrix[row * size + j] as number) * (delta[j] as number)
    x[i] = right
    y[i] = 1
    for (let j = 0; j <= i; j++) factor[i * n + j] = matrix[row * size + (free[j] as number)] as number
  }
  if (!decompose(n)) return false
  substitute(n, x)
  substitute(n, y)
  let [sumX, sumY] = [taken, 0]
  for (let i = 0; i < n; i++) {
    sumX += x[i] as number
    sumY += y[i] as number
  }
  const common = sumX / sumY
  for (let i = 0; i < n; i++) delta[free[i] as number] = (x[i] as number) - common * (y[i] as number)
  return Number.isFinite(common)
}

/** Cholesky's factor in place. @returns false when the matrix is not positive definite */
function decompose(n: number): boolean {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = factor[i * n + j] as number
      for (let k = 0; k < j; k++) sum -= (factor[i * n + k] as number) * (factor[j * n + k] as number)
      if (i !== j) factor[i * n + j] = sum / (factor[j * n + j] as number)
      else if (sum > 0) factor[i * n + i] = Math.sqrt(sum)
      else return false
    }
  }
  return true
}

function substitute(n: number, right: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = right[i] as number
    for (let k = 0; k < i; k++) sum -= (factor[i * n + k] as number) * (right[k] as number)
    right[i] = sum / (factor[i * n + i] as number)
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = right[i] as number
    for (let k = i + 1; k < n; k++) sum -= (factor[k * n + i] as number) * (right[k] as number)
    right[i] = sum / (factor[i * n + i] as number)
  }
}
