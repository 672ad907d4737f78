// Finds the widest path to every token of a chain (docs/api/prices.md). The system token's price is 1. Then, of all
// pools with one priced side, the widest prices its other side, until no candidate is left. A pool's width is the
// lesser of the value of its priced side and the width of that side's own path. Ties: the greater value wins, then the
// lower pool id. The result does not depend on the order in which pools were added.
import { Candidate, CandidateQueue, type Near, type PricedSide, pricedSide } from './candidate-queue.ts'
import type { TokenId } from './token-id.ts'
import { RATE_LIMIT, RATE_ONE, type TokenPrice, type TokenPrices } from './token-price.ts'

/** Pool data that pricing needs. */
export interface PricePool {
  id: number
  active: boolean
  tokenA: TokenId
  tokenB: TokenId
  decimalsA: number
  decimalsB: number
  /** Reserves, raw units. */
  reserveA: bigint
  reserveB: bigint
  /** Square root of raw B per raw A, Q64.64. */
  sqrtPriceX64: bigint
  /** Liquidity in range; a pool with 0 prices nothing. */
  liquidity: bigint
}

export interface SystemToken {
  id: TokenId
  decimals: number
}

export interface PricingOptions {
  systemToken: SystemToken
  /** Minimum value of a pool's priced side, raw units of the system token. */
  threshold: bigint
  /** Whether a token gets no price; no path leads through such a token. */
  isExcluded?: (token: TokenId) => boolean
}

/** A token and the pools that hold it. */
export interface PriceNode {
  id: TokenId
  edges: PriceEdge[]
  /** The newest run that priced it. */
  run: number
  /** The newest price of a run. */
  side: PricedSide | null
}

export interface PriceEdge {
  pool: PricePool
  a: PriceNode
  b: PriceNode
  /** Reserves as doubles. */
  nearA: number
  nearB: number
  /** The newest candidate: usually valid in the next run too. */
  candidate: Candidate | null
}

export class PriceGraph {
  private readonly nodes = new Map<TokenId, PriceNode>()
  private readonly edges = new Map<number, PriceEdge>()
  private run = 0
  private system: TokenPrice | null = null

  /** Number of pools. */
  get size(): number {
    return this.edges.size
  }

  pool(id: number): PricePool | undefined {
    return this.edges.get(id)?.pool
  }

  /** A pool and its tokens; undefined when it is missing. */
  edge(id: number): PriceEdge | undefined {
    return this.edges.get(id)
  }

  /** A token held by a pool; undefined for other tokens. */
  node(id: TokenId): PriceNode | undefined {
    return this.nodes.get(id)
  }

  /** Adds or replaces a pool. The caller must not change the object afterwards. */
  put(pool: PricePool): void {
    const known = this.edges.get(pool.id)
    if (known && known.a.id === pool.tokenA && known.b.id === pool.tokenB) {
      known.pool = pool
      known.nearA = Number(pool.reserveA)
      known.nearB = Number(pool.reserveB)
      return
    }
    if (known) this.remove(pool.id)
    const [a, b] = [this.nodeOf(pool.tokenA), this.nodeOf(pool.tokenB)]
    const [nearA, nearB] = [Number(pool.reserveA), Number(pool.reserveB)]
    const edge = { pool, a, b, nearA, nearB, candidate: null }
    this.edges.set(pool.id, edge)
    edge.a.edges.push(edge)
    if (edge.b !== edge.a) edge.b.edges.push(edge)
  }

  /** Removes a pool; does nothing when it is missing. */
  remove(id: number): void {
    const edge = this.edges.get(id)
    if (!edge) return
    this.edges.delete(id)
    for (const node of [edge.a, edge.b]) {
      node.edges = node.edges.filter((other) => other !== edge)
      if (node.edges.length === 0) this.nodes.delete(node.id)
    }
  }

  /**
   * @returns the price of every priced token; always includes the system token. A price that has not changed since the
   *   last run is the same object.
   */
  prices({ systemToken, threshold, isExcluded }: PricingOptions): TokenPrices {
    const run = ++this.run
    const prices = new Map<TokenId, TokenPrice>()
    const queue = new CandidateQueue()
    const least = { exact: threshold, near: Number(threshold) }
    const settle = (price: TokenPrice, node: PriceNode | undefined): void => {
      prices.set(price.token, price)
      if (!node) return
      node.run = run
      if (node.side?.price !== price) node.side = pricedSide(node, price)
      offer(node.side)
    }
    /** Follows the pools that may price other tokens from a newly priced token. */
    const offer = (from: PricedSide): void => {
      for (const edge of from.node.edges) {
        const to = edge.a === from.node ? edge.b : edge.a
        if (to.run === run || to === from.node) continue
        const candidate = candidateOver(edge, from, least)
        if (candidate === null) continue
        // A token with one pool has no other candidate, and prices no other token: its turn does not matter.
        if (to.edges.length === 1) take(candidate)
        else queue.push(candidate)
      }
    }
    const take = (candidate: Candidate): void => {
      const { edge, from } = candidate
      const to = edge.a === from.node ? edge.b : edge.a
      if (to.run === run || isExcluded?.(to.id)) return
      const price = priceThrough(candidate)
      if (price) settle(price, to)
    }
    settle(this.systemPrice(systemToken), this.nodes.get(systemToken.id))
    for (let next = queue.pop(); next; next = queue.pop()) take(next)
    return prices
  }

  private systemPrice(token: SystemToken): TokenPrice {
    const { system } = this
    if (system?.token === token.id && system.decimals === token.decimals) return system
    return (this.system = systemPriceOf(token))
  }

  private nodeOf(id: TokenId): PriceNode {
    let node = this.nodes.get(id)
    if (!node) {
      node = { id, edges: [], run: 0, side: null }
      this.nodes.set(id, node)
    }
    return node
  }
}

/** Prices one set of pools. To price again after few changes, use a `PriceGraph`. */
export function widestPrices(pools: Iterable<PricePool>, options: PricingOptions): TokenPrices {
  const graph = new PriceGraph()
  for (const pool of pools) graph.put(pool)
  return graph.prices(options)
}

/** The system token's own price. */
export function systemPriceOf({ id, decimals }: SystemToken): TokenPrice {
  return { token: id, decimals, rate: RATE_ONE, width: null, poolId: null, via: null, hops: 0 }
}

/** The candidate that a pool makes from a priced side; null when the pool may not price. */
export function candidateOver(edge: PriceEdge, from: PricedSide, threshold: Near): Candidate | null {
  const { pool } = edge
  let { candidate } = edge
  if (candidate === null || candidate.pool !== pool || candidate.from !== from) {
    if (!pool.active || pool.liquidity <= 0n || pool.reserveA <= 0n || pool.reserveB <= 0n) return null
    candidate = edge.candidate = new Candidate(edge, from)
  }
  return candidate.reaches(threshold) ? candidate : null
}

/** @returns null when the rate is out of bounds */
export function priceThrough(candidate: Candidate): TokenPrice | null {
  if (candidate.result === undefined) candidate.result = resultOf(candidate)
  return candidate.result
}

function resultOf({ edge, pool, from: { node: from, price }, width }: Candidate): TokenPrice | null {
  const isFromA = edge.a === from
  const rate = rateThrough(pool.sqrtPriceX64, price.rate, isFromA)
  if (rate <= 0n || rate >= RATE_LIMIT) return null
  return {
    token: isFromA ? pool.tokenB : pool.tokenA,
    decimals: isFromA ? pool.decimalsB : pool.decimalsA,
    rate,
    width,
    poolId: pool.id,
    via: from.id,
    hops: price.hops + 1,
  }
}

/** Rate of the other token; one raw A is worth P² / 2^128 raw B. @returns 0 when there is no price */
function rateThrough(sqrtPrice: bigint, rate: bigint, isFromA: boolean): bigint {
  const square = sqrtPrice * sqrtPrice
  if (square === 0n) return 0n
  return isFromA ? (rate << 128n) / square : (rate * square) >> 128n
}
