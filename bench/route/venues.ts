// The synthetic chain as venues of a market in memory (bench/stream/market.ts): to be routed by the server itself.
import { type BookFacts, type PoolFacts, tokenRef } from '../../api/live-market/rows.ts'
import type { RouteToken } from '../../core/route/model.ts'
import type { Venues } from '../stream/market.ts'
import type { Chain } from './chain.ts'

/** Enough for every pool to price. */
const RESERVE = 1n << 50n

export function routedVenues({ pools, books }: Chain): Venues {
  return {
    pools: pools.map((pool): Venues['pools'][number] => {
      const { ticks, a, b, ...rest } = pool
      const facts: PoolFacts = {
        ...rest,
        ...{ a: tokenOf(a), b: tokenOf(b), reserveA: RESERVE, reserveB: RESERVE, maxLiquidityPerTick: 1n },
        ...{ feeGrowthGlobalAX64: 0n, feeGrowthGlobalBX64: 0n, protocolFeeA: 0n, protocolFeeB: 0n },
      }
      const grown = { liquidityGross: 0n, feeGrowthOutsideAX64: 0n, feeGrowthOutsideBX64: 0n }
      return { ...facts, ticks: new Map([...ticks].map(([id, tick]) => [id, { ...grown, ...tick }])) }
    }),
    books: books.map((book) => {
      const facts: BookFacts = { ...book, base: tokenOf(book.base), target: tokenOf(book.target) }
      return { ...facts, bids: book.bids, asks: book.asks }
    }),
  }
}

/** @param id  `symbol-contract` */
export function tokenOf({ id, decimals }: RouteToken) {
  const [symbol, contract] = id.split('-') as [string, string]
  return tokenRef(contract, symbol.toUpperCase(), decimals)
}
