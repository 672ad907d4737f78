// Pools, order-book markets and tokens in the orders that lists of the analytics have.
import type { LiveMarket } from '../market/live-market.ts'
import type { LiveBook, LivePool, MarketState, TokenRef } from '../market/model.ts'
import { usdNumber } from '../market/rolling.ts'
import type { WindowName } from './chart.ts'
import { type Facts, ROLLING } from './facts.ts'
import { lastPrice } from './pair-item.ts'
import { type PoolOptions, type PoolSort, poolKey } from './pool-item.ts'
import { type Direction, ranked } from './ranking.ts'
import { type TokenFacts, type TokenSort, tokenKey } from './token-item.ts'

export const PAIR_SORTS = ['volume', 'price'] as const
export type PairSort = (typeof PAIR_SORTS)[number]

export function rankedPools(
  market: LiveMarket,
  state: MarketState,
  facts: Facts,
  sort: PoolSort,
  window: WindowName,
  direction: Direction,
  options: PoolOptions,
): readonly LivePool[] {
  // Each has an order of its own: what it depends on is in its name.
  const form = sort === 'volume' ? window : sort === 'apr' && options.incentives !== undefined ? 'with farms' : ''
  return ranked(market, state, `pools ${sort} ${form}`, direction, {
    items: ({ pools }) => pools,
    tie: ({ id }) => id,
    ...poolKey(state, facts, sort, options),
  })
}

export function rankedPairs(
  market: LiveMarket,
  state: MarketState,
  facts: Facts,
  sort: PairSort,
  window: WindowName,
  direction: Direction,
): readonly LiveBook[] {
  const byVolume = sort === 'volume'
  return ranked(market, state, `pairs ${sort} ${byVolume ? window : ''}`, direction, {
    items: ({ books }) => books,
    tie: ({ id }) => id,
    mark: ({ changed }) => changed,
    key: byVolume ? (book) => usdNumber(facts.volume(book).usd) : lastPrice,
  })
}

export function rankedTokens(
  market: LiveMarket,
  state: MarketState,
  facts: TokenFacts,
  sort: TokenSort,
  window: WindowName,
  direction: Direction,
): readonly TokenRef[] {
  const form = sort === 'volume' || sort === 'tx' ? window : ''
  return ranked(market, state, `tokens ${sort} ${form}`, direction, {
    items: ({ tokens }) => tokens,
    tie: ({ id }) => id,
    beside: sort === 'holders' ? facts.holders : undefined,
    ...tokenKey(state, facts, ROLLING[window], sort),
  })
}
