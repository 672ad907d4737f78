// The most that any division of an amount among so many parts can give, by prices for tokens: a path gives no more than
// what its input is worth and what each of its venues gives beyond the worth of what it takes. That holds whatever the
// prices are; at those of a good division it is hardly more than that division gives. Derivation: docs/api/routes.md, "Bounds".
import type { Candidate, Candidates, Second } from './candidates.ts'
import type { Slope } from './curve.ts'
import type { Edge, TokenNode } from './graph.ts'
import { PROBE } from './path.ts'

/** What a product of doubles may lack. */
const SLACK = 1 + 1e-9
/** How far the price of the input may fall below the one that it begins with. */
const LEEWAY = 0.97
/** Relative changes of prices that are tried, and how often each in a row. */
const STEPS = [0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5]
const REPEATS = 4
/** Hops of a path. */
const LAYERS = 3

/** A token on the way, after one hop or after two. */
interface Place {
  /** What a unit is worth that goes into a pool next, and into a market. */
  pool: number
  book: number
  /** Less than this share of the input's price spares nothing, and more than `most` is what no path makes of a unit. */
  least: number
  most: number
  /** The same token one hop later, where it is never worth more; and one hop earlier. */
  later: Place | null
  earlier: Place | null
  uses: Use[]
}

/** A venue on the way: from null is the input, to null is the output. */
interface Use {
  edge: Edge
  from: Place | null
  to: Place | null
  layer: number
  /** What it gives beyond the worth of what it takes, at the prices as they are. */
  gain: number
}

export interface BoundOptions {
  /** What each transfer but the first may spend of the expectation before it. */
  kept: number
  books: boolean
  maxParts: number
  /** What the last unit of input gives. */
  level: number
}

const slope: Slope = { rate: 0, bend: 0, room: 0 }

export class Bound {
  private readonly near = new Map<TokenNode, Place>()
  private readonly far = new Map<TokenNode, Place>()
  private readonly places: Place[] = []
  private readonly uses: Use[] = []
  private readonly amount: number
  private readonly kept: number
  private readonly books: boolean
  private readonly maxParts: number
  private readonly least: number
  private level: number
  /** The largest gains of each layer, as many as parts. */
  private readonly largest: Float64Array

  /** Begins with the prices at the flows that lie on the edges. */
  constructor({ direct, through }: Candidates, amount: number, { kept, books, maxParts, level }: BoundOptions) {
    this.amount = amount
    this.kept = kept
    this.books = books
    this.maxParts = maxParts
    this.level = level
    this.least = level * LEEWAY
    this.largest = new Float64Array(maxParts)
    for (const edge of direct) this.use(edge, null, null, 0)
    for (const candidate of through) {
      if (candidate.promise <= this.least) break
      this.add(candidate)
    }
    for (const place of this.far.values()) startPrice(place, this)
    for (const [node, place] of this.near) {
      place.later = this.far.get(node) ?? null
      if (place.later !== null) place.later.earlier = place
      startPrice(place, this)
    }
    this.measure(this.uses)
  }

  /** @returns no less than any division gives: the lower, the longer it takes, but hardly below `enough` */
  value(enough: number): number {
    let best = this.sum()
    for (const step of STEPS) {
      if (!(best > enough)) break
      best = this.lower(step, best)
    }
    return best
  }

  private use(edge: Edge, from: Place | null, to: Place | null, layer: number): void {
    if (edge.curve.top === 0 || !(this.books || edge.isPool)) return
    const use = { edge, from, to, layer, gain: 0 }
    this.uses.push(use)
    from?.uses.push(use)
    to?.uses.push(use)
  }

  private place(most: number): Place {
    const place = { pool: 0, book: 0, least: 0, most, later: null, earlier: null, uses: [] }
    this.places.push(place)
    return place
  }

  private nearBy({ node, out }: Second['first']): Place {
    let place = this.near.get(node)
    if (place === undefined) {
      this.near.set(node, (place = this.place(Number.POSITIVE_INFINITY)))
      for (const edge of out) this.use(edge, null, place, 0)
      place.least = 1 / place.uses.reduce((best, { edge }) => Math.max(best, edge.curve.top), 0)
    }
    return place
  }

  /** Paths that promise less than the least price of the input gain nothing at prices that cost nothing. */
  private add({ node, ends, first, seconds }: Candidate): void {
    const best = ends.reduce((most, { curve }) => Math.max(most, curve.top), 0)
    let far: Place | null = null
    for (const { first: link, edges, rate } of seconds) {
      if (rate * best * SLACK <= this.least) continue
      const from = this.nearBy(link)
      if (far === null) this.far.set(node, (far = this.place(best)))
      for (const edge of edges) this.use(edge, from, far, 1)
    }
    const near = first === null ? null : this.nearBy(first)
    for (const edge of ends) this.use(edge, far ?? near, null, LAYERS - 1)
  }

  /** What a unit that comes out of an edge is worth. */
  worth({ isPool }: Edge, to: Place | null): number {
    if (to === null) return 1
    return isPool ? this.intoPool(to) : this.kept * Math.max(this.intoPool(to), this.intoBook(to))
  }

  /** What arrives by a pool may go into a market too, for less. */
  private intoPool(place: Place): number {
    return Math.max(this.own(place, place.pool, place.later?.pool), this.kept * this.intoBook(place))
  }

  private intoBook(place: Place): number {
    return this.own(place, place.book, place.later?.book)
  }

  private own({ least, most, later }: Place, price: number, priceLater = 0): number {
    return Math.min(most, Math.max(price, least * this.level, later === null ? 0 : Math.min(later.most, priceLater)))
  }

  private measure(uses: readonly Use[]): void {
    for (const use of uses) {
      const { edge, from, to } = use
      const price = from === null ? this.level : edge.isPool ? this.intoPool(from) : this.intoBook(from)
      use.gain = edge.curve.surplus(this.worth(edge, to), price)
    }
  }

  /** No more parts than there may be use a venue of each layer. */
  private sum(): number {
    const { largest, maxParts } = this
    let total = this.level * this.amount
    for (let layer = 0; layer < LAYERS; layer++) {
      largest.fill(0)
      for (const { gain, layer: own } of this.uses) {
        if (own !== layer || gain <= (largest[maxParts - 1] as number)) continue
        let at = maxParts - 1
        for (; at > 0 && (largest[at - 1] as number) < gain; at--) largest[at] = largest[at - 1] as number
        largest[at] = gain
      }
      for (const gain of largest) total += gain
    }
    return total * SLACK
  }

  /** Tries each price a little higher and a little lower. */
  private lower(step: number, before: number): number {
    let best = before
    for (const place of this.places) {
      if (!place.uses.some(({ gain }) => gain > 0)) continue
      const uses = place.earlier === null ? place.uses : [...place.uses, ...place.earlier.uses]
      if (place.pool > 0) best = this.attempt(step, best, uses, [place], true, false)
      if (place.book > 0) best = this.attempt(step, best, uses, [place], false, true)
      if (place.pool > 0 && place.book > 0) best = this.attempt(step, best, uses, [place], true, true)
    }
    const level = this.attemptLevel(step, best, [])
    return this.attemptLevel(step, level, this.places)
  }

  private attempt(
    step: number,
    before: number,
    uses: readonly Use[],
    [place]: readonly [Place],
    pools: boolean,
    books: boolean,
  ): number {
    let best = before
    for (const factor of [1 + step, 1 / (1 + step)]) {
      for (let i = 0; i < REPEATS; i++) {
        const { pool, book } = place
        if (pools) place.pool *= factor
        if (books) place.book *= factor
        this.measure(uses)
        const now = this.sum()
        if (now < best) {
          best = now
          continue
        }
        place.pool = pool
        place.book = book
        this.measure(uses)
        break
      }
    }
    return best
  }

  /** The price of the input, alone or with all others. */
  private attemptLevel(step: number, before: number, places: readonly Place[]): number {
    let best = before
    for (const factor of [1 + step, 1 / (1 + step)]) {
      for (let i = 0; i < REPEATS; i++) {
        if (this.level * factor < this.least) break
        this.scale(factor, places)
        const now = this.sum()
        if (now < best) {
          best = now
          continue
        }
        this.scale(1 / factor, places)
        break
      }
    }
    return best
  }

  private scale(factor: number, places: readonly Place[]): void {
    this.level *= factor
    for (const place of places) {
      place.pool *= factor
      place.book *= factor
    }
    this.measure(this.uses)
  }
}

/** A token is worth what a unit more of it gives at the flows. */
function startPrice(place: Place, bound: Bound): void {
  for (const { edge, from, to } of place.uses) {
    if (from !== place) continue
    const rate = rateOf(edge) * bound.worth(edge, to)
    if (edge.isPool) place.pool = Math.max(place.pool, rate)
    else place.book = Math.max(place.book, rate)
  }
}

function rateOf(edge: Edge): number {
  if (edge.flow === 0) return edge.curve.top
  if (edge.spare > 0) return edge.spare
  edge.curve.slopeAfter(edge.flow, PROBE, slope)
  return slope.rate
}
