// The best paths for an amount, on top of the flows that lie on the edges. The output of every edge grows with its
// input, so the best way to a token within so many hops extends to the best path: a dynamic programme over tokens,
// not over paths. Whether the last hop was a pool matters for what the next transfer may spend, so each token keeps
// the best arrival by pool and the best by book.
import type { Arrival, Edge, Link, RouteGraph, TokenNode } from './graph.ts'
import { type Path, startsTransfer } from './path.ts'

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

const UNREACHED: Arrival = { run: 0, amount: 0, edge: null, previous: null }

export class PathSearch {
  readonly query: PathQuery
  /** Whether a curve could not take an amount: then a smaller arrival might have gone further (`enumerate`). */
  hitEnd = false
  /** Whether a market was in the way of any search. */
  metBooks = false
  private readonly graph: RouteGraph
  private readonly mark: number
  private run = 0
  private amount = 0

  constructor(graph: RouteGraph, query: PathQuery) {
    this.graph = graph
    this.query = query
    this.mark = graph.nextRun()
    for (const link of query.input.links) {
      link.node.nearRun = this.mark
      link.node.nearLink = link
    }
  }

  /** Leaves an edge out of all further searches. */
  exclude(edge: Edge): void {
    edge.excludedIn = this.mark
  }

  /** The best paths that end with different hops, best first, at most `limit`. */
  best(amount: number, limit: number): FoundPath[] {
    const { input, output, maxHops } = this.query
    this.run = this.graph.nextRun()
    this.amount = amount
    const endings: Ending[] = []
    for (const link of output.links) {
      if (link.node === input) {
        for (const edge of link.in) if (this.allows(edge)) this.end(endings, limit, edge, amount, null)
      } else if (maxHops > 1) this.endThrough(endings, limit, link)
    }
    return endings.map(({ output: value, edge, previous }) => ({ path: pathTo(edge, previous), output: value }))
  }

  /** Every path that can take the amount, best first, at most `limit`: slower, and complete. */
  enumerate(amount: number, limit: number): FoundPath[] {
    const { input, output, maxHops, kept } = this.query
    const found: FoundPath[] = []
    const near = new Set(output.links.map((link) => link.node))
    const walk = (node: TokenNode, path: Edge[], arrived: number): void => {
      for (const link of node.links) {
        const isEnd = link.node === output
        const hopsLeft = maxHops - path.length - 1
        if (!isEnd && (hopsLeft < 1 || (hopsLeft === 1 && !near.has(link.node)))) continue
        if (link.node === input || path.some((edge) => edge.from === link.node)) continue
        for (const edge of link.out) {
          if (!this.allows(edge)) continue
          const next = [...path, edge]
          const spent = path.length > 0 && startsTransfer(next, path.length) ? Math.floor(arrived * kept) : arrived
          const gain = spent < edge.least ? Number.NaN : edge.gain(spent)
          if (!(gain > 0)) continue
          if (isEnd) found.push({ path: next, output: gain })
          else walk(link.node, next, gain)
        }
      }
    }
    walk(input, [], amount)
    return found.sort((a, b) => b.output - a.output).slice(0, limit)
  }

  /** All paths of one hop. */
  direct(): Path[] {
    const link = this.query.input.linkTo.get(this.query.output)
    return (link?.out ?? []).filter((edge) => this.allows(edge)).map((edge) => [edge])
  }

  private allows(edge: Edge): boolean {
    if (!edge.isPool) {
      if (!this.query.books) return false
      this.metBooks = true
    }
    return edge.excludedIn !== this.mark
  }

  private endThrough(endings: Ending[], limit: number, link: Link): void {
    const { node } = link
    const { kept, maxHops } = this.query
    const near = node.nearRun === this.mark
    if (near) this.reachFirst(node)
    if (maxHops > 2) this.reachSecond(node)
    const { run } = this
    const byPool = better(near ? node.firstByPool : UNREACHED, maxHops > 2 ? node.secondByPool : UNREACHED, run)
    const byBook = better(near ? node.firstByBook : UNREACHED, maxHops > 2 ? node.secondByBook : UNREACHED, run)
    if (byPool.amount <= 0 && byBook.amount <= 0) return
    for (const edge of link.in) {
      if (!this.allows(edge)) continue
      const previous =
        edge.isPool && byPool.amount > byBook.amount * kept ? byPool : edge.isPool ? byBook : max(byPool, byBook)
      const amount = edge.isPool && previous === byPool ? previous.amount : previous.amount * kept
      this.end(endings, limit, edge, amount, previous)
    }
  }

  private end(endings: Ending[], limit: number, edge: Edge, amount: number, previous: Arrival | null): void {
    const output = this.through(edge, amount)
    if (!(output > 0)) return
    const last = endings[endings.length - 1]
    if (endings.length === limit && last && last.output >= output) return
    let at = endings.length
    while (at > 0 && (endings[at - 1] as Ending).output < output) at--
    endings.splice(at, 0, { output, edge, previous })
    if (endings.length > limit) endings.pop()
  }

  /** The best arrivals at a neighbour of the input by one hop. */
  private reachFirst(node: TokenNode): void {
    const { run } = this
    if (node.firstByPool.run === run) return
    start(node.firstByPool, run)
    start(node.firstByBook, run)
    for (const edge of (node.nearLink as Link).out) {
      if (this.allows(edge)) this.arrive(edge.isPool ? node.firstByPool : node.firstByBook, edge, this.amount, null)
    }
  }

  /** The best arrivals at a neighbour of the output by two hops. */
  private reachSecond(node: TokenNode): void {
    const { run, mark } = this
    const { input } = this.query
    start(node.secondByPool, run)
    start(node.secondByBook, run)
    if (input.links.length < node.links.length) {
      for (const { node: middle } of input.links) {
        const link = node.linkTo.get(middle)
        if (link !== undefined) this.extend(node, link)
      }
    } else {
      for (const link of node.links) if (link.node.nearRun === mark) this.extend(node, link)
    }
  }

  private extend(node: TokenNode, link: Link): void {
    const middle = link.node
    if (middle === this.query.output || middle === this.query.input) return
    const { kept } = this.query
    this.reachFirst(middle)
    const { firstByPool: byPool, firstByBook: byBook } = middle
    if (byPool.amount <= 0 && byBook.amount <= 0) return
    for (const edge of link.in) {
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
    const output = this.through(edge, amount)
    if (!(output > arrival.amount)) return
    arrival.amount = output
    arrival.edge = edge
    arrival.previous = previous
  }

  private through(edge: Edge, amount: number): number {
    if (amount < edge.least) return 0
    const output = edge.gain(amount)
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
