// A binary heap of pools that may price a token, widest first. Widths are compared as doubles; exact integers are
// computed only when the doubles are too close.
import type { PriceEdge, PriceNode, PricePool } from './price-graph.ts'
import { RATE_BITS, type TokenPrice } from './token-price.ts'

/** Error bounds of a double against its integer: relative, and absolute in units. */
const NEAR = 1e-12
const UNITS = 2
const RATE_UNIT = 2 ** Number(RATE_BITS)

/** An integer and its nearest double. */
export interface Near {
  exact: bigint
  near: number
}

/** A token that has a price. */
export interface PricedSide {
  node: PriceNode
  price: TokenPrice
  /** Raw units of the system token per raw unit, and the path's width, as doubles. */
  nearRate: number
  nearWidth: number
}

export function pricedSide(node: PriceNode, price: TokenPrice): PricedSide {
  const { rate, width } = price
  const nearWidth = width === null ? Number.POSITIVE_INFINITY : Number(width)
  return { node, price, nearRate: Number(rate) / RATE_UNIT, nearWidth }
}

/** A pool with one priced side, as a candidate to price the other side. Valid as long as neither has changed. */
export class Candidate {
  readonly edge: PriceEdge
  /** The pool as it was when this was made. */
  readonly pool: PricePool
  readonly from: PricedSide
  readonly nearValue: number
  readonly nearWidth: number
  /** Whether the width certainly equals the width of the priced side's path. */
  readonly isNarrowed: boolean
  /** The price of the other side; null when it is out of bounds, undefined until it is asked for. */
  result: TokenPrice | null | undefined = undefined
  private known: bigint | null = null

  constructor(edge: PriceEdge, from: PricedSide) {
    this.edge = edge
    this.pool = edge.pool
    this.from = from
    this.nearValue = (edge.a === from.node ? edge.nearA : edge.nearB) * from.nearRate
    this.nearWidth = Math.min(this.nearValue, from.nearWidth)
    this.isNarrowed = this.nearValue > from.nearWidth && differ(this.nearValue, from.nearWidth)
  }

  /** Value of the priced side, raw units of the system token. */
  get value(): bigint {
    if (this.known !== null) return this.known
    const { edge, pool, from } = this
    const reserve = edge.a === from.node ? pool.reserveA : pool.reserveB
    return (this.known = (reserve * from.price.rate) >> RATE_BITS)
  }

  /** The lesser of `value` and the width of the priced side's path. */
  get width(): bigint {
    const { width } = this.from.price
    if (this.isNarrowed) return width as bigint
    return width === null || this.value < width ? this.value : width
  }

  /** Whether the value reaches a threshold. */
  reaches({ exact, near }: Near): boolean {
    return differ(this.nearValue, near) ? this.nearValue > near : this.value >= exact
  }

  /** Whether it is at least as wide as a token's path. */
  isAsWide({ price, nearWidth }: PricedSide): boolean {
    return differ(this.nearWidth, nearWidth) ? this.nearWidth > nearWidth : this.width >= (price.width as bigint)
  }
}

function differ(x: number, y: number): boolean {
  return Math.abs(x - y) > Math.max(x, y) * NEAR + UNITS
}

export class CandidateQueue {
  private readonly heap: Candidate[] = []

  push(candidate: Candidate): void {
    const { heap } = this
    let at = heap.length
    heap.push(candidate)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(candidate, heap[parent] as Candidate)) break
      heap[at] = heap[parent] as Candidate
      at = parent
    }
    heap[at] = candidate
  }

  /** Removes and returns the widest candidate. */
  pop(): Candidate | undefined {
    const { heap } = this
    const top = heap[0]
    const last = heap.pop()
    if (heap.length === 0 || !last) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Candidate, heap[child] as Candidate)) child++
      if (!isBefore(heap[child] as Candidate, last)) break
      heap[at] = heap[child] as Candidate
      at = child
    }
    heap[at] = last
    return top
  }
}

/** A total order: a pool is a candidate from one side only while its other side has no price. */
function isBefore(x: Candidate, y: Candidate): boolean {
  if (differ(x.nearWidth, y.nearWidth)) return x.nearWidth > y.nearWidth
  // All candidates from one path that is certainly narrower than their pools have that path's width: no need to compute
  // it.
  if (x.from !== y.from || !x.isNarrowed || !y.isNarrowed) {
    const [own, other] = [x.width, y.width]
    if (own !== other) return own > other
  }
  if (differ(x.nearValue, y.nearValue)) return x.nearValue > y.nearValue
  if (x.value !== y.value) return x.value > y.value
  return x.pool.id < y.pool.id
}
