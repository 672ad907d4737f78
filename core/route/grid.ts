// Divisions on a grid of shares, by dynamic programming over what each path gives by itself: what rounding, the steps of
// order books and their least orders do to a division is not told by any margin. Where the amount is few units, the grid
// is these units. Most requests need no look: at a price for a share, no division gives more than the price of the whole
// and what its paths give beyond the price of their parts.
import { clearFlows, type Path, push, pushExactly } from './path.ts'

/** Shares of the whole, and most units that are divided one by one. */
const STEPS = 100
export const MOST_UNITS = 160
/** Halvings in the search for the price of a share. */
const HALVINGS = 24
/** Units by which doubles may be wrong. */
const DOUBT = 1.5
/** Amounts so small that units count, and so few paths that what they give is worth quoting. */
const SMALL = 1_000_000
const FEW = 8
/** What doubles may be wrong by where a venue is shared: its second swap begins at no tick. */
const SHARED_DOUBT = 1e-4
/** Divisions by dynamic programming, and sums that they may take: one whose paths meet is followed by two others. */
const TURNS = 40
const MOST_SUMS = 1_500_000
/** Divisions between two paths that meet. */
const PAIR_TRIALS = 3000

export interface GridDivision {
  paths: Path[]
  /** Whole units that add up to the amount. */
  inputs: number[]
  /** Units that the last one has beside its share. */
  rest: number
  /** In doubles that are rounded as the contracts do. */
  output: number
}

export interface GridOptions {
  /** What each transfer but the first may spend of the expectation before it. */
  kept: number
  /** The output to beat. */
  best: number
  /** Divisions to return at most, and as many between two paths that meet. */
  limit: number
  maxParts: number
}

/** @returns divisions that may give more than the best, the most promising first; no flows are left */
export function searchGrid(paths: readonly Path[], amount: number, options: GridOptions): GridDivision[] {
  return new Grid(paths, amount, options).run()
}

/** Indexes of paths and their shares. */
interface Chosen {
  members: number[]
  shares: number[]
  value: number
}

class Grid {
  private readonly paths: readonly Path[]
  private readonly amount: number
  private readonly options: GridOptions
  private readonly steps: number
  /** About what the units are worth that the shares lack of the amount. */
  private readonly rest: number
  /** For path and share: the output by itself; less than anything where the path cannot take it. */
  private readonly outputs: Float64Array[]
  private readonly found: GridDivision[] = []
  /** Between two paths that meet: doubles do not tell well which of them is the best. */
  private readonly pairs: GridDivision[] = []

  constructor(paths: readonly Path[], amount: number, options: GridOptions) {
    this.paths = paths
    this.amount = amount
    this.options = options
    this.steps = amount <= MOST_UNITS ? amount : STEPS
    const isSmall = Math.min(amount, options.best) < SMALL && paths.length <= FEW
    const give = this.steps === amount || isSmall ? pushExactly : push
    this.rest = this.steps === amount ? 0 : (options.maxParts * options.best) / amount
    this.outputs = paths.map((path) =>
      Float64Array.from({ length: this.steps + 1 }, (_, share) => {
        const output = share === 0 ? 0 : give(path, this.part(share), options.kept)
        clearFlows(path)
        return output > 0 || share === 0 ? output : Number.NEGATIVE_INFINITY
      }),
    )
  }

  run(): GridDivision[] {
    const all = this.promising(this.paths.map((_, i) => i))
    this.tryPairs(all)
    const pending = [{ value: 0, members: all }]
    // Where there is nothing to beat, there may be no other way to find anything.
    let left = this.options.best > 0 ? MOST_SUMS : 10 * MOST_SUMS
    for (let turn = 0; turn < TURNS && left > 0; turn++) {
      // The one that promises most.
      const next = pending.reduce((best, one, i) => (one.value > (pending[best]?.value ?? -1) ? i : best), 0)
      const [one] = pending.splice(next, 1)
      if (one === undefined) break
      const members = this.promising(one.members)
      if (members.length === 0) continue
      left -= (members.length * this.options.maxParts * this.steps ** 2) / 2
      const [first, ...others] = this.divide(members)
      for (const other of others) this.enter(other)
      if (first === undefined) continue
      this.enter(first)
      for (const out of this.meetingOf(first.members) ?? [])
        pending.push({ value: first.value, members: members.filter((i) => i !== out) })
    }
    return [...this.pairs, ...this.found]
  }

  private part(share: number): number {
    return Math.floor((this.amount * share) / this.steps)
  }

  /** What a division must be above to be worth a look. */
  private least(found = this.found): number {
    const { best, limit } = this.options
    const last = found[limit - 1]
    const doubt = found === this.pairs ? Math.max(best * SHARED_DOUBT, DOUBT) : DOUBT
    return Math.max(best - doubt - this.rest, last?.output ?? 0)
  }

  /** Those of some paths that may be in a division that is better than the best. */
  private promising(members: readonly number[]): number[] {
    const { maxParts } = this.options
    const price = this.priceOf(members)
    const beyond = members.map((i) => this.surplus(i, price)[0])
    const most = [...beyond].sort((x, y) => y - x)
    const without = most.slice(0, maxParts - 1).reduce((sum, surplus) => sum + surplus, price * this.steps)
    const last = most[maxParts - 1] ?? 0
    const least = Math.max(this.least(), this.options.best - this.rest)
    return members.filter((_, at) => without + Math.min(last, beyond[at] as number) > least)
  }

  /** At which the paths want about the whole, if they are not to meet: any price bounds what a division gives. */
  private priceOf(members: readonly number[]): number {
    let [low, high] = [0, 0]
    for (const i of members)
      for (let share = 1; share <= this.steps; share++)
        high = Math.max(high, ((this.outputs[i] as Float64Array)[share] as number) / share)
    for (let i = 0; i < HALVINGS; i++) {
      const middle = (low + high) / 2
      const wanted = members.reduce((sum, path) => sum + this.surplus(path, middle)[1], 0)
      if (wanted > this.steps) low = middle
      else high = middle
    }
    return high
  }

  /** The most that a path gives beyond the price of its share, and that share. */
  private surplus(path: number, price: number): [surplus: number, share: number] {
    const outputs = this.outputs[path] as Float64Array
    let [most, at] = [0, 0]
    for (let share = 1; share <= this.steps; share++) {
      const surplus = (outputs[share] as number) - price * share
      if (surplus > most) [most, at] = [surplus, share]
    }
    return [most, at]
  }

  /** The best divisions into one part, two parts and so on, as if no two paths met: the best of them first. */
  private divide(members: readonly number[]): Chosen[] {
    const { steps } = this
    const { maxParts } = this.options
    const width = steps + 1
    /** The best output of so many parts and shares, at parts · width + shares. */
    const best = new Float64Array((maxParts + 1) * width).fill(Number.NEGATIVE_INFINITY)
    best[0] = 0
    /** What each path takes in it. */
    const taken = members.map(() => new Uint8Array((maxParts + 1) * width))
    members.forEach((path, at) => {
      const outputs = this.outputs[path] as Float64Array
      const own = taken[at] as Uint8Array
      // Downwards, so that each path is used once.
      for (let parts = maxParts; parts > 0; parts--) {
        const before = (parts - 1) * width
        for (let total = steps; total > 0; total--) {
          let [most, choice] = [best[parts * width + total] as number, 0]
          for (let share = 1; share <= total; share++) {
            const value = (best[before + total - share] as number) + (outputs[share] as number)
            if (value > most) [most, choice] = [value, share]
          }
          if (choice === 0) continue
          best[parts * width + total] = most
          own[parts * width + total] = choice
        }
      }
    })
    const found: Chosen[] = []
    for (let most = 1; most <= maxParts; most++) {
      const value = best[most * width + steps] as number
      if (!(value > this.least())) continue
      const chosen: Chosen = { members: [], shares: [], value }
      for (let at = members.length - 1, parts = most, left = steps; at >= 0; at--) {
        const share = (taken[at] as Uint8Array)[parts * width + left] as number
        if (share === 0) continue
        chosen.members.push(members[at] as number)
        chosen.shares.push(share)
        parts--
        left -= share
      }
      found.push(chosen)
    }
    return found.sort((x, y) => y.value - x.value)
  }

  /** Each two paths that meet, on a shared state, both ways round: what they lose there is not known before. */
  private tryPairs(members: readonly number[]): void {
    const price = this.priceOf(members)
    const beyond = members.map((i) => this.surplus(i, price)[0])
    let trials = PAIR_TRIALS
    for (const [x, a] of members.entries()) {
      for (const [y, b] of members.entries()) {
        const bound = price * this.steps + (beyond[x] as number) + (beyond[y] as number)
        if (a === b || bound <= this.least(this.pairs) || trials < 0 || !this.meet(a, b)) continue
        const [first, second] = [this.outputs[a] as Float64Array, this.outputs[b] as Float64Array]
        for (let share = 1; share < this.steps; share++) {
          const least = this.least(this.pairs)
          if (!((first[share] as number) + (second[this.steps - share] as number) > least)) continue
          const shares = [share, this.steps - share]
          const output = this.together([a, b], shares)
          trials--
          if (output > least) this.put(this.pairs, [a, b], shares, output)
        }
      }
    }
  }

  private enter({ members, shares, value }: Chosen): void {
    const output = this.meetingOf(members) === null ? value : this.together(members, shares)
    if (output > this.least()) this.put(this.found, members, shares, output)
  }

  private put(found: GridDivision[], members: readonly number[], shares: readonly number[], output: number): void {
    const inputs = this.inputsOf(shares)
    const rest = (inputs[inputs.length - 1] as number) - this.part(shares[shares.length - 1] as number)
    const division = { paths: members.map((i) => this.paths[i] as Path), inputs, rest, output }
    let at = found.length
    while (at > 0 && (found[at - 1] as GridDivision).output < output) at--
    found.splice(at, 0, division)
    if (found.length > this.options.limit) found.pop()
  }

  /** What the shares lack of the amount goes to the last one. */
  private inputsOf(shares: readonly number[]): number[] {
    const inputs = shares.map((share) => this.part(share))
    const rest = this.amount - inputs.reduce((sum, input) => sum + input, 0)
    inputs[inputs.length - 1] = (inputs[inputs.length - 1] as number) + rest
    return inputs
  }

  /** Less than anything when they cannot take their inputs. */
  private together(members: readonly number[], shares: readonly number[]): number {
    const inputs = this.inputsOf(shares)
    let sum = 0
    members.forEach((path, i) => {
      sum += push(this.paths[path] as Path, inputs[i] as number, this.options.kept)
    })
    for (const path of members) clearFlows(this.paths[path] as Path)
    return Number.isNaN(sum) ? Number.NEGATIVE_INFINITY : sum
  }

  private meetingOf(members: readonly number[]): [number, number] | null {
    for (const a of members) for (const b of members) if (a < b && this.meet(a, b)) return [a, b]
    return null
  }

  private meet(a: number, b: number): boolean {
    return (this.paths[a] as Path).some((edge) => (this.paths[b] as Path).includes(edge))
  }
}
