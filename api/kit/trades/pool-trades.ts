// Trades of the AMM pools of one ticker, merged.
import { priceOfA, ratioToNumber } from '../../../core/amm/price.ts'
import { toNumber } from '../numbers.ts'
import type { Page, Queryable } from '../snapshot.ts'
import { type TradeRange, timeParameters } from '../trade-range.ts'
import { NEWEST_SWAPS, POOL_TRADES } from './sql.ts'
import { readTrades, type Trade } from './trade.ts'

/** Token A is the base, token B the target. */
export interface PoolTrade extends Trade {
  poolId: string
}

interface Row {
  poolId: string
  id: string
  /** Unix seconds. */
  time: number
  amountA: string
  amountB: string
  decimalsA: number
  decimalsB: number
  sqrtPriceX64: string
  trxId: string
}

/** @returns trades of all the pools, newest first; null when the chain is not indexed */
export function poolTrades(
  database: Queryable,
  chain: string,
  poolIds: readonly number[],
  range: TradeRange,
): Promise<Page<PoolTrade> | null> {
  const values = [chain, poolIds, range.type ?? null, ...timeParameters(range), range.limit]
  return readTrades(database, { name: 'pool-trades', text: POOL_TRADES, values }, poolTrade)
}

/**
 * The newest trades of each of several pools.
 *
 * @param limits  maximum number of trades of each pool, in the order of `poolIds`
 * @returns newest first; null when the chain is not indexed
 */
export function newestPoolTrades(
  database: Queryable,
  chain: string,
  poolIds: readonly number[],
  limits: readonly number[],
): Promise<Page<PoolTrade> | null> {
  const statement = { name: 'newest-pool-trades', text: NEWEST_SWAPS, values: [chain, poolIds, limits] }
  return readTrades(database, statement, poolTrade)
}

function poolTrade(row: Row): PoolTrade {
  const baseVolume = Math.abs(toNumber(row.amountA, row.decimalsA))
  const targetVolume = Math.abs(toNumber(row.amountB, row.decimalsB))
  return {
    id: row.id,
    poolId: row.poolId,
    side: row.amountA.startsWith('-') || row.amountA === '0' ? 'buy' : 'sell',
    price: executionPrice(row, baseVolume, targetVolume),
    baseVolume,
    targetVolume,
    time: row.time * 1000,
    trxId: row.trxId,
  }
}

/** Price of a trade, target per base. If one amount rounds to 0: the pool's price after the trade. */
function executionPrice(row: Row, base: number, target: number): number {
  if (base > 0 && target > 0) return target / base
  return ratioToNumber(priceOfA(BigInt(row.sqrtPriceX64), row.decimalsA, row.decimalsB))
}
