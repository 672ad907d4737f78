// Finds the best paths for an amount on top of the flows of a division. Searches the tokens next to the output in the
// order of an upper bound, and stops at the first one whose bound is too low.
import { EPSILON } from './curve.ts'
import type { Edge, RouteGraph, TokenNode } from './graph.ts'
import type { Path } from './path.ts'

export interface PathQuery {
  input: TokenNode
  output: TokenNode
  /** 1 to 3. */
  maxHops: number
  books: boolean
  /** Share of a transfer's quoted output that the next transfer may spend: 1 − slippage. */
  guaranteed: number
}

export interface FoundPath {
  path: Path
  /** In doubles. */
  output: number
}

export interface FindOptions {
  /** Largest number of paths. */
  limit: number
  /** Only paths with more output are returned. The higher the floor, the faster the search. */
  floor?: number
  /** Without rounding. */
  smooth?: boolean
  /** Whether full venues count as if other paths gave way there; they do when absent. Only without rounding. */
  yields?: boolean
  /** Whether markets refuse less than their minimum; they do when absent. */
  minimums?: boolean
  /** Returns all good paths. Otherwise the paths differ in their last hop, which is faster. */
  complete?: boolean
}

/** Relative error of a product of doubles. */
const SLACK = 1 + EPSILON

export class PathSearch {
  readonly query: PathQuery
  private readonly candidates: Candidates
  private options: FindOptions = { limit: 0 }
  /** Outputs of first hops in the present search. */
  private readonly reached = new Map<Edge, number>()

  constructor(graph: RouteGraph, query: PathQuery) {
    const { input, output, maxHops, books } = query
    this.query = query
    this.candidates = graph.candidatesOf(input, output, maxHops, books)
  }

  /** Upper bound of the output for the first unit of input. */
  get promise(): number {
    const { direct, through } = this.candidates
    return direct.reduce((most, { curve }) => Math.max(most, curve.top), through[0]?.promise ?? 0)
  }

  /** Largest number of hops of any path. */
  get hops(): number {
    const { through } = this.candidates
    return through.some(({ seconds }) => seconds.length > 0) ? 3 : through.length > 0 ? 2 : 1
  }

  /** All paths of one hop. */
  direct(): Path[] {
    return this.candidates.direct.map((edge) => [edge])
  }

  /** All paths; null when there are more than `limit`. */
  all(limit: number): Path[] | null {
    const found = this.direct()
    for (const { ends, first, seconds } of this.candidates.through) {
      if (found.length + seconds.length > limit) return null
      const ways: Path[] = first.map((edge) => [edge])
      for (const second of seconds)
        for (const edge of second.first) ways.push(...second.edges.map((next) => [edge, next]))
      found.push(...ways.flatMap((way) => ends.map((end) => [...way, end])))
    }
    return found.length > limit ? null : found
  }

  /** The paths with the largest output for an amount, best first. */
  find(amount: number, options: FindOptions): FoundPath[] {
    const { limit, floor = 0, complete = false } = options
    this.options = options
    this.reached.clear()
    const found = new Ranking(limit, floor, complete)
    for (const edge of this.candidates.direct) this.end(found, edge, amount, [])
    for (const candidate of this.candidates.through) {
      if (amount * candidate.promise < found.worst) break
      const arrivals = this.arrivals(amount, candidate, found.worst, complete)
      for (const edge of candidate.ends) for (const { path, output } of arrivals) this.end(found, edge, output, path)
    }
    return found.paths
  }

  private end(found: Ranking, edge: Edge, arrived: number, path: Path): void {
    if (arrived * edge.curve.top * SLACK < found.worst) return
    const output = this.through(edge, arrived, path)
    if (output > found.worst) found.enter({ path: [...path, edge], output })
  }

  /**
   * Ways from the input to a token next to the output: all of them, or the best that ends with a pool and the best that
   * ends with a book, because the next transfer may spend a different share.
   */
  private arrivals(amount: number, candidate: Candidate, worst: number, complete: boolean): FoundPath[] {
    const { first, seconds, onward } = candidate
    const all: FoundPath[] = []
    const best: Record<'pool' | 'book', FoundPath | null> = { pool: null, book: null }
    const arrive = (path: Path, edge: Edge, output: number) => {
      if (!(output > 0)) return
      const kind = edge.isPool ? 'pool' : 'book'
      if (complete) all.push({ path: [...path, edge], output })
      else if (output > (best[kind]?.output ?? 0)) best[kind] = { path: [...path, edge], output }
    }
    for (const edge of first) arrive([], edge, this.first(edge, amount))
    for (const { first, edges, rate } of seconds) {
      if (amount * rate * onward * SLACK < worst) continue
      for (const edge of first) {
        const arrived = this.first(edge, amount)
        if (!(arrived > 0)) continue
        const before = [edge]
        for (const next of edges) {
          const most = arrived * next.curve.top * SLACK
          const known = complete ? 0 : (best[next.isPool ? 'pool' : 'book']?.output ?? 0)
          if (most < known || most * onward < worst) continue
          arrive(before, next, this.through(next, arrived, before))
        }
      }
    }
    return complete ? all : [best.pool, best.book].filter((one) => one !== null)
  }

  /** Output of the first hop, memoized for a search. */
  private first(edge: Edge, amount: number): number {
    let output = this.reached.get(edge)
    if (output === undefined) this.reached.set(edge, (output = this.through(edge, amount, [])))
    return output
  }

  /** Output of an edge after a path; NaN when the edge cannot take the amount. */
  private through(edge: Edge, arrived: number, path: Path): number {
    let amount = arrived
    const before = path[path.length - 1]
    if (before !== undefined && !(edge.isPool && before.isPool)) amount *= this.query.guaranteed
    const { smooth = false, yields = true, minimums = true } = this.options
    if (!smooth) amount = Math.floor(amount)
    if (minimums && amount < edge.minimum) return Number.NaN
    return smooth ? edge.smoothGain(amount, yields) : edge.gain(amount)
  }
}

/** The best paths of a search, best first. */
class Ranking {
  readonly paths: FoundPath[] = []
  /** Output that another path must exceed. */
  worst: number
  private readonly limit: number
  private readonly complete: boolean

  constructor(limit: number, floor: number, complete: boolean) {
    this.limit = limit
    this.worst = floor
    this.complete = complete
  }

  enter(found: FoundPath): void {
    const { paths } = this
    if (!this.complete) {
      const last = found.path[found.path.length - 1]
      const same = paths.findIndex(({ path }) => path[path.length - 1] === last)
      if (same >= 0 && (paths[same] as FoundPath).output >= found.output) return
      if (same >= 0) paths.splice(same, 1)
    }
    let at = paths.length
    while (at > 0 && (paths[at - 1] as FoundPath).output < found.output) at--
    paths.splice(at, 0, found)
    if (paths.length > this.limit) paths.pop()
    if (paths.length === this.limit) this.worst = (paths[this.limit - 1] as FoundPath).output
  }
}

/** A token next to the output. */
export interface Candidate {
  /** From the token to the output. */
  ends: readonly Edge[]
  /** From the input to the token. */
  first: readonly Edge[]
  /** From other neighbours of the input to the token. */
  seconds: readonly Second[]
  /** Upper bound of the output for one unit at the token. */
  onward: number
  /** Upper bound of the output for one unit of input. */
  promise: number
}

/** Edges to a token. */
interface Way {
  edges: readonly Edge[]
  /** Upper bound of what reaches the token for one unit of input. */
  rate: number
}

/** Edges to a token from a neighbour of the input. */
interface Second extends Way {
  /** From the input to that neighbour. */
  first: readonly Edge[]
}

export interface Candidates {
  direct: readonly Edge[]
  /** By falling promise. */
  through: readonly Candidate[]
}

export function findCandidates(input: TokenNode, output: TokenNode, maxHops: number, books: boolean): Candidates {
  const direct = usable(input.links.get(output)?.out ?? [], books)
  const through: Candidate[] = []
  if (maxHops < 2) return { direct, through }
  const starts = new Map<TokenNode, Way>()
  for (const [node, { out }] of input.links) {
    const edges = usable(out, books)
    const rate = bestRate(edges)
    if (rate > 0) starts.set(node, { edges, rate })
  }
  for (const [node, link] of output.links) {
    const ends = usable(link.in, books)
    const onward = node === input ? 0 : bestRate(ends)
    if (onward === 0) continue
    const first = starts.get(node)
    const seconds = maxHops > 2 ? secondsOf(node, output, starts, books) : []
    const arriving = seconds.reduce((most, { rate }) => Math.max(most, rate), first?.rate ?? 0)
    if (arriving > 0)
      through.push({ ends, first: first?.edges ?? [], seconds, onward, promise: arriving * onward * SLACK })
  }
  through.sort((a, b) => b.promise - a.promise)
  return { direct, through }
}

function usable(edges: readonly Edge[], books: boolean): readonly Edge[] {
  return books || edges.every((edge) => edge.isPool) ? edges : edges.filter((edge) => edge.isPool)
}

/** Ways of two hops from the input to a token. */
function secondsOf(
  node: TokenNode,
  output: TokenNode,
  starts: ReadonlyMap<TokenNode, Way>,
  books: boolean,
): readonly Second[] {
  const found: Second[] = []
  const middles = starts.size < node.links.size ? starts : node.links
  for (const middle of middles.keys()) {
    const start = middle === output ? undefined : starts.get(middle)
    const link = node.links.get(middle)
    if (start === undefined || link === undefined) continue
    const edges = usable(link.in, books)
    const step = bestRate(edges)
    if (step > 0) found.push({ first: start.edges, edges, rate: start.rate * step })
  }
  return found
}

/** Largest output for the first unit over the edges; 0 when none takes anything. */
function bestRate(edges: readonly Edge[]): number {
  return edges.reduce((best, { curve }) => Math.max(best, curve.top), 0)
}
