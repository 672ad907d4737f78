// The graph of tokens, pools and markets, kept for many requests. A change of a pool or a market drops its curves alone;
// they are computed again when a search needs them.
import { StepSums } from '../amm/step-sums.ts'
import { TickList } from '../amm/tick-index.ts'
import type { BookOrder } from '../book/order.ts'
import { LRUCache } from '../cache.ts'
import { bookCurve, type Curve, EPSILON, poolCurve, type Slope } from './curve.ts'
import type { RouteBook, RoutePool, RouteToken } from './model.ts'
import { type Candidates, findCandidates } from './path-search.ts'

/** Maximum number of pairs with cached candidates: a depth routes one pair about a hundred times in one block. */
const MAX_PAIRS = 50

const slope: Slope = { rate: 0, bend: 0, room: 0 }

/** One direction of a pool, or one side of a market: what turns one token into another. */
export class Edge {
  venue: Venue
  readonly isPool: boolean
  /** Pools: token A enters. Markets: target enters, base is bought. */
  readonly forward: boolean
  readonly from: TokenNode
  readonly to: TokenNode
  /** Minimum input of one transfer, raw units. */
  minimum: number
  /** Search only: input of the paths that are laid over the edge, and their output. */
  flow = 0
  flowOut = 0
  private knownCurve: Curve | null = null

  constructor(venue: Venue, forward: boolean, from: TokenNode, to: TokenNode) {
    this.venue = venue
    this.isPool = venue instanceof PoolVenue
    this.minimum = Number(venue.minimums[forward ? 0 : 1])
    this.forward = forward
    this.from = from
    this.to = to
  }

  get curve(): Curve {
    return (this.knownCurve ??= this.venue.curve(this.forward))
  }

  /** Whole units that `input` more gives on top of the flow; NaN when it cannot be taken. Each swap is rounded by itself. */
  gain(input: number): number {
    const { curve, flow } = this
    if (flow === 0) return curve.output(input)
    const after = flow + curve.entering(input)
    return after <= curve.capacity ? Math.floor(curve.smooth(after) - curve.smooth(flow) + EPSILON) : Number.NaN
  }

  /** The same without rounding. @param yields  whether a full edge gives its last rate: other paths may give way there */
  smoothGain(input: number, yields: boolean): number {
    const { curve, flow } = this
    if (flow + input <= curve.capacity) return curve.smooth(flow + input) - this.flowOut
    if (!yields || flow < curve.capacity - 1 || input > flow) return Number.NaN
    curve.slope(flow, -1, 1, slope)
    return slope.rate * input
  }

  /** Takes the new state of the venue. */
  replace(venue: Venue): void {
    this.venue = venue
    this.minimum = Number(venue.minimums[this.forward ? 0 : 1])
    this.knownCurve = null
  }
}

export type Venue = PoolVenue | BookVenue

/** A pool at one state, with its sorted ticks and step sums, which are computed when they are first needed. */
export class PoolVenue {
  readonly pool: RoutePool
  readonly minimums = [0n, 0n] as const
  edges: readonly Edge[] = []
  private sorted: TickList | null = null
  private readonly sumsOf: [down: StepSums | null, up: StepSums | null] = [null, null]

  constructor(pool: RoutePool) {
    this.pool = pool
  }

  /** Exact swaps in the pool. */
  sums(forward: boolean): StepSums {
    const at = forward ? 0 : 1
    return (this.sumsOf[at] ??= new StepSums(this.pool, this.ticks, forward))
  }

  get ticks(): TickList {
    return (this.sorted ??= TickList.from(this.pool.ticks.values()))
  }

  curve(forward: boolean): Curve {
    return poolCurve(this.pool, this.ticks, forward)
  }
}

export class BookVenue {
  readonly book: RouteBook
  edges: readonly Edge[] = []
  /** Minimum inputs, raw units: target when it buys, base when it sells. */
  readonly minimums: readonly [buy: bigint, sell: bigint]

  constructor(book: RouteBook) {
    this.book = book
    const { base, target, minBuy, minBuyDecimals, minSell, minSellDecimals } = book
    this.minimums = [inUnits(minBuy, minBuyDecimals, target), inUnits(minSell, minSellDecimals, base)]
  }

  /** Orders that meet what is sent, the best first. */
  orders(forward: boolean): readonly BookOrder[] {
    return forward ? this.book.asks : this.book.bids
  }

  curve(forward: boolean): Curve {
    return bookCurve(this.orders(forward), this.book.fee)
  }
}

/** An amount of so many decimals in raw units of a token, rounded up. */
function inUnits(amount: bigint, decimals: number, token: RouteToken): bigint {
  const scale = 10n ** BigInt(decimals)
  return (amount * 10n ** BigInt(token.decimals) + scale - 1n) / scale
}

/** All edges between a token and one other. The links of the two tokens share their lists. */
export interface Link {
  /** Towards the other token. */
  out: Edge[]
  /** From the other token. */
  in: Edge[]
}

export interface TokenNode {
  readonly id: string
  /** By the other token. */
  readonly links: Map<TokenNode, Link>
}

export class RouteGraph {
  private readonly nodes = new Map<string, TokenNode>()
  private readonly pools = new Map<number, Venue>()
  private readonly books = new Map<number, Venue>()
  /** By pair and limits, since the last change. */
  private readonly candidates = new LRUCache<string, Candidates>({ max: MAX_PAIRS })

  /** Tokens that paths between two tokens can cross; cached until the graph changes. */
  candidatesOf(input: TokenNode, output: TokenNode, maxHops: number, books: boolean): Candidates {
    const key = `${input.id} ${output.id} ${maxHops} ${books}`
    let found = this.candidates.get(key)
    if (found === undefined) {
      found = findCandidates(input, output, maxHops, books)
      this.candidates.set(key, found)
    }
    return found
  }

  node(id: string): TokenNode | undefined {
    return this.nodes.get(id)
  }

  get hasBooks(): boolean {
    return this.books.size > 0
  }

  putPool(pool: RoutePool): void {
    this.put(this.pools, pool.id, pool.active, pool.a.id, pool.b.id, new PoolVenue(pool))
  }

  removePool(id: number): void {
    this.remove(this.pools, id)
  }

  putBook(book: RouteBook): void {
    this.put(this.books, book.id, !book.frozen, book.target.id, book.base.id, new BookVenue(book))
  }

  removeBook(id: number): void {
    this.remove(this.books, id)
  }

  private put(venues: Map<number, Venue>, id: number, isUsable: boolean, from: string, to: string, venue: Venue): void {
    const edges = venues.get(id)?.edges ?? []
    if (isUsable && edges[0]?.from.id === from && edges[0].to.id === to) {
      this.candidates.clear()
      venue.edges = edges
      for (const edge of edges) edge.replace(venue)
    } else {
      this.remove(venues, id)
      if (!isUsable || from === to) return
      this.connect(venue, from, to)
    }
    venues.set(id, venue)
  }

  private remove(venues: Map<number, Venue>, id: number): void {
    this.candidates.clear()
    const venue = venues.get(id)
    if (venue === undefined) return
    venues.delete(id)
    this.disconnect(venue)
  }

  /** Computes the curves that are not known, venue by venue; otherwise the first request that meets a pool does. */
  *warmSteps(): Generator<void> {
    for (const venues of [this.pools, this.books]) {
      for (const venue of venues.values()) {
        for (const edge of venue.edges) edge.curve
        yield
      }
    }
  }

  private connect(venue: Venue, from: string, to: string): void {
    const [a, b] = [this.nodeOf(from), this.nodeOf(to)]
    const link = a.links.get(b) ?? { out: [], in: [] }
    a.links.set(b, link)
    if (!b.links.has(a)) b.links.set(a, { out: link.in, in: link.out })
    venue.edges = [new Edge(venue, true, a, b), new Edge(venue, false, b, a)]
    for (const edge of venue.edges) edge.from.links.get(edge.to)?.out.push(edge)
  }

  private disconnect({ edges }: Venue): void {
    for (const edge of edges) {
      const out = edge.from.links.get(edge.to)?.out ?? []
      out.splice(out.indexOf(edge), 1)
    }
    for (const { from, to } of edges) {
      if (from.links.get(to)?.out.length === 0) from.links.delete(to)
      if (from.links.size === 0) this.nodes.delete(from.id)
    }
  }

  private nodeOf(id: string): TokenNode {
    let node = this.nodes.get(id)
    if (node === undefined) this.nodes.set(id, (node = { id, links: new Map() }))
    return node
  }
}
