// The row of an initialised tick: liquidity that refers to it, and growth on its outer side.
// Source: the AMM contract; docs/develop/amm.md, "Ticks and fee growth".
import type { Observation } from './observation.ts'
import { I64_LIMIT, wrappingSub128 } from './q64.ts'
import { AmmRefusal, CAST_OVERFLOW } from './refusal.ts'

/** A row of the contract's table `ticks`. */
export interface TickState {
  id: number
  liquidityGross: bigint
  /** Liquidity added when the price rises over the tick. */
  liquidityNet: bigint
  feeGrowthOutsideAX64: bigint
  feeGrowthOutsideBX64: bigint
  tickCumulativeOutside: bigint
  secondsPerLiquidityOutsideX64: bigint
  secondsOutside: number
  initialized: boolean
}

/** Global fee growth of both tokens, modulo 2^128. */
export interface FeeGrowth {
  a: bigint
  b: bigint
}

/** The tick after the price has crossed it: its outside is now the other side. */
export function crossTick(tick: TickState, global: FeeGrowth, seen: Observation): TickState {
  return {
    ...tick,
    feeGrowthOutsideAX64: wrappingSub128(global.a, tick.feeGrowthOutsideAX64),
    feeGrowthOutsideBX64: wrappingSub128(global.b, tick.feeGrowthOutsideBX64),
    tickCumulativeOutside: seen.tickCumulative - tick.tickCumulativeOutside,
    secondsPerLiquidityOutsideX64: wrappingSub128(
      seen.secondsPerLiquidityCumulativeX64,
      tick.secondsPerLiquidityOutsideX64,
    ),
    secondsOutside: (seen.timestampInSec - tick.secondsOutside) >>> 0,
  }
}

export interface TickUpdate {
  id: number
  /** Liquidity that a position adds, or removes when negative; not 0. */
  delta: bigint
  /** Whether the tick is the upper end of the position's range. */
  upper: boolean
  currentTick: number
  maxLiquidityPerTick: bigint
}

/**
 * The tick after a change of a position that ends at it; null when no position ends at it.
 *
 * @throws AmmRefusal `ExceedMaxLiquidityPerTick`
 */
export function updateTick(
  before: TickState | undefined,
  update: TickUpdate,
  global: FeeGrowth,
  seen: Observation,
): TickState | null {
  const { id, delta, upper, currentTick, maxLiquidityPerTick } = update
  const tick = before ?? newTick(id, currentTick, global, seen)
  const liquidityGross = tick.liquidityGross + delta
  if (delta > 0n && liquidityGross > maxLiquidityPerTick) throw new AmmRefusal('ExceedMaxLiquidityPerTick')
  if (liquidityGross === 0n) return null
  const liquidityNet = upper ? tick.liquidityNet - delta : tick.liquidityNet + delta
  if (liquidityNet >= I64_LIMIT || liquidityNet < -I64_LIMIT) throw new AmmRefusal(CAST_OVERFLOW)
  return { ...tick, liquidityGross, liquidityNet }
}

/** Growth up to now counts as below a tick at or below the current tick, by convention of the contract. */
function newTick(id: number, currentTick: number, global: FeeGrowth, seen: Observation): TickState {
  const below = id <= currentTick
  return {
    id,
    liquidityGross: 0n,
    liquidityNet: 0n,
    feeGrowthOutsideAX64: below ? global.a : 0n,
    feeGrowthOutsideBX64: below ? global.b : 0n,
    tickCumulativeOutside: below ? seen.tickCumulative : 0n,
    secondsPerLiquidityOutsideX64: below ? seen.secondsPerLiquidityCumulativeX64 : 0n,
    secondsOutside: below ? seen.timestampInSec : 0,
    initialized: true,
  }
}

/** Fields of a range's end tick that fee calculation needs. */
export type TickGrowth = Pick<TickState, 'feeGrowthOutsideAX64' | 'feeGrowthOutsideBX64'> & { id: number }

/** Fee growth between two ticks since the beginning, modulo 2^128. */
export function feeGrowthInside(
  lower: TickGrowth,
  upper: TickGrowth,
  currentTick: number,
  global: FeeGrowth,
): FeeGrowth {
  const { a, b } = unwrappedGrowth(lower, upper, currentTick, global)
  return { a: BigInt.asUintN(128, a), b: BigInt.asUintN(128, b) }
}

/**
 * Whether the fee growth between two ticks, without wrapping, is less than a position last recorded. This happens when
 * all of a position's liquidity was removed: its ticks were deleted, and get other start values when they are
 * initialised again.
 *
 * @param last  growth that the position last recorded; zeros for a new position
 */
export function hasGrowthFallen(
  lower: TickGrowth,
  upper: TickGrowth,
  currentTick: number,
  global: FeeGrowth,
  last: FeeGrowth,
): boolean {
  const { a, b } = unwrappedGrowth(lower, upper, currentTick, global)
  return a < last.a || b < last.b
}

function unwrappedGrowth(lower: TickGrowth, upper: TickGrowth, currentTick: number, global: FeeGrowth): FeeGrowth {
  return {
    a: inside(lower.id, upper.id, currentTick, global.a, lower.feeGrowthOutsideAX64, upper.feeGrowthOutsideAX64),
    b: inside(lower.id, upper.id, currentTick, global.b, lower.feeGrowthOutsideBX64, upper.feeGrowthOutsideBX64),
  }
}

function inside(
  lower: number,
  upper: number,
  tick: number,
  global: bigint,
  outLower: bigint,
  outUpper: bigint,
): bigint {
  const below = tick >= lower ? outLower : global - outLower
  const above = tick < upper ? outUpper : global - outUpper
  return global - below - above
}
