// The lists that clients of every kind ask for, ready before the first of them does. Lists of a filter or of a site are
// made when they are asked for; what costs most of them, the JSON of pools, is there by then.
import { pairsList as ammPairs } from '../exchange/amm-feed/lists.ts'
import { poolsList } from '../exchange/pools/list.ts'
import { pairsList } from '../exchange/spot/lists.ts'
import { tokensList } from '../exchange/tokens/token.ts'
import type { LiveMarket } from '../market/live-market.ts'
import { BOOKS, POOLS, TOKENS } from '../market-api/lists.ts'
import { standList } from './live-list.ts'

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
