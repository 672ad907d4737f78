// A pool in the format of the API.

import { invert, priceOfA, ratioToNumber } from '../../../core/amm/price.ts'
import { VersionedCache } from '../../../core/cache.ts'
import { changePercent } from '../../kit/change.ts'
import { toNumber } from '../../kit/numbers.ts'
import { tokenReference } from '../../kit/token-reference.ts'
import { poolMark } from '../../live-market/marks.ts'
import type { LivePool, MarketState } from '../../live-market/model.ts'
import { usdValueNumber } from '../../live-market/pricing.ts'
import { usdNumber, type Volume, type WindowName } from '../../live-market/rolling.ts'

/** Suffix of each window's members. */
const SUFFIX: Record<Exclude<WindowName, 'all'>, string> = { day: '24', week: 'Week', month: 'Month', quarter: '90' }

/** @param chain  name of the chain */
function poolAnswer(chain: string, state: MarketState, pool: LivePool) {
  const { a, b, volumes, sqrtPriceX64 } = pool
  const price = priceOfA(sqrtPriceX64, a.decimals, b.decimals)
  const priceOf = (root: bigint | null) => ratioToNumber(root === null ? price : priceOfA(root, a.decimals, b.decimals))
  return {
    id: pool.id,
    chain,
    active: pool.active,
    fee: pool.fee,
    feeProtocol: pool.feeProtocol,
    tickSpacing: pool.tickSpacing,
    tokenA: tokenReference(a, pool.reserveA),
    tokenB: tokenReference(b, pool.reserveB),
    sqrtPriceX64: sqrtPriceX64.toString(),
    tick: pool.tick,
    liquidity: pool.liquidity.toString(),
    maxLiquidityPerTick: pool.maxLiquidityPerTick.toString(),
    feeGrowthGlobalAX64: pool.feeGrowthGlobalAX64.toString(),
    feeGrowthGlobalBX64: pool.feeGrowthGlobalBX64.toString(),
    protocolFeeA: toNumber(pool.protocolFeeA, a.decimals),
    protocolFeeB: toNumber(pool.protocolFeeB, b.decimals),
    priceA: ratioToNumber(price),
    priceB: sqrtPriceX64 === 0n ? 0 : ratioToNumber(invert(price)),
    tvlUSD: usdValueNumber(state.prices.poolUsd(pool)),
    ...volumeMembers('day', volumes.day, pool),
    ...volumeMembers('week', volumes.week, pool),
    ...volumeMembers('month', volumes.month, pool),
    ...volumeMembers('quarter', volumes.quarter, pool),
    change24: priceChange(pool.before24 ?? pool.creationPrice, sqrtPriceX64),
    changeWeek: priceChange(pool.beforeWeek ?? pool.creationPrice, sqrtPriceX64),
    high24: priceOf(pool.high24),
    low24: priceOf(pool.low24),
    firstSeenAt: new Date(pool.createdAt ?? state.since).toISOString(),
  }
}

/** A pool object belongs to one chain. */
const cache = new VersionedCache<LivePool, Buffer>()

/** JSON of a pool, cached until something in it changes. */
export function poolJson(chain: string, state: MarketState, pool: LivePool): Buffer {
  return cache.get(pool, poolMark(state, pool).id, '', () =>
    Buffer.from(JSON.stringify(poolAnswer(chain, state, pool))),
  )
}

function volumeMembers(window: keyof typeof SUFFIX, { base, target, usd }: Volume, { a, b }: LivePool) {
  const suffix = SUFFIX[window]
  return {
    [`volumeA${suffix}`]: toNumber(base, a.decimals),
    [`volumeB${suffix}`]: toNumber(target, b.decimals),
    [`volumeUSD${suffix}`]: usdNumber(usd),
  }
}

/** Change of the price, which is the square of the stored square-root price. */
function priceChange(before: bigint | null, now: bigint): number {
  return changePercent(before === null ? null : before * before, now * now)
}
