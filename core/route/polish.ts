// The last units of a division: every hop rounds down, and by moving a little between paths, less than its worth at the
// margin shows, some of what is lost so can be had. Tries are made in doubles that round as the contracts do; whoever
// asks for them quotes the best ones exactly.
import { bisect } from './bisect.ts'
import {
  clearFlows,
  outputAlone,
  type Path,
  type PathSlope,
  pathSlope,
  pour,
  push,
  pushExactly,
  slopeOf,
} from './path.ts'
import { Stairs } from './stairs.ts'

/** Rounding that takes less than this many units cannot give another one. */
const LEAST_LOSS = 1
/** Tries between two paths, of sizes that spread evenly. */
const SIZES = 6
const ROUNDS = 8
/** Stairs up and down that are tried between two paths. */
const STAIRS = 12
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
  /** Whether paths that have no venue in common are tried to the unit, not in doubles. */
  isExact: boolean
  /** The most that the output could be if nothing were rounded, as far as is known. */
  ceiling: number
}

export class Polish {
  private readonly paths: readonly Path[]
  private readonly options: PolishOptions
  /** What each transfer but the first may spend of the expectation before it. */
  private readonly kept: number
  private readonly after: PathSlope[]
  private readonly before: PathSlope[]
  private readonly stairs: Stairs[]
  private readonly ceiling: number
  /** Paths that have edges in common, together: what a group gives is its own matter. */
  private readonly groups: number[][]
  /** Of each path. */
  private readonly groupOf: number[]
  private best: number[]
  private value: number
  /** What the groups give in the best division. */
  private readonly outputs: number[]
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
    this.kept = options.kept
    this.trials = options.trials
    this.after = paths.map(pathSlope)
    this.before = paths.map(pathSlope)
    this.groupOf = groupsOf(paths)
    this.groups = paths.map((_, group) => paths.map((_, i) => i).filter((i) => this.groupOf[i] === group))
    clearAll(paths)
    this.stairs = paths.map((path) => new Stairs(path, this.kept))
    this.best = inputs.slice()
    this.parts = inputs.reduce((count, input) => (input > 0 ? count + 1 : count), 0)
    this.ceiling = Math.max(options.ceiling, this.smooth())
    clearAll(paths)
    this.outputs = this.groups.map((_, group) => this.give(group))
    this.value = this.outputs.reduce((sum, output) => sum + output, 0)
  }

  /** @returns the most promising divisions, at most `limit`; the one that was given among them when nothing is better */
  run(limit: number): number[][] {
    for (let round = 0; round < ROUNDS && this.trials > 0; round++) if (!this.improve(round)) break
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
        const loss = this.ceiling - this.value
        if (loss < LEAST_LOSS) return false
        if (to === from || (!joins && this.best[to] === 0)) continue
        if (joins) this.move(from, to, this.best[from] as number)
        if (unused > 0) this.move(from, to, unused)
        const most = Math.min(this.reach(from, to, loss), this.best[from] as number)
        this.climbStairs(from, to, most)
        for (let size = 0; size < SIZES; size++) {
          const part = ((size + 1 + round * SIZES + from * 0.37) * GOLDEN) % 1
          this.move(from, to, Math.ceil(most * part))
        }
      }
    }
    return this.value > before
  }

  /**
   * Where an intermediate amount is few units, the output of a path goes up in stairs. What pays is to stand where one
   * begins: moves that put the one path or the other there.
   */
  private climbStairs(from: number, to: number, most: number): void {
    const [giving, taking] = [this.stairs[from] as Stairs, this.stairs[to] as Stairs]
    const [had, has] = [this.best[from] as number, this.best[to] as number]
    for (let i = 0; i < STAIRS; i++) {
      const less = had - giving.before(had, i)
      if (less <= most) this.move(from, to, less)
      const more = taking.after(has, i) - has
      if (more <= most) this.move(from, to, more)
      if (!(less <= most || more <= most) || this.best[from] !== had) return
    }
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
    return bisect(low, high, (middle) => this.isFree(path, middle))[0]
  }

  private isFree(path: number, amount: number): boolean {
    const input = this.best[path] as number
    if (amount >= input || this.trials <= 0) return false
    this.trials--
    const group = this.groupOf[path] as number
    this.best[path] = input - amount
    const output = this.give(group)
    this.best[path] = input
    return output === this.outputs[group]
  }

  private move(from: number, to: number, amount: number): void {
    const { best } = this
    const [giving, taking] = [best[from] as number, best[to] as number]
    const left = giving - amount
    if (!(amount > 0) || left < 0 || this.trials <= 0) return
    if (taking === 0 && left > 0 && this.parts >= this.options.maxParts) return
    best[from] = left
    best[to] = taking + amount
    const [one, other] = [this.groupOf[from] as number, this.groupOf[to] as number]
    this.trials--
    const less = this.give(one)
    const more = one === other ? 0 : this.give(other)
    const was = (this.outputs[one] as number) + (one === other ? 0 : (this.outputs[other] as number))
    const value = this.value - was + less + more
    const inputs = value > this.value - DOUBT ? best.slice() : null
    best[from] = giving
    best[to] = taking
    if (inputs === null) return
    if (this.near.length < MOST_NEAR) this.near.push({ inputs, value })
    if (!(value > this.value)) return
    this.best = inputs
    this.value = value
    this.outputs[one] = less
    if (one !== other) this.outputs[other] = more
    this.parts = inputs.reduce((count, input) => (input > 0 ? count + 1 : count), 0)
  }

  /** What a group gives for the inputs at hand; less than anything when a path cannot take its own. */
  private give(group: number): number {
    const members = this.groups[group] as number[]
    let [sum, used, last] = [0, 0, -1]
    for (const i of members) {
      if (!((this.best[i] as number) > 0)) continue
      used++
      last = i
    }
    if (used === 1) {
      sum = outputAlone(this.paths[last] as Path, this.best[last] as number, this.kept, this.options.isExact)
      return Number.isNaN(sum) ? Number.NEGATIVE_INFINITY : sum
    }
    const give = this.options.isExact ? pushExactly : push
    for (const i of members)
      if ((this.best[i] as number) > 0) sum += give(this.paths[i] as Path, this.best[i] as number, this.kept)
    for (const i of members) if ((this.best[i] as number) > 0) clearFlows(this.paths[i] as Path)
    return Number.isNaN(sum) ? Number.NEGATIVE_INFINITY : sum
  }

  /** Output of the best division if nothing were rounded. Leaves its flows where none have been. */
  private smooth(): number {
    let sum = 0
    for (let i = 0; i < this.paths.length; i++)
      if ((this.best[i] as number) > 0) sum += pour(this.paths[i] as Path, this.best[i] as number, this.kept)
    return sum
  }

  private measure(): void {
    const { kept } = this
    this.smooth()
    this.paths.forEach((path, i) => {
      slopeOf(path, 'after', kept, this.after[i] as PathSlope)
      if ((this.best[i] as number) > 0) slopeOf(path, 'before', kept, this.before[i] as PathSlope)
    })
    clearAll(this.paths)
  }
}

/** For each path the first one that it has to do with, over others or directly. */
function groupsOf(paths: readonly Path[]): number[] {
  const groups = paths.map((_, i) => i)
  paths.forEach((path, i) => {
    for (let j = 0; j < i; j++) {
      const [own, other] = [groups[i] as number, groups[j] as number]
      if (own === other || !path.some((edge) => (paths[j] as Path).includes(edge))) continue
      for (let k = 0; k <= i; k++) if (groups[k] === Math.max(own, other)) groups[k] = Math.min(own, other)
    }
  })
  return groups
}

function clearAll(paths: readonly Path[]): void {
  for (const path of paths) clearFlows(path)
}
