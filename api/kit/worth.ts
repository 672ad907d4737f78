// Values of pools and scam flags of tokens, as needed by tickers, pairs and the choice of a pool.
import { VersionedCache } from '../../core/cache.ts'
import { poolMark } from '../live-market/marks.ts'
import type { LivePool, MarketState } from '../live-market/model.ts'
import { usdValueNumber } from '../live-market/pricing.ts'
import type { Listing } from './listing.ts'

export interface Worth extends Listing {
  /** Value of a pool's reserves; 0 if unknown. */
  poolUsd(pool: LivePool): number
  isScam(tokenId: string): boolean
  /** Compares pools: the most valuable first, equal ones by id. */
  byValue(x: LivePool, y: LivePool): number
}

const values = new VersionedCache<LivePool, number>()

/** Value of a pool's reserves; 0 if unknown. */
export function poolUsd(state: MarketState, pool: LivePool): number {
  return values.get(pool, poolMark(state, pool).id, '', () => usdValueNumber(state.prices.poolUsd(pool)))
}

/** The worth of everything as of a state. */
export function worthOf(state: MarketState): Worth {
  const { prices, aggregatorIds } = state
  return {
    poolUsd: (pool) => poolUsd(state, pool),
    isScam: (token) => prices.quote(token).isScam,
    aggregatorId: (token) => aggregatorIds.get(token) ?? null,
    byValue: (x, y) => poolUsd(state, y) - poolUsd(state, x) || x.id - y.id,
  }
}
