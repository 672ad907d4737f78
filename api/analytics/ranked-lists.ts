// Sorted lists of pools, order-book markets and tokens.
import { tokenId } from '../../core/antelope/asset.ts'
import { touchedBooks, touchedPools, touchedTokens } from '../lists/touched.ts'
import type { LiveMarket } from '../live-market/live-market.ts'
import type { LiveBook, LivePool, MarketState, TokenRef } from '../live-market/model.ts'
import { usdNumber } from '../live-market/rolling.ts'
import type { WindowName } from './chart.ts'
import { type Facts, ROLLING } from './facts.ts'
import type { IncentiveRow } from './incentives.ts'
import { lastPrice } from './pair-item.ts'
import { type PoolOptions, type PoolSort, poolKey } from './pool-item.ts'
import { type Direction, type Ranked, ranked } from './ranking.ts'
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
): Ranked<LivePool> {
  // These parameters change the sort keys, so each combination is a list with its own name.
  const variant = sort === 'volume' ? window : sort === 'apr' && options.incentives !== undefined ? 'with farms' : ''
  return ranked(market, state, `pools ${sort} ${variant}`, direction, {
    items: ({ pools }) => pools,
    touched(now, changes) {
      // The USD value of a trade is fixed at its time, so prices do not matter.
      if (sort === 'volume') return changes.pools
      const touched = touchedPools(now, changes)
      return variant === 'with farms' ? [...touched, ...farmsPaidIn(facts, changes.tokens)] : touched
    },
    tie: ({ id }) => id,
    key: poolKey(state, facts, sort, options),
    // Farms end and change without a change of their pool.
    external: variant === 'with farms' ? { value: facts.incentives, ids: [...facts.incentives.keys()] } : undefined,
  })
}

export function rankedPairs(
  market: LiveMarket,
  state: MarketState,
  facts: Facts,
  sort: PairSort,
  window: WindowName,
  direction: Direction,
): Ranked<LiveBook> {
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
): Ranked<TokenRef> {
  const variant = sort === 'volume' || sort === 'tx' ? window : ''
  const external = sort === 'holders' ? facts.holders : sort === 'locked' ? facts.locked : undefined
  return ranked(market, state, `tokens ${sort} ${variant}`, direction, {
    items: ({ tokens }) => tokens,
    touched: touchedTokens,
    tie: ({ id }) => id,
    key: tokenKey(state, facts, ROLLING[window], sort),
    external: external === undefined ? undefined : { value: external, ids: null },
  })
}

/** Ids of pools with a farm that pays one of the tokens. */
function farmsPaidIn({ incentives }: Facts, tokens: ReadonlySet<string>): number[] {
  if (tokens.size === 0) return []
  const pays = ({ symbol, contract }: IncentiveRow) => tokens.has(tokenId(symbol, contract))
  return [...incentives].filter(([, rows]) => rows.some(pays)).map(([pool]) => pool)
}
