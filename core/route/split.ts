// A division of an amount among paths, in doubles and without rounding. Its inputs move until the marginal rates are
// equal: by Newton's step for all paths, then by moves between two of them. Each step is checked on all paths in the order of
// their execution.
import { NOTABLE, RATIO, TRIES } from './model.ts'
import { MAX_PATHS, newtonStep } from './newton.ts'
import {
  clearFlows,
  commonBend,
  type Path,
  type PathSlope,
  pathSlope,
  pour,
  samePath,
  sharesEdge,
  slopeOf,
} from './path.ts'

/** Gain of a move, in units of output, that is not worth a move. */
const LEAST_GAIN = 0.01
/** Moves of a balance, which takes 5 to 20 where no order ends. */
export const MAX_MOVES = 60
/** Steps down in the size of a move that does not gain. */
const SHRINKS = 8
/** Shares of Newton's step that are tried: curves bend differently after the border of a piece. */
const STEP_SHARES = [1, 0.3, 0.05]

interface Pair {
  from: number
  to: number
  gain: number
}

const scratch = pathSlope()
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

  /** Whether a path has an edge in common with a used one. */
  meets(path: Path): boolean {
    return this.paths.some((known, i) => (this.inputs[i] as number) > 0 && sharesEdge(known, path))
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
    const found = order.find((i) => this.execute(this.with(i, amount)) > 0) ?? 0
    this.inputs = this.with(found, amount)
  }

  private with(at: number, more: number): number[] {
    return this.inputs.with(at, (this.inputs[at] as number) + more)
  }

  scale(factor: number): void {
    this.inputs = this.inputs.map((input) => input * factor)
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
      slopeOf(this.paths[i] as Path, 'before', this.guaranteed, scratch)
      least = Math.min(least, scratch.rate)
    }
    return least
  }

  /** Rate of the next unit on a path. The flows must lie on the edges. */
  rateOf(path: Path): number {
    slopeOf(path, 'after', this.guaranteed, scratch)
    return scratch.rate
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
    const step = newtonStep(this.paths, this.inputs, after, before)
    if (step === null || !(step.gain > least)) return false
    for (const share of STEP_SHARES) {
      const trial = this.inputs.map((input, i) => Math.max(0, input + share * (step.changes[i] as number)))
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
      slopeOf(path, 'after', this.guaranteed, after[i] as PathSlope)
      if ((this.inputs[i] as number) > 0) slopeOf(path, 'before', this.guaranteed, before[i] as PathSlope)
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
        slopeOf(path, 'after', this.guaranteed, scratch)
        return { path, rate: scratch.open }
      })
      .filter(({ path, rate }) => rate > level && !this.paths.some((known) => samePath(known, path)))
      .sort((a, b) => b.rate - a.rate)
      .map(({ path }) => path)
  }

  /** Whether an edge is full. The flows must lie on the edges. */
  isDrained(): boolean {
    return this.paths.some((path) => path.some(({ curve, flow }) => flow >= curve.capacity - 1))
  }

  /** Whether a book is nearly used up, or more is asked of a venue than it has. Leaves flows on the edges. */
  usesUp(): boolean {
    this.execute()
    return this.paths.some((path) =>
      path.some(({ isPool, curve, flow }) => flow > curve.capacity * (isPool ? 1 : 1 - NOTABLE)),
    )
  }
}
