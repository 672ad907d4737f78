// One direction of a pool, or one side of a market: what turns one token into another.
import type { RouteBook, RouteHop, RoutePool } from './model.ts'

export type Edge = PoolEdge | BookEdge

export interface PoolEdge {
  venue: 'amm'
  pool: RoutePool
  /** Whether token A enters. */
  forward: boolean
  input: string
  output: string
}

export interface BookEdge {
  venue: 'orderbook'
  book: RouteBook
  /** Whether base is bought: target enters and sell orders are met. */
  forward: boolean
  input: string
  output: string
}

/** Both directions of a pool. */
export function poolEdges(pool: RoutePool): PoolEdge[] {
  const [a, b] = [pool.a.id, pool.b.id]
  return [
    { venue: 'amm', pool, forward: true, input: a, output: b },
    { venue: 'amm', pool, forward: false, input: b, output: a },
  ]
}

/** Both sides of a market. */
export function bookEdges(book: RouteBook): BookEdge[] {
  const [base, target] = [book.base.id, book.target.id]
  return [
    { venue: 'orderbook', book, forward: true, input: target, output: base },
    { venue: 'orderbook', book, forward: false, input: base, output: target },
  ]
}

export function hopOver(edge: Edge, amountIn: bigint, amountOut: bigint): RouteHop {
  const { venue, input, output } = edge
  const pool = edge.venue === 'amm' ? edge.pool : null
  const book = edge.venue === 'orderbook' ? edge.book : null
  return { venue, pool, book, input, output, amountIn, amountOut }
}
