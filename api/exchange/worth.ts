// What pools are worth, and which tokens are on lists, as far as tickers, pairs and the choice of a pool have to know.
import type { LivePool, MarketState } from '../market/model.ts'
import { usdValueNumber } from '../market/pricing.ts'
import type { Listing } from './listing.ts'

export interface Worth extends Listing {
  /** Value of what a pool holds; 0 while the system token has no USD price. */
  poolUsd(pool: LivePool): number
  isScam(tokenId: string): boolean
  /** Sorts pools: those that hold most first, then in the order of their ids. */
  byValue(x: LivePool, y: LivePool): number
}

/** The worth of everything as of a state. */
export function worthOf({ prices, aggregatorIds }: MarketState): Worth {
  const poolUsd = (pool: LivePool) => usdValueNumber(prices.poolUsd(pool))
  return {
    poolUsd,
    isScam: (token) => prices.quote(token).isScam,
    aggregatorId: (token) => aggregatorIds.get(token) ?? null,
    byValue: (x, y) => poolUsd(y) - poolUsd(x) || x.id - y.id,
  }
}
