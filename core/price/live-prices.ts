// Prices that follow the pools: after a few of them have changed, only the tokens whose price can have become another one
// are priced again, and the result is that of pricing all of them anew (price-graph.ts). How: docs/api/prices.md, "Block by
// block".
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

/** When more of the pools have changed, pricing all tokens is faster. */
const LARGE_SHARE = 1 / 8

/** What is known of a token that has a price. */
interface Settled extends PricedSide {
  /** Of the update that settled it. */
  update: number
}

export class LivePrices {
  private readonly graph = new PriceGraph()
  private readonly settled = new Map<PriceNode, Settled>()
  /** Tokens of one width: which of them comes first depends on all of them, so they are priced again together. */
  private readonly classes = new Map<bigint, Set<PriceNode>>()
  private readonly prices = new Map<TokenId, TokenPrice>()
  /** Since the last update: pools that are new or other ones than before, and tokens that these had priced. */
  private readonly changed = new Set<number>()
  private readonly lost = new Set<PriceNode>()
  private options: PricingOptions | null = null
  private threshold: Near = { exact: 0n, near: 0 }
  private updates = 0
  /** Of the update under way. */
  private before = new Map<TokenId, TokenPrice | null>()
  private open: PriceNode[] = []
  private queue = new CandidateQueue()

  /** As of the last update; changed in place by the next one. */
  get byToken(): TokenPrices {
    return this.prices
  }

  /** Adds a pool, or replaces the one of this id. The pool must not be changed afterwards. */
  put(pool: PricePool): void {
    this.notice(pool.id)
    this.graph.put(pool)
    this.changed.add(pool.id)
  }

  /** Takes a pool out; does nothing when it is not there. */
  remove(id: number): void {
    this.notice(id)
    this.graph.remove(id)
    this.changed.delete(id)
  }

  /**
   * Prices what the pools that were put and removed since the last update can have changed; all tokens, when the options
   * are other ones.
   *
   * @param options  `isExcluded` must be the same function as long as it excludes the same tokens
   * @returns tokens whose price or width is another one than before
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
    for (const id of this.changed) this.look(this.graph.edge(id))
    this.changed.clear()
    this.reoffer()
    for (let next = this.queue.pop(); next; next = this.queue.pop()) this.take(next)
    return this.moved()
  }

  private notice(id: number): void {
    const edge = this.graph.edge(id)
    if (edge === undefined) return
    for (const node of [edge.a, edge.b]) if (this.settled.get(node)?.price.poolId === id) this.lost.add(node)
    // A token whose last pool goes is forgotten with it.
    for (const node of [edge.a, edge.b]) if (node.edges.length === 1 && this.settled.has(node)) this.lost.add(node)
  }

  private forgetAll(): void {
    for (const [token, price] of this.prices) this.before.set(token, price)
    this.prices.clear()
    this.settled.clear()
    this.classes.clear()
  }

  /** A changed pool matters where it offers a price as wide as the one that a token has, or to one that has none. */
  private look(edge: PriceEdge | undefined): void {
    if (edge === undefined) return
    for (const from of [edge.a, edge.b]) this.offer(edge, from)
  }

  /** Queues what a pool offers from one side, or opens the token on the other side when it may take that instead. */
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
    // An offer from a token that was priced again since is none.
    if (this.settled.get(from.node) !== from || this.settled.has(to) || this.options?.isExcluded?.(to.id)) return
    const price = priceThrough(candidate)
    if (price === null) return
    const mates = this.classes.get(price.width as bigint)
    // All of a class were settled in the same update: one of them tells which.
    const mate = mates?.values().next().value
    if (mates !== undefined && mate !== undefined && this.settled.get(mate)?.update !== this.updates) {
      // It comes among tokens of the same width: their order is found anew.
      this.open.push(to)
      for (const mate of mates) this.unsettle(mate)
    } else this.settle(to, price)
    this.reoffer()
  }

  private settle(node: PriceNode, price: TokenPrice): void {
    if (!this.before.has(node.id)) this.before.set(node.id, this.prices.get(node.id) ?? null)
    this.settled.set(node, { update: this.updates, ...pricedSide(node, price) })
    this.prices.set(node.id, price)
    if (price.width !== null) {
      const mates = this.classes.get(price.width)
      if (mates === undefined) this.classes.set(price.width, new Set([node]))
      else mates.add(node)
    }
    for (const edge of node.edges) this.offer(edge, node)
  }

  /** Takes the price of a token away, with those that rest on it and those of the same width. */
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

  /** Offers to tokens that were opened what those with a price have for them. */
  private reoffer(): void {
    for (let node = this.open.pop(); node !== undefined; node = this.open.pop()) {
      if (this.settled.has(node)) continue
      for (const edge of node.edges) this.offer(edge, edge.a === node ? edge.b : edge.a)
    }
  }

  private moved(): Set<TokenId> {
    const moved = new Set<TokenId>()
    for (const [token, before] of this.before) {
      const now = this.prices.get(token)
      if (before?.rate !== now?.rate || before?.width !== now?.width) moved.add(token)
    }
    return moved
  }
}
