// Divisions on a grid of shares, by dynamic programming over what each path gives by itself: what rounding, the steps of
// order books and their least orders do to a division is not told by any margin. Where the amount is few units, the grid
// is these units. Most requests need no look: at a price for a share, no division gives more than the price of the whole
// and what its paths give beyond the price of their parts.
import { clearFlows, mostOver, outputAlone, type Path, push } from './path.ts'
import { triples } from './triples.ts'

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
/** So small that three paths that meet are tried to the unit. */
const TINY = 10_000
/** What doubles may be wrong by where a venue is shared, as its second swap begins at no tick; or in units of input. */
const SHARED_DOUBT = 1e-4
const SHARED_UNITS = 2
/** Divisions by dynamic programming, and sums that they may take: one whose paths meet is followed by two others. */
const TURNS = 40
const MOST_SUMS = 1_500_000
/** Divisions between two paths that meet. */
const PAIR_TRIALS = 3000
/** Those of them that are quoted to the unit where units count. */
const EXACT_TRIALS = 200

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
  /** Whether there are so few paths that there is time to try each three of them that meet. */
  isFew: boolean
  /** To the unit, on one state; less than anything when it cannot be. */
  quote: (paths: readonly Path[], inputs: readonly number[]) => number
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

/** What the best divisions among the first of some paths give, for each number of these. */
interface Layers {
  members: readonly number[]
  /** Output of so many parts and shares, at parts · (steps + 1) + shares. */
  best: Float64Array[]
  /** What the last of the paths takes in it. */
  taken: Uint8Array[]
}

class Grid {
  private readonly paths: readonly Path[]
  private readonly amount: number
  private readonly options: GridOptions
  private readonly steps: number
  /** Whether all is told to the unit. */
  private readonly isExact: boolean
  /** About what the units are worth that the shares lack of the amount. */
  private readonly rest: number
  /** For path and share: the output by itself; less than anything where the path cannot take it. */
  private readonly outputs: Float64Array[]
  /** The most that it gives when others take their share of its venues first: then less may come to one that is full. */
  private readonly bounds: Float64Array[]
  private readonly found: GridDivision[] = []
  /** Between two paths that meet: doubles do not tell well which of them is the best. */
  private readonly pairs: GridDivision[] = []
  /** Where units count: those of which only a quote tells. */
  private readonly doubtful: GridDivision[] = []

  constructor(paths: readonly Path[], amount: number, options: GridOptions) {
    this.paths = paths
    this.amount = amount
    this.options = options
    this.steps = amount <= MOST_UNITS ? amount : STEPS
    const isSmall = Math.min(amount, options.best) < SMALL && paths.length <= FEW
    this.isExact = this.steps === amount || isSmall
    this.rest = this.steps === amount ? 0 : (options.maxParts * options.best) / amount
    this.outputs = paths.map((path) => {
      const outputs = new Float64Array(this.steps + 1)
      for (let share = 1; share <= this.steps; share++) {
        const output = outputAlone(path, this.part(share), options.kept, this.isExact)
        outputs[share] = output > 0 ? output : Number.NEGATIVE_INFINITY
      }
      return outputs
    })
    this.bounds = this.outputs.map((outputs, path) => this.boundsOf(outputs, paths[path] as Path))
  }

  private boundsOf(outputs: Float64Array, path: Path): Float64Array {
    if (!outputs.includes(Number.NEGATIVE_INFINITY)) return outputs
    return outputs.map((output, share) => {
      const most = output >= 0 ? output : mostOver(path, this.part(share), this.options.kept)
      if (most > 0 || share === 0) return most
      // Where there is nothing to beat, whatever fits is welcome.
      return this.options.best > 0 ? Number.NEGATIVE_INFINITY : 0
    })
  }

  run(): GridDivision[] {
    const every = this.paths.map((_, i) => i)
    const all = this.promising(every, this.bounds)
    this.tryPairs(all)
    if (this.options.isFew && this.options.maxParts > 2) this.tryTriples(all.map((i) => this.paths[i] as Path))
    const pending: { value: number; members: readonly number[]; known: Layers | null }[] = [
      { value: 0, members: all, known: null },
    ]
    // Where there is nothing to beat, there may be no other way to find anything.
    let left = this.options.best > 0 ? MOST_SUMS : 10 * MOST_SUMS
    for (let turn = 0; turn < TURNS && left > 0; turn++) {
      // The one that promises most.
      const next = pending.reduce((best, one, i) => (one.value > (pending[best]?.value ?? -1) ? i : best), 0)
      const [one] = pending.splice(next, 1)
      if (one === undefined) break
      const members = this.promising(one.members, this.outputs)
      if (members.length === 0) continue
      left -= (members.length * this.options.maxParts * this.steps ** 2) / 2
      const layers = this.layersOf(members, one.known)
      const [first, ...others] = this.divide(layers)
      for (const other of others) this.enter(other)
      if (first === undefined) continue
      this.enter(first)
      for (const out of this.meetingOf(first.members) ?? [])
        pending.push({ value: first.value, members: members.filter((i) => i !== out), known: layers })
    }
    return [...this.pairs, ...this.found]
  }

  private part(share: number): number {
    return Math.floor((this.amount * share) / this.steps)
  }

  /** What a division must be above to be worth a look. */
  private least(found = this.found): number {
    const { best } = this.options
    const last = found[this.limitOf(found) - 1]
    const isDoubtful = found === (this.isExact ? this.doubtful : this.pairs)
    const units = this.isExact ? SHARED_UNITS / this.amount : 0
    const doubt = isDoubtful ? best * Math.max(SHARED_DOUBT, units) : 0
    return Math.max(best - Math.max(doubt, DOUBT) - this.rest, last?.output ?? 0)
  }

  /** Those of some paths that may be in a division that is better than the best. */
  private promising(members: readonly number[], tables: readonly Float64Array[]): number[] {
    const { maxParts } = this.options
    const price = this.priceOf(members, tables)
    const beyond = members.map((i) => this.surplus(tables[i] as Float64Array, price))
    const most = [...beyond].sort((x, y) => y - x)
    const without = most.slice(0, maxParts - 1).reduce((sum, surplus) => sum + surplus, price * this.steps)
    const last = most[maxParts - 1] ?? 0
    const least = Math.max(this.least(), this.options.best - this.rest)
    return members.filter((_, at) => without + Math.min(last, beyond[at] as number) > least)
  }

  /** At which the paths want about the whole, if they are not to meet: any price bounds what a division gives. */
  private priceOf(members: readonly number[], tables: readonly Float64Array[]): number {
    let [low, high] = [0, 0]
    for (const i of members)
      for (let share = 1; share <= this.steps; share++)
        high = Math.max(high, ((tables[i] as Float64Array)[share] as number) / share)
    // The more a share costs, the less is wanted: what is wanted at the two prices bounds what is looked at.
    const least = new Uint8Array(members.length)
    const most = new Uint8Array(members.length).fill(this.steps)
    const wanted = new Uint8Array(members.length)
    for (let i = 0; i < HALVINGS; i++) {
      const middle = (low + high) / 2
      let sum = 0
      for (let at = 0; at < members.length; at++) {
        const table = tables[members[at] as number] as Float64Array
        wanted[at] = wantedOf(table, middle, least[at] as number, most[at] as number)
        sum += wanted[at] as number
      }
      if (sum > this.steps) {
        low = middle
        most.set(wanted)
      } else {
        high = middle
        least.set(wanted)
      }
    }
    return high
  }

  /** The most that a path gives beyond the price of its share. */
  private surplus(outputs: Float64Array, price: number): number {
    const share = wantedOf(outputs, price, 0, this.steps)
    return share === 0 ? 0 : (outputs[share] as number) - price * share
  }

  /**
   * Adds one path after the other.
   *
   * @param known  the same of other paths: what begins alike is not computed again
   */
  private layersOf(members: readonly number[], known: Layers | null): Layers {
    const layers: Layers = { members, best: [], taken: [] }
    // The last of its layers is not complete.
    const most = Math.min(members.length, (known?.members.length ?? 0) - 1)
    for (let at = 0; at < most && members[at] === known?.members[at]; at++) {
      layers.best.push(known?.best[at] as Float64Array)
      layers.taken.push(known?.taken[at] as Uint8Array)
    }
    for (let at = layers.best.length; at < members.length; at++) this.addLayer(layers, at)
    return layers
  }

  private addLayer({ members, best: all, taken }: Layers, at: number): void {
    const { steps } = this
    const { maxParts } = this.options
    const width = steps + 1
    const outputs = this.outputs[members[at] as number] as Float64Array
    const best = all[at - 1]?.slice() ?? new Float64Array((maxParts + 1) * width).fill(Number.NEGATIVE_INFINITY)
    if (at === 0) best[0] = 0
    const own = new Uint8Array((maxParts + 1) * width)
    // Downwards, so that each path is used once.
    for (let parts = Math.min(maxParts, at + 1); parts > 0; parts--) {
      const before = (parts - 1) * width
      const row = parts * width
      // What no other part follows is of use only when it is the whole.
      const least = parts === maxParts || at + 1 === members.length ? steps : parts
      for (let total = steps; total >= least; total--) {
        let most = best[row + total] as number
        let choice = 0
        // The first part has all; the others leave one share at least to each before them.
        const last = total - parts + 1
        for (let share = parts === 1 ? total : 1, rest = before + total - share; share <= last; share++, rest--) {
          const value = (best[rest] as number) + (outputs[share] as number)
          if (value > most) {
            most = value
            choice = share
          }
        }
        if (choice === 0) continue
        best[row + total] = most
        own[row + total] = choice
      }
    }
    all.push(best)
    taken.push(own)
  }

  /** The best divisions into one part, two parts and so on, as if no two paths met: the best of them first. */
  private divide({ members, best, taken }: Layers): Chosen[] {
    const { steps } = this
    const { maxParts } = this.options
    const width = steps + 1
    const last = best[best.length - 1] as Float64Array
    const found: Chosen[] = []
    for (let most = 1; most <= maxParts; most++) {
      const value = last[most * width + steps] as number
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
    const found = this.isExact ? this.doubtful : this.pairs
    const price = this.priceOf(members, this.bounds)
    const beyond = members.map((i) => this.surplus(this.bounds[i] as Float64Array, price))
    let trials = PAIR_TRIALS
    for (const [x, a] of members.entries()) {
      for (const [y, b] of members.entries()) {
        const bound = price * this.steps + (beyond[x] as number) + (beyond[y] as number)
        if (a === b || bound <= this.least(found) || trials < 0 || !this.meet(a, b)) continue
        const [first, second] = [this.outputs[a] as Float64Array, this.bounds[b] as Float64Array]
        for (let share = 1; share < this.steps; share++) {
          const least = this.least(found)
          if (!((first[share] as number) + (second[this.steps - share] as number) > least)) continue
          const output = this.pairOutput(a, b, share)
          trials--
          if (output > least) this.put(found, this.division([a, b], [share, this.steps - share], output))
        }
      }
    }
    for (const division of this.doubtful) {
      const output = this.options.quote(division.paths, division.inputs)
      if (output > this.least(this.pairs)) this.put(this.pairs, { ...division, output })
    }
  }

  private tryTriples(paths: readonly Path[]): void {
    const { kept, quote, best } = this.options
    const isExact = this.isExact && Math.min(this.amount, best) < TINY
    const all = triples(paths, this.amount, { kept, least: this.least(this.pairs), isExact })
    for (const division of all.slice(0, EXACT_TRIALS)) {
      const output = isExact ? quote(division.paths, division.inputs) : division.output
      if (output > this.least(this.pairs)) this.put(this.pairs, { ...division, rest: 0, output })
    }
  }

  private enter({ members, shares, value }: Chosen): void {
    const output = this.meetingOf(members) === null ? value : this.together(members, shares)
    if (output > this.least()) this.put(this.found, this.division(members, shares, output))
  }

  private division(members: readonly number[], shares: readonly number[], output: number): GridDivision {
    const inputs = this.inputsOf(shares)
    const rest = (inputs[inputs.length - 1] as number) - this.part(shares[shares.length - 1] as number)
    return { paths: members.map((i) => this.paths[i] as Path), inputs, rest, output }
  }

  private put(found: GridDivision[], division: GridDivision): void {
    let at = found.length
    while (at > 0 && (found[at - 1] as GridDivision).output < division.output) at--
    found.splice(at, 0, division)
    if (found.length > this.limitOf(found)) found.pop()
  }

  private limitOf(found: GridDivision[]): number {
    return found === this.doubtful ? EXACT_TRIALS : this.options.limit
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
    const paths = members.map((i) => this.paths[i] as Path)
    let sum = 0
    paths.forEach((path, i) => {
      sum += push(path, inputs[i] as number, this.options.kept)
    })
    for (const path of paths) clearFlows(path)
    return Number.isNaN(sum) ? Number.NEGATIVE_INFINITY : sum
  }

  /** The same of two paths, the second of which takes all that the first one leaves. */
  private pairOutput(a: number, b: number, share: number): number {
    const { kept } = this.options
    const [one, other] = [this.paths[a] as Path, this.paths[b] as Path]
    const input = this.part(share)
    const output = push(one, input, kept) + push(other, this.amount - input, kept)
    clearFlows(one)
    clearFlows(other)
    return Number.isNaN(output) ? Number.NEGATIVE_INFINITY : output
  }

  private meetingOf(members: readonly number[]): [number, number] | null {
    for (const a of members) for (const b of members) if (a < b && this.meet(a, b)) return [a, b]
    return null
  }

  private meet(a: number, b: number): boolean {
    return (this.paths[a] as Path).some((edge) => (this.paths[b] as Path).includes(edge))
  }
}

/** The share, from one to another, that gives most beyond its price: the least of them; 0 when none gives anything beyond. */
function wantedOf(outputs: Float64Array, price: number, from: number, to: number): number {
  let [most, at] = [0, 0]
  for (let share = Math.max(from, 1); share <= to; share++) {
    const surplus = (outputs[share] as number) - price * share
    if (surplus > most) {
      most = surplus
      at = share
    }
  }
  return at
}
