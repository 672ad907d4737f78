// A position in the format of the API: tokens and fees up to the answer's block, computed with the contract's
// arithmetic.
import { positionValue } from '../../../core/amm/position.ts'
import type { TickState } from '../../../core/amm/tick-state.ts'
import { formatAsset } from '../../../core/antelope/asset.ts'
import { toNumber } from '../../kit/numbers.ts'
import type { LivePool, LiveTick, MarketState, TokenRef } from '../../live-market/model.ts'
import { usdValueNumber } from '../../live-market/pricing.ts'

export interface PositionRow {
  id: string
  pool: number
  owner: string
  tickLower: number
  tickUpper: number
  liquidity: string
  feeGrowthInsideALastX64: string
  feeGrowthInsideBLastX64: string
  feesA: string
  feesB: string
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
  const position = {
    id: BigInt(row.id),
    owner: row.owner,
    tickLower: row.tickLower,
    tickUpper: row.tickUpper,
    liquidity: BigInt(row.liquidity),
    feeGrowthInsideALastX64: BigInt(row.feeGrowthInsideALastX64),
    feeGrowthInsideBLastX64: BigInt(row.feeGrowthInsideBLastX64),
    feesA: BigInt(row.feesA),
    feesB: BigInt(row.feesB),
  }
  const lower = tickState(pool.ticks.get(row.tickLower))
  const upper = tickState(pool.ticks.get(row.tickUpper))
  const { amounts, fees } = positionValue({ pool, lower, upper, position })
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
    closed: position.liquidity === 0n,
    lockedUntil: row.unlockTime,
    isLocked: row.unlockTime !== null && row.unlockTime * 1000 > at.time,
  }
}

function assetText(amount: bigint, { decimals: precision, symbol }: TokenRef): string {
  return formatAsset({ amount, precision, symbol })
}

/** The fields of a tick that determine fees; the others matter only to the contract's observations. */
function tickState(tick: LiveTick | undefined): TickState | null {
  if (tick === undefined) return null
  return {
    tickCumulativeOutside: 0n,
    secondsPerLiquidityOutsideX64: 0n,
    secondsOutside: 0,
    initialized: true,
    ...tick,
  }
}
