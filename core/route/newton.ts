// Newton's step of a division: the changes of all inputs at once that make the marginal rates equal, to the second order.
// An edge that several paths cross bends for all of them together. A path that stands at a kink (an order ends there, so its
// rate falls at once from above the common rate to below it) keeps its input.
import type { Slope } from './curve.ts'
import type { Edge } from './graph.ts'
import { MAX_HOPS } from './model.ts'
import { measureEdge, type Path, startsTransfer } from './path.ts'

/** Paths of a division: the largest plans on 6,300 pools and 1,600 books use 20 before parts are limited. */
export const MAX_PATHS = 24
/** Relative addition to the diagonal: keeps the system solvable where paths are combinations of one another. */
const RIDGE = 1e-7
/** Rounds in which paths change between rising, falling and held: nearly always the second one changes nothing. */
const ROUNDS = 3

const HELD = 0
const RISES = 1
const FALLS = 2

export interface NewtonStep {
  /** For each path; they add up to 0. Valid until the next step is asked for. */
  changes: Float64Array
  /** Growth of the output, to the second order. */
  gain: number
}

const slope: Slope = { rate: 0, bend: 0, room: 0 }
/** By path: how it may move, its rates to both sides, its rate on the side on which it moves, its room there. */
const side = new Uint8Array(MAX_PATHS)
const ratesUp = new Float64Array(MAX_PATHS)
const ratesDown = new Float64Array(MAX_PATHS)
const gains = new Float64Array(MAX_PATHS)
const rooms = new Float64Array(MAX_PATHS)
/** By path and hop: units that arrive for one more unit of input, final output for one more unit that leaves, curvature. */
const arriving = new Float64Array(MAX_PATHS * MAX_HOPS)
const onward = new Float64Array(MAX_PATHS * MAX_HOPS)
const curvature = new Float64Array(MAX_PATHS * MAX_HOPS)
const matrix = new Float64Array(MAX_PATHS * MAX_PATHS)
const factor = new Float64Array(MAX_PATHS * MAX_PATHS)
const changes = new Float64Array(MAX_PATHS)
const ones = new Float64Array(MAX_PATHS)
const right = new Float64Array(MAX_PATHS)
/** Paths that the system solves for, rising: the first `freeCount` of `free`. By path: whether it is among them. */
const free = new Uint8Array(MAX_PATHS)
const isFree = new Uint8Array(MAX_PATHS)
let freeCount = 0

/**
 * @param paths  at most MAX_PATHS; the flows of the inputs must lie on their edges
 * @param kept   share of an expectation that the next transfer may spend
 * @returns null when no step is possible
 */
export function newtonStep(paths: readonly Path[], inputs: readonly number[], kept: number): NewtonStep | null {
  const count = paths.length
  for (let i = 0; i < count; i++) {
    ratesUp[i] = measure(paths[i] as Path, i, 'after', kept)
    ratesDown[i] = (inputs[i] as number) > 0 ? measure(paths[i] as Path, i, 'before', kept) : 0
  }
  side.fill(HELD)
  let level = levelOf(paths, inputs)
  for (let round = 0; round < ROUNDS && choose(inputs, level); round++) {
    build(paths, kept, level)
    const next = solve(inputs)
    if (Number.isNaN(next)) return null
    level = next
  }
  return freeCount < 2 ? null : { changes, gain: gainOf(count) }
}

/** Writes the hops of a path. @returns its rate; 0 for more input where a venue is full */
function measure(path: Path, at: number, way: 'after' | 'before', kept: number): number {
  let rate = 1
  let isFull = false
  let room = Number.POSITIVE_INFINITY
  const first = at * MAX_HOPS
  for (let h = 0; h < path.length; h++) {
    if (h > 0 && startsTransfer(path, h)) rate *= kept
    if (measureEdge(path[h] as Edge, way, rate, slope)) isFull = true
    arriving[first + h] = rate
    curvature[first + h] = slope.rate * slope.bend
    onward[first + h] = slope.rate
    room = Math.min(room, slope.room / rate)
    rate *= slope.rate
  }
  let after = 1
  for (let h = path.length - 1; h >= 0; h--) {
    const own = onward[first + h] as number
    onward[first + h] = after
    after *= h > 0 && startsTransfer(path, h) ? own * kept : own
  }
  rooms[at] = room
  return isFull ? 0 : rate
}

/** The common rate: the mean of the rates of used paths, by how easily they move. */
function levelOf(paths: readonly Path[], inputs: readonly number[]): number {
  let [sum, weights] = [0, 0]
  for (let i = 0; i < paths.length; i++) {
    if (!((inputs[i] as number) > 0)) continue
    let bend = 0
    for (let h = 0; h < (paths[i] as Path).length; h++) {
      const at = i * MAX_HOPS + h
      bend += (curvature[at] as number) * (arriving[at] as number) ** 2 * (onward[at] as number)
    }
    const weight = 1 / Math.max(bend, 1e-300)
    sum += weight * (ratesDown[i] as number)
    weights += weight
  }
  return sum / weights
}

/** Chooses the side on which each path moves at a common rate. @returns whether any has changed */
function choose(inputs: readonly number[], level: number): boolean {
  let isChanged = false
  for (let i = 0; i < inputs.length; i++) {
    const isUsed = (inputs[i] as number) > 0
    const next = (ratesUp[i] as number) > level ? RISES : isUsed && (ratesDown[i] as number) <= level ? FALLS : HELD
    if (next !== side[i]) isChanged = true
    side[i] = next
  }
  return isChanged
}

/** The system of the paths that move: falling gains as a matrix. */
function build(paths: readonly Path[], kept: number, level: number): void {
  const count = paths.length
  for (let i = 0; i < count; i++)
    if (side[i] !== HELD) gains[i] = measure(paths[i] as Path, i, side[i] === RISES ? 'after' : 'before', kept)
  for (let i = 0; i < count; i++) {
    if (side[i] === HELD) continue
    for (let j = 0; j <= i; j++) {
      if (side[j] === HELD) continue
      const value = commonCurvature(paths[i] as Path, i, paths[j] as Path, j)
      matrix[i * count + j] = value
      matrix[j * count + i] = value
    }
    const own = i * count + i
    const gain = gains[i] as number
    // A straight piece is followed as far as there is room.
    if (matrix[own] === 0) matrix[own] = Math.max(Math.abs(gain - level), gain * 1e-6) / Math.max(rooms[i] as number, 1)
    matrix[own] = (matrix[own] as number) * (1 + RIDGE) + 1e-300
  }
}

function commonCurvature(one: Path, i: number, other: Path, j: number): number {
  let sum = 0
  for (let h = 0; h < one.length; h++) {
    const k = i === j ? h : other.indexOf(one[h] as Edge)
    if (k < 0) continue
    const [x, y] = [i * MAX_HOPS + h, j * MAX_HOPS + k]
    const through = i === j ? (onward[x] as number) : Math.sqrt((onward[x] as number) * (onward[y] as number))
    sum += (arriving[x] as number) * (arriving[y] as number) * through * (curvature[x] as number)
  }
  return sum
}

/** Solves for changes that add up to 0; inputs that would fall below 0 become 0. @returns the common rate, or NaN */
function solve(inputs: readonly number[]): number {
  const count = inputs.length
  changes.fill(0)
  freeCount = 0
  for (let i = 0; i < count; i++) {
    isFree[i] = side[i] === HELD ? 0 : 1
    if (side[i] !== HELD) free[freeCount++] = i
  }
  for (;;) {
    const n = freeCount
    if (n < 1) return Number.NaN
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++)
        factor[i * n + j] = matrix[(free[i] as number) * count + (free[j] as number)] as number
    if (!decompose(n)) return Number.NaN
    const given = fillRight(count)
    substitute(n, ones.fill(1, 0, n))
    substitute(n, right)
    const level = (sumOf(right, n) + given) / sumOf(ones, n)
    if (!Number.isFinite(level)) return Number.NaN
    for (let i = 0; i < n; i++) changes[free[i] as number] = (right[i] as number) - level * (ones[i] as number)
    if (!dropNegative(inputs)) return level
  }
}

/** Takes the whole input from free paths whose input would fall below 0. @returns whether there were any */
function dropNegative(inputs: readonly number[]): boolean {
  let left = 0
  for (let i = 0; i < freeCount; i++) {
    const path = free[i] as number
    if ((inputs[path] as number) + (changes[path] as number) >= 0) {
      free[left++] = path
      continue
    }
    isFree[path] = 0
    changes[path] = -(inputs[path] as number)
  }
  const isChanged = left < freeCount
  freeCount = left
  return isChanged
}

/** Gains of the free paths less what the fixed ones change of them. @returns the sum of the fixed changes */
function fillRight(count: number): number {
  let given = 0
  for (let j = 0; j < count; j++) if (isFixed(j)) given += changes[j] as number
  for (let n = 0; n < freeCount; n++) {
    const i = free[n] as number
    let gain = gains[i] as number
    for (let j = 0; j < count; j++) if (isFixed(j)) gain -= (matrix[i * count + j] as number) * (changes[j] as number)
    right[n] = gain
  }
  return given
}

/** Whether a path has lost its whole input. */
function isFixed(path: number): boolean {
  return isFree[path] === 0 && side[path] !== HELD
}

function gainOf(count: number): number {
  let gain = 0
  for (let i = 0; i < count; i++) {
    if (side[i] === HELD) continue
    let falling = 0
    for (let j = 0; j < count; j++)
      if (side[j] !== HELD) falling += (matrix[i * count + j] as number) * (changes[j] as number)
    gain += (changes[i] as number) * ((gains[i] as number) - falling / 2)
  }
  return gain
}

function sumOf(values: Float64Array, n: number): number {
  let sum = 0
  for (let i = 0; i < n; i++) sum += values[i] as number
  return sum
}

/** Cholesky's factor in place. @returns false when the matrix is not positive definite */
function decompose(n: number): boolean {
  for (let i = 0, row = 0; i < n; i++, row += n) {
    for (let j = 0, other = 0; j <= i; j++, other += n) {
      let sum = factor[row + j] as number
      for (let k = 0; k < j; k++) sum -= (factor[row + k] as number) * (factor[other + k] as number)
      if (i !== j) factor[row + j] = sum / (factor[other + j] as number)
      else if (sum > 0) factor[row + i] = Math.sqrt(sum)
      else return false
    }
  }
  return true
}

function substitute(n: number, vector: Float64Array): void {
  for (let i = 0, row = 0; i < n; i++, row += n) {
    let sum = vector[i] as number
    for (let k = 0; k < i; k++) sum -= (factor[row + k] as number) * (vector[k] as number)
    vector[i] = sum / (factor[row + i] as number)
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = vector[i] as number
    for (let k = i + 1, at = k * n + i; k < n; k++, at += n) sum -= (factor[at] as number) * (vector[k] as number)
    vector[i] = sum / (factor[i * n + i] as number)
  }
}
