// A pool as the analytics show it.
import { invert, priceOfA, ratioToNumber } from '../../core/amm/price.ts'
import { changePercent } from '../exchange/change.ts'
import { tokenReference } from '../exchange/pools/pool.ts'
import { poolUsd } from '../exchange/worth.ts'
import type { LivePool, MarketState, TokenRef } from '../market/model.ts'
import { usdNumber } from '../market/rolling.ts'
import type { Facts } from './facts.ts'
import { type IncentiveChoice, incentiveAnswer, isChosen } from './incentives.ts'

/** Days whose fees and volume the yearly yield is counted from. */
const APR_DAYS = 7
const FEE_ONE = 1_000_000

export interface PoolOptions {
  /** Which farms are told; none are when absent. */
  incentives?: IncentiveChoice
  /** Whether swaps are counted. */
  tx?: boolean
}

export const POOL_SORTS = ['volume', 'tvl', 'apr'] as const
export type PoolSort = (typeof POOL_SORTS)[number]

/** What a list of pools is sorted by. */
export function poolKey(
  state: MarketState,
  facts: Facts,
  sort: PoolSort,
  options: PoolOptions,
): (pool: LivePool) => number {
  const keys: Record<PoolSort, (pool: LivePool) => number> = {
    volume: (pool) => usdNumber(facts.volume(pool).usd),
    tvl: (pool) => poolTvl(state, pool),
    apr: (pool) => poolApr(state, facts, pool, options).total,
  }
  return keys[sort]
}

export function poolItem(state: MarketState, facts: Facts, pool: LivePool, options: PoolOptions) {
  const { a, b, sqrtPriceX64 } = pool
  const price = priceOfA(sqrtPriceX64, a.decimals, b.decimals)
  const volume = facts.volume(pool)
  return {
    id: pool.id,
    fee: pool.fee,
    tokenA: tokenReference(a, pool.reserveA),
    tokenB: tokenReference(b, pool.reserveB),
    price: {
      aPerB: sqrtPriceX64 === 0n ? 0 : ratioToNumber(invert(price)),
      bPerA: ratioToNumber(price),
      change24h: poolChange(pool),
    },
    liquidity: { tvl: poolTvl(state, pool) },
    volume: { usd: usdNumber(volume.usd) },
    apr: poolApr(state, facts, pool, options),
    ...(options.tx ? { tx: { swaps: volume.trades } } : {}),
    ...(options.incentives === undefined ? {} : { incentives: poolIncentives(state, facts, pool, options.incentives) }),
  }
}

export type PoolItem = ReturnType<typeof poolItem>

/** Fees of seven days over what the pool holds, and what farms pay on top, percent a year. */
export function poolApr(state: MarketState, facts: Facts, pool: LivePool, { incentives }: PoolOptions) {
  const tvl = poolTvl(state, pool)
  const fees = (usdNumber(pool.volumes.week.usd) * pool.fee) / FEE_ONE
  const fee = tvl === 0 ? 0 : (fees / tvl) * (365 / APR_DAYS) * 100
  const active = incentives === undefined ? [] : poolIncentives(state, facts, pool, 'active')
  const farm = active.length === 0 ? null : active.reduce((sum, { apr }) => sum + apr, 0)
  return { periodDays: APR_DAYS, fee, farm, total: fee + (farm ?? 0) }
}

function poolIncentives(state: MarketState, facts: Facts, pool: LivePool, choice: IncentiveChoice) {
  const rows = facts.incentives.get(pool.id) ?? []
  return rows
    .map((row) => incentiveAnswer(state, pool, poolTvl(state, pool), row))
    .filter((one) => isChosen(one, choice))
}

/** USD that a pool holds. */
export function poolTvl(state: MarketState, pool: LivePool): number {
  return poolUsd(state, pool)
}

/** Change of the price of A in 24 hours, percent. */
export function poolChange({ before24, creationPrice, sqrtPriceX64 }: LivePool): number {
  const before = before24 ?? creationPrice
  return changePercent(before === null ? null : before * before, sqrtPriceX64 * sqrtPriceX64)
}

/**
 * Tells whether a pool is what somebody looks for. Two words, or `A/B`, mean a pair; one means either token or the pool's
 * id.
 *
 * @param search  any case
 * @returns null for an empty search, which finds everything
 */
export function findsPool(
  { tokens }: Pick<MarketState, 'tokens'>,
  search: string,
): ((pool: LivePool) => boolean) | null {
  const words = search
    .toLowerCase()
    .split(/[\s,/|]+/)
    .filter((word) => word !== '')
  const [first, second] = words
  if (first === undefined) return null
  if (words.length > 2) return () => false
  // There are fewer tokens than pools.
  const named = (word: string) => {
    const found = [...tokens.values()].filter((token) => findsToken(token, word))
    return new Set(found.map(({ id }) => id))
  }
  const one = named(first)
  if (second === undefined) return ({ id, a, b }) => one.has(a.id) || one.has(b.id) || first === String(id)
  const other = named(second)
  return ({ a, b }) => (one.has(a.id) && other.has(b.id)) || (one.has(b.id) && other.has(a.id))
}

/** Whether a word is part of a token's symbol, contract or id, which holds both. @param word  in lower case */
export function findsToken({ id }: TokenRef, word: string): boolean {
  return id.includes(word)
}
