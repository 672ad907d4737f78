// A token as the analytics show it: over all the pools and markets that trade it.
import type { Fundamentals } from '../../config/fundamentals.ts'
import type { Holders } from '../exchange/holders/holders.ts'
import { toNumber } from '../exchange/numbers.ts'
import type { LivePool, MarketState, TokenRef } from '../market/model.ts'
import { usdNumber } from '../market/rolling.ts'
import type { Facts } from './facts.ts'
import type { Locked } from './locked.ts'
import { poolChange, poolTvl } from './pool-item.ts'

/** What is known of all tokens at once. */
export interface TokenFacts extends Facts {
  lockedByToken: ReadonlyMap<string, Locked>
  holders: ReadonlyMap<string, Holders>
  /** Address of this server as the client sees it. */
  origin: string
  usdToken: string | null
  fundamentals: Fundamentals
}

/** Figures of a token that lists are sorted by. */
export interface TokenFigures {
  token: TokenRef
  price: number
  tvl: number
  lockedUsd: number
  swapVolume: number
  spotVolume: number
  swaps: number
  deals: number
  holders: number
  score: number
  /** Unix milliseconds. */
  createdAt: number
}

export function tokenFigures(state: MarketState, facts: TokenFacts, token: TokenRef): TokenFigures {
  const price = state.prices.quote(token.id).usdPrice ?? 0
  const locked = facts.lockedByToken.get(token.id)
  let [reserve, swapUsd, swaps, spotUsd, deals] = [0n, 0n, 0, 0n, 0]
  let createdAt = Number.POSITIVE_INFINITY
  for (const pool of state.poolsOf.get(token.id) ?? []) {
    const volume = facts.volume(pool)
    reserve += pool.a.id === token.id ? pool.reserveA : pool.reserveB
    swapUsd += volume.usd
    swaps += volume.trades
    createdAt = Math.min(createdAt, pool.createdAt ?? state.since)
  }
  for (const book of state.booksOf.get(token.id) ?? []) {
    const volume = facts.volume(book)
    spotUsd += volume.usd
    deals += volume.trades
  }
  return {
    token,
    price,
    tvl: toNumber(reserve, token.decimals) * price,
    lockedUsd: toNumber(locked?.amount ?? 0n, token.decimals) * price,
    swapVolume: usdNumber(swapUsd),
    spotVolume: usdNumber(spotUsd),
    swaps,
    deals,
    holders: facts.holders.get(token.id)?.count ?? 0,
    score: state.prices.scores.get(token.id) ?? 0,
    createdAt: Number.isFinite(createdAt) ? createdAt : state.since,
  }
}

export function tokenItem(state: MarketState, facts: TokenFacts, figures: TokenFigures) {
  const { token, price, tvl, lockedUsd, swapVolume, spotVolume, swaps, deals } = figures
  const { id, symbol, contract, decimals } = token
  const locked = facts.lockedByToken.get(id)
  const holders = facts.holders.get(id)
  return {
    id,
    symbol,
    contract,
    decimals,
    name: facts.fundamentals.get(`${symbol}@${contract}`)?.name ?? null,
    logo: `${facts.origin}/api/v2/tokens/${id}/logo`,
    price: { usd: price, change24h: tokenChange(state, facts, token) },
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
    volume: { swap: swapVolume, spot: spotVolume, total: swapVolume + spotVolume },
    pairs: { pools: state.poolsOf.get(id)?.size ?? 0, spots: state.booksOf.get(id)?.size ?? 0 },
    tx: { swap: swaps, spot: deals, total: swaps + deals },
    holders: {
      count: holders?.count ?? 0,
      change1h: holders?.change1h ?? null,
      change6h: holders?.change6h ?? null,
      change24h: holders?.change24h ?? null,
      truncated: holders?.truncated ?? true,
    },
    createdAt: new Date(figures.createdAt).toISOString(),
    scores: { total: figures.score },
  }
}

export type TokenItem = ReturnType<typeof tokenItem>

/**
 * Change of a token's price in 24 hours, percent, in the pool that stands for it: with the system token, else with the USD
 * token, else the one that holds most.
 */
function tokenChange(state: MarketState, { usdToken }: TokenFacts, { id }: TokenRef): number {
  const system = state.prices.systemToken.id
  let best: LivePool | null = null
  const rank = (pool: LivePool) => {
    const other = pool.a.id === id ? pool.b.id : pool.a.id
    return other === system ? 2 : other === usdToken ? 1 : 0
  }
  for (const pool of state.poolsOf.get(id) ?? []) {
    if (!pool.active) continue
    const isBetter =
      best === null ||
      rank(pool) > rank(best) ||
      (rank(pool) === rank(best) && poolTvl(state, pool) > poolTvl(state, best))
    if (isBetter) best = pool
  }
  if (best === null) return 0
  const change = poolChange(best)
  if (best.a.id === id) return change
  return change <= -100 ? 0 : (-change / (100 + change)) * 100
}
