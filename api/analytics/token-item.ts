// A token as the analytics show it: over all the pools and markets that trade it.
import type { Fundamentals } from '../../config/fundamentals.ts'
import type { Holders } from '../exchange/holders/holders.ts'
import { Kept } from '../exchange/kept.ts'
import { toNumber } from '../exchange/numbers.ts'
import { tokenMark } from '../market/marks.ts'
import type { BlockMark, LivePool, MarketState, TokenRef } from '../market/model.ts'
import type { WindowName } from '../market/rolling.ts'
import { type Facts, ROLLING } from './facts.ts'
import { poolChange, poolTvl } from './pool-item.ts'
import type { Totals } from './totals.ts'

/** What is known of all tokens at once. */
export interface TokenFacts extends Facts {
  totals: Totals
  holders: ReadonlyMap<string, Holders>
  /** Address of this server as the client sees it. */
  origin: string
  usdToken: string | null
  fundamentals: Fundamentals
}

const prices = new Kept<TokenRef, number>()

/** USD; 0 without a price. */
function priceOf(state: MarketState, token: TokenRef): number {
  return prices.of(token, tokenMark(state, token.id), '', () => state.prices.quote(token.id).usdPrice ?? 0)
}

/** USD of the token in pools. */
function tvlOf(state: MarketState, { totals }: TokenFacts, token: TokenRef): number {
  return toNumber(totals.ofToken(state, token.id, 'day').reserve, token.decimals) * priceOf(state, token)
}

/** Unix milliseconds: when its first pool was created, else since when anything is known. */
function createdAt({ poolsOf, since }: MarketState, { id }: TokenRef): number {
  let first = Number.POSITIVE_INFINITY
  for (const pool of poolsOf.get(id) ?? []) first = Math.min(first, pool.createdAt ?? since)
  return Number.isFinite(first) ? first : since
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

/** What a list of tokens is sorted by. */
export function tokenKey(
  state: MarketState,
  facts: TokenFacts,
  window: WindowName,
  sort: TokenSort,
): (token: TokenRef) => number {
  const trades = ({ id }: TokenRef) => facts.totals.ofToken(state, id, window)
  const keys: Record<TokenSort, (token: TokenRef) => number> = {
    score: (token) => scoreOf(state, token),
    volume: (token) => trades(token).swapUsd + trades(token).spotUsd,
    tvl: (token) => tvlOf(state, facts, token),
    locked: (token) => lockedUsdOf(state, facts, token),
    holders: ({ id }) => facts.holders.get(id)?.count ?? 0,
    // The older a token is, the greater its age.
    age: (token) => -createdAt(state, token),
    tx: (token) => trades(token).swaps + trades(token).deals,
    price: (token) => priceOf(state, token),
  }
  return keys[sort]
}

export function tokenItem(state: MarketState, facts: TokenFacts, window: keyof typeof ROLLING, token: TokenRef) {
  const { id, symbol, contract, decimals } = token
  const { swapUsd, spotUsd, swaps, deals, pools, books } = facts.totals.ofToken(state, id, ROLLING[window])
  const locked = facts.locked.get(id)
  const holders = facts.holders.get(id)
  const tvl = tvlOf(state, facts, token)
  const lockedUsd = lockedUsdOf(state, facts, token)
  return {
    id,
    symbol,
    contract,
    decimals,
    name: facts.fundamentals.get(`${symbol}@${contract}`)?.name ?? null,
    logo: `${facts.origin}/api/v2/tokens/${id}/logo`,
    price: { usd: priceOf(state, token), change24h: changeOf(state, facts, token) },
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
    volume: { swap: swapUsd, spot: spotUsd, total: swapUsd + spotUsd },
    pairs: { pools, spots: books },
    tx: { swap: swaps, spot: deals, total: swaps + deals },
    holders: {
      count: holders?.count ?? 0,
      change1h: holders?.change1h ?? null,
      change6h: holders?.change6h ?? null,
      change24h: holders?.change24h ?? null,
      truncated: holders?.truncated ?? true,
    },
    createdAt: new Date(createdAt(state, token)).toISOString(),
    scores: { total: scoreOf(state, token) },
  }
}

export type TokenItem = ReturnType<typeof tokenItem>

const changes = new WeakMap<TokenRef, { at: BlockMark; change: number }>()

function changeOf(state: MarketState, facts: TokenFacts, token: TokenRef): number {
  let known = changes.get(token)
  if (known?.at !== state.at) changes.set(token, (known = { at: state.at, change: tokenChange(state, facts, token) }))
  return known.change
}

/**
 * Change of a token's price in 24 hours, percent, in the pool that stands for it: with the system token, else with the USD
 * token, else the one that holds most.
 */
function tokenChange(state: MarketState, { usdToken }: TokenFacts, { id }: TokenRef): number {
  const pools = state.poolsOf.get(id) ?? []
  for (const other of [state.prices.systemToken.id, usdToken, undefined]) {
    let best: LivePool | null = null
    for (const pool of pools) {
      if (!pool.active || (other !== undefined && (pool.a.id === id ? pool.b.id : pool.a.id) !== other)) continue
      if (best === null || poolTvl(state, pool) > poolTvl(state, best)) best = pool
    }
    if (best === null) continue
    const change = poolChange(best)
    if (best.a.id === id) return change
    return change <= -100 ? 0 : (-change / (100 + change)) * 100
  }
  return 0
}
