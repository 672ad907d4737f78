// Tokens and fees of a position up to the market's block, by the contract's arithmetic.
import { type PositionState, positionValue } from '../../core/amm/position.ts'
import type { TickState } from '../../core/amm/tick-state.ts'
import type { LivePool, LiveTick } from '../live-market/model.ts'

/** A row of `state.positions` as the database returns it: wide numbers as text. */
export interface StoredPosition {
  id: string
  owner: string
  tickLower: number
  tickUpper: number
  liquidity: string
  feeGrowthInsideALastX64: string
  feeGrowthInsideBLastX64: string
  feesA: string
  feesB: string
}

/** Columns of `StoredPosition`; `row` is the table's name in the statement. */
export const positionColumns = (row: string) => `${row}.position_id::text as id, ${row}.owner,
  ${row}.tick_lower as "tickLower", ${row}.tick_upper as "tickUpper", ${row}.liquidity::text as liquidity,
  ${row}.fee_growth_inside_a_last_x64::text as "feeGrowthInsideALastX64",
  ${row}.fee_growth_inside_b_last_x64::text as "feeGrowthInsideBLastX64", ${row}.fees_a::text as "feesA", ${row}.fees_b::text as "feesB"`

/**
 * @param pool  the position's pool, as of the block of the row
 * @returns payout of closing the position at the current price, and its owed fees: raw units
 */
export function liveValue(
  pool: LivePool,
  row: StoredPosition,
): Pick<ReturnType<typeof positionValue>, 'amounts' | 'fees'> {
  const position: PositionState = {
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
  return positionValue({ pool, lower, upper, position })
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
