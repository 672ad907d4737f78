// Positions: adding and removing liquidity, collecting fees, and the value of a position. Pure: each function returns
// the changed rows. Source: the AMM contract; docs/develop/amm.md, "Positions".
import { type Amounts, amountsForLiquidity, liquidityForAmounts } from './liquidity.ts'
import type { Observation } from './observation.ts'
import { I64_LIMIT, Q64, wrappingSub128 } from './q64.ts'
import { AmmRefusal, CAST_OVERFLOW } from './refusal.ts'
import type { SwapPool } from './swap.ts'
import { type FeeGrowth, feeGrowthInside, type TickState, updateTick } from './tick-state.ts'
import { MAX_TICK, MIN_TICK } from './ticks.ts'

/** A row of the contract's table `positions`. */
export interface PositionState {
  id: bigint
  owner: string
  tickLower: number
  tickUpper: number
  liquidity: bigint
  feeGrowthInsideALastX64: bigint
  feeGrowthInsideBLastX64: bigint
  /** Owed fees, raw units. */
  feesA: bigint
  feesB: bigint
}

export interface PositionPool extends SwapPool {
  maxLiquidityPerTick: bigint
}

/** Rows that a change of a position reads and returns. A tick is null when it is not initialised. */
export interface PositionScene {
  pool: PositionPool
  lower: TickState | null
  upper: TickState | null
  position: PositionState
}

/** A position without liquidity. */
export function emptyPosition(id: bigint, owner: string, tickLower: number, tickUpper: number): PositionState {
  return {
    id,
    owner,
    tickLower,
    tickUpper,
    liquidity: 0n,
    feeGrowthInsideALastX64: 0n,
    feeGrowthInsideBLastX64: 0n,
    feesA: 0n,
    feesB: 0n,
  }
}

/** @throws AmmRefusal for a range that the contract does not accept */
function checkRange(tickLower: number, tickUpper: number, tickSpacing: number): void {
  if (tickLower >= tickUpper) throw new AmmRefusal('TickLower must smaller then tickUpper')
  if (tickLower < MIN_TICK) throw new AmmRefusal('InvalidTickLower')
  if (tickUpper > MAX_TICK) throw new AmmRefusal('InvalidTickUpper')
  if (tickLower % tickSpacing !== 0 || tickUpper % tickSpacing !== 0) throw new AmmRefusal('TickMustBeSpaced')
}

/**
 * Adds the maximum liquidity that the desired amounts pay for.
 *
 * @param seen  the accumulator at this moment (observation.ts)
 * @returns liquidity added, amounts charged (rounded up) and the resulting scene
 */
export function mint(
  scene: PositionScene,
  desired: Amounts,
  seen: Observation,
): { liquidity: bigint; amounts: Amounts; scene: PositionScene } {
  const { pool, position } = scene
  const liquidity = liquidityForAmounts(pool.sqrtPriceX64, position, desired)
  checkRange(position.tickLower, position.tickUpper, pool.tickSpacing)
  if (liquidity === 0n) throw new AmmRefusal('Insufficient liquidity')
  const after = changeLiquidity(scene, liquidity, seen)
  return { liquidity, amounts: amountsForLiquidity(pool, position, liquidity, 'up'), scene: after }
}

/**
 * Removes liquidity; 0 only updates the owed fees.
 *
 * @returns amounts paid out (rounded down) and the resulting scene
 */
export function burn(
  scene: PositionScene,
  liquidity: bigint,
  seen: Observation,
): { amounts: Amounts; scene: PositionScene } {
  if (liquidity > scene.position.liquidity) throw new AmmRefusal('Insufficient liquidity')
  const after = changeLiquidity(scene, -liquidity, seen)
  return { amounts: amountsForLiquidity(scene.pool, scene.position, liquidity, 'down'), scene: after }
}

/**
 * Updates the owed fees and pays them.
 *
 * @param max  maximum of each token; 0 means all, independently for each token
 * @returns amounts paid and the resulting position; null when it is empty and therefore removed
 */
export function collect(scene: PositionScene, max: Amounts): { amounts: Amounts; position: PositionState | null } {
  const position = accrue(scene)
  const a = take(position.feesA, max.a)
  const b = take(position.feesB, max.b)
  const left = { ...position, feesA: position.feesA - a, feesB: position.feesB - b }
  const gone = left.liquidity === 0n && left.feesA === 0n && left.feesB === 0n
  return { amounts: { a, b }, position: gone ? null : left }
}

function take(owed: bigint, max: bigint): bigint {
  return max === 0n || max > owed ? owed : max
}

/** Payout of closing the position at the current price, its owed fees, and the fee growth inside its range. */
export function positionValue(scene: PositionScene): { amounts: Amounts; fees: Amounts; inside: FeeGrowth } {
  const { pool, position } = scene
  const { feesA, feesB } = accrue(scene)
  return {
    amounts: amountsForLiquidity(pool, position, position.liquidity, 'down'),
    fees: { a: feesA, b: feesB },
    inside: growthOf(scene),
  }
}

/** The position with its owed fees updated. A position without liquidity earns nothing and is unchanged. */
export function accrue(scene: PositionScene): PositionState {
  const { position } = scene
  return position.liquidity === 0n ? position : withGrowth(position, growthOf(scene))
}

function growthOf({ pool, lower, upper, position }: PositionScene): FeeGrowth {
  return feeGrowthInside(lower ?? absentTick(position.tickLower), upper ?? absentTick(position.tickUpper), pool.tick, {
    a: pool.feeGrowthGlobalAX64,
    b: pool.feeGrowthGlobalBX64,
  })
}

function absentTick(id: number) {
  return { id, feeGrowthOutsideAX64: 0n, feeGrowthOutsideBX64: 0n }
}

function withGrowth(position: PositionState, inside: FeeGrowth): PositionState {
  const { liquidity } = position
  return {
    ...position,
    feeGrowthInsideALastX64: inside.a,
    feeGrowthInsideBLastX64: inside.b,
    feesA: position.feesA + (wrappingSub128(inside.a, position.feeGrowthInsideALastX64) * liquidity) / Q64,
    feesB: position.feesB + (wrappingSub128(inside.b, position.feeGrowthInsideBLastX64) * liquidity) / Q64,
  }
}

/**
 * Adds or removes a known amount of liquidity: `mint` and `burn` without amounts.
 *
 * @param delta  liquidity to add; negative to remove, at most the position's liquidity; 0 only updates the fees
 * @param seen  the accumulator at this moment (observation.ts)
 */
export function changeLiquidity(scene: PositionScene, delta: bigint, seen: Observation): PositionScene {
  if (delta === 0n) return { ...scene, position: accrue(scene) }
  const { pool, position } = scene
  const { tickLower, tickUpper } = position
  const global = { a: pool.feeGrowthGlobalAX64, b: pool.feeGrowthGlobalBX64 }
  const common = { delta, currentTick: pool.tick, maxLiquidityPerTick: pool.maxLiquidityPerTick }
  const lower = updateTick(scene.lower ?? undefined, { id: tickLower, upper: false, ...common }, global, seen)
  const upper = updateTick(scene.upper ?? undefined, { id: tickUpper, upper: true, ...common }, global, seen)
  // A tick that is removed by this change still counts for the fees earned until now.
  const inside = growthOf({ ...scene, lower: lower ?? scene.lower, upper: upper ?? scene.upper })
  const earned = withGrowth(position, inside)
  const inRange = tickLower <= pool.tick && pool.tick < tickUpper
  const liquidity = inRange ? pool.liquidity + delta : pool.liquidity
  if (liquidity >= I64_LIMIT) throw new AmmRefusal(CAST_OVERFLOW)
  return {
    pool: { ...pool, liquidity },
    lower,
    upper,
    position: { ...earned, liquidity: position.liquidity + delta },
  }
}
