// A division of an amount among paths, in doubles and without rounding. Its inputs move until the marginal rates are
// equal: by Newton's step for all paths, then by moves between two of them. Each step is checked on all paths in the order of
// their execution.
import { NOTABLE, RATIO, TRIES, TRIFLE } from './model.ts'
import {
  clearFlows,
  commonBend,
  type Path,
  type PathSlope,
  pathSlope,
  pour,
  samePath,
  sharesOf,
  slopeOf,
} from './path.ts'

/** Paths of a division: the largest plans on 6,300 pools and 1,600 books use 20 before parts are limited. */
const MAX_PATHS = 24
/** Not a choice: keeps what is divided by a bend of 0 finite. */
const NOT_ZERO = 1e-300
/** Gain of a move, in units of output, that is not worth a move: rounding decides about whole units. */
const LEAST_GAIN = 0.01
/** Moves of a balance, which takes 5 to 20 where no order ends. */
export const MAX_MOVES = 60
/** Steps down in the size of a move that does not gain. With fewer, single requests lose 50 basis points. */
const SHRINKS = 8
/** Shares of Newton's step that are tried: curves bend differently after the border of a piece. */
const STEP_SHARES = [1, ...sharesOf(TRIES)]

interface Pair {
  from: number
  to: number
  gain: number
}

const scratch = pathSlope()
/** By path: its slope for more input, and for less where it has input. */
const after = Array.from({ length: MAX_PATHS }, pathSlope)
const before = Array.from({ length: MAX_PATHS }, pathSlope)

export class Split {
  paths: Path[] = []
  inputs: number[] = []
  /** Output of the inputs. */
  output = 0
  /** Share of a transfer's quoted output that the next transfer may spend: 1 − slippage. */
  readonly guaranteed: number

  constructor(guaranteed: number) {
    this.guaranteed = guaranteed
  }

  /** Input of the whole. */
  get input(): number {
    return this.inputs.reduce((sum, input) => sum + input, 0)
  }

  /** Number of used paths. */
  get parts(): number {
    return this.inputs.reduce((count, input) => (input > 0 ? count + 1 : count), 0)
  }

  get isFull(): boolean {
    return this.paths.length >= MAX_PATHS
  }

  clone(): Split {
    const copy = new Split(this.guaranteed)
    copy.paths = this.paths.slice()
    copy.inputs = this.inputs.slice()
    copy.output = this.output
    return copy
  }

  /** Adds a path, or input to a path that is there already. @returns whether it is new */
  add(path: Path, input: number): boolean {
    const at = this.paths.findIndex((known) => samePath(known, path))
    if (at >= 0) this.inputs[at] = (this.inputs[at] as number) + input
    else if (!this.isFull) {
      this.paths.push(path)
      this.inputs.push(input)
    }
    return at < 0 && this.paths.at(-1) === path
  }

  /** Moves a share of all inputs to an unused path, where that gives more. Leaves flows on the edges. */
  shift(path: Path, share: number): void {
    const at = this.paths.findIndex((known) => samePath(known, path))
    if (this.inputs[at] !== 0) return
    const sum = this.input
    if (!this.attempt(this.inputs.map((input, i) => (i === at ? sum * share : input * (1 - share))))) this.execute()
  }

  /** The largest output when the last path, which is unused, takes one of these inputs from another path. Leaves no flows. */
  offered(inputs: readonly number[]): number {
    const last = this.paths.length - 1
    const outputs = inputs.flatMap((input) =>
      this.inputs.map((own, i) => (own < input ? 0 : this.execute(this.inputs.with(i, own - input).with(last, input)))),
    )
    this.clear()
    return Math.max(...outputs.map((output) => output || 0))
  }

  /** Drops unused paths, and the one at `without`: another one takes its input. */
  trim(without = -1): void {
    this.clear()
    const freed = this.inputs[without] ?? 0
    const left = this.inputs.flatMap((input, i) => (i !== without && input > 0 ? [i] : []))
    this.paths = left.map((i) => this.paths[i] as Path)
    this.inputs = left.map((i) => this.inputs[i] as number)
    if (freed > 0) this.give(freed)
  }

  /** Adds an input to the largest part that does not become less by it. */
  private give(amount: number): void {
    const order = this.inputs.map((_, i) => i).sort((a, b) => (this.inputs[b] as number) - (this.inputs[a] as number))
    const given = order.map((i) => this.inputs.with(i, (this.inputs[i] as number) + amount))
    this.inputs = given.find((inputs) => this.execute(inputs) > 0) ?? (given[0] as number[])
  }

  clear(): void {
    for (const path of this.paths) clearFlows(path)
  }

  /** Lays the flows of inputs on the edges. @returns the output; NaN when a path cannot take its input */
  execute(inputs: readonly number[] = this.inputs, outputs?: number[]): number {
    this.clear()
    let total = 0
    for (let i = 0; i < this.paths.length; i++) {
      const input = inputs[i] as number
      const output = input > 0 ? pour(this.paths[i] as Path, input, this.guaranteed, false) : 0
      if (outputs) outputs[i] = output
      total += output
    }
    return total
  }

  /** The least rate of the last unit of a used path. The flows must lie on the edges. */
  marginalRate(): number {
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < this.paths.length; i++) {
      if (!((this.inputs[i] as number) > 0)) continue
      slopeOf(this.paths[i] as Path, -1, this.guaranteed, scratch)
      least = Math.min(least, scratch.rate)
    }
    return least
  }

  /**
   * Moves inputs until no move promises to gain more than a share of the output. Leaves the flows on the edges.
   *
   * @returns the output; NaN when the inputs cannot be taken
   */
  balance(tolerance: number): number {
    this.output = this.execute()
    const failed = new Set<number>()
    for (let move = 0; move < MAX_MOVES && this.paths.length > 1; move++) {
      const least = Math.max(this.output * tolerance, LEAST_GAIN)
      this.measure()
      if (failed.size === 0 && this.step(least)) continue
      const pair = this.bestPair(failed)
      if (pair === null || failed.size > TRIES || !this.exchange(pair, least, failed)) break
    }
    return this.output
  }

  /** Makes Newton's step. @returns whether the output has grown by it */
  private step(least: number): boolean {
    if (!(newtonStep(this.paths, this.inputs) > least)) return false
    for (const share of STEP_SHARES) {
      const trial = this.inputs.map((input, i) => Math.max(0, input + share * (changes[i] as number)))
      if (this.attempt(trial)) return true
    }
    this.execute()
    return false
  }

  private attempt(inputs: number[]): boolean {
    const output = this.execute(inputs)
    if (!(output > this.output)) return false
    this.inputs = inputs
    this.output = output
    return true
  }

  private measure(): void {
    this.paths.forEach((path, i) => {
      slopeOf(path, 1, this.guaranteed, after[i] as PathSlope)
      if ((this.inputs[i] as number) > 0) slopeOf(path, -1, this.guaranteed, before[i] as PathSlope)
    })
  }

  /** The two paths between which a unit gains most. */
  private bestPair(failed: ReadonlySet<number>): Pair | null {
    const { inputs, paths } = this
    let best: Pair | null = null
    for (let from = 0; from < paths.length; from++) {
      if (!((inputs[from] as number) > 0)) continue
      const loss = (before[from] as PathSlope).rate
      for (let to = 0; to < paths.length; to++) {
        if (to === from || failed.has(to * MAX_PATHS + from)) continue
        const { rate, open, full } = after[to] as PathSlope
        const gain = (full !== null && (paths[from] as Path).includes(full) ? open : rate) - loss
        if (gain > (best?.gain ?? 0)) best = { from, to, gain }
      }
    }
    return best
  }

  /** Moves by Newton's step between two paths. @returns false when it promises less than the least gain */
  private exchange({ from, to, gain }: Pair, least: number, failed: Set<number>): boolean {
    const [less, more] = [before[from] as PathSlope, after[to] as PathSlope]
    const available = this.inputs[from] as number
    const [giving, taking] = [this.paths[from] as Path, this.paths[to] as Path]
    // An edge on both paths keeps its flow, so that it bends only as far as it counts differently for the two.
    const own = commonBend(giving, less, giving, less) + commonBend(taking, more, taking, more)
    const bending = own - 2 * commonBend(giving, less, taking, more)
    let amount = Math.min(available, bending > 0 ? gain / bending : available)
    if ((gain * amount) / 2 <= least) return false
    const room = Math.min(less.room, more.room)
    for (let i = 0; i < SHRINKS; i++) {
      const trial = this.inputs.with(from, available - amount).with(to, (this.inputs[to] as number) + amount)
      if (this.attempt(trial)) {
        failed.clear()
        return true
      }
      amount = room > 0 && room < amount && (amount / RATIO <= room || i === SHRINKS - 2) ? room : amount / RATIO
    }
    failed.add(to * MAX_PATHS + from)
    this.execute()
    return true
  }

  /** At most `limit` used paths, smallest gain over the marginal rate first: removing them costs least. */
  leastMissed(limit: number): number[] {
    const outputs: number[] = []
    this.execute(this.inputs, outputs)
    const level = this.marginalRate()
    const gains = this.inputs.map((input, i) => (outputs[i] as number) - input * level)
    const used = this.inputs.flatMap((input, i) => (input > 0 ? [i] : []))
    return used.sort((a, b) => (gains[a] as number) - (gains[b] as number)).slice(0, limit)
  }

  /** Those of other paths that would give more for one unit than the last one gives now, the best first. */
  promising(paths: readonly Path[]): Path[] {
    this.execute()
    const level = this.marginalRate()
    return paths
      .map((path) => {
        slopeOf(path, 1, this.guaranteed, scratch)
        return { path, rate: scratch.open }
      })
      .filter(({ path, rate }) => rate > level && !this.paths.some((known) => samePath(known, path)))
      .sort((a, b) => b.rate - a.rate)
      .map(({ path }) => path)
  }

  /** Whether a venue is used up, or nearly so. The flows must lie on the edges. */
  isDrained(): boolean {
    return this.paths.some((path) => path.some(({ curve, flow }) => flow > curve.capacity * (1 - NOTABLE) - 1))
  }
}

/** By path: its slope on the side on which it may move; null where it keeps its input. */
const slopes: (PathSlope | null)[] = new Array(MAX_PATHS).fill(null)
const bends = new Float64Array(MAX_PATHS * MAX_PATHS)
/** By path; they add up to 0. Valid until the next step. */
const changes = new Float64Array(MAX_PATHS)
/** Indexes of the paths that the system solves for. Its last row says that all changes add up; its last unknown is the common rate. */
const free = new Uint8Array(MAX_PATHS)
const system = new Float64Array((MAX_PATHS + 1) * (MAX_PATHS + 2))
const solution = new Float64Array(MAX_PATHS + 1)

/**
 * Newton's step: the changes of all inputs at once that make the marginal rates equal, to the second order. An edge that
 * several paths cross bends for all of them together. A path at a kink (an order ends there, so its rate falls at once from
 * above the common rate to below it) keeps its input. The slopes must be measured; the changes are in `changes`.
 *
 * @returns least growth of the output, to the second order; 0 when no step is possible
 */
function newtonStep(paths: readonly Path[], inputs: readonly number[]): number {
  slopes.fill(null)
  changes.fill(0)
  let level = levelOf(paths, inputs)
  // Paths change between rising, falling and held: nearly always the second round changes nothing.
  for (let round = 0; round < TRIES && choose(inputs, level); round++) {
    build(paths, level)
    level = solve(inputs)
    if (!Number.isFinite(level)) return 0
  }
  // Half of what the rates promise, because they fall evenly to the common rate.
  return inputs.reduce((sum, _, i) => sum + (changes[i] as number) * (slopes[i]?.rate ?? 0), 0) / 2
}

/** The common rate: the mean of the rates of used paths, by how easily they move. */
function levelOf(paths: readonly Path[], inputs: readonly number[]): number {
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
function choose(inputs: readonly number[], level: number): boolean {
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
