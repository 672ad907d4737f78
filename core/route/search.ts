// The best paths for an amount, on top of the flows that lie on the edges. The output of every edge grows with its
// input, so the best way to a token within so many hops extends to the best path: a dynamic programme over tokens,
// not over paths. Whether the last hop was a pool matters for what the next transfer may spend, so each token keeps
// the best arrival by pool and the best by book.
import { Bound } from './bound.ts'
import type { Candidate, Candidates, Second } from './candidates.ts'
import type { Arrival, Edge, Link, RouteGraph, TokenNode } from './graph.ts'
import type { Path } from './path.ts'

export interface PathQuery {
  input: TokenNode
  output: TokenNode
  /** 1 to 3. */
  maxHops: number
  books: boolean
  /** What each transfer but the first may spend of the expectation before it: 1 − slippage. */
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

/** What a product of doubles may lack. */
const SLACK = 1 + 1e-9
const UNREACHED: Arrival = { run: 0, amount: 0, edge: null, previous: null }

export class PathSearch {
  readonly query: PathQuery
  /** Whether a curve could not take an amount: then a smaller arrival might have gone further (`enumerate`). */
  hitEnd = false
  /** Whether a market was in the way of any search. */
  metBooks = false
  private readonly graph: RouteGraph
  private readonly candidates: Candidates
  private mark: number
  private run = 0
  private amount = 0
  private least = 0
  private isSmooth = false

  constructor(graph: RouteGraph, query: PathQuery) {
    const { input, output, maxHops, books } = query
    this.graph = graph
    this.query = query
    this.mark = graph.nextRun()
    this.candidates = graph.candidatesOf(input, output, maxHops, books)
  }

  /** Output for the first unit of input at the very most. */
  get promise(): number {
    const { direct, through } = this.candidates
    return direct.reduce((most, { curve }) => Math.max(most, curve.top), through[0]?.promise ?? 0)
  }

  /** Most hops of any path. */
  get hops(): number {
    const { through } = this.candidates
    return through.some(({ seconds }) => seconds.length > 0) ? 3 : through.length > 0 ? 2 : 1
  }

  /** Whether a market is on any path. */
  get hasBooks(): boolean {
    const { direct, through } = this.candidates
    const some = (edges: readonly Edge[]) => edges.some(({ isPool }) => !isPool)
    return (
      this.query.books &&
      (some(direct) ||
        through.some(
          ({ ends, first, seconds }) =>
            some(ends) ||
            some(first?.out ?? []) ||
            seconds.some((second) => some(second.first.out) || some(second.edges)),
        ))
    )
  }

  /** Whether a single path may give more than an output, were nothing rounded. */
  exceeds(amount: number, output: number): boolean {
    this.hitEnd = false
    return this.bestBeside(amount, 1, output).length > 0 || this.hitEnd
  }

  /** What no division exceeds. The flows of a good one must lie on the edges. @param level  what its last unit gives */
  bound(amount: number, level: number, maxParts: number): Bound {
    const { kept, books } = this.query
    return new Bound(this.candidates, amount, { kept, books, maxParts, level })
  }

  /** Leaves an edge out of all further searches. */
  exclude(edge: Edge): void {
    edge.excludedIn = this.mark
  }

  /** Takes back what was left out. */
  includeAll(): void {
    this.mark = this.graph.nextRun()
  }

  /** The best paths for a share of an amount on top of flows that are not rounded, like `best`. */
  bestBeside(amount: number, limit: number, least = 0): FoundPath[] {
    this.isSmooth = true
    const found = this.best(amount, limit, least)
    this.isSmooth = false
    return found
  }

  /**
   * The best paths that end with different hops, best first, at most `limit`.
   *
   * @param least  output that is not worth looking at: the more it is, the less is looked at
   */
  best(amount: number, limit: number, least = 0): FoundPath[] {
    this.run = this.graph.nextRun()
    this.amount = amount
    this.least = least
    const endings: Ending[] = []
    for (const edge of this.candidates.direct) if (this.allows(edge)) this.end(endings, limit, edge, amount, null)
    for (const candidate of this.candidates.through) {
      if (amount * candidate.promise < this.lastOf(endings, limit)) break
      this.endThrough(endings, limit, candidate)
    }
    return endings.map(({ output: value, edge, previous }) => ({ path: pathTo(edge, previous), output: value }))
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
    for (const edge of this.candidates.direct) if (this.allows(edge)) enter([edge], this.over(edge, amount, null))
    for (const { ends, first, seconds, promise } of this.candidates.through) {
      if (found.length === limit && amount * promise < (found[limit - 1] as FoundPath).output) break
      const onward = (path: Path, arrived: number) => {
        if (!(arrived > 0)) return
        for (const end of ends)
          if (this.allows(end)) enter([...path, end], this.over(end, arrived, path[path.length - 1] as Edge))
      }
      for (const edge of first?.out ?? []) if (this.allows(edge)) onward([edge], this.over(edge, amount, null))
      for (const second of seconds) {
        for (const edge of second.first.out) {
          const arrived = this.allows(edge) ? this.over(edge, amount, null) : Number.NaN
          if (!(arrived > 0)) continue
          for (const next of second.edges) if (this.allows(next)) onward([edge, next], this.over(next, arrived, edge))
        }
      }
    }
    return found
  }

  /** All paths whose first unit may give more than a price; null when there are more than `limit`. */
  above(price: number, limit: number): Path[] | null {
    const found: Path[] = []
    const enter = (path: Path) => {
      if (path.reduce((rate, edge) => rate * edge.curve.top, SLACK) > price) found.push(path)
    }
    const allowed = (edges: readonly Edge[]) => edges.filter((edge) => this.allows(edge))
    for (const edge of allowed(this.candidates.direct)) enter([edge])
    for (const { ends, first, seconds, promise } of this.candidates.through) {
      if (promise < price || found.length > limit) break
      for (const end of allowed(ends)) {
        for (const edge of allowed(first?.out ?? [])) enter([edge, end])
        for (const second of seconds) {
          if (found.length > limit) return null
          for (const edge of allowed(second.first.out))
            for (const next of allowed(second.edges)) enter([edge, next, end])
        }
      }
    }
    return found.length > limit ? null : found
  }

  /** What an amount gives over an edge that comes after another one; NaN when it cannot be taken. */
  private over(edge: Edge, amount: number, before: Edge | null): number {
    const spent = before === null || (edge.isPool && before.isPool) ? amount : Math.floor(amount * this.query.kept)
    return spent < edge.least ? Number.NaN : edge.gain(spent)
  }

  /** All paths of one hop. */
  direct(): Path[] {
    return this.candidates.direct.filter((edge) => this.allows(edge)).map((edge) => [edge])
  }

  private allows(edge: Edge): boolean {
    if (!edge.isPool) {
      if (!this.query.books) return false
      this.metBooks = true
    }
    return edge.excludedIn !== this.mark
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
    const last = this.lastOf(endings, limit)
    if (amount * edge.curve.top * SLACK < last) return
    const output = this.through(edge, amount)
    if (!(output > last)) return
    let at = endings.length
    while (at > 0 && (endings[at - 1] as Ending).output < output) at--
    endings.splice(at, 0, { output, edge, previous })
    if (endings.length > limit) endings.pop()
  }

  /** What an ending must be above. */
  private lastOf(endings: readonly Ending[], limit: number): number {
    return endings.length === limit ? (endings[limit - 1] as Ending).output : this.least
  }

  /** The best arrivals at a neighbour of the input by one hop. */
  private reachFirst({ node, out }: Link): void {
    const { run } = this
    if (node.firstByPool.run === run) return
    start(node.firstByPool, run)
    start(node.firstByBook, run)
    for (const edge of out)
      if (this.allows(edge)) this.arrive(edge.isPool ? node.firstByPool : node.firstByBook, edge, this.amount, null)
  }

  /** The best arrivals at a neighbour of the output by two hops. */
  private reachSecond(node: TokenNode, seconds: readonly Second[]): void {
    start(node.secondByPool, this.run)
    start(node.secondByBook, this.run)
    for (const second of seconds) this.extend(node, second)
  }

  private extend(node: TokenNode, { first, edges }: Second): void {
    const middle = first.node
    const { kept } = this.query
    this.reachFirst(first)
    const { firstByPool: byPool, firstByBook: byBook } = middle
    if (byPool.amount <= 0 && byBook.amount <= 0) return
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
    if (amount < edge.least) return 0
    const output = this.isSmooth ? edge.smoothGain(amount) : edge.gain(amount)
    if (Number.isNaN(output)) this.hitEnd = true
    return output
  }
}

function start(arrival: Arrival, run: number): void {
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
