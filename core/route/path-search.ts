// The best paths for an amount, on top of the flows that lie on the edges. The output of an edge grows with its input, so
// the best way to a token within so many hops extends to the best path: a dynamic programme over tokens, not over
// paths. What the next transfer may spend depends on the kind of the last hop, so each token keeps its best arrival by
// pool and its best by book.
import type { Arrival, Edge, Link, RouteGraph, TokenNode } from './graph.ts'
import type { Path } from './path.ts'

export interface PathQuery {
  input: TokenNode
  output: TokenNode
  /** 1 to 3. */
  maxHops: number
  books: boolean
  /** Share of an expectation that the next transfer may spend: 1 − slippage. */
  kept: number
}

export interface FoundPath {
  path: Path
  /** In doubles. */
  output: number
}

interface Ending {
  output: number
  edge: Edge
  previous: Arrival | null
}

/** Relative error of a product of doubles. */
const SLACK = 1 + 1e-9
const UNREACHED: Arrival = { run: 0, amount: 0, edge: null, previous: null }

export class PathSearch {
  readonly query: PathQuery
  /** Whether a curve could not take an amount: then a smaller arrival might have gone further (`enumerate`). */
  hitEnd = false
  /** Whether an amount was below a market's minimum: then the output is not concave in the input. */
  hitMinimum = false
  private readonly graph: RouteGraph
  private readonly candidates: Candidates
  private readonly mark: number
  private run = 0
  private amount = 0
  private floor = 0
  private isSmooth = false

  constructor(graph: RouteGraph, query: PathQuery) {
    const { input, output, maxHops, books } = query
    this.graph = graph
    this.query = query
    this.mark = graph.nextRun()
    this.candidates = graph.candidatesOf(input, output, maxHops, books)
  }

  /** Upper bound of the output for the first unit of input. */
  get promise(): number {
    const { direct, through } = this.candidates
    return direct.reduce((most, { curve }) => Math.max(most, curve.top), through[0]?.promise ?? 0)
  }

  /** Most hops of any path. */
  get hops(): number {
    const { through } = this.candidates
    return through.some(({ seconds }) => seconds.length > 0) ? 3 : through.length > 0 ? 2 : 1
  }

  /** Leaves an edge out of all further searches. */
  exclude(edge: Edge): void {
    edge.excludedIn = this.mark
  }

  /** All paths of one hop. */
  direct(): Path[] {
    return this.candidates.direct.filter((edge) => this.allows(edge)).map((edge) => [edge])
  }

  /** All paths; null when there are more than `limit`. */
  all(limit: number): Path[] | null {
    const found: Edge[][] = this.allowed(this.candidates.direct).map((edge) => [edge])
    for (const { ends, first, seconds } of this.candidates.through) {
      if (found.length + seconds.length > limit) return null
      const ways = seconds.flatMap(({ first: { out }, edges }) =>
        this.allowed(out).flatMap((edge) => this.allowed(edges).map((next) => [edge, next])),
      )
      ways.push(...this.allowed(first?.out ?? []).map((edge) => [edge]))
      found.push(...ways.flatMap((way) => this.allowed(ends).map((end) => [...way, end])))
    }
    return found.length > limit ? null : found
  }

  /** The best paths for a share of an amount on top of flows, without rounding, like `best`. */
  bestOnTop(amount: number, limit: number, floor: number): FoundPath[] {
    this.isSmooth = true
    const found = this.best(amount, limit, floor)
    this.isSmooth = false
    return found
  }

  /**
   * The best paths that end with different hops, best first, at most `limit`.
   *
   * @param floor  paths with less output are not wanted: the higher, the faster the search
   */
  best(amount: number, limit: number, floor = 0): FoundPath[] {
    this.run = this.graph.nextRun()
    this.amount = amount
    this.floor = floor
    const endings: Ending[] = []
    for (const edge of this.candidates.direct) if (this.allows(edge)) this.end(endings, limit, edge, amount, null)
    for (const candidate of this.candidates.through) {
      if (amount * candidate.promise < this.worst(endings, limit)) break
      this.endThrough(endings, limit, candidate)
    }
    return endings.map(({ output, edge, previous }) => ({ path: pathTo(edge, previous), output }))
  }

  /** The best of all paths that can take the amount, best first, at most `limit`: slower, and complete. */
  enumerate(amount: number, limit: number): FoundPath[] {
    const found: FoundPath[] = []
    const enter = (path: Path, output: number) => {
      if (!(output > 0)) return
      let at = found.length
      while (at > 0 && (found[at - 1] as FoundPath).output < output) at--
      if (at === limit) return
      found.splice(at, 0, { path, output })
      if (found.length > limit) found.pop()
    }
    for (const edge of this.allowed(this.candidates.direct)) enter([edge], this.over(edge, amount, null))
    for (const { ends, first, seconds, promise } of this.candidates.through) {
      if (found.length === limit && amount * promise < (found[limit - 1] as FoundPath).output) break
      const onward = (path: Path, arrived: number) => {
        if (!(arrived > 0)) return
        for (const end of this.allowed(ends)) enter([...path, end], this.over(end, arrived, path.at(-1) as Edge))
      }
      for (const edge of this.allowed(first?.out ?? [])) onward([edge], this.over(edge, amount, null))
      for (const second of seconds) {
        for (const edge of this.allowed(second.first.out)) {
          const arrived = this.over(edge, amount, null)
          if (!(arrived > 0)) continue
          for (const next of this.allowed(second.edges)) onward([edge, next], this.over(next, arrived, edge))
        }
      }
    }
    return found
  }

  /** Output of an amount over an edge that comes after another one; NaN when it cannot be taken. */
  private over(edge: Edge, amount: number, before: Edge | null): number {
    const spent = before === null || (edge.isPool && before.isPool) ? amount : Math.floor(amount * this.query.kept)
    return spent < edge.minimum ? Number.NaN : edge.gain(spent)
  }

  private allowed(edges: readonly Edge[]): Edge[] {
    return edges.filter((edge) => this.allows(edge))
  }

  private allows(edge: Edge): boolean {
    return (edge.isPool || this.query.books) && edge.excludedIn !== this.mark
  }

  private endThrough(endings: Ending[], limit: number, { node, ends, first, seconds }: Candidate): void {
    const { run } = this
    const { kept } = this.query
    if (first !== null) this.reachFirst(first)
    if (seconds.length > 0) this.reachSecond(node, seconds)
    const byPool = better(first === null ? UNREACHED : node.firstByPool, node.secondByPool, run)
    const byBook = better(first === null ? UNREACHED : node.firstByBook, node.secondByBook, run)
    if (byPool.amount <= 0 && byBook.amount <= 0) return
    for (const edge of ends) {
      if (!this.allows(edge)) continue
      const previous =
        edge.isPool && byPool.amount > byBook.amount * kept ? byPool : edge.isPool ? byBook : max(byPool, byBook)
      const amount = edge.isPool && previous === byPool ? previous.amount : previous.amount * kept
      this.end(endings, limit, edge, amount, previous)
    }
  }

  private end(endings: Ending[], limit: number, edge: Edge, amount: number, previous: Arrival | null): void {
    const worst = this.worst(endings, limit)
    if (amount * edge.curve.top * SLACK < worst) return
    const output = this.through(edge, amount)
    if (!(output > worst)) return
    let at = endings.length
    while (at > 0 && (endings[at - 1] as Ending).output < output) at--
    endings.splice(at, 0, { output, edge, previous })
    if (endings.length > limit) endings.pop()
  }

  /** The output that another ending must exceed. */
  private worst(endings: readonly Ending[], limit: number): number {
    return endings.length === limit ? (endings[limit - 1] as Ending).output : this.floor
  }

  /** The best arrivals at a neighbour of the input by one hop. */
  private reachFirst({ node, out }: Link): void {
    const { run } = this
    if (node.firstByPool.run === run) return
    reset(node.firstByPool, run)
    reset(node.firstByBook, run)
    for (const edge of out)
      if (this.allows(edge)) this.arrive(edge.isPool ? node.firstByPool : node.firstByBook, edge, this.amount, null)
  }

  /** The best arrivals at a neighbour of the output by two hops. */
  private reachSecond(node: TokenNode, seconds: readonly Second[]): void {
    reset(node.secondByPool, this.run)
    reset(node.secondByBook, this.run)
    for (const { first, edges } of seconds) {
      this.reachFirst(first)
      const { firstByPool, firstByBook } = first.node
      if (firstByPool.amount <= 0 && firstByBook.amount <= 0) continue
      this.extend(node, edges, firstByPool, firstByBook)
    }
  }

  private extend(node: TokenNode, edges: readonly Edge[], byPool: Arrival, byBook: Arrival): void {
    const { kept } = this.query
    for (const edge of edges) {
      if (!this.allows(edge)) continue
      if (edge.isPool) {
        const isStraight = byPool.amount > byBook.amount * kept
        const amount = isStraight ? byPool.amount : byBook.amount * kept
        this.arrive(node.secondByPool, edge, amount, isStraight ? byPool : byBook)
      } else {
        const previous = max(byPool, byBook)
        this.arrive(node.secondByBook, edge, previous.amount * kept, previous)
      }
    }
  }

  private arrive(arrival: Arrival, edge: Edge, amount: number, previous: Arrival | null): void {
    if (amount * edge.curve.top * SLACK < arrival.amount) return
    const output = this.through(edge, amount)
    if (!(output > arrival.amount)) return
    arrival.amount = output
    arrival.edge = edge
    arrival.previous = previous
  }

  private through(edge: Edge, amount: number): number {
    if (amount < edge.minimum) {
      this.hitMinimum = true
      return 0
    }
    const output = this.isSmooth ? edge.smoothGain(amount) : edge.gain(amount)
    if (Number.isNaN(output)) this.hitEnd = true
    return output
  }
}

function reset(arrival: Arrival, run: number): void {
  arrival.run = run
  arrival.amount = 0
  arrival.edge = null
  arrival.previous = null
}

function max(a: Arrival, b: Arrival): Arrival {
  return a.amount >= b.amount ? a : b
}

function better(first: Arrival, second: Arrival, run: number): Arrival {
  if (second.run !== run) return first
  return first.run === run ? max(first, second) : second
}

function pathTo(edge: Edge, previous: Arrival | null): Path {
  const path = [edge]
  for (let at = previous; at?.edge; at = at.previous) path.unshift(at.edge)
  return path
}

/** A token before the output. */
export interface Candidate {
  node: TokenNode
  /** From the token to the output. */
  ends: readonly Edge[]
  /** From the input to the token: null when they have nothing in common. */
  first: Link | null
  /** From other neighbours of the input to the token. */
  seconds: readonly Second[]
  /** Output for one unit of input at the very most. */
  promise: number
}

export interface Second {
  first: Link
  /** From that neighbour to the token. */
  edges: readonly Edge[]
  /** At the token for one unit of input at the very most. */
  rate: number
}

export interface Candidates {
  direct: readonly Edge[]
  /** The best promise first. */
  through: readonly Candidate[]
  /** Whether a path may cross a market. */
  hasBooks: boolean
}

const NONE: readonly Second[] = []

export function findCandidates(input: TokenNode, output: TokenNode, maxHops: number, books: boolean): Candidates {
  const direct = usable(input.linkTo.get(output)?.out ?? [], books)
  const through: Candidate[] = []
  if (maxHops < 2) return { direct, through, hasBooks: hasMarket(direct) }
  const rates = new Map<TokenNode, number>()
  for (const link of input.links) {
    const rate = bestRate(link.out, books)
    if (rate > 0) rates.set(link.node, rate)
  }
  for (const link of output.links) {
    const { node } = link
    if (node === input) continue
    const near = rates.get(node)
    const seconds = maxHops > 2 && node.links.length > 1 ? secondsOf(input, node, output, rates, books) : NONE
    let arriving = near ?? 0
    for (const second of seconds) arriving = Math.max(arriving, second.rate)
    if (arriving === 0) continue
    const onward = bestRate(link.in, books)
    if (onward === 0) continue
    const first = near === undefined ? null : (input.linkTo.get(node) as Link)
    through.push({ node, ends: usable(link.in, books), first, seconds, promise: arriving * onward * SLACK })
  }
  through.sort((a, b) => b.promise - a.promise)
  return { direct, through, hasBooks: hasMarket(direct) || through.some(crossesMarket) }
}

function hasMarket(edges: readonly Edge[]): boolean {
  return edges.some(({ isPool }) => !isPool)
}

function crossesMarket({ ends, first, seconds }: Candidate): boolean {
  const leads = seconds.some((second) => hasMarket(second.first.out) || hasMarket(second.edges))
  return leads || hasMarket(ends) || hasMarket(first?.out ?? [])
}

function usable(edges: readonly Edge[], books: boolean): readonly Edge[] {
  return books || edges.every((edge) => edge.isPool) ? edges : edges.filter((edge) => edge.isPool)
}

/** Ways from the input to a token over one other token. */
function secondsOf(
  input: TokenNode,
  node: TokenNode,
  output: TokenNode,
  rates: ReadonlyMap<TokenNode, number>,
  books: boolean,
): readonly Second[] {
  let found: Second[] | null = null
  const isInputSmaller = input.links.length < node.links.length
  for (const { node: middle } of isInputSmaller ? input.links : node.links) {
    const rate = middle === output ? undefined : rates.get(middle)
    if (rate === undefined) continue
    const edges = node.linkTo.get(middle)?.in
    const step = edges === undefined ? 0 : bestRate(edges, books)
    if (edges === undefined || step === 0) continue
    if (found === null) found = []
    found.push({ first: input.linkTo.get(middle) as Link, edges: usable(edges, books), rate: rate * step })
  }
  return found ?? NONE
}

/** Output for the first unit over the best of some edges; 0 when none takes anything. */
function bestRate(edges: readonly Edge[], books: boolean): number {
  let best = 0
  for (const edge of edges) {
    if (!books && !edge.isPool) continue
    const { top } = edge.curve
    if (top > best) best = top
  }
  return best
}
