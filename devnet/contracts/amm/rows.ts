// Rows of the AMM contract's tables, and conversions for core/amm.

import type { PositionPool } from '../../../core/amm/position.ts'
import type { Asset, ExtendedAsset } from '../../../core/antelope/asset.ts'
import type { Tables } from '../../../core/contracts/amm-newest.ts'

export type PoolRow = Tables['pools']
export type SystemRow = Tables['system']
export type BalanceRow = Tables['balances']
export type IncentiveRow = Tables['incentives']
export type StakeRow = Tables['stakes']

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
