// Lists of pools.
import type { ListOf } from '../../lists/live-list.ts'
import { touchedPools } from '../../lists/touched.ts'
import type { LivePool } from '../../live-market/model.ts'
import { poolJson } from './pool.ts'

export interface PoolFilter {
  tokens: string[]
  hideScam: boolean
}

/** Pools by id: all, those that trade one token, or those of a pair. */
export function poolsList(chain: string, filter: PoolFilter): ListOf<number, LivePool> {
  const { tokens, hideScam } = filter
  const [x, y = x] = tokens
  const isWanted = (a: string, b: string) => (tokens.length < 2 ? a === x || b === x : a === x && b === y)
  return {
    key: `pools ${JSON.stringify(filter)}`,
    items: ({ pools }) => pools,
    rank({ prices }, { id, a, b }) {
      if (x !== undefined && !isWanted(a.id, b.id) && !isWanted(b.id, a.id)) return null
      return hideScam && (prices.quote(a.id).isScam || prices.quote(b.id).isScam) ? null : [id]
    },
    json: (state, pool) => poolJson(chain, state, pool),
    touched: touchedPools,
  }
}
