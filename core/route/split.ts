// Divides an amount among paths so that one more unit gives the same over each of them. Each move takes from the path
// that loses least and gives to the one that gains most, by Newton's step for the pair; every move is checked on all
// paths in the order of their execution, so that shared pools and the steps of order books count as they are.
import { bisect } from './bisect.ts'
import { bestExchange, type Exchange, lossesWithout, pricesOf } from './exchange.ts'
import { Margins } from './margins.ts'
import {
  bendingOf,
  clearFlows,
  fill,
  isTooCoarse,
  type Path,
  type PathSlope,
  pathSlope,
  pour,
  push,
  samePath,
  slopeOf,
} from './path.ts'

/** Units of output below which no move is worth it. */
const WORTH_MOVING = 0.01
/** Moves that smaller and smaller steps may try. */
const TRIALS = 8
/** Moves between two paths that may give less than they promise. */
const MOST_FAILURES = 20
/** Paths whose exchange takes about as long as a trial. */
const EXCHANGE_COST = 6

/** How many divisions one request may try: a bound for its time. */
export interface Budget {
  left: number
}

export class Split {
  readonly paths: Path[] = []
  inputs: number[] = []
  /** Output of the inputs in doubles. */
  output = 0
  /** Output of the best division among any number of paths, as far as is known. */
  ideal = 0
  readonly budget: Budget
  /** What each transfer but the first may spend of the expectation before it. */
  readonly kept: number

  constructor(kept: number, budget: Budget) {
    this.kept = kept
    this.budget = budget
  }

  get parts(): number {
    return this.inputs.reduce((count, input) => (input > 0 ? count + 1 : count), 0)
  }

  /** Adds a path, or gives more to it when it is there already. @returns whether it was new */
  add(path: Path, input: number): boolean {
    const at = this.paths.findIndex((known) => samePath(known, path))
    if (at >= 0) this.inputs[at] = (this.inputs[at] as number) + input
    else {
      this.paths.push(path)
      this.inputs.push(input)
    }
    return at < 0
  }

  /**
   * Takes away paths that take nothing when amounts are rounded to units.
   *
   * @returns whether there were any
   */
  dropCoarse(): boolean {
    this.clear()
    const isCoarse = this.paths.map((path, i) => {
      const input = this.inputs[i] as number
      return input > 0 && isTooCoarse(path, input, this.kept)
    })
    if (!isCoarse.includes(true) || !isCoarse.some((coarse, i) => !coarse && (this.inputs[i] as number) > 0))
      return false
    for (let i = this.paths.length - 1; i >= 0; i--) if (isCoarse[i]) this.drop(i)
    return true
  }

  private drop(at: number): void {
    const freed = this.inputs[at] as number
    this.clear()
    this.paths.splice(at, 1)
    this.inputs.splice(at, 1)
    if (freed > 0) this.give(freed)
  }

  /** Whether a path has an edge in common with one that is used. */
  shares(path: Path): boolean {
    return this.paths.some((known, i) => (this.inputs[i] as number) > 0 && known.some((edge) => path.includes(edge)))
  }

  /** Whether a venue is used in both directions. */
  opposes(): boolean {
    const used = this.paths.filter((_, i) => (this.inputs[i] as number) > 0).flat()
    return used.some(({ venue, forward }) => used.some((edge) => edge.venue === venue && edge.forward !== forward))
  }

  /** Keeps only the paths that are used, without the one at `without`, whose input the largest that can takes. */
  trim(without = -1): void {
    const freed = this.inputs[without] ?? 0
    const left = this.paths.map((_, i) => i).filter((i) => i !== without && (this.inputs[i] as number) > 0)
    const paths = left.map((i) => this.paths[i] as Path)
    this.clear()
    this.inputs = left.map((i) => this.inputs[i] as number)
    this.paths.splice(0, this.paths.length, ...paths)
    if (freed > 0) this.give(freed)
  }

  private give(freed: number): void {
    const order = this.inputs.map((_, i) => i).sort((a, b) => (this.inputs[b] as number) - (this.inputs[a] as number))
    for (const i of order) {
      const trial = this.inputs.slice()
      trial[i] = (trial[i] as number) + freed
      this.inputs = i === order[order.length - 1] || !Number.isNaN(this.execute(trial)) ? trial : this.inputs
      if (this.inputs === trial) return
    }
  }

  clone(): Split {
    const copy = new Split(this.kept, this.budget)
    copy.paths.push(...this.paths)
    copy.inputs = this.inputs.slice()
    copy.output = this.output
    return copy
  }

  /** The same amount over other paths. */
  over(paths: readonly Path[], inputs: readonly number[]): Split {
    const other = new Split(this.kept, this.budget)
    other.paths.push(...paths)
    other.inputs = inputs.slice()
    return other
  }

  /** Whether one of these paths is not used. */
  lacks(paths: readonly Path[]): boolean {
    return paths.some((path) => !this.paths.some((own, i) => (this.inputs[i] as number) > 0 && samePath(own, path)))
  }

  /** Multiplies all inputs. */
  scale(factor: number): void {
    this.inputs = this.inputs.map((input) => input * factor)
  }

  /** The used paths, at most `limit`, that the others could replace with the least loss, and that loss, by second order. */
  leastMissed(limit: number): { at: number; loss: number }[] {
    this.execute()
    this.measure()
    return lossesWithout(margins, this.inputs)
      .sort((a, b) => a.loss - b.loss)
      .slice(0, limit)
  }

  /** Those of other paths that would give more for one more unit than the last one gives now, the best first. */
  promising(paths: readonly Path[]): Path[] {
    this.execute()
    const level = this.marginalRate()
    const rates = paths.map((path) => {
      slopeOf(path, 'after', this.kept, scratch)
      return scratch.open
    })
    return paths
      .map((path, i) => ({ path, rate: rates[i] as number }))
      .filter(({ rate }) => rate > level)
      .sort((a, b) => b.rate - a.rate)
      .map(({ path }) => path)
  }

  clear(): void {
    for (const path of this.paths) clearFlows(path)
  }

  /** Lays the flows of the inputs on the edges. @returns the output, NaN when a path cannot take its input */
  execute(inputs: readonly number[] = this.inputs, outputs?: number[]): number {
    this.clear()
    this.budget.left--
    let total = 0
    for (let i = 0; i < this.paths.length; i++) {
      const input = inputs[i] as number
      const output = input > 0 ? pour(this.paths[i] as Path, input, this.kept) : 0
      if (outputs) outputs[i] = output
      total += output
    }
    return total
  }

  /** What the last unit gives where it gives least. The flows must lie on the edges. */
  marginalRate(): number {
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < this.paths.length; i++) {
      if ((this.inputs[i] as number) <= 0) continue
      slopeOf(this.paths[i] as Path, 'before', this.kept, scratch)
      least = Math.min(least, scratch.rate)
    }
    return least
  }

  /**
   * Moves inputs until no move promises to gain more than a share of the output. Leaves the flows on the edges.
   *
   * @returns the output, NaN when the inputs cannot be taken
   */
  balance(tolerance: number, mostMoves: number): number {
    this.output = this.execute()
    margins.begin(this.paths, this.kept)
    const { pathsAfter: after, pathsBefore: before } = margins
    const blocked = new Set<number>()
    let together = this.paths.length > 2
    let failures = 0
    for (let moves = 0; moves < mostMoves && this.paths.length > 1 && this.budget.left > 0; moves++) {
      margins.measure()
      margins.measurePaths(this.inputs)
      const least = Math.max(this.output * tolerance, WORTH_MOVING)
      if (together) {
        this.budget.left -= this.paths.length / EXCHANGE_COST
        const step = bestExchange(margins, this.inputs)
        together = step !== null && step.gain > least
        if (step !== null && together) {
          if (this.approach(step)) continue
          together = false
          this.execute()
        }
      }
      const pair = this.pair(after, before, blocked)
      if (pair === null || pair.gain <= pair.loss) break
      const { to, from } = pair
      const ends = [this.paths[from] as Path, this.paths[to] as Path] as const
      const bending = bendingOf(...ends, before[from] as PathSlope, after[to] as PathSlope, this.kept)
      const available = this.inputs[from] as number
      const amount = Math.min(available, bending > 0 ? (pair.gain - pair.loss) / bending : available)
      if (((pair.gain - pair.loss) * amount) / 2 <= least) break
      const output = this.output
      if (this.move(from, to, amount, Math.min((before[from] as PathSlope).room, (after[to] as PathSlope).room)))
        blocked.clear()
      else blocked.add(to * this.paths.length + from)
      if (this.output - output < least && ++failures > MOST_FAILURES) break
      this.execute()
    }
    return this.output
  }

  /** Goes as far with an exchange as it pays: all the way, or to the first kink. */
  private approach({ changes, reach }: Exchange): boolean {
    for (const share of reach < 1 ? [1, Math.max(reach, (1 + reach) / 4), reach] : [1, 1 / 3]) {
      if (this.apply(changes, share)) return true
    }
    return false
  }

  /**
   * Tells edges that stand at a kink what one more unit is worth there, so that a search finds paths for which others give
   * way. The flows must lie on the edges. Until `unprice`.
   *
   * @returns what the last unit of input gives
   */
  price(): number {
    const level = this.marginalRate()
    this.measure()
    if (!margins.edges.some((_, place) => margins.isKink(place))) return level
    const prices = pricesOf(margins, this.inputs)
    if (prices === null) return level
    for (const [place, edge] of margins.edges.entries()) edge.spare = prices.spare[place] as number
    return Math.min(level, Math.max(0, prices.level))
  }

  /** Takes back what `price` has told. */
  unprice(): void {
    for (const path of this.paths) for (const edge of path) edge.spare = 0
  }

  /**
   * Takes from each path what it cannot take and gives it to others.
   *
   * @returns whether all of it has found its place
   */
  fit(): boolean {
    this.clear()
    let rest = 0
    for (let i = 0; i < this.paths.length; i++) {
      const input = this.inputs[i] as number
      if (input <= 0) continue
      const taken = fill(this.paths[i] as Path, input, this.kept)
      this.inputs[i] = taken
      rest += input - taken
    }
    if (rest > 0) {
      for (const i of this.byGain(rest)) {
        const more = this.mostMore(i, rest)
        this.inputs[i] = (this.inputs[i] as number) + more
        rest -= more
        if (rest < 1) break
      }
    }
    this.output = this.execute()
    // Shares of units find their place when the parts become whole.
    return rest < this.paths.length
  }

  /** How much of a rest a path takes beside its input, so that all others still take theirs. */
  private mostMore(at: number, rest: number): number {
    const own = this.inputs[at] as number
    const takes = (more: number) => this.takes(this.inputs.with(at, own + more))
    if (takes(rest)) return rest
    return bisect(0, Math.ceil(rest), (more) => this.budget.left > 0 && takes(more))[0]
  }

  /** Whether more is asked of a venue than it can take. Leaves flows on the edges. */
  isOverfull(): boolean {
    this.execute()
    return this.paths.some(
      (path, i) => (this.inputs[i] as number) > 0 && path.some((edge) => edge.flow > edge.curve.capacity),
    )
  }

  /** Whether every path can take its input. Leaves flows on the edges. */
  takes(inputs: readonly number[]): boolean {
    this.clear()
    this.budget.left--
    return this.paths.every((path, i) => {
      const input = inputs[i] as number
      return input <= 0 || push(path, input, this.kept) > 0
    })
  }

  /** Paths by what the output is when they take so much more, best first. */
  private byGain(more: number): number[] {
    const outputs = this.inputs.map((own, i) => this.execute(this.inputs.with(i, own + more)) || 0)
    return outputs.map((_, i) => i).sort((a, b) => (outputs[b] as number) - (outputs[a] as number))
  }

  /** Makes a share of an exchange when it is one for the better, and leaves its flows. */
  private apply(changes: Float64Array, share: number): boolean {
    const trial = this.inputs.map((input, i) => Math.max(0, input + share * (changes[i] as number)))
    const output = this.execute(trial)
    if (!(output > this.output)) return false
    this.inputs = trial
    this.output = output
    return true
  }

  /** Measures the margins at the flows that lie on the edges. */
  private measure(): void {
    margins.begin(this.paths, this.kept)
    margins.measure()
    margins.measurePaths(this.inputs)
  }

  /** The two paths between which a unit gains most. */
  private pair(after: readonly PathSlope[], before: readonly PathSlope[], blocked: ReadonlySet<number>) {
    let best: { from: number; to: number; gain: number; loss: number } | null = null
    for (let from = 0; from < this.paths.length; from++) {
      if ((this.inputs[from] as number) <= 0) continue
      const loss = (before[from] as PathSlope).rate
      for (let to = 0; to < this.paths.length; to++) {
        if (to === from || (blocked.size > 0 && blocked.has(to * this.paths.length + from))) continue
        const { rate, open, full } = after[to] as PathSlope
        const gain = full !== null && (this.paths[from] as Path).includes(full) ? open : rate
        if (best === null || gain - loss > best.gain - best.loss) best = { from, to, gain, loss }
      }
    }
    return best
  }

  private move(from: number, to: number, first: number, room: number): boolean {
    const available = this.inputs[from] as number
    let amount = first
    const trial = this.inputs.slice()
    for (let i = 0; i < TRIALS; i++) {
      trial[from] = available - amount
      trial[to] = (this.inputs[to] as number) + amount
      const output = this.execute(trial)
      if (output > this.output) {
        this.inputs = trial
        this.output = output
        return true
      }
      // Where the curves bend differently behind the border of a piece, go up to that border at last.
      amount = room > 0 && room < amount && (amount / 4 <= room || i === TRIALS - 2) ? room : amount / 4
    }
    return false
  }
}

const scratch = pathSlope()
/** Of whatever division is at hand. */
const margins = new Margins()
