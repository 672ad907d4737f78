// A pool, its ticks and its positions from state.*.
import type { ClientBase } from 'pg'
import type { PositionState } from '../../../core/amm/position.ts'
import type { TickState } from '../../../core/amm/tick-state.ts'
import { POOL, POSITIONS, TICKS } from '../sql.ts'
import { withBigints } from './pool-events.ts'

interface StoredPool {
  reserveA: bigint
  reserveB: bigint
  fee: number
  feeProtocol: number
  tickSpacing: number
  sqrtPriceX64: bigint
  tick: number
  liquidity: bigint
  feeGrowthGlobalAX64: bigint
  feeGrowthGlobalBX64: bigint
  protocolFeeA: bigint
  protocolFeeB: bigint
}

export type StoredTick = Pick<
  TickState,
  'id' | 'liquidityGross' | 'liquidityNet' | 'feeGrowthOutsideAX64' | 'feeGrowthOutsideBX64'
>

export interface StoredPoolState {
  pool: StoredPool
  ticks: Map<number, StoredTick>
  positions: Map<bigint, PositionState>
}

const POOL_WIDE = [
  ...['reserveA', 'reserveB', 'sqrtPriceX64', 'liquidity', 'protocolFeeA', 'protocolFeeB'],
  ...['feeGrowthGlobalAX64', 'feeGrowthGlobalBX64'],
]
const TICK_WIDE = ['liquidityGross', 'liquidityNet', 'feeGrowthOutsideAX64', 'feeGrowthOutsideBX64']
const POSITION_WIDE = ['id', 'liquidity', 'feeGrowthInsideALastX64', 'feeGrowthInsideBLastX64', 'feesA', 'feesB']

/** @returns null when the contract has no such pool, or removed it */
export async function readStoredPool(
  client: ClientBase,
  chain: string,
  poolId: bigint,
): Promise<StoredPoolState | null> {
  const values = [chain, poolId]
  const pool = (await client.query(POOL, values)).rows[0]
  if (!pool) return null
  const ticks = (await client.query(TICKS, values)).rows.map(
    (row) => withBigints(row, TICK_WIDE) as unknown as StoredTick,
  )
  const positions = (await client.query(POSITIONS, values)).rows.map(
    (row) => withBigints(row, POSITION_WIDE) as unknown as PositionState,
  )
  return {
    pool: withBigints(pool, POOL_WIDE) as unknown as StoredPool,
    ticks: new Map(ticks.map((tick) => [tick.id, tick])),
    positions: new Map(positions.map((position) => [position.id, position])),
  }
}
