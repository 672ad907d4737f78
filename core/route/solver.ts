// The best division for one request: plans in doubles are quoted exactly, in the order of their execution, and the best one
// wins. A request with more hops, more parts or order books also considers the divisions of the requests with fewer, unless
// the plan shows that none of them can be better by more than the tolerance (docs/api/routes.md, "More is never worse").
import { type Division, Divisions, KNAPSACK_PATHS, type Limits, type Query, TOLERANCE } from './divisions.ts'
import type { Edge, RouteGraph } from './graph.ts'
import { FEW_UNITS, LARGEST_INPUT, NO_SLIPPAGE, NOTABLE, SLIGHT } from './model.ts'
import { type Path, samePath } from './path.ts'
import { PathSearch } from './path-search.ts'
import { leastInput, PartLimit, type Plan, relax, scaleToOutput } from './plan.ts'
import { executeIn, Overlay } from './quote.ts'
import type { Budget, SearchPart, Split } from './split.ts'

/** Divisions in doubles that a plan may try. */
const BUDGET = 5000
/** Single paths that are quoted exactly; more when amounts are so small that rounding decides. */
const SINGLES = 12
/** A local search is not tried from a start that is below the best one by more than this share. */
const FAR = 0.05
/** Divisions in steps or at limits that are starts where rounding costs much: the best one may not lead furthest. */
const STARTS = 2
/** Paths of each size that may join in a local search, and these sizes. */
const RESERVE = 8
const RESERVE_SHARES = [1, 1 / 3, 1 / 12, 1 / 64]
/** Searches without a leg that the contracts refuse. */
const ATTEMPTS = 3

export class Solver extends Divisions {
  private readonly graph: RouteGraph

  constructor(graph: RouteGraph, query: Query, without: ReadonlySet<SearchPart>) {
    super(query, without)
    this.graph = graph
  }

  /** @returns null when nothing can execute the whole amount */
  solve(): Division | null {
    let best: Division | null = null
    for (const limits of this.scopes()) {
      if (best !== null && this.without.has('fewer')) break
      const search = new PathSearch(this.graph, { ...this.query, ...limits })
      best = this.better(best, this.solveWithin(search, best))
    }
    return best !== null && this.query.exact === 'out' ? this.spendLess(best) : best
  }

  /** The limits of the request, then those with fewer hops and without order books. */
  private *scopes(): Generator<Pick<Limits, 'maxHops' | 'books'>> {
    const { input, output, maxHops, books } = this.query
    const widest = new PathSearch(this.graph, this.query)
    for (let hops = Math.min(maxHops, widest.hops); hops > 0; hops--) {
      yield { maxHops: hops, books }
      if (books && this.graph.candidatesOf(input, output, hops, true).hasBooks) yield { maxHops: hops, books: false }
    }
  }

  /** The best division within the hops and venues of a search, with the parts of the request or fewer. */
  private solveWithin(search: PathSearch, known: Division | null): Division | null {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      this.refused = null
      const found = this.query.exact === 'in' ? this.solveInput(search, known) : this.solveOutput(search, known)
      const edge = this.refusedEdge()
      if (found !== null || edge === null) return found
      search.exclude(edge)
    }
    return null
  }

  private budget(): Budget {
    return { left: BUDGET, without: this.without }
  }

  private refusedEdge(): Edge | null {
    return this.refused
  }

  private solveInput(search: PathSearch, known: Division | null): Division | null {
    const amount = Number(this.query.amount)
    const relaxed = this.query.maxParts > 1 ? relax(search, amount, this.budget()) : null
    const plan = relaxed?.split ?? null
    const isConcave = relaxed?.isCertain ?? false
    const ceiling =
      plan === null ? this.singleCeiling(search, amount) : isConcave ? plan.output : Number.POSITIVE_INFINITY
    if (this.isWithin(known, ceiling)) return null
    const reserve = once(() => this.reserve(search, amount))
    const promising = once(() => [...(plan?.paths ?? []), ...reserve()])
    const every = once(() => search.all(KNAPSACK_PATHS) ?? promising())
    const divisions = once(() => [...this.stepwise(every()), ...this.corners([...promising(), ...every()])])
    const single = this.bestSingle(search, amount)
    const limit = plan !== null && plan.parts > 1 ? new PartLimit(search, plan, () => this.budget()) : null
    let best = known
    for (let parts = this.query.maxParts; parts > 0; parts--) {
      const split = parts > 1 ? (limit?.within(parts) ?? null) : null
      const divided = split === null ? null : this.quoteSplit(split.paths, split.inputs)
      const start = this.better(single, divided)
      // A plan of one part has no split: its output is what rounding may take from these parts too.
      const smooth = Math.max(split?.output ?? plan?.output ?? 0, this.smooth(start))
      const lost = start === null ? 1 : smooth / Number(start.output) - 1
      const isSmall = start !== null && (start.input < FEW_UNITS || start.output < FEW_UNITS)
      best = this.better(best, start)
      if (parts > 1 && (start === null || !isConcave || isSmall || lost > SLIGHT)) {
        // Doubles do not know whether few units are one unit or none: exact quotes do.
        const isExact = lost > NOTABLE
        // Where margins mislead, a split may be a worse start than a single path.
        const starts = [divided, single]
        if ((!isConcave || isExact) && !this.without.has('knapsack'))
          starts.push(...bestOf(divisions(), parts, isExact ? STARTS : 1))
        const others = [...(split?.paths ?? []), ...reserve()]
        best = this.search(best, starts, (one) => this.improve(one, others, parts, isExact))
      }
      // Divisions among fewer parts are computed even when nothing seems to be lost: where paths share venues, the plan may
      // be a local optimum that they exceed.
      if (best !== null && this.without.has('fewer')) return best
    }
    return best
  }

  /** The best of what is known and of local searches from all starts that are not far below the best one. */
  private search(
    known: Division | null,
    starts: readonly (Division | null)[],
    improve: (start: Division) => Division,
  ): Division | null {
    const top = starts.reduce((most, one) => Math.max(most, Number(one?.output ?? 0n)), 0)
    const near = starts.filter((one) => one !== null && Number(one.output) >= top * (1 - FAR)) as Division[]
    return near.reduce((best: Division | null, one) => this.better(best, improve(one)), known)
  }

  /** Upper bound of what a single path gives. */
  private singleCeiling(search: PathSearch, amount: number): number {
    return search.find(amount, { limit: 1, smooth: true, complete: true })[0]?.output ?? 0
  }

  /** The best single path by exact quotes. */
  private bestSingle(search: PathSearch, amount: number): Division | null {
    const found = search.find(amount, { limit: SINGLES, complete: true })
    let best: Division | null = null
    for (const { path, output } of found) {
      if (output < Number(best?.output ?? 0n) * (1 - TOLERANCE)) break
      best = this.better(best, this.quote([path], [this.query.amount]))
    }
    return best
  }

  private solveOutput(search: PathSearch, known: Division | null): Division | null {
    const { maxParts } = this.query
    const wanted = Number(this.query.amount)
    const least = leastInput(search, wanted)
    const guess = least ?? LARGEST_INPUT
    const relaxed = maxParts > 1 && least !== null ? this.planOutput(search, wanted, guess) : null
    const plan = relaxed?.split ?? null
    let best: Division | null = known
    const floor = relaxed?.isCertain ? relaxed.split.inputs.reduce((sum, input) => sum + input, 0) : 0
    if (this.isWithin(known, floor)) return null
    const single = this.cheapestSingle(search, wanted, guess)
    const reserve = once(() => this.reserve(search, Number(single?.input ?? guess)))
    const limit = plan !== null && plan.parts > 1 ? new PartLimit(search, plan, () => this.budget()) : null
    for (let parts = maxParts; parts > 0; parts--) {
      const split = parts > 1 ? (limit?.within(parts) ?? null) : null
      best = this.better(best, this.finishOutput(single, split, wanted, reserve, parts))
      if (this.isWithin(best, floor)) return best
    }
    return best
  }

  /** Where single units of input count, seeks the least input that gives enough. */
  private spendLess(from: Division): Division {
    if (from.input >= FEW_UNITS) return from
    let best = from
    let [low, high] = [1n, from.input]
    while (low < high) {
      const amount = (low + high) / 2n
      const query: Query = { ...this.query, exact: 'in', amount, slippage: NO_SLIPPAGE, guaranteed: 1 }
      const less = new Solver(this.graph, query, this.without).solve()
      if (less === null || less.output < this.query.amount) {
        low = amount + 1n
        continue
      }
      best = this.better(best, this.quote(less.paths, this.outputsOf(less))) ?? best
      high = amount
    }
    return best
  }

  /** Outputs of the paths of an exact input, less what exceeds the wanted output, which the largest parts give back. */
  private outputsOf({ paths, amounts }: Division): bigint[] {
    const overlay = new Overlay()
    const outputs = paths.map((path, i) => executeIn(path, amounts[i] as bigint, NO_SLIPPAGE, overlay) as bigint)
    let excess = outputs.reduce((sum, output) => sum + output, -this.query.amount)
    const largest = outputs.map((_, i) => i).sort((a, b) => Number((outputs[b] as bigint) - (outputs[a] as bigint)))
    for (const i of largest) {
      const back = excess < (outputs[i] as bigint) ? excess : (outputs[i] as bigint)
      outputs[i] = (outputs[i] as bigint) - back
      excess -= back
    }
    return outputs
  }

  /** The plan for an output. */
  private planOutput(search: PathSearch, wanted: number, guess: number): Plan | null {
    let input = guess
    for (let round = 0; ; round++) {
      const plan = relax(search, input, this.budget())
      if (plan === null) return null
      const isDone = scaleToOutput(plan.split, wanted)
      plan.split.clear()
      if (!isDone) return null
      if (round === 1) return plan
      input = plan.split.inputs.reduce((sum, part) => sum + part, 0)
    }
  }

  private finishOutput(
    single: Division | null,
    split: Split | null,
    wanted: number,
    reserve: () => Path[],
    parts: number,
  ): Division | null {
    let best = single
    let smooth = Number.POSITIVE_INFINITY
    if (split !== null && scaleToOutput(split, wanted)) {
      const outputs: number[] = []
      split.execute(split.inputs, outputs)
      split.clear()
      smooth = split.inputs.reduce((sum, input) => sum + input, 0)
      best = this.better(best, this.quoteSplit(split.paths, outputs))
    }
    split?.clear()
    if (best === null) return null
    const isSmall = best.input < FEW_UNITS || best.output < FEW_UNITS
    const isCoarse = isSmall || Number(best.input) - smooth > smooth * SLIGHT
    return isCoarse ? this.improve(best, reserve(), parts, true) : best
  }

  /** A path that gives more for the best input so far needs less for the output: searches there until none does. */
  private cheapestSingle(search: PathSearch, wanted: number, guess: number): Division | null {
    const quotes = search.direct().map((path) => this.quote([path], [this.query.amount]))
    let best = quotes.reduce((cheapest, one) => this.better(cheapest, one), null)
    if (this.query.maxHops === 1) return best
    for (let input = Number(best?.input ?? guess); input < LARGEST_INPUT; ) {
      const before: Division | null = best
      const found = search.find(input, { limit: SINGLES, complete: true })
      for (const { path, output } of found)
        if (output >= wanted * (1 - TOLERANCE) - 1) best = this.better(best, this.quote([path], [this.query.amount]))
      if (best !== null && best === before) return best
      // No path gives enough for this input: look further up.
      input = best === null ? input * 2 : Number(best.input)
    }
    return best
  }

  /** Good paths for an amount and parts of it. */
  private reserve(search: PathSearch, amount: number): Path[] {
    const paths: Path[] = []
    for (const share of RESERVE_SHARES)
      for (const { path } of search.find(Math.max(1, Math.floor(amount * share)), { limit: RESERVE, complete: true }))
        if (!paths.some((known) => samePath(known, path))) paths.push(path)
    return paths
  }
}

/** The best few divisions among so many parts at most. */
function bestOf(divisions: readonly Division[], parts: number, count: number): Division[] {
  const possible = divisions.filter(({ paths }) => paths.length <= parts)
  return possible.sort((a, b) => Number(b.output - a.output)).slice(0, count)
}

/** Memoizes a computation that may not be needed. */
function once<T>(compute: () => T): () => T {
  let known: { value: T } | null = null
  return () => (known ??= { value: compute() }).value
}
