// A position in the format of the API: tokens and fees up to the answer's block, computed with the contract's
// arithmetic.
import { formatAsset } from '../../../core/antelope/asset.ts'
import { toNumber } from '../../kit/numbers.ts'
import { liveValue, type StoredPosition } from '../../kit/position-value.ts'
import type { LivePool, MarketState, TokenRef } from '../../live-market/model.ts'
import { usdValueNumber } from '../../live-market/pricing.ts'

export interface PositionRow extends StoredPosition {
  pool: number
  /** Unix seconds. */
  unlockTime: number | null
  /** USD of deposits minus withdrawals. */
  deposited: number
  collectedA: string | null
  collectedB: string | null
  collectedUsd: number | null
  /** Unix milliseconds. */
  lastCollect: number | null
}

/** @param pool  the position's pool, as of the block of the row */
export function positionAnswer({ prices, at }: MarketState, pool: LivePool, row: PositionRow) {
  const { a, b } = pool
  const { amounts, fees } = liveValue(pool, row)
  const feesUsd = usdValueNumber(prices.holdingUsd(a, fees.a, b, fees.b))
  const collectedUsd = row.collectedUsd ?? 0
  return {
    id: Number(row.id),
    owner: row.owner,
    pool: row.pool,
    tickLower: row.tickLower,
    tickUpper: row.tickUpper,
    liquidity: row.liquidity,
    feeGrowthInsideALastX64: row.feeGrowthInsideALastX64,
    feeGrowthInsideBLastX64: row.feeGrowthInsideBLastX64,
    inRange: row.tickLower <= pool.tick && pool.tick < row.tickUpper,
    amountA: assetText(amounts.a, a),
    amountB: assetText(amounts.b, b),
    feesA: assetText(fees.a, a),
    feesB: assetText(fees.b, b),
    totalValue: usdValueNumber(prices.holdingUsd(a, amounts.a + fees.a, b, amounts.b + fees.b)),
    totalFeesUSD: feesUsd,
    depositedUSDTotal: row.deposited,
    collectedFees: {
      tokenA: toNumber(row.collectedA ?? '0', a.decimals),
      tokenB: toNumber(row.collectedB ?? '0', b.decimals),
      inUSD: collectedUsd,
      lastCollectTime: row.lastCollect === null ? null : new Date(row.lastCollect).toISOString(),
    },
    pNl: collectedUsd + feesUsd,
    closed: BigInt(row.liquidity) === 0n,
    lockedUntil: row.unlockTime,
    isLocked: row.unlockTime !== null && row.unlockTime * 1000 > at.time,
  }
}

function assetText(amount: bigint, { decimals: precision, symbol }: TokenRef): string {
  return formatAsset({ amount, precision, symbol })
}
