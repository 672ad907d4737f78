// Newton's step of a division: the changes of all inputs at once that make the marginal rates equal, to the second order.
// An edge that several paths cross bends for all of them together. A path that stands at a kink (an order ends there, so its
// rate falls at once from above the common rate to below it) keeps its input.
import { commonBend, type Path, type PathSlope } from './path.ts'

/** Paths of a division: the largest plans on 6,300 pools and 1,600 books use 20 before parts are limited. */
export const MAX_PATHS = 24
/** Relative addition to the diagonal: keeps the system solvable where paths are combinations of one another. */
const RIDGE = 1e-7
/** Not a choice: keeps what is divided by a bend of 0 finite. */
const NOT_ZERO = 1e-300
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

/** By path: how it may move, and its slope on that side. */
const side = new Uint8Array(MAX_PATHS)
const slopes: PathSlope[] = []
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
 * @param paths   at most MAX_PATHS
 * @param after   by path: slope for more input
 * @param before  by path with input: slope for less
 * @returns null when no step is possible
 */
export function newtonStep(
  paths: readonly Path[],
  inputs: readonly number[],
  after: readonly PathSlope[],
  before: readonly PathSlope[],
): NewtonStep | null {
  side.fill(HELD)
  let level = levelOf(paths, inputs, before)
  for (let round = 0; round < ROUNDS && choose(inputs, after, before, level); round++) {
    build(paths, level)
    const next = solve(inputs)
    if (Number.isNaN(next)) return null
    level = next
  }
  return freeCount < 2 ? null : { changes, gain: gainOf(paths.length) }
}

/** The common rate: the mean of the rates of used paths, by how easily they move. */
function levelOf(paths: readonly Path[], inputs: readonly number[], before: readonly PathSlope[]): number {
  let [sum, weights] = [0, 0]
  for (let i = 0; i < paths.length; i++) {
    if (!((inputs[i] as number) > 0)) continue
    const [path, slope] = [paths[i] as Path, before[i] as PathSlope]
    const weight = 1 / Math.max(commonBend(path, slope, path, slope), NOT_ZERO)
    sum += weight * slope.rate
    weights += weight
  }
  return sum / weights
}

/** Chooses the side on which each path moves at a common rate. @returns whether any has changed */
function choose(
  inputs: readonly number[],
  after: readonly PathSlope[],
  before: readonly PathSlope[],
  level: number,
): boolean {
  let isChanged = false
  for (let i = 0; i < inputs.length; i++) {
    const [up, down] = [after[i] as PathSlope, before[i] as PathSlope]
    const isUsed = (inputs[i] as number) > 0
    const next = up.rate > level ? RISES : isUsed && down.rate <= level ? FALLS : HELD
    if (next !== side[i]) isChanged = true
    side[i] = next
    slopes[i] = next === RISES ? up : down
  }
  return isChanged
}

/** The system of the paths that move: falling rates as a matrix. */
function build(paths: readonly Path[], level: number): void {
  const count = paths.length
  for (let i = 0; i < count; i++) {
    if (side[i] === HELD) continue
    const slope = slopes[i] as PathSlope
    for (let j = 0; j <= i; j++) {
      if (side[j] === HELD) continue
      const value = commonBend(paths[i] as Path, slope, paths[j] as Path, slopes[j] as PathSlope)
      matrix[i * count + j] = value
      matrix[j * count + i] = value
    }
    const own = i * count + i
    const { rate, room } = slope
    // A straight piece is followed as far as there is room.
    if (matrix[own] === 0) matrix[own] = Math.max(Math.abs(rate - level), rate * 1e-6) / Math.max(room, 1)
    matrix[own] = (matrix[own] as number) * (1 + RIDGE) + NOT_ZERO
  }
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
    let gain = (slopes[i] as PathSlope).rate
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
    gain += (changes[i] as number) * ((slopes[i] as PathSlope).rate - falling / 2)
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
