// The swap router of one chain: finds the best way to trade one token for another over pools and order books. How:
// docs/api/routes.md. Plans in doubles are quoted exactly, in the order of their execution, and the best one wins. A request
// with more hops, more parts or order books also considers the divisions of the requests with fewer, unless the plan shows
// that none of them can be better by more than the tolerance (docs/api/routes.md, "More is never worse").
import { type Division, Divisions, type Limits, type Query, TOLERANCE } from './divisions.ts'
import { RouteGraph } from './graph.ts'
import {
  ASSET_LIMIT,
  type ExactInRequest,
  type ExactOutRequest,
  FEW_UNITS,
  LARGEST_INPUT,
  MAX_HOPS,
  MAX_PARTS,
  NO_SLIPPAGE,
  NOTABLE,
  type Route,
  type RouteRequest,
  SHORTLIST,
  SLIGHT,
  TRIES,
} from './model.ts'
import { type Path, samePath, sharesOf } from './path.ts'
import { PathSearch } from './path-search.ts'
import { fewerParts, leastInput, type Plan, relax, scaleToOutput } from './plan.ts'
import {
  executeIn,
  guaranteedShare,
  maximumOf,
  minimumOf,
  Overlay,
  partForInput,
  partForOutput,
  percents,
  priceImpact,
  withRest,
} from './quote.ts'
import type { Split } from './split.ts'

/** Divisions in steps or at limits that are starts where rounding costs much: the best one may not lead furthest. */
const STARTS = 2
/** Paths of each size that may join in a local search. */
const RESERVE = 8

export class Router extends RouteGraph {
  /** Computes all curves, which requests would otherwise compute when they first meet a pool: worth it after loading. */
  warm(): void {
    for (const _ of this.warmSteps());
  }

  /**
   * The best route for an exact input.
   *
   * @returns null when nothing can execute the whole amount, or the tokens or the amount are invalid
   */
  exactIn(request: ExactInRequest): Route | null {
    const { maxHops = MAX_HOPS, maxParts = MAX_PARTS, books = true } = request
    return this.solve('in', request, { maxHops, maxParts, books })
  }

  /**
   * The cheapest route for an exact output, over pools alone.
   *
   * @returns null when nothing can deliver the whole amount, or the tokens or the amount are invalid
   */
  exactOut(request: ExactOutRequest): Route | null {
    const { maxHops = MAX_HOPS, maxParts = MAX_PARTS, paths = false } = request
    return this.solve('out', request, { maxHops: paths ? maxHops : 1, maxParts, books: false })
  }

  private solve(exact: 'in' | 'out', request: RouteRequest, limits: Limits): Route | null {
    const { amount, slippage = NO_SLIPPAGE } = request
    const [input, output] = [this.node(request.input), this.node(request.output)]
    if (!input || !output || input === output || amount <= 0n || amount >= ASSET_LIMIT) return null
    const maxHops = Math.min(limits.maxHops, MAX_HOPS)
    const maxParts = Math.min(limits.maxParts, MAX_PARTS)
    const guaranteed = guaranteedShare(slippage)
    const query = { exact, input, output, amount, slippage, guaranteed, books: limits.books, maxHops, maxParts }
    const best = new Solver(this, query).solve()
    if (best === null) return null
    const overlay = new Overlay()
    const quote = exact === 'in' ? partForInput : partForOutput
    const parts = best.paths.map((path, i) => quote(path, best.amounts[i] as bigint, slippage, overlay))
    const percent = percents(best.amounts)
    return {
      exact,
      inputToken: request.input,
      outputToken: request.output,
      input: best.input,
      output: best.output,
      minReceived: exact === 'in' ? minimumOf(best.output, slippage) : best.output,
      maxSent: exact === 'in' ? best.input : maximumOf(best.input, slippage),
      priceImpact: priceImpact(parts),
      parts: parts.map((part, i) => ({ percent: percent[i] as number, ...part })),
    }
  }
}

/** The best division for one request. */
class Solver extends Divisions {
  private readonly graph: RouteGraph

  constructor(graph: RouteGraph, query: Query) {
    super(query)
    this.graph = graph
  }

  /** @returns null when nothing can execute the whole amount */
  solve(): Division | null {
    let best: Division | null = null
    for (const limits of this.scopes()) {
      const search = new PathSearch(this.graph, { ...this.query, ...limits })
      best = this.better(best, this.solveWithin(search, best))
    }
    return best !== null && !this.isIn ? this.spendLess(best) : best
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
    const { maxParts } = this.query
    const guess = this.isIn ? this.amount : (leastInput(search, this.amount) ?? LARGEST_INPUT)
    const plan = maxParts > 1 ? this.plan(search, guess) : null
    if (plan?.isCertain && this.isWithin(known, this.soughtOf(plan.split))) return null
    const single = this.bestSingle(search, guess)
    const reserve = once(() => this.reserve(search, this.isIn ? guess : Number(single?.input ?? guess)))
    const promising = once(() => [...(plan?.split.paths ?? []), ...reserve()])
    const every = once(() => search.all(2 * SHORTLIST) ?? promising())
    const divisions = once(() => [...this.stepwise(every()), ...this.corners([...promising(), ...every()])])
    const splits = plan === null ? null : fewerParts(search, plan.split, maxParts)
    let best = this.better(known, single)
    // Divisions among fewer parts are computed even when nothing seems to be lost: where paths share venues, the plan may
    // be a local optimum that they exceed.
    for (let parts = maxParts; parts > 1; parts--) {
      const split = splits?.next().value ?? null
      const amounts = split === null ? null : this.amountsOf(split)
      const divided = split === null || amounts === null ? null : this.quoteSplit(split.paths, amounts)
      const start = this.better(single, divided)
      best = this.better(best, start)
      const lost = this.lostBy(start, split ?? plan?.split)
      const isMisled = this.isIn ? !plan?.isCertain : this.isSmall(start)
      if (lost <= SLIGHT && !isMisled) continue
      // Doubles do not know whether few units are one unit or none: exact quotes do.
      const isExact = !this.isIn || lost > NOTABLE
      // Where margins mislead, a split may be a worse start than a single path.
      const starts = this.isIn ? [divided, single] : [start]
      if (this.isIn && (isMisled || isExact)) starts.push(...bestOf(divisions(), parts, isExact ? STARTS : 1))
      const others = [...(split?.paths ?? []), ...reserve()]
      for (const one of starts) if (one !== null) best = this.better(best, this.improve(one, others, parts, isExact))
    }
    return best
  }

  /** The plan for the amount of the request. @param guess  of the input; for an exact input the amount itself */
  private plan(search: PathSearch, guess: number): Plan | null {
    const first = relax(search, guess)
    if (this.isIn || first === null || this.amountsOf(first.split) === null) return this.isIn ? first : null
    const plan = relax(search, first.split.input)
    return plan === null || this.amountsOf(plan.split) === null ? null : plan
  }

  /** Amounts of a plan; for an exact output, its input is scaled. @returns null when it cannot give the output */
  private amountsOf(split: Split): readonly number[] | null {
    return this.isIn ? split.inputs : scaleToOutput(split, this.amount)
  }

  private isSmall(division: Division | null): boolean {
    return division !== null && (division.input < FEW_UNITS || division.output < FEW_UNITS)
  }

  /** Of a plan: what is sought, without rounding. */
  private soughtOf(split: Split): number {
    return this.isIn ? split.output : split.input
  }

  /** Share that a division is worse than a plan, which is not rounded. A plan of one part has no split. */
  private lostBy(division: Division | null, plan: Split | undefined): number {
    if (division === null) return 1
    if (plan === undefined) return 0
    return (this.isIn ? plan.output / Number(division.output) : Number(division.input) / plan.input) - 1
  }

  /**
   * The best single path by exact quotes. A path that gives more for the best input so far needs less for an exact output:
   * searches there until none does.
   */
  private bestSingle(search: PathSearch, guess: number): Division | null {
    const quotes = this.isIn ? [] : search.direct().map((path) => this.quote([path], [this.query.amount]))
    let best = quotes.reduce((cheapest, one) => this.better(cheapest, one), null)
    if (!this.isIn && this.query.maxHops === 1) return best
    // For an exact output: when no path gives enough for an input, looks further up.
    for (
      let input = Number(best?.input ?? guess);
      input < LARGEST_INPUT;
      input = best === null ? input * 2 : Number(best.input)
    ) {
      const before: Division | null = best
      for (const { path, output } of search.find(input, { limit: SHORTLIST, complete: true })) {
        const enough = this.isIn ? Number(best?.output ?? 0) : this.amount - 1
        if (output < enough * (1 - TOLERANCE)) break
        best = this.better(best, this.quote([path], [this.query.amount]))
      }
      if (this.isIn || (best !== null && best === before)) return best
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
      const less = new Solver(this.graph, query).solve()
      if (less === null || less.output < this.query.amount) {
        low = amount + 1n
        continue
      }
      best = this.better(best, this.quote(less.paths, this.outputsOf(less))) ?? best
      high = amount
    }
    return best
  }

  /** Outputs of the paths of an exact input; the largest one gives back what exceeds the wanted output. */
  private outputsOf({ paths, amounts }: Division): bigint[] {
    const overlay = new Overlay()
    const outputs = paths.map((path, i) => executeIn(path, amounts[i] as bigint, NO_SLIPPAGE, overlay) as bigint)
    return withRest(this.query.amount, outputs)
  }

  /** Good paths for an amount and parts of it. */
  private reserve(search: PathSearch, amount: number): Path[] {
    const paths: Path[] = []
    for (const share of [1, ...sharesOf(TRIES)])
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
