// Lists of pools.
import type { ListOf } from '../../lists/live-list.ts'
import { touchedPools } from '../../lists/touched.ts'
import type { LivePool } from '../../market/model.ts'
import { poolJson } from './pool.ts'

export interface PoolFilter {
  tokens: string[]
  hideScam: boolean
}

/** Pools that trade all of the tokens, by their ids. */
export function poolsList(chain: string, filter: PoolFilter): ListOf<number, LivePool> {
  const { tokens, hideScam } = filter
  return {
    key: `pools ${JSON.stringify(filter)}`,
    items: ({ pools }) => pools,
    rank({ prices }, { id, a, b }) {
      if (!tokens.every((token) => token === a.id || token === b.id)) return null
      return hideScam && (prices.quote(a.id).isScam || prices.quote(b.id).isScam) ? null : [id]
    },
    json: (state, pool) => poolJson(chain, state, pool),
    touched: touchedPools,
  }
}
