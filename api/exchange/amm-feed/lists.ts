// Lists of the AMM feed: pairs and tickers.

import { type Worth, worthOf } from '../../kit/worth.ts'
import type { ListOf } from '../../lists/live-list.ts'
import { touchedPools } from '../../lists/touched.ts'
import type { LivePool } from '../../live-market/model.ts'
import { ammPair, ammTicker } from './ticker.ts'

export interface PoolQuery {
  min_liquidity_usd?: number
  hide_scam?: boolean
}

/** Active pools that match a query, by id. */
export function pairsList(query: PoolQuery): ListOf<number, LivePool> {
  return {
    key: `amm/pairs ${JSON.stringify(query)}`,
    items: ({ pools }) => pools,
    rank: (state, pool) => (isListed(worthOf(state), pool, query) ? [pool.id] : null),
    json: (_state, pool) => Buffer.from(JSON.stringify(ammPair(pool))),
    touched: touchedPools,
  }
}

/** Active pools that match a query, the most valuable first. */
export function tickersList(query: PoolQuery, site: string): ListOf<number, LivePool> {
  return {
    key: `amm/tickers ${site} ${JSON.stringify(query)}`,
    items: ({ pools }) => pools,
    rank(state, pool) {
      const worth = worthOf(state)
      return isListed(worth, pool, query) ? [-worth.poolUsd(pool), pool.id] : null
    },
    json(state, pool) {
      const worth = worthOf(state)
      return Buffer.from(JSON.stringify(ammTicker(pool, worth.poolUsd(pool), worth, site)))
    },
    touched: touchedPools,
  }
}

function isListed({ isScam, poolUsd }: Worth, pool: LivePool, query: PoolQuery): boolean {
  const { min_liquidity_usd: least = 0, hide_scam: hideScam = false } = query
  if (!pool.active || (hideScam && (isScam(pool.a.id) || isScam(pool.b.id)))) return false
  return least <= 0 || poolUsd(pool) >= least
}
