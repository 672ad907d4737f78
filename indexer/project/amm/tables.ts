// Current rows of the AMM: pools, ticks, positions, deposits, settings, locks, bans.

import type { PositionState } from '../../../core/amm/position.ts'
import type { TickState } from '../../../core/amm/tick-state.ts'
import type { ExtendedAsset } from '../../../core/antelope/asset.ts'
import { nameToString } from '../../../core/antelope/name.ts'
import type { PoolRow } from '../../../core/contract-rows.ts'
import { int8 } from '../int8.ts'
import { state, type TableProjection } from '../projection.ts'

export const pools: TableProjection<PoolRow> = {
  contract: 'amm',
  table: 'pools',
  current: (at) => ({ table: 'pools', key: { poolId: int8(at.primaryKey) } }),
  rows: (r, at) => ({
    state: [
      state('pools', at, {
        poolId: int8(at.primaryKey),
        active: r.active,
        contractA: r.tokenA.contract,
        symbolA: r.tokenA.quantity.symbol,
        decimalsA: r.tokenA.quantity.precision,
        reserveA: r.tokenA.quantity.amount,
        contractB: r.tokenB.contract,
        symbolB: r.tokenB.quantity.symbol,
        decimalsB: r.tokenB.quantity.precision,
        reserveB: r.tokenB.quantity.amount,
        fee: r.fee,
        feeProtocol: r.feeProtocol,
        tickSpacing: r.tickSpacing,
        maxLiquidityPerTick: r.maxLiquidityPerTick,
        sqrtPriceX64: r.currSlot.sqrtPriceX64,
        tick: r.currSlot.tick,
        lastObservation: r.currSlot.lastObservationTimestamp * 1000,
        observationNum: r.currSlot.currentObservationNum,
        maxObservationNum: r.currSlot.maxObservationNum,
        feeGrowthGlobalAX64: r.feeGrowthGlobalAX64,
        feeGrowthGlobalBX64: r.feeGrowthGlobalBX64,
        protocolFeeA: r.protocolFeeA.amount,
        protocolFeeB: r.protocolFeeB.amount,
        liquidity: r.liquidity,
      }),
    ],
  }),
}

/** The primary key is the tick's 32-bit pattern, without its sign. */
function tickOf(primaryKey: bigint): number {
  return Number(BigInt.asIntN(32, primaryKey))
}

export const ticks: TableProjection<TickState> = {
  contract: 'amm',
  table: 'ticks',
  current: (at) => ({ table: 'ticks', key: { poolId: int8(at.scopeRaw), tick: tickOf(at.primaryKey) } }),
  rows: (r, at) => ({
    state: [
      state('ticks', at, {
        poolId: int8(at.scopeRaw),
        tick: tickOf(at.primaryKey),
        liquidityGross: r.liquidityGross,
        liquidityNet: r.liquidityNet,
        feeGrowthOutsideAX64: r.feeGrowthOutsideAX64,
        feeGrowthOutsideBX64: r.feeGrowthOutsideBX64,
        tickCumulativeOutside: r.tickCumulativeOutside,
        secondsPerLiquidityOutsideX64: r.secondsPerLiquidityOutsideX64,
        secondsOutside: r.secondsOutside,
        initialized: r.initialized,
      }),
    ],
  }),
}

type PositionRow = Omit<PositionState, 'id'>

export const positions: TableProjection<PositionRow> = {
  contract: 'amm',
  table: 'positions',
  current: (at) => ({
    table: 'positions',
    key: { poolId: int8(at.scopeRaw), positionId: int8(at.primaryKey) },
  }),
  rows: (r, at) => ({
    state: [
      state('positions', at, {
        poolId: int8(at.scopeRaw),
        positionId: int8(at.primaryKey),
        owner: r.owner,
        tickLower: r.tickLower,
        tickUpper: r.tickUpper,
        liquidity: r.liquidity,
        feeGrowthInsideALastX64: r.feeGrowthInsideALastX64,
        feeGrowthInsideBLastX64: r.feeGrowthInsideBLastX64,
        feesA: r.feesA,
        feesB: r.feesB,
      }),
    ],
  }),
}

export const ammBalances: TableProjection<{ assetBalance: ExtendedAsset }> = {
  contract: 'amm',
  table: 'balances',
  current: (at) => ({ table: 'amm_balances', key: { owner: at.scope, rowId: at.primaryKey } }),
  rows: (r, at) => ({
    state: [
      state('amm_balances', at, {
        owner: at.scope,
        rowId: at.primaryKey,
        contract: r.assetBalance.contract,
        symbol: r.assetBalance.quantity.symbol,
        decimals: r.assetBalance.quantity.precision,
        amount: r.assetBalance.quantity.amount,
      }),
    ],
  }),
}

interface SystemRow {
  active: boolean
  poolIdCounter: bigint
  posIdCounter: bigint
  activeFee: ExtendedAsset
}

export const ammSettings: TableProjection<SystemRow> = {
  contract: 'amm',
  table: 'system',
  current: (at) => ({ table: 'amm_settings', key: { rowId: at.primaryKey } }),
  rows: (r, at) => ({
    state: [
      state('amm_settings', at, {
        rowId: at.primaryKey,
        active: r.active,
        nextPoolId: int8(r.poolIdCounter),
        nextPositionId: int8(r.posIdCounter),
        feeContract: r.activeFee.contract,
        feeSymbol: r.activeFee.quantity.symbol,
        feeDecimals: r.activeFee.quantity.precision,
        feeAmount: r.activeFee.quantity.amount,
      }),
    ],
  }),
}

export const locks: TableProjection<{ unlockTime: number }> = {
  contract: 'amm',
  table: 'locks',
  current: (at) => ({ table: 'locks', key: { positionId: int8(at.primaryKey) } }),
  rows: (r, at) => ({
    state: [state('locks', at, { positionId: int8(at.primaryKey), unlockTime: r.unlockTime * 1000 })],
  }),
}

export const referralMarkets: TableProjection<{ marketName: string; marketFee: number }> = {
  contract: 'amm',
  table: 'markets',
  current: (at) => ({ table: 'referral_markets', key: { name: nameToString(at.primaryKey) } }),
  rows: (r, at) => ({ state: [state('referral_markets', at, { name: r.marketName, fee: r.marketFee })] }),
}

export const frozenPools: TableProjection<{ isUnlockLiquidityA: boolean; isUnlockLiquidityB: boolean }> = {
  contract: 'amm',
  // The contract's own spelling.
  table: 'forzenpools',
  current: (at) => ({ table: 'frozen_pools', key: { poolId: int8(at.primaryKey) } }),
  rows: (r, at) => ({
    state: [
      state('frozen_pools', at, {
        poolId: int8(at.primaryKey),
        unlockA: r.isUnlockLiquidityA,
        unlockB: r.isUnlockLiquidityB,
      }),
    ],
  }),
}
