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
 * @returns null for a pool that there never was; the candles can be taken once
 */
export async function streamPoolCandles(
  database: Queryable,
  chain: string,
  poolId: bigint | number,
  request: PoolCandleRequest,
): Promise<{ at: BlockMark; candles: Iterable<PoolCandle> } | null> {
  const values = [chain, `${poolId}`, ...spanParameters(request), request.volumeField]
  const { rows } = await database.query<Row>({ name: 'pool-candles', text: POOL_CANDLES, values })
  const row = rows[0]
  if (row === undefined || row.decimalsA === null || row.decimalsB === null) return null
  const filled = fillGaps(readBars(row.bars), { resolution: request.resolution, ...start(row, request) }, '0')
  const candles = inTokens(filled, { a: row.decimalsA, b: row.decimalsB }, request)
  return { at: markOf(row), candles }
}

/** The same as a list. */
export async function poolCandles(
  database: Queryable,
  chain: string,
  poolId: bigint | number,
  request: PoolCandleRequest,
): Promise<{ at: BlockMark; candles: PoolCandle[] } | null> {
  const answer = await streamPoolCandles(database, chain, poolId, request)
  return answer && { at: answer.at, candles: [...answer.candles] }
}

function* inTokens(
  bars: Iterable<Bar<string, string>>,
  decimals: { a: number; b: number },
  { reverse, volumeField }: PoolCandleRequest,
): Generator<PoolCandle> {
  const price = priceFormatter(decimals.a, decimals.b, reverse)
  const volumeDecimals = { volumeA: decimals.a, volumeB: decimals.b, volumeUSD: 0 }[volumeField]
  for (const { time, open, high, low, close, volume } of bars) {
    yield {
      time,
      open: price(open),
      high: price(reverse ? low : high),
      low: price(reverse ? high : low),
      close: price(close),
      volume: toNumber(volume, volumeDecimals),
    }
  }
}

/** Where the candles begin, and at which price. */
function start(row: Row, { resolution }: CandleRange): { first: number; last: number; carry: string | null } {
  const [first, last] = [row.first * 1000, row.last * 1000]
  if (row.carry !== null || row.created === null) return { first, last, carry: row.carry }
  return { first: Math.max(first, bucketStart(resolution, row.created * 1000)), last, carry: row.createdPrice }
}
