// Positions: adding and removing liquidity, collecting fees, and what a position is worth. Pure: each function
// returns the rows as they are afterwards. Source: the AMM contract; docs/develop/amm.md, "Positions".
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
  /** Fees that are owed, raw units. */
  feesA: bigint
  feesB: bigint
}

export interface PositionPool extends SwapPool {
  maxLiquidityPerTick: bigint
}

/** What a change of a position reads, and what it leaves: a tick is null when it is not (or no more) initialised. */
export interface PositionScene {
  pool: PositionPool
  lower: TickState | null
  upper: TickState | null
  position: PositionState
}

/** A position that nobody has put liquidity into yet. */
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
export function checkRange(tickLower: number, tickUpper: number, tickSpacing: number): void {
  if (tickLower >= tickUpper) throw new AmmRefusal('TickLower must smaller then tickUpper')
  if (tickLower < MIN_TICK) throw new AmmRefusal('InvalidTickLower')
  if (tickUpper > MAX_TICK) throw new AmmRefusal('InvalidTickUpper')
  if (tickLower % tickSpacing !== 0 || tickUpper % tickSpacing !== 0) throw new AmmRefusal('TickMustBeSpaced')
}

/**
 * Adds as much liquidity as the desired amounts pay for.
 *
 * @param seen  the accumulator at this moment (observation.ts)
 * @returns liquidity added, amounts charged (rounded up) and the scene afterwards
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
 * Removes liquidity; 0 only brings the owed fees up to date.
 *
 * @returns amounts paid out (rounded down) and the scene afterwards
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
 * Pays owed fees, after bringing them up to date.
 *
 * @param max  most of each token; 0 means all, for each token on its own
 * @returns amounts paid and the position afterwards, null when nothing is left of it
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

/** What closing the position at the current price would pay, the fees that it is owed, and its growth inside. */
export function positionValue(scene: PositionScene): { amounts: Amounts; fees: Amounts; inside: FeeGrowth } {
  const { pool, position } = scene
  const { feesA, feesB } = accrue(scene)
  return {
    amounts: amountsForLiquidity(pool, position, position.liquidity, 'down'),
    fees: { a: feesA, b: feesB },
    inside: growthOf(scene),
  }
}

/** The position with its owed fees up to date. One without liquidity earns nothing and stays as it is. */
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
 * Adds liquidity to a position, or takes it off, when the amount is already known: `mint` and `burn` without prices.
 *
 * @param delta  liquidity added; negative is removed, at most what the position has; 0 brings the fees up to date
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
  // A tick that is about to go still counts for the fees earned up to now.
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
