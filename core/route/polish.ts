// The last units of a division: every hop rounds down, and by moving a little between paths, less than its worth at the
// margin shows, some of what is lost so can be had. Tries are made in doubles that round as the contracts do; whoever
// asks for them quotes the best ones exactly.
import { clearFlows, type Path, type PathSlope, pathSlope, pour, push, pushExactly, slopeOf } from './path.ts'

/** Rounding that takes less than this many units cannot give another one. */
const LEAST_LOSS = 1
/** Tries between two paths, of sizes that spread evenly. */
const SIZES = 6
const ROUNDS = 8
/** Units by which doubles may be wrong, and divisions so near the best that are remembered. */
const DOUBT = 1.5
const MOST_NEAR = 100
const GOLDEN = (Math.sqrt(5) - 1) / 2

export interface PolishOptions {
  /** What each transfer but the first may spend of the expectation before it. */
  kept: number
  maxParts: number
  /** Divisions that may be tried. */
  trials: number
  /** Whether paths that are not used may join. */
  joins: boolean
  /** The most that the output could be if nothing were rounded, as far as is known. */
  ceiling: number
}

export class Polish {
  private readonly paths: readonly Path[]
  private readonly options: PolishOptions
  private readonly after: PathSlope[]
  private readonly before: PathSlope[]
  private readonly ceiling: number
  /** Whether no two paths have anything in common: then each one's output is its own matter. */
  private readonly isApart: boolean
  private best: number[]
  private value: number
  /** Outputs of the best division by path, when they are apart. */
  private outputs: number[] = []
  /** The best output when each hop is quoted to the unit. */
  private exact: number
  /** Divisions that may be as good as the best. */
  private readonly near: { inputs: number[]; value: number }[] = []
  private trials: number
  private parts: number

  /**
   * @param paths   those of the division, then others that may join
   * @param inputs  by path, whole units
   */
  constructor(paths: readonly Path[], inputs: readonly number[], options: PolishOptions) {
    this.paths = paths
    this.options = options
    this.trials = options.trials
    this.after = paths.map(pathSlope)
    this.before = paths.map(pathSlope)
    this.isApart = paths.every((path, i) =>
      path.every((edge) => !paths.some((other, j) => j < i && other.includes(edge))),
    )
    this.best = inputs.slice()
    this.parts = inputs.reduce((count, input) => (input > 0 ? count + 1 : count), 0)
    this.ceiling = Math.max(options.ceiling, this.smooth())
    this.value = this.evaluate(this.best)
    this.exact = this.quote(this.best)
    if (this.isApart) this.outputs = paths.map((path, i) => this.alone(path, this.best[i] as number))
  }

  /** @returns the most promising divisions, at most `limit`; the one that was given among them when nothing is better */
  run(limit: number): number[][] {
    for (let round = 0; round < ROUNDS && this.trials > 0; round++) if (!this.improve(round)) break
    clearAll(this.paths)
    const others = this.near.filter(({ value }) => value >= this.value - DOUBT).sort((x, y) => y.value - x.value)
    return [this.best, ...others.map(({ inputs }) => inputs).filter((inputs) => inputs !== this.best)].slice(0, limit)
  }

  private improve(round: number): boolean {
    const { joins } = this.options
    const before = this.value
    this.measure()
    for (let from = 0; from < this.paths.length; from++) {
      if (!((this.best[from] as number) > 0)) continue
      const unused = this.unused(from)
      for (let to = 0; to < this.paths.length && this.trials > 0; to++) {
        const loss = this.ceiling - this.exact
        if (loss < LEAST_LOSS) return false
        if (to === from || (!joins && this.best[to] === 0)) continue
        if (joins) this.move(from, to, this.best[from] as number)
        if (unused > 0) this.move(from, to, unused)
        const most = Math.min(this.reach(from, to, loss), this.best[from] as number)
        for (let size = 0; size < SIZES; size++) {
          const part = ((size + 1 + round * SIZES + from * 0.37) * GOLDEN) % 1
          this.move(from, to, Math.ceil(most * part))
        }
      }
    }
    return this.value > before
  }

  /** How much may move before the margins lose what rounding takes. */
  private reach(from: number, to: number, loss: number): number {
    const [less, more] = [this.before[from] as PathSlope, this.after[to] as PathSlope]
    const slope = Math.max(0, less.rate - more.rate)
    const bend = less.rate * less.bend + more.rate * more.bend
    if (bend === 0) return slope === 0 ? Number.POSITIVE_INFINITY : loss / slope
    return (Math.sqrt(slope * slope + 2 * bend * loss) - slope) / bend
  }

  /** What can be taken from a path without any effect on its output. */
  private unused(path: number): number {
    if (!this.isFree(path, 1)) return 0
    let [low, high] = [1, 2]
    while (this.isFree(path, high)) {
      low = high
      high *= 2
    }
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.isFree(path, middle)) low = middle
      else high = middle
    }
    return low
  }

  private isFree(path: number, amount: number): boolean {
    const input = this.best[path] as number
    if (amount >= input || this.trials <= 0) return false
    if (this.isApart) {
      this.trials--
      return this.alone(this.paths[path] as Path, input - amount) === this.outputs[path]
    }
    this.best[path] = input - amount
    const value = this.evaluate(this.best)
    this.best[path] = input
    return value === this.value
  }

  private move(from: number, to: number, amount: number): void {
    const { best } = this
    const [giving, taking] = [best[from] as number, best[to] as number]
    const left = giving - amount
    if (!(amount > 0) || left < 0 || this.trials <= 0) return
    if (taking === 0 && left > 0 && this.parts >= this.options.maxParts) return
    best[from] = left
    best[to] = taking + amount
    const value = this.isApart ? this.moved(from, to) : this.evaluate(best)
    const inputs = value > this.value - DOUBT ? best.slice() : null
    best[from] = giving
    best[to] = taking
    if (inputs === null) return
    if (this.near.length < MOST_NEAR) this.near.push({ inputs, value })
    if (!(value > this.value)) return
    const exact = this.quote(inputs)
    if (!(exact > this.exact)) return
    this.best = inputs
    this.value = value
    this.exact = exact
    this.parts = inputs.reduce((count, input) => (input > 0 ? count + 1 : count), 0)
    if (!this.isApart) return
    this.outputs[from] = this.alone(this.paths[from] as Path, left)
    this.outputs[to] = this.alone(this.paths[to] as Path, taking + amount)
  }

  private moved(from: number, to: number): number {
    this.trials--
    const was = (this.outputs[from] as number) + (this.outputs[to] as number)
    const { paths, best } = this
    const now =
      this.alone(paths[from] as Path, best[from] as number) + this.alone(paths[to] as Path, best[to] as number)
    return Number.isNaN(now) ? Number.NEGATIVE_INFINITY : this.value - was + now
  }

  private alone(path: Path, input: number): number {
    if (!(input > 0)) return 0
    clearFlows(path)
    const output = push(path, input, this.options.kept)
    clearFlows(path)
    return output
  }

  /** Output with each hop quoted to the unit: takes ten times as long as doubles. */
  private quote(inputs: readonly number[]): number {
    clearAll(this.paths)
    let sum = 0
    for (let i = 0; i < this.paths.length; i++)
      if ((inputs[i] as number) > 0) sum += pushExactly(this.paths[i] as Path, inputs[i] as number, this.options.kept)
    clearAll(this.paths)
    return Number.isNaN(sum) ? Number.NEGATIVE_INFINITY : sum
  }

  /** Output of the best division if nothing were rounded. Leaves its flows. */
  private smooth(): number {
    clearAll(this.paths)
    let sum = 0
    for (let i = 0; i < this.paths.length; i++)
      if ((this.best[i] as number) > 0) sum += pour(this.paths[i] as Path, this.best[i] as number, this.options.kept)
    return sum
  }

  private measure(): void {
    const { kept } = this.options
    this.smooth()
    this.paths.forEach((path, i) => {
      slopeOf(path, 'after', kept, this.after[i] as PathSlope)
      if ((this.best[i] as number) > 0) slopeOf(path, 'before', kept, this.before[i] as PathSlope)
    })
  }

  /** Less than any when a path cannot take its input. */
  private evaluate(inputs: readonly number[]): number {
    this.trials--
    clearAll(this.paths)
    let sum = 0
    for (let i = 0; i < this.paths.length; i++)
      if ((inputs[i] as number) > 0) sum += push(this.paths[i] as Path, inputs[i] as number, this.options.kept)
    return Number.isNaN(sum) ? Number.NEGATIVE_INFINITY : sum
  }
}

function clearAll(paths: readonly Path[]): void {
  for (const path of paths) clearFlows(path)
}
