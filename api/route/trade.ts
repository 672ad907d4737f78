// The parsed trade of a request of either endpoint.
import type { Ratio } from '../../core/amm/price.ts'
import type { Route } from '../../core/route/model.ts'
import type { TokenRef } from '../live-market/model.ts'
import type { LiveRouter } from './live-router.ts'

export interface Trade {
  exact: 'in' | 'out'
  input: TokenRef
  output: TokenRef
  /** Raw units of the input for exact input, of the output for exact output. */
  amount: bigint
  /** 0 ≤ slippage < 1. */
  slippage: Ratio
  maxHops: number
  maxParts: number
  /** Whether routes may use order books in addition to pools. */
  books: boolean
}

/** The best route of a trade; null if none. Exact output uses pools only. */
export function findRoute(router: LiveRouter, { exact, input, output, books, ...trade }: Trade): Route | null {
  const request = { ...trade, input: input.id, output: output.id }
  return exact === 'in' ? router.exactIn({ ...request, books }) : router.exactOut(request)
}
