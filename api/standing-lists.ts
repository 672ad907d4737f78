// The lists that clients of every kind request, made before their first request. Lists with a filter or for a site are
// made on request; most of their cost, the JSON of pools, is cached by then.
import { pairsList as ammPairs } from './exchange/amm-feed/lists.ts'
import { poolsList } from './exchange/pools/list.ts'
import { pairsList } from './exchange/spot/lists.ts'
import { tokensList } from './exchange/tokens/token.ts'
import { standList } from './lists/live-list.ts'
import type { LiveMarket } from './market/live-market.ts'
import { BOOKS, POOLS, TOKENS } from './market-api/lists.ts'

/** @param chain  name of the market's chain */
export function standLists(market: LiveMarket, chain: string): void {
  standList(market, poolsList(chain, { tokens: [], hideScam: false }))
  standList(market, tokensList(false))
  standList(market, ammPairs({}))
  standList(market, pairsList({}))
  standList(market, TOKENS)
  standList(market, POOLS)
  standList(market, BOOKS)
}
