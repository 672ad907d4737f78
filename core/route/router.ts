// The swap router of one chain: finds the best way to trade one token for another over pools and order books. How:
// docs/api/routes.md. Plans in doubles are quoted exactly, in the order of their execution, and the best one wins. A request
// with more hops, more parts or order books also considers the divisions of the requests with fewer, unless the plan shows
// that none of them can be better by more than the tolerance (docs/api/routes.md, "More is never worse").
import type { Ratio } from '../amm/price.ts'
import { type Edge, RouteGraph } from './graph.ts'
import { CornerSearch, knapsack, localSearch, PathValues, SINGLE_UNITS, STEPS } from './local-search.ts'
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
  RATIO,
  type Route,
  SHORTLIST,
  SLIGHT,
  TRIES,
} from './model.ts'
import { distinct, outputOf, type Path, sharesOf } from './path.ts'
import { type PathQuery, PathSearch } from './path-search.ts'
import { fewerParts, leastInput, type Plan, relax, scaleToOutput } from './plan.ts'
import { type Division, executeIn, executeOut, guaranteedShare, Overlay, routeOf, withRest } from './quote.ts'
import type { Split } from './split.ts'

/** What more hops, parts or order books may cost, relatively. */
const TOLERANCE = 1e-4
/** Paths of a local search: those of the division and others. The moves between them grow with the square. */
const SEARCHED_PATHS = 10
/** The part of an amount, one in so many, of which the next larger one is moved off a full venue at first. */
const LEAST_MOVED = BigInt(RATIO) ** 11n
/** Divisions in steps or at limits that are starts where rounding costs much: the best one may not lead furthest. */
const STARTS = 2
/** Paths of each size that may join in a local search. With fewer, single requests lose 17 basis points. */
const RESERVE = 8

interface Query extends PathQuery {
  exact: 'in' | 'out'
  /** Raw units: of the input for an exact input, of the output for an exact output. */
  amount: bigint
  slippage: Ratio
  maxParts: number
}

export class Router extends RouteGraph {
  /**
   * The best route for an exact input.
   *
   * @returns null when nothing can execute the whole amount, or the tokens or the amount are invalid
   */
  exactIn(request: ExactInRequest): Route | null {
    return this.solve('in', request)
  }

  /**
   * The cheapest route for an exact output, over pools alone.
   *
   * @returns null when nothing can deliver the whole amount, or the tokens or the amount are invalid
   */
  exactOut(request: ExactOutRequest): Route | null {
    return this.solve('out', { ...request, maxHops: request.paths ? request.maxHops : 1, books: false })
  }

  private solve(exact: 'in' | 'out', request: ExactInRequest): Route | null {
    const { amount, slippage = NO_SLIPPAGE, books = true } = request
    const [input, output] = [this.node(request.input), this.node(request.output)]
    if (!input || !output || input === output || amount <= 0n || amount >= ASSET_LIMIT) return null
    const maxHops = Math.min(request.maxHops ?? MAX_HOPS, MAX_HOPS)
    const maxParts = Math.min(request.maxParts ?? MAX_PARTS, MAX_PARTS)
    const guaranteed = guaranteedShare(slippage)
    const query = { exact, input, output, amount, slippage, guaranteed, books, maxHops, maxParts }
    const best = new Solver(this, query).solve()
    return best && routeOf(exact, best, slippage)
  }
}

/** The best division for one request. */
class Solver {
  private readonly graph: RouteGraph
  private readonly query: Query
  private readonly amount: number
  /** Whether the input is exact and the output sought; otherwise the other way round. */
  private readonly isIn: boolean
  /** Values of divisions by exact quotes, and in doubles that are rounded as the contracts round. */
  private readonly exact = new PathValues((paths, amounts) => this.quotedValue(paths, amounts), true)
  private readonly rounded = new PathValues((paths, amounts) => this.roundedValue(paths, amounts), false)
  /** The last edge that could not be executed. */
  private refused: Edge | null = null

  constructor(graph: RouteGraph, query: Query) {
    this.graph = graph
    this.query = query
    this.amount = Number(query.amount)
    this.isIn = query.exact === 'in'
  }

  /** @returns null when nothing can execute the whole amount */
  solve(): Division | null {
    const books = this.query.books && this.graph.hasBooks
    let best: Division | null = null
    for (let { hops } = new PathSearch(this.graph, { ...this.query, books }); hops > 0; hops--) {
      for (const some of books ? [true, false] : [false]) {
        const search = new PathSearch(this.graph, { ...this.query, maxHops: hops, books: some })
        best = this.better(best, this.solveWithin(search, best))
      }
    }
    return best !== null && !this.isIn ? this.spendLess(best) : best
  }

  /** The best division within the hops and venues of a search, with the parts of the request or fewer. */
  private solveWithin(search: PathSearch, known: Division | null): Division | null {
    const { maxParts } = this.query
    const guess = this.isIn ? this.amount : (leastInput(search, this.amount) ?? LARGEST_INPUT)
    const plan = maxParts > 1 ? this.plan(search, guess) : null
    if (plan?.isCertain && this.lostBy(known, plan.split) <= TOLERANCE) return null
    const single = this.bestSingle(search, guess)
    const reserve = once(() => this.reserve(search, this.isIn ? guess : Number(single?.input ?? guess)))
    const divisions = once(() => {
      const all = [...(plan?.split.paths ?? []), ...reserve(), ...(search.all(SHORTLIST) ?? [])]
      const paths = distinct(all).slice(0, SHORTLIST)
      return [...this.stepwise(paths), ...this.corners(paths)].sort((a, b) => Number(b.output - a.output))
    })
    const splits = plan === null ? null : fewerParts(plan.split, maxParts)
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
      const isMisled = this.isIn ? !plan?.isCertain : start && (start.input < FEW_UNITS || start.output < FEW_UNITS)
      if (lost <= SLIGHT && !isMisled) continue
      // Doubles do not know whether few units are one unit or none: exact quotes do.
      const isExact = !this.isIn || lost > NOTABLE
      // Where margins mislead, a split may be a worse start than a single path.
      const starts = this.isIn ? [divided, single] : [start]
      if (this.isIn && (isMisled || isExact)) {
        const few = divisions().filter(({ paths }) => paths.length <= parts)
        starts.push(...few.slice(0, isExact ? STARTS : 1))
      }
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

  /** Share that a division is worse than a plan, which is not rounded. A plan of one part has no split. */
  private lostBy(division: Division | null, plan: Split | undefined): number {
    if (division === null) return 1
    if (plan === undefined) return 0
    return (this.isIn ? plan.output / Number(division.output) : Number(division.input) / plan.input) - 1
  }

  /** The best single path by exact quotes. Where no path gives enough for an exact output, looks further up. */
  private bestSingle(search: PathSearch, guess: number): Division | null {
    const quotes = this.isIn ? [] : search.direct().map((path) => this.quote([path], [this.query.amount]))
    let best = quotes.reduce((cheapest, one) => this.better(cheapest, one), null)
    if (!this.isIn && this.query.maxHops === 1) return best
    for (let input = Number(best?.input ?? guess); input < LARGEST_INPUT; input *= 2) {
      for (const { path, output } of search.find(input, { limit: SHORTLIST, complete: true })) {
        const enough = this.isIn ? Number(best?.output ?? 0) : this.amount - 1
        if (output < enough * (1 - TOLERANCE)) break
        best = this.better(best, this.quote([path], [this.query.amount]))
      }
      if (this.isIn || best !== null) return best
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
    const amounts = [1, ...sharesOf(TRIES)].map((share) => Math.max(1, Math.floor(amount * share)))
    const found = amounts.flatMap((some) => search.find(some, { limit: RESERVE, complete: true }))
    return distinct(found.map(({ path }) => path))
  }

  /** The better one: more output, or less input for an exact output; of equals the one with fewer parts. */
  private better(one: Division | null, other: Division | null): Division | null {
    if (one === null || other === null) return one ?? other
    const gain = this.isIn ? other.output - one.output : one.input - other.input
    return gain > 0n || (gain === 0n && other.paths.length < one.paths.length) ? other : one
  }

  /** Quotes a division in its order. @returns null when a leg is refused */
  private quote(paths: readonly Path[], amounts: readonly bigint[]): Division | null {
    const { slippage } = this.query
    const overlay = new Overlay()
    const used = paths.flatMap((path, i) => (amounts[i] === 0n ? [] : [{ path, amount: amounts[i] as bigint }]))
    let [whole, sum] = [0n, 0n]
    for (const { path, amount } of used) {
      const other = (this.isIn ? executeIn : executeOut)(path, amount, slippage, overlay)
      if (typeof other !== 'bigint') {
        this.refused = other
        return null
      }
      whole += amount
      sum += other
    }
    const [input, output] = this.isIn ? [whole, sum] : [sum, whole]
    return { paths: used.map(({ path }) => path), amounts: used.map(({ amount }) => amount), input, output }
  }

  /** Quotes a plan. Where a venue holds less than the plan needs, the last part over it gives some of its input away. */
  private quoteSplit(paths: readonly Path[], parts: readonly number[]): Division | null {
    let amounts = withRest(
      this.query.amount,
      parts.map((part) => BigInt(Math.floor(part))),
    )
    if (amounts.some((amount) => amount < 0n)) return null
    // What is to be taken from a part, by the venue that is full: next to nothing, then more again and again.
    const full = new Map<Edge, bigint>()
    for (;;) {
      const found = this.quote(paths, amounts)
      const edge = this.refused
      if (found !== null || edge === null) return found
      const share = (full.get(edge) ?? LEAST_MOVED) / BigInt(RATIO)
      const from = paths.findLastIndex((path, i) => path.includes(edge) && (amounts[i] as bigint) > 0n)
      const others = amounts.flatMap((amount, i) => (i === from || amount === 0n ? [] : [i]))
      const beyond = others.filter((i) => !(paths[i] as Path).includes(edge))
      const [to] = (beyond.length > 0 ? beyond : others).sort((a, b) =>
        Number((amounts[b] as bigint) - (amounts[a] as bigint)),
      )
      full.set(edge, share)
      if (share < RATIO || from < 0 || to === undefined) return null
      const moved = (amounts[from] as bigint) / share + 1n
      amounts = amounts.with(from, (amounts[from] as bigint) - moved).with(to, (amounts[to] as bigint) + moved)
    }
  }

  /** A local search from a division: by exact quotes, or in doubles that are rounded as the contracts do. */
  private improve(from: Division, reserve: readonly Path[], maxParts: number, isExact: boolean): Division {
    const paths = distinct([...from.paths, ...reserve]).slice(0, Math.max(SEARCHED_PATHS, from.paths.length))
    const amounts = paths.map((_, i) => Number(from.amounts[i] ?? 0n))
    const rounded = this.valueOf(paths, this.rounded)
    const exact = this.valueOf(paths, this.exact)
    // Doubles may be wrong by a notable share for either division.
    const screened = (some: readonly number[], least: number) =>
      rounded(some) < least * (1 - 2 * NOTABLE) ? Number.NEGATIVE_INFINITY : exact(some)
    const value = !isExact ? rounded : this.isIn ? screened : exact
    const whole = withRest(
      this.query.amount,
      localSearch(amounts, value, maxParts).map((amount) => BigInt(Math.floor(amount))),
    )
    const quoted = whole.every((amount) => amount >= 0n) ? this.quote(paths, whole) : null
    return this.better(from, quoted) ?? from
  }

  private valueOf(paths: readonly Path[], values: PathValues): (amounts: readonly number[]) => number {
    const numbers = paths.map((path) => values.numberOf(path))
    return (amounts) => values.of(numbers, amounts)
  }

  private quotedValue(paths: readonly Path[], amounts: readonly number[]): number {
    const quoted = this.quote(
      paths,
      amounts.map((amount) => BigInt(Math.floor(amount))),
    )
    if (quoted === null) return Number.NEGATIVE_INFINITY
    return this.isIn ? Number(quoted.output) : -Number(quoted.input)
  }

  private roundedValue(paths: readonly Path[], amounts: readonly number[]): number {
    const sum = outputOf(paths, amounts, this.query.guaranteed)
    return Number.isNaN(sum) ? Number.NEGATIVE_INFINITY : sum
  }

  /** The best divisions in equal steps, one for each number of parts. */
  private stepwise(paths: readonly Path[]): Division[] {
    const { amount } = this
    const all = amount <= SINGLE_UNITS ? amount : STEPS
    const part = (steps: number) => Math.floor((amount * steps) / all)
    const outputs = paths.map((path) => {
      const value = this.valueOf([path], this.rounded)
      return Float64Array.from({ length: all + 1 }, (_, steps) => value([part(steps)]))
    })
    return knapsack(outputs, all, this.query.maxParts).flatMap(
      (division) => this.quoteSplit(paths, division.map(part)) ?? [],
    )
  }

  /** Divisions at the limits of venues, the best few for each number of parts. */
  private corners(paths: readonly Path[]): Division[] {
    if (paths.length < 2) return []
    // Where few paths share few units, doubles may be wrong by a unit.
    const values = paths.length <= TRIES && this.amount <= SINGLE_UNITS ? this.exact : this.rounded
    const numbers = paths.map((path) => values.numberOf(path))
    const found = new CornerSearch(numbers, this.amount, values).run(this.query.maxParts)
    const path = (number: number) => values.paths[number] as Path
    return found.flatMap((corner) => this.quoteSplit(corner.paths.map(path), corner.amounts) ?? [])
  }
}

/** Memoizes a computation that may not be needed. */
function once<T>(compute: () => T): () => T {
  let known: { value: T } | null = null
  return () => (known ??= { value: compute() }).value
}
