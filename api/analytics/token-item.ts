// A token in the format of the analytics, over all pools and markets that trade it.

import type { Fundamentals } from '../../config/fundamentals.ts'
import { perObject, VersionedCache } from '../../core/cache.ts'
import type { Holders } from '../kit/holders.ts'
import { toNumber } from '../kit/numbers.ts'
import { tokenMark } from '../live-market/marks.ts'
import type { LivePool, MarketState, TokenRef } from '../live-market/model.ts'
import type { MarketPrices } from '../live-market/pricing.ts'
import type { WindowName } from '../live-market/rolling.ts'
import { type Facts, ROLLING } from './facts.ts'
import { poolChange, poolTvl } from './pool-item.ts'
import type { Totals } from './totals.ts'

/** Data of all tokens. */
export interface TokenFacts extends Facts {
  totals: Totals
  holders: ReadonlyMap<string, Holders>
  /** Address of this server as the client sees it. */
  origin: string
  usdToken: string | null
  fundamentals: Fundamentals
}

/** Chains share the objects of tokens with the same id, so each market has its own cache. */
const pricesOf = perObject((_: MarketPrices) => new VersionedCache<TokenRef, number>())

/** Price in USD; 0 without a price. */
function priceOf(state: MarketState, token: TokenRef): number {
  const cache = pricesOf(state.prices)
  return cache.get(token, tokenMark(state, token.id).id, '', () => state.prices.quote(token.id).usdPrice ?? 0)
}

/** Value of the token in pools, USD. */
function tvlOf(state: MarketState, { totals }: TokenFacts, token: TokenRef): number {
  return toNumber(totals.ofToken(state, token, 'day').reserve, token.decimals) * priceOf(state, token)
}

function lockedUsdOf(state: MarketState, facts: TokenFacts, token: TokenRef): number {
  const locked = facts.locked.get(token.id)
  return locked === undefined ? 0 : toNumber(locked.amount, token.decimals) * priceOf(state, token)
}

function scoreOf(state: MarketState, token: TokenRef): number {
  return state.prices.scores.get(token.id) ?? 0
}

export const TOKEN_SORTS = ['score', 'volume', 'tvl', 'locked', 'holders', 'age', 'tx', 'price'] as const
export type TokenSort = (typeof TOKEN_SORTS)[number]

/** Sort key of a list of tokens. */
export function tokenKey(
  state: MarketState,
  facts: TokenFacts,
  window: WindowName,
  sort: TokenSort,
): (token: TokenRef) => number {
  const sums = (token: TokenRef) => facts.totals.ofToken(state, token, window)
  const keys: Record<TokenSort, (token: TokenRef) => number> = {
    score: (token) => scoreOf(state, token),
    volume(token) {
      const { swapUsd, spotUsd } = sums(token)
      return swapUsd + spotUsd
    },
    tvl: (token) => tvlOf(state, facts, token),
    locked: (token) => lockedUsdOf(state, facts, token),
    holders: ({ id }) => facts.holders.get(id)?.count ?? 0,
    // Negated: an older token sorts as greater.
    age: (token) => -sums(token).createdAt,
    tx(token) {
      const { swaps, deals } = sums(token)
      return swaps + deals
    },
    price: (token) => priceOf(state, token),
  }
  return keys[sort]
}

export function tokenItem(state: MarketState, facts: TokenFacts, window: keyof typeof ROLLING, token: TokenRef) {
  const { id, symbol, contract, decimals } = token
  const sums = facts.totals.ofToken(state, token, ROLLING[window])
  const { swapUsd, spotUsd, withoutUsd, swaps, deals, pools, books, version } = sums
  const locked = facts.locked.get(id)
  const holders = facts.holders.get(id)
  const tvl = toNumber(sums.reserve, decimals) * priceOf(state, token)
  const lockedUsd = lockedUsdOf(state, facts, token)
  return {
    id,
    symbol,
    contract,
    decimals,
    name: facts.fundamentals.get(`${symbol}@${contract}`)?.name ?? null,
    logo: `${facts.origin}/api/v2/tokens/${id}/logo`,
    price: { usd: priceOf(state, token), change24h: changeOf(state, facts, token, version) },
    liquidity: {
      tvl,
      locked: {
        amount: toNumber(locked?.amount ?? 0n, decimals),
        usd: lockedUsd,
        positions: locked?.positions ?? 0,
        share: tvl === 0 ? 0 : (lockedUsd / tvl) * 100,
        nextUnlockAt: locked?.nextUnlockAt ?? null,
        lastUnlockAt: locked?.lastUnlockAt ?? null,
      },
    },
    volume: { swap: swapUsd, spot: spotUsd, total: swapUsd + spotUsd, withoutUsd },
    pairs: { pools, spots: books },
    tx: { swap: swaps, spot: deals, total: swaps + deals },
    holders: {
      count: holders?.count ?? 0,
      change1h: holders?.change1h ?? null,
      change6h: holders?.change6h ?? null,
      change24h: holders?.change24h ?? null,
      truncated: holders?.truncated ?? true,
    },
    createdAt: new Date(sums.createdAt).toISOString(),
    scores: { total: scoreOf(state, token) },
  }
}

const changesOf = perObject((_: Totals) => new VersionedCache<TokenRef, number>())

/** @param version  version of the sums of the token's pools */
function changeOf(state: MarketState, facts: TokenFacts, token: TokenRef, version: number): number {
  return changesOf(facts.totals).get(token, version, null, () => tokenChange(state, facts, token))
}

/**
 * Change of a token's price in 24 hours, percent, in its reference pool: the one with the system token, else with the
 * USD token, else the one of the highest value.
 */
function tokenChange(state: MarketState, { usdToken, totals }: TokenFacts, token: TokenRef): number {
  const { id } = token
  const best =
    bestWith(state, id, state.prices.systemToken.id) ?? bestWith(state, id, usdToken) ?? totals.bestPool(state, token)
  if (best === null) return 0
  const change = poolChange(best)
  if (best.a.id === id) return change
  return change <= -100 ? 0 : (-change / (100 + change)) * 100
}

/** The most valuable active pool of two tokens; null without one. */
function bestWith(state: MarketState, id: string, other: string | null): LivePool | null {
  if (other === null || other === id) return null
  const [own, others] = [state.poolsOf.get(id), state.poolsOf.get(other)]
  if (own === undefined || others === undefined) return null
  let best: LivePool | null = null
  for (const pool of own.size < others.size ? own : others)
    if (pool.active && own.has(pool) && others.has(pool) && (best === null || holdsMore(state, pool, best))) best = pool
  return best
}

/** Whether a pool has more value; of equal ones, the older pool. */
function holdsMore(state: MarketState, one: LivePool, other: LivePool): boolean {
  const more = poolTvl(state, one) - poolTvl(state, other)
  return more > 0 || (more === 0 && one.id < other.id)
}
