// Pools, order-book markets and tokens in the orders that lists of the analytics have.
import { touchedBooks, touchedPools, touchedTokens } from '../lists/touched.ts'
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
    touched: touchedPools,
    tie: ({ id }) => id,
    key: poolKey(state, facts, sort, options),
    // Farms end and change without their pool.
    beside: form === 'with farms' ? { value: facts.incentives, ids: [...facts.incentives.keys()] } : undefined,
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
    touched: touchedBooks,
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
  const beside = sort === 'holders' ? facts.holders : sort === 'locked' ? facts.locked : undefined
  return ranked(market, state, `tokens ${sort} ${form}`, direction, {
    items: ({ tokens }) => tokens,
    touched: touchedTokens,
    tie: ({ id }) => id,
    key: tokenKey(state, facts, ROLLING[window], sort),
    beside: beside === undefined ? undefined : { value: beside, ids: null },
  })
}
