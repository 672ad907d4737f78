// The swap router of one chain: finds the best way to trade one token for another over pools and order books. How:
// docs/api/routes.md.
import type { Ratio } from '../amm/price.ts'
import { Contest } from './contest.ts'
import { orFewer } from './fewer.ts'
import { type Edge, RouteGraph } from './graph.ts'
import { MOST_UNITS } from './grid.ts'
import type { ExactInRequest, ExactOutRequest, Route, RouteBook, RoutePool, RouteRequest } from './model.ts'
import { isNearlyFull, type Path, samePath } from './path.ts'
import { firstGuess, planFrom, planOutput, planSplit } from './plan.ts'
import { keptOf } from './quote.ts'
import { PathSearch } from './search.ts'
import { withRest } from './shares.ts'
import type { Budget, Split } from './split.ts'

const NO_SLIPPAGE: Ratio = { numerator: 0n, denominator: 1n }
const MOST_HOPS = 3
const MOST_PARTS = 5
const AMOUNT_LIMIT = 1n << 62n
/** Below this, a raw unit is worth looking at. */
const SMALL_AMOUNT = 10_000
/** Single paths that are quoted exactly; more when amounts are so small that rounding decides. */
const SINGLES = 6
const SMALL_SINGLES = 32
/** A single path whose output in doubles is this much below the best quote is not worth quoting. */
const NEAR_BEST = 1e-4
/** How often the input of an exact output is doubled until one path gives enough. */
const DOUBLINGS = 64
/** Divisions that may be tried for one request. */
const BUDGET = 5000
/** The same where order books were met: these have many kinks. */
const BOOKS_BUDGET = 10_000
/** Paths of each size to try where single units count. */
const NEIGHBOURS = 5
/** Units of input by which an exact output is tried to be had for less. */
const FEWER_UNITS = 6
/** Where units are divided one by one: first hops, paths for each and size, and paths that are looked at. */
const MOST_STARTS = 12
const PER_START = 2
const LOOKED_AT = 60
/** Units that rounding may be worth to a path on a grid. */
const NEAR_UNITS = 10
/** Paths that are divided on a grid; with so few there is time for plans with fewer parts, too. */
const FEW_PATHS = 32
/** So few paths are the market of a test, or of a token that hardly anything trades: there is time for each. */
const VERY_FEW = 16
/** By more than this factor no search exceeds what its plan would give if nothing were rounded. */
const HOPE = 1.001
/** Where more than this share is lost by having few parts, plans for other amounts are tried: for these shares of it. */
const FAR = 1e-3
const OTHERS = [0.8, 1.25, 0.93, 1.08, 0.6, 1.6]
const FAR_OVER_POOLS = 1e-2
const OTHERS_OVER_POOLS = [0.93, 1.08]
const OTHERS_BUDGET = 20_000
/** Searches that a leg which the contract refuses may cost. */
const ATTEMPTS = 4

export class Router {
  private readonly graph = new RouteGraph()

  /** Adds a pool, or takes notice that the pool of this id has changed. */
  putPool(pool: RoutePool): void {
    this.graph.putPool(pool)
  }

  /** Takes a pool out; does nothing when it is not there. */
  removePool(id: number): void {
    this.graph.removePool(id)
  }

  /** Adds a market, or takes notice that the market of this id has changed. */
  putBook(book: RouteBook): void {
    this.graph.putBook(book)
  }

  /** Takes a market out; does nothing when it is not there. */
  removeBook(id: number): void {
    this.graph.removeBook(id)
  }

  /** Computes what requests would otherwise compute when they first meet a pool: worth it after loading. */
  warm(): void {
    for (const _ of this.graph.warm());
  }

  /** The same in small steps, for whoever has to do other things in between. */
  warmSteps(): Generator<void> {
    return this.graph.warm()
  }

  /**
   * The best route for an exact input.
   *
   * @returns null when nothing can execute the whole amount, or the tokens or the amount are none
   */
  exactIn(request: ExactInRequest): Route | null {
    const { books = true, maxHops = MOST_HOPS, maxParts = MOST_PARTS } = request
    const search = this.search(request, maxHops, books)
    if (search === null) return null
    const parts = Math.min(maxParts, MOST_PARTS)
    const contest = bestForInput(search, request, parts)
    // What stays with the user between two venues is lost for the route: pools alone may be better than what was found.
    const pools = search.metBooks ? this.search(request, maxHops, false) : null
    const found =
      pools === null ? contest : contest.betterOf(bestForInput(pools, request, parts, Number(contest.output ?? 0n)))
    return orFewer(found, search, parts, {
      search: (hops, withBooks) => this.search(request, hops, withBooks),
      compete: (fewer, most) => bestForInput(fewer, request, most),
    }).result()
  }

  /**
   * The cheapest route for an exact output, over pools alone.
   *
   * @returns null when nothing can deliver the whole amount, or the tokens or the amount are none
   */
  exactOut(request: ExactOutRequest): Route | null {
    const { maxHops = MOST_HOPS, maxParts = MOST_PARTS, paths = false } = request
    const search = this.search(request, paths ? maxHops : 1, false)
    if (search === null) return null
    const parts = Math.min(maxParts, MOST_PARTS)
    const found = bestForOutput(search, request, parts)
    return orFewer(found, search, parts, {
      search: (hops) => this.search(request, hops, false),
      compete: (fewer, most) => bestForOutput(fewer, request, most),
    }).result()
  }

  private search(request: RouteRequest, maxHops: number, books: boolean): PathSearch | null {
    const { amount, slippage = NO_SLIPPAGE } = request
    const [input, output] = [this.graph.node(request.input), this.graph.node(request.output)]
    if (!input || !output || input === output || amount <= 0n || amount >= AMOUNT_LIMIT) return null
    const query = { input, output, maxHops: Math.min(maxHops, MOST_HOPS), books, kept: keptOf(slippage) }
    return new PathSearch(this.graph, query)
  }
}

function bestForOutput(search: PathSearch, request: ExactOutRequest, maxParts: number): Contest {
  const contest = new Contest('out', request, request.slippage ?? NO_SLIPPAGE)
  const wanted = Number(request.amount)
  const budget = { left: BUDGET }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    contest.forgetRefusal()
    if (request.paths) enterCheapest(search, contest)
    else for (const path of search.direct()) contest.enter([path], [contest.amount])
    for (const isRounded of maxParts > 1 ? [false, true] : []) {
      const split = planOutput(search, wanted, maxParts, budget, isRounded)
      if (split !== null && split.parts > 1) enterSplit(split.paths, outputsOf(split), contest)
    }
    const { refused } = contest
    if (refused === null) break
    search.exclude(refused.edge)
  }
  if (maxParts > 1 && contest.isCoarse) {
    contest.climb(neighbours(search, Number(contest.input), true), maxParts)
    for (let unit = 0; unit < FEWER_UNITS && tryOneLess(search, request, maxParts, contest); unit++);
  }
  return contest
}

/** @param least  output that is to be had elsewhere */
function bestForInput(search: PathSearch, request: ExactInRequest, maxParts: number, least = 0): Contest {
  const compete = (parts: number) => {
    const contest = new Contest('in', request, request.slippage ?? NO_SLIPPAGE)
    competeForInput(search, Number(request.amount), parts, contest, least)
    return contest
  }
  let best = compete(maxParts)
  // Where units count it is luck with which paths a plan ends: with fewer parts it may have more of it.
  if (maxParts > 1 && best.isMisled && search.above(0, FEW_PATHS) !== null)
    for (let parts = maxParts - 1; parts > 1; parts--) best = best.betterOf(compete(parts))
  return best
}

/** @param least  output that is to be had elsewhere: a contest that stays far below is not carried to its end */
function competeForInput(search: PathSearch, amount: number, maxParts: number, contest: Contest, least = 0): void {
  let budget: Budget | null = null
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    contest.forgetRefusal()
    enterSingles(search, amount, contest, maxParts === 1)
    if (maxParts > 1) {
      budget ??= { left: search.metBooks ? BOOKS_BUDGET : BUDGET }
      const plan = planSplit(search, amount, maxParts, budget)
      enterPlan(plan, contest)
      const [far, shares] = search.metBooks ? [FAR, OTHERS] : [FAR_OVER_POOLS, OTHERS_OVER_POOLS]
      if (plan !== null && Number(contest.output ?? 0n) < plan.ideal * (1 - far)) {
        const others = { left: OTHERS_BUDGET }
        for (const share of shares)
          if (others.left > 0) enterPlan(planFrom(search, amount, amount * share, maxParts, others), contest)
      }
      if (contest.isMisled) enterPlan(planSplit(search, amount, maxParts, budget, { isRounded: true }), contest)
    }
    const { refused } = contest
    if (refused === null) break
    search.exclude(refused.edge)
  }
  if (maxParts === 1 || (least > 0 && contest.ceiling * HOPE < least)) return
  search.includeAll()
  const { isMisled } = contest
  // What is a little worse than the last unit may be better to the unit.
  const near = Math.max(0, 1 - NEAR_UNITS / Number(contest.output ?? 1n))
  const all = isMisled || contest.isFull ? search.above(0, FEW_PATHS) : null
  const few = all ?? search.above(contest.price * near, FEW_PATHS)
  const others = () =>
    amount <= MOST_UNITS ? startsOf(search, amount) : isMisled ? neighbours(search, amount, true) : []
  const before = contest.output
  const isFew = () => search.above(0, VERY_FEW) !== null
  contest.tryGrid(few ?? others(), maxParts, all !== null, isFew)
  if ((isMisled || contest.isFull) && contest.output !== before) {
    const again = { left: OTHERS_BUDGET }
    const start = contest.split(again)
    if (start !== null) enterPlan(planSplit(search, amount, maxParts, again, { start }), contest)
  }
  contest.polish((isThorough) => neighbours(search, amount, isThorough), maxParts, isFew)
}

/**
 * Where single units of input count, asks what one unit less would give.
 *
 * @returns whether it is enough for the output
 */
function tryOneLess(search: PathSearch, request: ExactOutRequest, maxParts: number, contest: Contest): boolean {
  const before = contest.input ?? 0n
  if (before < 2n || before > BigInt(SMALL_AMOUNT)) return false
  const less = new Contest('in', { ...request, amount: before - 1n }, NO_SLIPPAGE)
  competeForInput(search, Number(before - 1n), maxParts, less)
  const found = less.division()
  if (found === null || (less.output ?? 0n) < contest.amount) return false
  const outputs = withRest(contest.amount, found.outputs)
  return outputs.every((output) => output > 0n) && contest.enter(found.paths, outputs) && contest.input !== before
}

function enterPlan(split: Split | null, contest: Contest): void {
  if (split === null) return
  if (split.output > contest.ceiling) {
    contest.ceiling = split.output
    split.execute()
    contest.price = split.marginalRate()
    contest.isFull = split.paths.some(isNearlyFull)
    split.clear()
  }
  if (split.parts > 1) enterSplit(split.paths, split.inputs, contest)
}

/** Quotes the best single paths, as long as one may still be better than the best of those before it. */
function enterSingles(search: PathSearch, amount: number, contest: Contest, isComplete: boolean): void {
  search.hitEnd = false
  let found = search.best(amount, SINGLES)
  const isSmall = amount < SMALL_AMOUNT || (found[0]?.output ?? 0) < SMALL_AMOUNT
  if (isSmall || (search.hitEnd && (isComplete || found.length === 0)))
    found = search.enumerate(amount, isSmall ? SMALL_SINGLES : SINGLES)
  for (const { path, output } of found) {
    if (output < Number(contest.output ?? 0n) * (1 - NEAR_BEST)) break
    contest.enter([path], [contest.amount])
  }
}

/** Where doubles promise more than a venue holds, a little less of the last part that leads there is tried. */
function enterSplit(paths: readonly Path[], parts: readonly number[], contest: Contest): void {
  const whole = parts.map((part) => BigInt(Math.floor(part)))
  if (!whole.every((part) => part >= 0n)) return
  const first = contest.refused
  let amounts = withRest(contest.amount, whole)
  for (let retreat = 1_000_000n; retreat >= 10n; retreat /= 10n) {
    if (contest.enter(paths, amounts)) {
      contest.refused = first
      return
    }
    const edge = contest.refused?.edge
    const leads = paths.map((path) => path.some((other) => other === edge))
    const full = paths.findLastIndex((_, i) => leads[i] && (amounts[i] as bigint) > 0n)
    // To another path that leads there when there are no others: it may bring less of what it takes.
    const free = (i: number) => (leads.includes(false) ? !leads[i] : i !== full)
    const other = amounts.reduce(
      (best, amount, i) => (free(i) && (best < 0 || amount > (amounts[best] as bigint)) ? i : best),
      -1,
    )
    if (full < 0 || other < 0) return
    const moved = min((amounts[full] as bigint) / retreat + 2n, amounts[full] as bigint)
    amounts = amounts.map((amount, i) => (i === full ? amount - moved : i === other ? amount + moved : amount))
  }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** A path that gives more for the best input so far needs less for the output: search there until none does. */
function enterCheapest(search: PathSearch, contest: Contest): void {
  const wanted = Number(contest.amount)
  let input = firstGuess(search, wanted) ?? Number(AMOUNT_LIMIT)
  for (let i = 0; i < DOUBLINGS; i++) {
    const before = contest.input
    search.hitEnd = false
    let found = search.best(input, SINGLES)
    if (search.hitEnd || input < SMALL_AMOUNT) found = search.enumerate(input, SMALL_SINGLES)
    for (const { path, output } of found) {
      if (output >= wanted * (1 - NEAR_BEST) - 1) contest.enter([path], [contest.amount])
    }
    if (contest.input !== null && contest.input === before) break
    if (input > Number(AMOUNT_LIMIT)) break
    // Nothing gives enough for this input: look further up.
    input = contest.input === null ? input * 2 : Number(contest.input)
  }
}

function outputsOf(split: Split): number[] {
  const outputs: number[] = []
  split.execute(split.inputs, outputs)
  split.clear()
  return outputs
}

/** The best paths for the whole amount and for parts of it; not only those that end differently when it is thorough. */
function neighbours(search: PathSearch, amount: number, isThorough: boolean): Path[] {
  const paths: Path[] = []
  for (const share of [1, 1 / 4, 1 / 16, 1 / 64]) {
    const part = Math.max(1, Math.floor(amount * share))
    const found = isThorough ? search.enumerate(part, NEIGHBOURS) : search.best(part, NEIGHBOURS)
    for (const { path } of found) {
      if (!paths.some((known) => samePath(known, path))) paths.push(path)
    }
  }
  return paths
}

/** Good paths for few and for many units that begin differently: where they begin, most is rounded. */
function startsOf(search: PathSearch, units: number): Path[] {
  const begun = new Map<Edge, Path[]>()
  for (const amount of new Set([units, Math.ceil(units / 2), 4, 2, 1])) {
    if (amount > units) continue
    const counts = new Map<Edge, number>()
    for (const { path } of search.enumerate(amount, LOOKED_AT)) {
      const first = path[0] as Edge
      const known = begun.get(first) ?? []
      const count = counts.get(first) ?? 0
      if (count >= PER_START || (known.length === 0 && begun.size >= MOST_STARTS)) continue
      counts.set(first, count + 1)
      if (!known.some((other) => samePath(other, path))) begun.set(first, [...known, path])
    }
  }
  return [...begun.values()].flat()
}
