// The lists that clients of every kind request, made before their first request. Lists with a filter or for a site are
// made on request; most of their cost, the JSON of pools, is cached by then.
import { pairsList as ammPairs } from './exchange/amm-feed/lists.ts'
import { poolsList } from './exchange/pools/list.ts'
import { pairsList } from './exchange/spot/lists.ts'
import { tokensList } from './exchange/tokens/token.ts'
import { prepareList } from './lists/live-list.ts'
import type { LiveMarket } from './live-market/live-market.ts'
import { BOOKS, POOLS, TOKENS } from './market/lists.ts'

/** @param chain  name of the market's chain */
export function prepareLists(market: LiveMarket, chain: string): void {
  prepareList(market, poolsList(chain, { tokens: [], hideScam: false }))
  prepareList(market, tokensList(false))
  prepareList(market, ammPairs({}))
  prepareList(market, pairsList({}))
  prepareList(market, TOKENS)
  prepareList(market, POOLS)
  prepareList(market, BOOKS)
}
