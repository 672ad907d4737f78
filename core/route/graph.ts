// Tokens and what trades them, kept for many requests: a change of a pool or a market forgets its curves alone, and
// they are computed again when a search meets them.
import { TickList } from '../amm/tick-index.ts'
import { type Candidates, findCandidates } from './candidates.ts'
import { bookCurve, type Curve, poolCurve } from './curve.ts'
import { Overlay } from './exact.ts'
import { Ladder } from './ladder.ts'
import type { RouteBook, RoutePool } from './model.ts'

/** What a difference of doubles may lack of a whole number. */
const EPSILON = 1e-9
/** Exact results that an edge keeps. */
const MOST_EXACT = 1000
/** Pairs whose candidates are kept. */
const MOST_PAIRS = 50

/** One direction of a pool, or one side of a market: what turns one token into another. */
export class Edge {
  readonly venue: PoolVenue | BookVenue
  readonly isPool: boolean
  /** Pools: token A enters. Markets: target enters, base is bought. */
  readonly forward: boolean
  readonly from: TokenNode
  readonly to: TokenNode
  /** Search only: input that other parts use already, and what they get for it. */
  flow = 0
  flowOut = 0
  /** Search only, where the flow stands at a kink or fills the venue: output for one more unit when other parts give way. */
  spare = 0
  /** Search only: the run in which the edge is not used. */
  excludedIn = 0
  /** Search only: where the edge was last put among those that some paths cross. */
  place = 0
  private known: Curve | null = null
  /** Exact results that were asked for. */
  private exact: Map<number, number> | null = null
  private knownLeast = 0

  constructor(venue: PoolVenue | BookVenue, forward: boolean, from: TokenNode, to: TokenNode) {
    this.venue = venue
    this.isPool = venue instanceof PoolVenue
    this.forward = forward
    this.from = from
    this.to = to
  }

  get curve(): Curve {
    return this.known ?? this.learn()
  }

  /** Least input of one transfer, raw units. */
  get least(): number {
    if (this.known === null) this.learn()
    return this.knownLeast
  }

  /** What `input` more gives on top of the flow; NaN when it cannot be taken. Each swap is rounded by itself. */
  gain(input: number): number {
    const { curve, flow } = this
    if (flow === 0) return curve.output(input)
    const after = flow + curve.entering(input)
    return after <= curve.capacity ? Math.floor(curve.smooth(after) - curve.smooth(flow) + EPSILON) : Number.NaN
  }

  /** The same as if units were nothing: for flows that are all laid so. NaN when it cannot be taken. */
  smoothGain(input: number): number {
    const { curve } = this
    if (this.spare > 0 && input <= this.flow) return this.spare * input
    return this.flow + input <= curve.capacity ? curve.smooth(this.flow + input) - this.flowOut : Number.NaN
  }

  /** The same, where more than can be taken gives nothing more. */
  smoothGainUpTo(input: number): number {
    return this.curve.smooth(this.flow + input) - this.flowOut
  }

  /** What `input` more gives on top of the flow, where more than can be taken gives nothing more. */
  gainUpTo(input: number): number {
    return this.curve.outputUpTo(this.flow + input) - this.flowOut
  }

  /** What `output` more costs on top of the flow; NaN when there is not so much. */
  cost(output: number): number {
    return this.curve.input(this.flowOut + output) - this.flow
  }

  /** What `input` more gives on top of the flow: to the unit without a flow; NaN when it cannot be taken. */
  exactGain(input: number): number {
    if (this.flow > 0) return this.gain(input)
    return this.venue instanceof PoolVenue ? this.exactly('in', input) : this.taken(this.venue, input)
  }

  /** What `output` more costs on top of the flow: to the unit without a flow; NaN when there is less. */
  exactCost(output: number): number {
    if (!(this.venue instanceof PoolVenue)) return this.cost(output)
    if (this.flow === 0) return this.exactly('out', output)
    return this.exactly('out', this.flowOut + output) + 1 - this.flow
  }

  forget(): void {
    this.known = null
    this.exact = null
  }

  /** What a market order gets of the book, each fill rounded as the contract does. */
  private taken({ book }: BookVenue, input: number): number {
    if (this.exact === null) this.exact = new Map()
    let known = this.exact.get(input)
    if (known !== undefined) return known
    const taken = new Overlay().take(book, this.forward, BigInt(input))
    known = taken === null ? Number.NaN : Number(taken.received)
    if (this.exact.size >= MOST_EXACT) this.exact.clear()
    this.exact.set(input, known)
    return known
  }

  private exactly(exact: 'in' | 'out', amount: number): number {
    if (this.exact === null) this.exact = new Map()
    // One key for both kinds: amounts are whole.
    const key = exact === 'in' ? amount : -amount
    let known = this.exact.get(key)
    if (known !== undefined) return known
    const moved = (this.venue as PoolVenue).ladder(this.forward).swap(exact, BigInt(amount))
    known = moved === null ? Number.NaN : Number(exact === 'in' ? moved.amountOut : moved.amountIn)
    if (this.exact.size >= MOST_EXACT) this.exact.clear()
    this.exact.set(key, known)
    return known
  }

  private learn(): Curve {
    this.knownLeast = this.venue.least(this.forward)
    return (this.known = this.venue.curve(this.forward))
  }
}

export class PoolVenue {
  pool: RoutePool
  edges: Edge[] = []
  private sorted: TickList | null = null
  private down: Ladder | null = null
  private up: Ladder | null = null

  constructor(pool: RoutePool) {
    this.pool = pool
  }

  /** Exact swaps in the pool as it stands. */
  ladder(forward: boolean): Ladder {
    if (forward) return this.down ?? (this.down = new Ladder(this.pool, this.ticks, true))
    return this.up ?? (this.up = new Ladder(this.pool, this.ticks, false))
  }

  get ticks(): TickList {
    return this.sorted ?? (this.sorted = TickList.from(this.pool.ticks.values()))
  }

  curve(forward: boolean): Curve {
    return poolCurve(this.pool, this.ticks, forward)
  }

  /** @returns the least input, raw units */
  least(): number {
    return 0
  }

  replace(pool: RoutePool): void {
    this.pool = pool
    this.sorted = null
    this.down = null
    this.up = null
    for (const edge of this.edges) edge.forget()
  }
}

export class BookVenue {
  book: RouteBook
  edges: Edge[] = []

  constructor(book: RouteBook) {
    this.book = book
  }

  curve(forward: boolean): Curve {
    return bookCurve(forward ? this.book.asks : this.book.bids, this.book.fee)
  }

  /** @returns the least input, raw units */
  least(forward: boolean): number {
    const { book } = this
    return forward
      ? Number(book.minBuy) * 10 ** (book.target.decimals - book.minBuyDecimals)
      : Number(book.minSell) * 10 ** (book.base.decimals - book.minSellDecimals)
  }

  replace(book: RouteBook): void {
    this.book = book
    for (const edge of this.edges) edge.forget()
  }
}

/** All edges between a token and one other. */
export interface Link {
  node: TokenNode
  /** Towards the other token. */
  out: Edge[]
  /** From the other token. */
  in: Edge[]
}

/** What a search has found out about reaching a token, by the venue of the last hop (search.ts). */
export interface Arrival {
  run: number
  amount: number
  edge: Edge | null
  previous: Arrival | null
}

function noArrival(): Arrival {
  return { run: 0, amount: 0, edge: null, previous: null }
}

export class TokenNode {
  readonly id: string
  readonly links: Link[] = []
  readonly linkTo = new Map<TokenNode, Link>()
  /** Search only. */
  readonly firstByPool = noArrival()
  readonly firstByBook = noArrival()
  readonly secondByPool = noArrival()
  readonly secondByBook = noArrival()

  constructor(id: string) {
    this.id = id
  }

  link(node: TokenNode): Link {
    let link = this.linkTo.get(node)
    if (link === undefined) {
      link = { node, out: [], in: [] }
      this.linkTo.set(node, link)
      this.links.push(link)
    }
    return link
  }

  unlink(link: Link): void {
    this.linkTo.delete(link.node)
    this.links.splice(this.links.indexOf(link), 1)
  }
}

export class RouteGraph {
  private readonly nodes = new Map<string, TokenNode>()
  private readonly pools = new Map<number, PoolVenue>()
  private readonly books = new Map<number, BookVenue>()
  private run = 0
  /** Of pairs that were asked for since the last change. */
  private readonly candidates = new Map<string, Candidates>()

  /** What paths between two tokens can cross; kept until something changes. */
  candidatesOf(input: TokenNode, output: TokenNode, maxHops: number, books: boolean): Candidates {
    const key = `${input.id} ${output.id} ${maxHops} ${books}`
    let found = this.candidates.get(key)
    if (found === undefined) {
      found = findCandidates(input, output, maxHops, books)
      if (this.candidates.size >= MOST_PAIRS) this.candidates.clear()
      this.candidates.set(key, found)
    }
    return found
  }

  /** A number that marks what one search has written on tokens and edges. */
  nextRun(): number {
    return ++this.run
  }

  node(id: string): TokenNode | undefined {
    return this.nodes.get(id)
  }

  putPool(pool: RoutePool): void {
    this.forgetCandidates()
    const known = this.pools.get(pool.id)
    if (known && pool.active && joins(known, pool.a.id, pool.b.id)) {
      known.replace(pool)
      return
    }
    this.removePool(pool.id)
    if (!pool.active || pool.a.id === pool.b.id) return
    const venue = new PoolVenue(pool)
    this.pools.set(pool.id, venue)
    this.connect(venue, pool.a.id, pool.b.id)
  }

  removePool(id: number): void {
    this.forgetCandidates()
    const venue = this.pools.get(id)
    if (venue === undefined) return
    this.pools.delete(id)
    this.disconnect(venue)
  }

  putBook(book: RouteBook): void {
    this.forgetCandidates()
    const known = this.books.get(book.id)
    if (known && !book.frozen && joins(known, book.target.id, book.base.id)) {
      known.replace(book)
      return
    }
    this.removeBook(book.id)
    if (book.frozen || book.base.id === book.target.id) return
    const venue = new BookVenue(book)
    this.books.set(book.id, venue)
    this.connect(venue, book.target.id, book.base.id)
  }

  removeBook(id: number): void {
    this.forgetCandidates()
    const venue = this.books.get(id)
    if (venue === undefined) return
    this.books.delete(id)
    this.disconnect(venue)
  }

  /** Nearly always there are none: to clear an empty map costs more than to look. */
  private forgetCandidates(): void {
    if (this.candidates.size > 0) this.candidates.clear()
  }

  /** Computes the curves that are not known, venue by venue. */
  *warm(): Generator<void> {
    for (const venues of [this.pools, this.books]) {
      for (const venue of venues.values()) {
        for (const edge of venue.edges) edge.curve
        yield
      }
    }
  }

  private connect(venue: PoolVenue | BookVenue, from: string, to: string): void {
    const [a, b] = [this.nodeOf(from), this.nodeOf(to)]
    venue.edges = [new Edge(venue, true, a, b), new Edge(venue, false, b, a)]
    for (const edge of venue.edges) {
      edge.from.link(edge.to).out.push(edge)
      edge.to.link(edge.from).in.push(edge)
    }
  }

  private disconnect(venue: PoolVenue | BookVenue): void {
    for (const edge of venue.edges) {
      const { from, to } = edge
      const [out, back] = [from.link(to), to.link(from)]
      out.out = out.out.filter((other) => other !== edge)
      back.in = back.in.filter((other) => other !== edge)
    }
    const { from, to } = venue.edges[0] as Edge
    for (const [node, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const link = node.link(other)
      if (link.out.length === 0 && link.in.length === 0) node.unlink(link)
      if (node.links.length === 0) this.nodes.delete(node.id)
    }
  }

  private nodeOf(id: string): TokenNode {
    let node = this.nodes.get(id)
    if (node === undefined) this.nodes.set(id, (node = new TokenNode(id)))
    return node
  }
}

function joins({ edges }: PoolVenue | BookVenue, from: string, to: string): boolean {
  const edge = edges[0]
  return edge !== undefined && edge.from.id === from && edge.to.id === to
}
