// All cached lists and sums of the analytics as text, for comparing two markets.
import { WINDOWS, type WindowName } from '../../../api/analytics/chart.ts'
import { ROLLING } from '../../../api/analytics/facts.ts'
import { pairJson, poolJson } from '../../../api/analytics/item-json.ts'
import { POOL_SORTS } from '../../../api/analytics/pool-item.ts'
import { PAIR_SORTS, rankedPairs, rankedPools, rankedTokens } from '../../../api/analytics/ranked-lists.ts'
import type { Direction } from '../../../api/analytics/ranking.ts'
import { TOKEN_SORTS, type TokenFacts, tokenItem } from '../../../api/analytics/token-item.ts'
import { tokenMarkets } from '../../../api/analytics/token-markets.ts'
import { totalsOf } from '../../../api/analytics/totals.ts'
import type { LiveMarket } from '../../../api/live-market/live-market.ts'
import type { MarketState } from '../../../api/live-market/model.ts'

const DIRECTIONS: Direction[] = ['asc', 'desc']

/** Functions that make each text, by name. */
export function everyOrder(): Record<string, (market: LiveMarket) => Buffer> {
  const made: Record<string, (market: LiveMarket) => Buffer> = {}
  const add = (name: string, text: (market: LiveMarket, state: MarketState) => string) => {
    made[name] = (market) => Buffer.from(text(market, market.state as MarketState))
  }
  for (const window of Object.keys(WINDOWS) as WindowName[]) {
    const factsOf = (market: LiveMarket): TokenFacts => ({
      totals: totalsOf(market),
      volume: ({ volumes }) => volumes[ROLLING[window]],
      incentives: new Map(),
      locked: new Map(),
      poolsOfAccount: null,
      holders: new Map(),
      origin: 'http://wax.localhost',
      usdToken: null,
      fundamentals: new Map(),
    })
    add(`sums of ${window}`, (market, state) => JSON.stringify(totalsOf(market).stats(state, ROLLING[window])))
    // Lists of the token with the most pools; as many lists as a market caches next to those of the other endpoints.
    if (window === '24h' || window === 'all')
      add(`pools and pairs of the system token, ${window}`, (market, state) => {
        const text = (manyFrom: number) => {
          const token = state.prices.systemToken
          const { pools, spotPairs } = tokenMarkets(market, state, window, token, undefined, manyFrom)
          return `${pools.bytes()}${spotPairs.bytes()}`
        }
        const [keptUp, atOnce] = [text(0), text(Number.POSITIVE_INFINITY)]
        return keptUp === atOnce ? keptUp : `${keptUp} is not ${atOnce}`
      })
    for (const direction of DIRECTIONS) {
      for (const sort of POOL_SORTS)
        add(`pools by ${sort} of ${window}, ${direction}`, (market, state) =>
          rankedPools(market, state, factsOf(market), sort, window, direction, { tx: true })
            .slice(0, state.pools.size)
            .map((pool) => `${poolJson(state, factsOf(market), window, pool, { tx: true })}`)
            .join(),
        )
      for (const sort of PAIR_SORTS)
        add(`pairs by ${sort} of ${window}, ${direction}`, (market, state) =>
          rankedPairs(market, state, factsOf(market), sort, window, direction)
            .slice(0, state.books.size)
            .map((book) => `${pairJson(state, window, book)}`)
            .join(),
        )
      for (const sort of TOKEN_SORTS)
        add(`tokens by ${sort} of ${window}, ${direction}`, (market, state) =>
          JSON.stringify(
            rankedTokens(market, state, factsOf(market), sort, window, direction)
              .slice(0, state.tokens.size)
              .map((token) => tokenItem(state, factsOf(market), window, token)),
          ),
        )
    }
  }
  return made
}
