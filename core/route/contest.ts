// Contenders for a request are quoted exactly; the best of them is the route.
import type { Ratio } from '../amm/price.ts'
import { Overlay } from './exact.ts'
import { searchGrid } from './grid.ts'
import { priceImpact } from './impact.ts'
import type { Route, RouteRequest } from './model.ts'
import { bestPairs } from './pairs.ts'
import { clearFlows, type Path, pour, pullExactly, pushExactly, samePath } from './path.ts'
import { Polish } from './polish.ts'
import { executeIn, keptOf, leastOf, mostOf, type QuotedPart, quoteExactIn, quoteExactOut, Refusal } from './quote.ts'
import type { PathSearch } from './search.ts'
import { percents, withRest } from './shares.ts'
import { type Budget, Split } from './split.ts'

/** Sizes of moves, as shares of the whole: halves of each other. */
const SIZES = 9
/** Divisions that are tried in doubles, and quoted exactly, where single units count. */
const TRIALS = 2500
const EXACT_TRIALS = 48
/** Paths among which amounts move. */
const MOST_PATHS = 20
/** Units by which doubles may be wrong. */
const ROUNDING = 1.5
/** Tries of the last units, paths that may join for them, and divisions of which an exact quote chooses. */
const POLISHES = 120
const COARSE_POLISHES = 400
const COARSEST_POLISHES = 1200
const OTHER_POLISHES = 100
const POLISHED_PATHS = 10
/** Rounds from the best one that was found then. */
const AGAIN = 3
const CHOICE = 4
const GRIDS = 8
/** Pairs that are looked at further, and paths of which all pairs are tried. */
const PAIRS = 4
const PAIRED_PATHS = 8
/** Where rounding takes more of the output than this, pairs of paths are tried beside the best division. */
const COARSE_LOSS = 1e-6
const GREAT_LOSS = 1e-4
/** Where rounding takes more than this of a plan, it may have misled. */
const MISLED = 1e-3
/** An input that is above all that can be asked for. */
const ANY_INPUT = 1n << 62n
/** What doubles may lack of an output. */
const ALMOST = 1e-12
/** The least price of input that a bound begins with, by the average one: no more than this share of it can be lost so. */
const LEAST_LEVEL = 1e-5
/** Below this a unit is more than a hundredth of a percent. */
const COARSE_AMOUNT = 10_000n

interface Trials {
  left: number
  exact: number
}

interface Contender {
  paths: readonly Path[]
  amounts: readonly bigint[]
  /** How many of them are used. */
  parts: number
  input: bigint
  output: bigint
}

export class Contest {
  /** The leg that could not be executed in the last refused contender. */
  refused: Refusal | null = null

  /** Begins another attempt. */
  forgetRefusal(): void {
    this.refused = null
  }
  /** The most that a division could give if nothing were rounded, as far as is known; in doubles. */
  ceiling = 0
  /** What the last unit of input gives in the best of these divisions. */
  price = 0
  /** Whether it fills a venue: where it stands no step may gain, and another one be better all the same. */
  isFull = false
  private readonly exact: 'in' | 'out'
  private readonly request: RouteRequest
  private readonly slippage: Ratio
  /** What each transfer but the first may spend of the expectation before it. */
  private readonly kept: number
  private best: Contender | null = null
  private bestSingle: Contender | null = null
  private bestSplit: Contender | null = null
  /** The best one before the grid. */
  private planned: Contender | null = null
  private readonly onGrid: Pick<Contender, 'paths' | 'amounts'>[] = []
  /** Paths of all divisions that were quoted. */
  private readonly seen: Path[] = []

  constructor(exact: 'in' | 'out', request: RouteRequest, slippage: Ratio) {
    this.exact = exact
    this.request = request
    this.slippage = slippage
    this.kept = keptOf(slippage)
  }

  /** What is divided: input for exact input, output for exact output. */
  get amount(): bigint {
    return this.request.amount
  }

  /** Input of the best contender, null before there is one. */
  get input(): bigint | null {
    return this.best?.input ?? null
  }

  /** Output of the best contender, null before there is one. */
  get output(): bigint | null {
    return this.best?.output ?? null
  }

  /**
   * Quotes paths in their order.
   *
   * @param amounts  for each path, raw units: together the amount of the request
   * @returns whether it can be executed
   */
  enter(paths: readonly Path[], amounts: readonly bigint[]): boolean {
    for (const path of paths) this.see(path)
    const contender = this.quote(paths, amounts)
    if (contender === null) return false
    if (isBetter(this.exact, contender, this.best)) this.best = contender
    if (paths.length === 1 && isBetter(this.exact, contender, this.bestSingle)) this.bestSingle = contender
    if (paths.length > 1 && isBetter(this.exact, contender, this.bestSplit)) this.bestSplit = contender
    return true
  }

  private quote(paths: readonly Path[], amounts: readonly bigint[]): Contender | null {
    const overlay = new Overlay()
    let [whole, sum, parts] = [0n, 0n, 0]
    for (let i = 0; i < paths.length; i++) {
      const amount = amounts[i] as bigint
      if (amount === 0n) continue
      const other = this.execute(paths[i] as Path, amount, overlay)
      if (other instanceof Refusal) {
        this.refused = other
        return null
      }
      whole += amount
      sum += other
      parts++
    }
    const [input, output] = this.exact === 'in' ? [whole, sum] : [sum, whole]
    return { paths, amounts, parts, input, output }
  }

  /** @returns what an amount gives, or costs for an exact output */
  private execute(path: Path, amount: bigint, overlay: Overlay): bigint | Refusal {
    if (this.exact === 'in') return executeIn(path, amount, this.slippage, overlay)
    const part = quoteExactOut(path, amount, this.slippage, overlay)
    return part instanceof Refusal ? part : part.input
  }

  /** The parts of a contender with all their hops. */
  private partsOf({ paths, amounts }: Contender): QuotedPart[] {
    const overlay = new Overlay()
    const quote = this.exact === 'in' ? quoteExactIn : quoteExactOut
    const used = paths.flatMap((path, i) => (amounts[i] === 0n ? [] : [{ path, amount: amounts[i] as bigint }]))
    return used.map(({ path, amount }) => quote(path, amount, this.slippage, overlay) as QuotedPart)
  }

  /** Whether there is no plan, or so much less than it promises that it may have misled. */
  get isMisled(): boolean {
    return this.ceiling === 0 || this.ceiling - Number(this.best?.output ?? 0n) > this.ceiling * MISLED
  }

  /** Whether the best contender trades so few raw units that their rounding counts. */
  get isCoarse(): boolean {
    return this.best !== null && (this.best.input < COARSE_AMOUNT || this.best.output < COARSE_AMOUNT)
  }

  /**
   * Moves amounts of many sizes between paths: where single units count, nothing less finds the best division. What
   * doubles hold for better is quoted exactly, and so is what they cannot tell from the best.
   *
   * @param reserve  paths to try beside those of the best contender
   */
  climb(reserve: readonly Path[], maxParts: number): void {
    const trials = { left: TRIALS, exact: EXACT_TRIALS }
    const single = this.bestSingle
    if (single !== null && single !== this.best) this.climbFrom(single, reserve, maxParts, trials)
    for (let start = this.best; start !== null; ) {
      this.climbFrom(start, reserve, maxParts, trials)
      if (this.best === start || trials.left <= 0 || trials.exact <= 0) return
      start = this.best
    }
  }

  /**
   * Moves units between the paths of the best division, and to paths beside it, where rounding leaves something to be
   * had; where that is much, from other divisions as well.
   *
   * @param others  more paths, asked for when rounding takes much; all that there are where it takes very much
   * @param isFew   whether there are hardly any paths: then all is tried to the unit where rounding takes very much, and
   *                what was found last is moved on from
   */
  polish(others: (isThorough: boolean) => readonly Path[], maxParts: number, isFew: () => boolean): void {
    if (this.best === null) return
    const { best, bestSplit, bestSingle } = this
    // Where no plan could be executed, what the best division would give without rounding is all that is known.
    this.ceiling = Math.max(this.ceiling, this.smooth(best))
    const lost = this.ceiling - Number(best.output)
    if (bestSplit !== null && lost < 1) {
      this.ceiling++ // Curves round where their pieces end: of few units, one more than they promise may be had.
      if (Number(best.output) * COARSE_LOSS < 1) this.polishFrom(best, maxParts, POLISHES, false, false)
      return
    }
    if (Math.max(lost, 1) < Number(best.output) * COARSE_LOSS) {
      for (const start of new Set([best, this.planned]))
        if (start !== null) this.polishFrom(start, maxParts, POLISHES, false, false)
      return
    }
    const isGreat = Math.max(lost, 1) > Number(best.output) * GREAT_LOSS
    for (const path of others(isGreat)) this.see(path)
    const few = isFew()
    const isExact = isGreat && few
    const most = isGreat ? COARSEST_POLISHES : COARSE_POLISHES
    for (const start of new Set([best, bestSplit, bestSingle, this.planned, ...this.onGrid]))
      if (start !== null) this.polishFrom(start, maxParts, start === best ? most : OTHER_POLISHES, true, isExact)
    const pairs = bestPairs(this.seen.slice(0, PAIRED_PATHS), Number(this.amount), this.kept, PAIRS, isGreat)
    for (const { paths, inputs } of pairs) {
      const amounts = withRest(this.amount, inputs.map(BigInt))
      this.enter(paths, amounts)
      this.polishFrom({ paths, amounts }, maxParts, OTHER_POLISHES, true, isExact)
    }
    if (!few) return
    for (let from = best, round = 0; from !== this.best && round < AGAIN; round++)
      this.polishFrom((from = this.best), maxParts, most, true, isExact)
  }

  /**
   * Tries divisions on a grid, where rounding may have cost something or an order book may take too little.
   *
   * @param always  whatever has been found; @param isFew  whether each three paths that meet may be tried
   */
  tryGrid(paths: readonly Path[], maxParts: number, always: boolean, isFew: () => boolean): void {
    this.planned = this.best
    const before = Number(this.best?.output ?? 0n)
    const lost = Math.max(this.ceiling - before, 1)
    const few = isFew()
    const isFine = !always && (!few || lost <= 1) && this.bestSplit !== null && lost < before * COARSE_LOSS
    if (paths.length < 2 || (isFine && paths.every((path) => path.every((edge) => edge.isPool)))) return
    const quote = (some: readonly Path[], inputs: readonly number[]) =>
      Number(this.quote(some, inputs.map(BigInt))?.output ?? Number.NEGATIVE_INFINITY)
    const options = { kept: this.kept, best: before, limit: GRIDS, maxParts, isFew: few, quote }
    for (const { paths: some, inputs, rest } of searchGrid(paths, Number(this.amount), options)) {
      // Doubles do not know the last units of large amounts.
      const amounts = withRest(this.amount, inputs.map(BigInt))
      if (this.enter(some, amounts)) this.onGrid.push({ paths: some, amounts })
      // What the shares lack of the amount is with the last path: it may be worth more elsewhere.
      for (let i = 0; i + 1 < some.length; i++) this.enter(some, movedTo(amounts, i, rest))
    }
  }

  private polishFrom(
    start: Pick<Contender, 'paths' | 'amounts'>,
    maxParts: number,
    trials: number,
    joins: boolean,
    isExact: boolean,
  ): void {
    const used = start.paths.filter((_, i) => start.amounts[i] !== 0n)
    const others = this.seen.filter((path) => !used.some((known) => samePath(known, path)))
    const paths = [...used, ...others].slice(0, Math.max(POLISHED_PATHS, used.length))
    const inputs = start.amounts.filter((amount) => amount !== 0n).map(Number)
    const all = paths.map((_, i) => inputs[i] ?? 0)
    const polish = new Polish(paths, all, { kept: this.kept, maxParts, trials, joins, isExact, ceiling: this.ceiling })
    for (const division of polish.run(CHOICE)) {
      const amounts = withRest(
        this.amount,
        division.map((input) => BigInt(Math.floor(input))),
      )
      if (amounts.every((amount) => amount >= 0n)) this.enter(paths, amounts)
    }
  }

  /** Output of a division if nothing were rounded. */
  private smooth({ paths, amounts }: Contender): number {
    for (const path of paths) clearFlows(path)
    let sum = 0
    paths.forEach((path, i) => {
      if (amounts[i] !== 0n) sum += pour(path, Number(amounts[i]), this.kept)
    })
    for (const path of paths) clearFlows(path)
    return sum
  }

  private see(path: Path): void {
    if (!this.seen.some((known) => samePath(known, path))) this.seen.push(path)
  }

  /** The best contender, to be planned on from; null before there is one. */
  split(budget: Budget): Split | null {
    if (this.best === null) return null
    const { paths, amounts } = this.best
    const inputs = this.exact === 'in' ? amounts : this.partsOf(this.best).map(({ input }) => input)
    const used = this.exact === 'in' ? paths : paths.filter((_, i) => amounts[i] !== 0n)
    const split = new Split(this.kept, budget)
    for (const [i, path] of used.entries()) if (inputs[i] !== 0n) split.add(path, Number(inputs[i]))
    return split
  }

  /**
   * What a division would have to do to be better by more than a share.
   *
   * @returns an input, and the output that it would have to exceed
   */
  toBeat(share: number): { amount: number; enough: number } {
    const { best, request } = this
    if (this.exact === 'in') return { amount: Number(request.amount), enough: Number(best?.output ?? 0n) * (1 + share) }
    const amount = Number(best?.input ?? ANY_INPUT) / (1 + share)
    return { amount, enough: Number(request.amount) * (1 - ALMOST) }
  }

  /** What no division of an amount over the paths of a search exceeds, by the prices at which the best contender stands. */
  bound(search: PathSearch, amount: number, maxParts: number, enough: number): number {
    const split = this.split({ left: Number.POSITIVE_INFINITY })
    if (split === null) return search.bound(amount, search.promise, maxParts).value(enough)
    const output = split.execute()
    const level = Math.max(split.price(), (output / amount) * LEAST_LEVEL)
    const most = level > 0 ? search.bound(amount, level, maxParts).value(enough) : Number.POSITIVE_INFINITY
    split.unprice()
    split.clear()
    return most
  }

  /** The paths of the best contender and what comes out of each; null before there is one. */
  division(): { paths: readonly Path[]; outputs: bigint[] } | null {
    if (this.best === null) return null
    const paths = this.best.paths.filter((_, i) => this.best?.amounts[i] !== 0n)
    return { paths, outputs: this.partsOf(this.best).map((part) => part.output) }
  }

  private climbFrom(start: Contender, reserve: readonly Path[], maxParts: number, trials: Trials): void {
    const paths = start.paths.filter((_, i) => start.amounts[i] !== 0n)
    const used = start.amounts.filter((amount) => amount !== 0n)
    for (const path of [...this.seen, ...reserve])
      if (paths.length < MOST_PATHS && !paths.some((known) => samePath(known, path))) paths.push(path)
    let amounts = paths.map((_, i) => Number(used[i] ?? 0n))
    let best = this.estimate(paths, amounts)
    const equals: number[][] = []
    for (let improved = true; improved; ) {
      improved = false
      for (const trial of movesOf(amounts, Number(this.amount), maxParts)) {
        if (trials.left-- <= 0) break
        const estimate = this.estimate(paths, trial)
        if (estimate > best + ROUNDING) {
          best = estimate
          amounts = trial
          equals.length = 0
          improved = true
          break
        }
        if (estimate >= best - ROUNDING) equals.push(trial)
      }
    }
    for (const trial of [amounts, ...equals]) {
      if (trials.exact-- <= 0) return
      this.enter(paths, withRest(this.amount, trial.map(BigInt)))
    }
  }

  /** Output of a division, or less its input for an exact output; less than any when it cannot be. */
  private estimate(paths: readonly Path[], amounts: readonly number[]): number {
    for (let i = 0; i < paths.length; i++) if ((amounts[i] as number) > 0) clearFlows(paths[i] as Path)
    let sum = 0
    for (let i = 0; i < paths.length; i++) {
      const amount = amounts[i] as number
      if (amount > 0)
        sum +=
          this.exact === 'in'
            ? pushExactly(paths[i] as Path, amount, this.kept)
            : -pullExactly(paths[i] as Path, amount)
    }
    for (let i = 0; i < paths.length; i++) if ((amounts[i] as number) > 0) clearFlows(paths[i] as Path)
    return Number.isNaN(sum) ? Number.NEGATIVE_INFINITY : sum
  }

  /** Of two contests for the same request, the one with the better contender. */
  betterOf(other: Contest): Contest {
    return other.best !== null && isBetter(this.exact, other.best, this.best) ? other : this
  }

  result(): Route | null {
    if (this.best === null) return null
    const { exact, slippage, request } = this
    const { input, output } = this.best
    const parts = this.partsOf(this.best)
    const percent = percents(parts.map((part) => (exact === 'in' ? part.input : part.output)))
    return {
      exact,
      inputToken: request.input,
      outputToken: request.output,
      input,
      output,
      minReceived: exact === 'in' ? leastOf(output, slippage) : output,
      maxSent: exact === 'in' ? input : mostOf(input, slippage),
      priceImpact: priceImpact(parts),
      parts: parts.map((part, i) => ({ percent: percent[i] as number, ...part })),
    }
  }
}

/** More output, or less input for an exact output; between equals the one with fewer parts. */
function isBetter(exact: 'in' | 'out', one: Contender, best: Contender | null): boolean {
  if (best === null) return true
  const difference = exact === 'in' ? one.output - best.output : best.input - one.input
  return difference > 0n || (difference === 0n && one.parts < best.parts)
}

function movedTo(amounts: readonly bigint[], to: number, rest: number): bigint[] {
  return amounts.map((amount, i) => amount + BigInt(i === to ? rest : i === amounts.length - 1 ? -rest : 0))
}

/** Divisions in which one amount of many sizes has moved between two paths. */
function* movesOf(amounts: readonly number[], whole: number, maxParts: number): Generator<number[]> {
  const parts = amounts.filter((amount) => amount > 0).length
  for (let size = 0; size <= SIZES; size++) {
    for (let from = 0; from < amounts.length; from++) {
      // Each part is rounded by itself: one part fewer can be better, so all of it is tried first.
      const moved = size === 0 ? (amounts[from] as number) : Math.floor(whole / 2 ** size)
      const left = (amounts[from] as number) - moved
      if (moved === 0 || left < 0) continue
      for (let to = 0; to < amounts.length; to++) {
        if (to === from || (amounts[to] === 0 && left > 0 && parts >= maxParts)) continue
        yield amounts.map((amount, i) => (i === from ? left : i === to ? amount + moved : amount))
      }
    }
  }
}
