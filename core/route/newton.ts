// Newton's step of a division: the changes of all inputs at once that make the marginal rates equal, to the second order.
// An edge that several paths cross bends for all of them together. A path that stands at a kink (an order ends there, so its
// rate falls at once from above the common rate to below it) keeps its input.
import { TRIES, TRIFLE } from './model.ts'
import { commonBend, type Path, type PathSlope } from './path.ts'

/** Paths of a division: the largest plans on 6,300 pools and 1,600 books use 20 before parts are limited. */
export const MAX_PATHS = 24
/** Not a choice: keeps what is divided by a bend of 0 finite. */
const NOT_ZERO = 1e-300

export interface NewtonStep {
  /** For each path; they add up to 0. Valid until the next step is asked for. */
  changes: Float64Array
  /** Growth of the output, to the second order. */
  gain: number
}

/** By path: its slope on the side on which it may move; null where it keeps its input. */
const slopes: (PathSlope | null)[] = new Array(MAX_PATHS).fill(null)
const bends = new Float64Array(MAX_PATHS * MAX_PATHS)
const changes = new Float64Array(MAX_PATHS)
/** Indexes of the paths that the system solves for. Its last row says that all changes add up; its last unknown is the common rate. */
const free = new Uint8Array(MAX_PATHS)
const system = new Float64Array((MAX_PATHS + 1) * (MAX_PATHS + 2))
const solution = new Float64Array(MAX_PATHS + 1)

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
  slopes.fill(null)
  changes.fill(0)
  let level = levelOf(paths, inputs, before)
  // Paths change between rising, falling and held: nearly always the second round changes nothing.
  for (let round = 0; round < TRIES && choose(inputs, after, before, level); round++) {
    build(paths, level)
    level = solve(inputs)
    if (!Number.isFinite(level)) return null
  }
  return { changes, gain: gainOf(paths.length) }
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
    const next = up.rate > level ? up : (inputs[i] as number) > 0 && down.rate <= level ? down : null
    if (next !== slopes[i]) isChanged = true
    slopes[i] = next
  }
  return isChanged
}

/** How the rates of the paths that move fall with the inputs of each of them. */
function build(paths: readonly Path[], level: number): void {
  const count = paths.length
  for (let i = 0; i < count; i++) {
    const slope = slopes[i] as PathSlope | null
    for (let j = 0; j <= i; j++) {
      const other = slopes[j] as PathSlope | null
      const isMoved = slope !== null && other !== null
      const value = isMoved ? commonBend(paths[i] as Path, slope, paths[j] as Path, other) : 0
      bends[i * count + j] = value
      bends[j * count + i] = value
    }
    if (slope === null) continue
    const own = i * count + i
    // A straight piece is followed as far as there is room.
    if (bends[own] === 0)
      bends[own] = Math.max(Math.abs(slope.rate - level), slope.rate * TRIFLE) / Math.max(slope.room, 1)
    // Keeps the system solvable where paths are combinations of one another.
    bends[own] = (bends[own] as number) * (1 + TRIFLE) + NOT_ZERO
  }
}

/** Solves for changes that add up to 0; inputs that would fall below 0 become 0. @returns the common rate, or NaN */
function solve(inputs: readonly number[]): number {
  changes.fill(0)
  let n = 0
  for (let i = 0; i < inputs.length; i++) if (slopes[i] !== null) free[n++] = i
  for (;;) {
    fill(n, inputs.length)
    if (n < 2 || !eliminate(n)) return Number.NaN
    let left = 0
    for (let i = 0; i < n; i++) {
      const path = free[i] as number
      if ((inputs[path] as number) + (solution[i] as number) >= 0) free[left++] = path
      else changes[path] = -(inputs[path] as number)
    }
    if (left === n) break
    n = left
  }
  for (let i = 0; i < n; i++) changes[free[i] as number] = solution[i] as number
  return solution[n] as number
}

/** The system of the first n free paths; the changes of the others are known. */
function fill(n: number, count: number): void {
  const width = n + 2
  let given = 0
  for (let j = 0; j < count; j++) given += changes[j] as number
  for (let row = 0; row < n; row++) {
    const [at, own] = [row * width, (free[row] as number) * count]
    for (let column = row; column < n; column++) system[at + column] = bends[own + (free[column] as number)] as number
    let rate = (slopes[free[row] as number] as PathSlope).rate
    for (let j = 0; j < count; j++) rate -= (bends[own + j] as number) * (changes[j] as number)
    system[at + n] = 1
    system[at + n + 1] = rate
  }
  system[n * width + n] = 0
  system[n * width + n + 1] = -given
}

/** Gauss's elimination in the upper triangle of a symmetric system. @returns false when paths do not bend down */
function eliminate(n: number): boolean {
  const width = n + 2
  for (let k = 0; k < n; k++) {
    const row = k * width
    const pivot = system[row + k] as number
    if (!(pivot > 0)) return false
    for (let i = k + 1; i <= n; i++) {
      const factor = (system[row + i] as number) / pivot
      for (let j = i, at = i * width + i; j < width; j++, at++)
        system[at] = (system[at] as number) - factor * (system[row + j] as number)
    }
  }
  for (let i = n; i >= 0; i--) {
    const row = i * width
    let sum = system[row + n + 1] as number
    for (let j = i + 1; j <= n; j++) sum -= (system[row + j] as number) * (solution[j] as number)
    solution[i] = sum / (system[row + i] as number)
  }
  return true
}

function gainOf(count: number): number {
  let gain = 0
  for (let i = 0; i < count; i++) {
    if (changes[i] === 0) continue
    let falling = 0
    for (let j = 0; j < count; j++) falling += (bends[i * count + j] as number) * (changes[j] as number)
    gain += (changes[i] as number) * ((slopes[i] as PathSlope).rate - falling / 2)
  }
  return gain
}
