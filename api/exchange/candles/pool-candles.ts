// Candles of a pool, as the API answers them.
import type { BlockMark } from '../../market/model.ts'
import { toNumber } from '../numbers.ts'
import { markOf, type Queryable } from '../snapshot.ts'
import { type Bar, fillGaps } from './fill.ts'
import { priceFormatter } from './price-text.ts'
import { bucketStart } from './resolution.ts'
import { type CandleRange, spanParameters } from './span.ts'
import { POOL_CANDLES } from './sql.ts'
import { readBars, type SpanRow } from './stored.ts'

export const VOLUME_FIELDS = ['volumeUSD', 'volumeA', 'volumeB'] as const

export type VolumeField = (typeof VOLUME_FIELDS)[number]

export interface PoolCandleRequest extends CandleRange {
  /** True: prices of B in A. */
  reverse: boolean
  volumeField: VolumeField
}

/** Prices with 16 significant digits. */
export type PoolCandle = Bar<string, number>

interface Row extends SpanRow {
  decimalsA: number | null
  decimalsB: number | null
  /** Unix seconds; null when the history that is indexed begins later. */
  created: number | null
  createdPrice: string | null
}

/**
 * Candles of a pool, oldest first, without holes; before its first swap the price at its creation holds.
 *
 * Takes as long for any length of history: it reads the buckets of the range and one price before them.
 *
 * @returns null for a pool that there never was
 */
export async function poolCandles(
  database: Queryable,
  chain: string,
  poolId: bigint | number,
  request: PoolCandleRequest,
): Promise<{ at: BlockMark; candles: PoolCandle[] } | null> {
  const values = [chain, `${poolId}`, ...spanParameters(request), request.volumeField]
  const { rows } = await database.query<Row>({ name: 'pool-candles', text: POOL_CANDLES, values })
  const row = rows[0]
  if (row === undefined || row.decimalsA === null || row.decimalsB === null) return null
  const { decimalsA, decimalsB } = row
  const filled = fillGaps(readBars(row.bars), { resolution: request.resolution, ...start(row, request) }, '0')
  const price = priceFormatter(decimalsA, decimalsB, request.reverse)
  const decimals = { volumeA: decimalsA, volumeB: decimalsB, volumeUSD: 0 }[request.volumeField]
  const candles = filled.map(({ time, open, high, low, close, volume }) => ({
    time,
    open: price(open),
    high: price(request.reverse ? low : high),
    low: price(request.reverse ? high : low),
    close: price(close),
    volume: toNumber(volume, decimals),
  }))
  return { at: markOf(row), candles }
}

/** Where the candles begin, and at which price. */
function start(row: Row, { resolution }: CandleRange): { first: number; last: number; carry: string | null } {
  const [first, last] = [row.first * 1000, row.last * 1000]
  if (row.carry !== null || row.created === null) return { first, last, carry: row.carry }
  return { first: Math.max(first, bucketStart(resolution, row.created * 1000)), last, carry: row.createdPrice }
}
