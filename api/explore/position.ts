// Positions as the explorer shows them: tokens, fees and values at the market's block.
import { priceOfA } from '../../core/amm/price.ts'
import { sqrtPriceAtTick } from '../../core/amm/ticks.ts'
import { significant } from '../kit/digits.ts'
import { decimalText } from '../kit/numbers.ts'
import { liveValue, positionColumns, type StoredPosition } from '../kit/position-value.ts'
import { tokenObject } from '../kit/token-object.ts'
import { rawValue } from '../kit/values.ts'
import type { LivePool, MarketState } from '../live-market/model.ts'
import { both, valueMembers } from './values.ts'

export interface PositionRow extends StoredPosition {
  pool: number
  isFinal: boolean
  /** Unix seconds until which it is locked; null without a lock. */
  unlockTime: number | null
}

/** Selects positions `p` of chain $1, `at` being the chain's position. */
export const POSITION_COLUMNS = `${positionColumns('p')}, p.pool_id::float8 as pool,
  not exists (select from undo.positions e where e.chain = $1 and e.pool_id = p.pool_id and e.position_id = p.position_id
    and e.undo_block > at.lib_num) as "isFinal",
  (select date_part('epoch', l.unlock_time) from state.locks l where l.chain = $1 and l.position_id = p.position_id) as "unlockTime"`

/** A position with its exact value. */
export interface Valued {
  row: PositionRow
  pool: LivePool
  amounts: { a: bigint; b: bigint }
  fees: { a: bigint; b: bigint }
  /** As `rawValue`; null unless both tokens have a price. Fees included. */
  value: bigint | null
  feesValue: bigint | null
}

/** @returns null when the pool is not in the market */
export function valued({ pools, prices }: MarketState, row: PositionRow): Valued | null {
  const pool = pools.get(row.pool)
  if (pool === undefined) return null
  const { amounts, fees } = liveValue(pool, row)
  const worth = (a: bigint, b: bigint) => both(rawValue(prices, pool.a.id, a), rawValue(prices, pool.b.id, b))
  return {
    row,
    pool,
    amounts,
    fees,
    value: worth(amounts.a + fees.a, amounts.b + fees.b),
    feesValue: worth(fees.a, fees.b),
  }
}

export function positionJson({ prices, at }: MarketState, { row, pool, amounts, fees, value, feesValue }: Valued) {
  const { a, b } = pool
  const priceAt = (tick: number) => significant(priceOfA(sqrtPriceAtTick(tick), a.decimals, b.decimals))
  const feesWorth = valueMembers(feesValue, prices)
  return {
    id: row.id,
    pool: row.pool,
    owner: row.owner,
    tokenA: tokenObject(a),
    tokenB: tokenObject(b),
    tickLower: row.tickLower,
    tickUpper: row.tickUpper,
    priceLower: priceAt(row.tickLower),
    priceUpper: priceAt(row.tickUpper),
    inRange: row.tickLower <= pool.tick && pool.tick < row.tickUpper,
    liquidity: row.liquidity,
    amountA: decimalText(amounts.a, a.decimals),
    amountB: decimalText(amounts.b, b.decimals),
    feesA: decimalText(fees.a, a.decimals),
    feesB: decimalText(fees.b, b.decimals),
    ...valueMembers(value, prices),
    feesValue: feesWorth.value,
    feesValueUsd: feesWorth.valueUsd,
    lockedUntil: row.unlockTime === null ? null : new Date(row.unlockTime * 1000).toISOString(),
    locked: row.unlockTime !== null && row.unlockTime * 1000 > at.time,
    final: row.isFinal,
  }
}
