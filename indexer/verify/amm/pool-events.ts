// The ledger's events of pools: streamed pool by pool, each in chain order.
import type { ClientBase } from 'pg'
import QueryStream from 'pg-query-stream'
import { POOL_EVENTS } from '../sql.ts'

type PoolEventType = 'created' | 'swap' | 'mint' | 'burn' | 'collect' | 'transfer' | 'fee set' | 'fee withdrawn'

/** Columns that a type of event does not have are null. */
export interface PoolEvent {
  poolId: bigint
  globalSeq: bigint
  type: PoolEventType
  positionId: bigint
  owner: string
  recipient: string
  tickLower: number
  tickUpper: number
  liquidity: bigint
  /** Raw units. Of a swap: from the pool's side; else always positive. */
  amountA: bigint
  amountB: bigint
  sqrtPriceX64: bigint
  tick: number
  fee: number
  feeProtocol: number
  tickSpacing: number
  toPositionId: bigint
  toLiquidity: bigint
}

const WIDE = [
  'poolId',
  'globalSeq',
  'positionId',
  'liquidity',
  'amountA',
  'amountB',
  'sqrtPriceX64',
  'toPositionId',
  'toLiquidity',
]

export async function* poolEvents(client: ClientBase, chain: string): AsyncGenerator<PoolEvent> {
  for await (const row of client.query(new QueryStream(POOL_EVENTS, [chain], { batchSize: 1000 }))) {
    yield withBigints(row, WIDE) as unknown as PoolEvent
  }
}

/** Converts wide integers, which the driver returns as text. */
export function withBigints(row: Record<string, unknown>, columns: readonly string[]): Record<string, unknown> {
  for (const column of columns) {
    const value = row[column]
    if (typeof value === 'string') row[column] = BigInt(value)
  }
  return row
}
