// Makes the JSON of pools when they change, so that a request for a list of hundreds finds it in the cache.

import { IncrementalView, IncrementalViews } from '../lists/incremental-view.ts'
import { touchedPools } from '../lists/touched.ts'
import type { Changes } from '../live-market/advance.ts'
import type { LiveMarket } from '../live-market/live-market.ts'
import type { LivePool, MarketState } from '../live-market/model.ts'
import { poolItem } from './item-json.ts'

class PoolItems extends IncrementalView<number, LivePool> {
  protected items({ pools }: MarketState): ReadonlyMap<number, LivePool> {
    return pools
  }

  /** The cache drops the JSON of a pool together with the pool: only pools of the market are recomputed. */
  protected ids(): Iterable<number> {
    return []
  }

  protected touched(state: MarketState, changes: Changes): Iterable<number> {
    return touchedPools(state, changes)
  }

  protected recompute(state: MarketState, _id: number, pool: LivePool | undefined): void {
    if (pool !== undefined) poolItem(state, pool)
  }
}

/** Keeps the cache filled for as long as the market exists, from when it is loaded. */
export function cachePoolItems(market: LiveMarket): void {
  new IncrementalViews<PoolItems>(market, 1).prepare('pools', new PoolItems())
}
