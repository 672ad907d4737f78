// A pool in the format of the analytics.

import { invert, priceOfA, ratioToNumber } from '../../core/amm/price.ts'
import { FEE_UNIT } from '../../core/amm/q64.ts'
import { changePercent } from '../kit/change.ts'
import { tokenReference } from '../kit/token-reference.ts'
import { poolUsd } from '../kit/worth.ts'
import type { LivePool, MarketState } from '../live-market/model.ts'
import { usdNumber } from '../live-market/rolling.ts'
import type { Facts } from './facts.ts'
import { type IncentiveChoice, incentiveAnswer, isChosen } from './incentives.ts'

/** Days of fees and volume from which the yearly yield is computed. */
const APR_DAYS = 7

/** Farms by pool. */
type Farms = Pick<Facts, 'incentives'>

export interface PoolOptions {
  /** Farms in the answer; none when absent. */
  incentives?: IncentiveChoice
  /** Whether the answer has the number of swaps. */
  tx?: boolean
}

export const POOL_SORTS = ['volume', 'tvl', 'apr'] as const
export type PoolSort = (typeof POOL_SORTS)[number]

/** Sort key of a list of pools. */
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

/** Members that depend on neither window nor farms: the first ones of an item. */
export function poolHead(state: MarketState, pool: LivePool) {
  const { a, b, sqrtPriceX64 } = pool
  const price = priceOfA(sqrtPriceX64, a.decimals, b.decimals)
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
  }
}

/** Yearly yield in percent: fees of seven days over the value of the pool, plus the rewards of farms. */
export function poolApr(state: MarketState, facts: Farms, pool: LivePool, { incentives }: PoolOptions) {
  const tvl = poolTvl(state, pool)
  const fees = (usdNumber(pool.volumes.week.usd) * pool.fee) / Number(FEE_UNIT)
  const fee = tvl === 0 ? 0 : (fees / tvl) * (365 / APR_DAYS) * 100
  const active = incentives === undefined ? [] : poolIncentives(state, facts, pool, 'active')
  const farm = active.length === 0 ? null : active.reduce((sum, { apr }) => sum + apr, 0)
  return { periodDays: APR_DAYS, fee, farm, total: fee + (farm ?? 0) }
}

/** Farms of a pool in the answer. */
export function poolIncentives(state: MarketState, facts: Farms, pool: LivePool, choice: IncentiveChoice) {
  const rows = facts.incentives.get(pool.id) ?? []
  return rows
    .map((row) => incentiveAnswer(state, pool, poolTvl(state, pool), row))
    .filter((one) => isChosen(one, choice))
}

/** Value of a pool's reserves, USD. */
export function poolTvl(state: MarketState, pool: LivePool): number {
  return poolUsd(state, pool)
}

/** Change of the price of A in 24 hours, percent. */
export function poolChange({ before24, creationPrice, sqrtPriceX64 }: LivePool): number {
  const before = before24 ?? creationPrice
  return changePercent(before === null ? null : before * before, sqrtPriceX64 * sqrtPriceX64)
}
