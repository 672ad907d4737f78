// Incremental pricing: after a few pools have changed, prices only the tokens that may be affected. The result equals
// pricing all tokens (price-graph.ts). Algorithm: docs/api/prices.md, "Block by block".
import { type Candidate, CandidateQueue, type Near, type PricedSide, pricedSide } from './candidate-queue.ts'
import {
  candidateOver,
  type PriceEdge,
  PriceGraph,
  type PriceNode,
  type PricePool,
  type PricingOptions,
  priceThrough,
  systemPriceOf,
} from './price-graph.ts'
import type { TokenId } from './token-id.ts'
import type { TokenPrice, TokenPrices } from './token-price.ts'

/** Share of changed pools above which pricing all tokens is faster. */
const LARGE_SHARE = 1 / 8

/** A token with a price. */
interface Settled extends PricedSide {
  /** Number of the update that set the price. */
  update: number
}

export class LivePrices {
  private readonly graph = new PriceGraph()
  private readonly settled = new Map<PriceNode, Settled>()
  /** Tokens of equal width. Their order depends on all of them, so they are priced again together. */
  private readonly classes = new Map<bigint, Set<PriceNode>>()
  private readonly prices = new Map<TokenId, TokenPrice>()
  /** Since the last update: new or changed pools, and tokens that were priced by such pools. */
  private readonly changed = new Set<number>()
  private readonly lost = new Set<PriceNode>()
  private options: PricingOptions | null = null
  private threshold: Near = { exact: 0n, near: 0 }
  private updates = 0
  /** State of the running update. */
  private before = new Map<TokenId, TokenPrice | null>()
  private open: PriceNode[] = []
  private queue = new CandidateQueue()

  /** Prices as of the last update; the next update changes the map in place. */
  get byToken(): TokenPrices {
    return this.prices
  }

  /** Adds or replaces a pool. The caller must not change the object afterwards. */
  put(pool: PricePool): void {
    this.markLost(pool.id)
    this.graph.put(pool)
    this.changed.add(pool.id)
  }

  /** Removes a pool; does nothing when it is missing. */
  remove(id: number): void {
    this.markLost(id)
    this.graph.remove(id)
    this.changed.delete(id)
  }

  /**
   * Prices the tokens that the changes since the last update may affect; all tokens if the options differ.
   *
   * @param options  `isExcluded` must be the same function while it excludes the same tokens
   * @returns tokens whose price or width has changed
   */
  update(options: PricingOptions): Set<TokenId> {
    const { options: last } = this
    this.options = options
    this.threshold = { exact: options.threshold, near: Number(options.threshold) }
    this.updates++
    this.before = new Map()
    const { systemToken, threshold, isExcluded } = options
    const isSame = last !== null && last.threshold === threshold && last.isExcluded === isExcluded
    if (!isSame || this.changed.size > this.graph.size * LARGE_SHARE) this.forgetAll()
    else for (const node of this.lost) this.unsettle(node)
    this.lost.clear()
    if (!this.prices.has(systemToken.id)) {
      if (!this.before.has(systemToken.id)) this.before.set(systemToken.id, null)
      this.prices.set(systemToken.id, systemPriceOf(systemToken))
    }
    const system = this.graph.node(systemToken.id)
    if (system !== undefined && !this.settled.has(system)) this.settle(system, systemPriceOf(systemToken))
    for (const id of this.changed) this.offerBothSides(this.graph.edge(id))
    this.changed.clear()
    this.reoffer()
    for (let next = this.queue.pop(); next; next = this.queue.pop()) this.take(next)
    return this.changedTokens()
  }

  private markLost(id: number): void {
    const edge = this.graph.edge(id)
    if (edge === undefined) return
    for (const node of [edge.a, edge.b]) if (this.settled.get(node)?.price.poolId === id) this.lost.add(node)
    // A token without further pools loses its price.
    for (const node of [edge.a, edge.b]) if (node.edges.length === 1 && this.settled.has(node)) this.lost.add(node)
  }

  private forgetAll(): void {
    for (const [token, price] of this.prices) this.before.set(token, price)
    this.prices.clear()
    this.settled.clear()
    this.classes.clear()
  }

  /** A changed pool matters if it prices an unpriced token, or is at least as wide as a token's current path. */
  private offerBothSides(edge: PriceEdge | undefined): void {
    if (edge === undefined) return
    for (const from of [edge.a, edge.b]) this.offer(edge, from)
  }

  /** Queues a pool as a candidate for an unpriced token; unsettles a priced token that may switch to this pool. */
  private offer(edge: PriceEdge, from: PriceNode): void {
    const known = this.settled.get(from)
    const to = edge.a === from ? edge.b : edge.a
    if (known === undefined || to === from) return
    const other = this.settled.get(to)
    if (other !== undefined && (other.update === this.updates || other.price.width === null)) return
    const candidate = candidateOver(edge, known, this.threshold)
    if (candidate === null) return
    if (other === undefined) this.queue.push(candidate)
    else if (candidate.isAsWide(other)) this.unsettle(to)
  }

  private take(candidate: Candidate): void {
    const { edge, from } = candidate
    const to = edge.a === from.node ? edge.b : edge.a
    // Skips a candidate whose source token has been priced again since.
    if (this.settled.get(from.node) !== from || this.settled.has(to) || this.options?.isExcluded?.(to.id)) return
    const price = priceThrough(candidate)
    if (price === null) return
    const sameWidth = this.classes.get(price.width as bigint)
    // All tokens of a width were priced in the same update: checking one is enough.
    const one = sameWidth?.values().next().value
    if (sameWidth !== undefined && one !== undefined && this.settled.get(one)?.update !== this.updates) {
      // The token joins others of equal width: their order must be determined again.
      this.open.push(to)
      for (const other of sameWidth) this.unsettle(other)
    } else this.settle(to, price)
    this.reoffer()
  }

  private settle(node: PriceNode, price: TokenPrice): void {
    if (!this.before.has(node.id)) this.before.set(node.id, this.prices.get(node.id) ?? null)
    this.settled.set(node, { update: this.updates, ...pricedSide(node, price) })
    this.prices.set(node.id, price)
    if (price.width !== null) {
      const sameWidth = this.classes.get(price.width)
      if (sameWidth === undefined) this.classes.set(price.width, new Set([node]))
      else sameWidth.add(node)
    }
    for (const edge of node.edges) this.offer(edge, node)
  }

  /** Removes a token's price, and the prices that depend on it or have the same width. */
  private unsettle(first: PriceNode): void {
    const todo = [first]
    for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
      const known = this.settled.get(node)
      if (known === undefined) continue
      if (!this.before.has(node.id)) this.before.set(node.id, known.price)
      this.settled.delete(node)
      this.prices.delete(node.id)
      this.open.push(node)
      const { width } = known.price
      if (width !== null) {
        todo.push(...(this.classes.get(width) ?? []))
        this.classes.delete(width)
      }
      for (const { a, b, pool } of node.edges) {
        const other = a === node ? b : a
        const rest = this.settled.get(other)?.price
        if (rest?.via === node.id && rest.poolId === pool.id) todo.push(other)
      }
    }
  }

  /** Queues candidates for unsettled tokens from their priced neighbours. */
  private reoffer(): void {
    for (let node = this.open.pop(); node !== undefined; node = this.open.pop()) {
      if (this.settled.has(node)) continue
      for (const edge of node.edges) this.offer(edge, edge.a === node ? edge.b : edge.a)
    }
  }

  private changedTokens(): Set<TokenId> {
    const moved = new Set<TokenId>()
    for (const [token, before] of this.before) {
      const now = this.prices.get(token)
      if (before?.rate !== now?.rate || before?.width !== now?.width) moved.add(token)
    }
    return moved
  }
}
