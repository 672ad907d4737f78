// Rows of the AMM contract's tables as decoded objects, and conversions for core/amm.

import type { PositionPool } from '../../../core/amm/position.ts'
import type { Asset, ExtendedAsset } from '../../../core/antelope/asset.ts'
import type { PoolRow } from '../../../core/contract-rows.ts'

export interface SystemRow {
  id: bigint
  active: boolean
  poolIdCounter: bigint
  posIdCounter: bigint
  activeFee: ExtendedAsset
}

export interface BalanceRow {
  id: bigint
  assetBalance: ExtendedAsset
}

export interface IncentiveRow {
  id: bigint
  creator: string
  poolId: bigint
  reward: ExtendedAsset
  periodFinish: number
  rewardsDuration: number
  rewardRateE18: bigint
  rewardPerTokenStored: bigint
  totalStakingWeight: bigint
  lastUpdateTime: number
  numberOfStakes: number
}

export interface StakeRow {
  posId: bigint
  stakingWeight: bigint
  rewards: bigint
  userRewardPerTokenPaid: bigint
}

/** The pool in the form of core/amm. */
export function poolState(row: PoolRow): PositionPool {
  return {
    fee: row.fee,
    tickSpacing: row.tickSpacing,
    sqrtPriceX64: row.currSlot.sqrtPriceX64,
    tick: row.currSlot.tick,
    liquidity: row.liquidity,
    feeProtocol: row.feeProtocol,
    feeGrowthGlobalAX64: row.feeGrowthGlobalAX64,
    feeGrowthGlobalBX64: row.feeGrowthGlobalBX64,
    maxLiquidityPerTick: row.maxLiquidityPerTick,
  }
}

export function withAmount(asset: Asset, amount: bigint): Asset {
  return { amount, precision: asset.precision, symbol: asset.symbol }
}

export function sameToken(a: ExtendedAsset, b: ExtendedAsset): boolean {
  return (
    a.contract === b.contract &&
    a.quantity.symbol === b.quantity.symbol &&
    a.quantity.precision === b.quantity.precision
  )
}

/** A pool's token balance after raw units entered (positive) or left (negative). */
export function plus(token: ExtendedAsset, amount: bigint): ExtendedAsset {
  return { quantity: withAmount(token.quantity, token.quantity.amount + amount), contract: token.contract }
}
