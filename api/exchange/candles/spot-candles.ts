// Candles of an order-book market, as the API answers them.
import type { BlockMark } from '../../market/model.ts'
import { toNumber, UNIT_PRICE_DECIMALS } from '../numbers.ts'
import { markOf, type Queryable } from '../snapshot.ts'
import { type Bar, fillGaps } from './fill.ts'
import { type CandleRange, spanParameters } from './span.ts'
import { SPOT_CANDLES } from './sql.ts'
import { readBars, type SpanRow } from './stored.ts'

/** Prices in target per base, volume in target. */
export type SpotCandle = Bar<number, number>

/**
 * Candles of a market, oldest first, without holes, from its first trade on.
 *
 * @param targetDecimals  precision of the target token
 * @returns null when the chain is not indexed
 */
export async function spotCandles(
  database: Queryable,
  chain: string,
  market: { marketId: number; targetDecimals: number },
  range: CandleRange,
): Promise<{ at: BlockMark; candles: SpotCandle[] } | null> {
  const values = [chain, market.marketId, ...spanParameters(range)]
  const { rows } = await database.query<SpanRow>({ name: 'spot-candles', text: SPOT_CANDLES, values })
  const row = rows[0]
  if (row === undefined) return null
  const { resolution } = range
  const span = { resolution, first: row.first * 1000, last: row.last * 1000, carry: row.carry }
  const candles = fillGaps(readBars(row.bars), span, '0').map(({ time, open, high, low, close, volume }) => ({
    time,
    open: toNumber(open, UNIT_PRICE_DECIMALS),
    high: toNumber(high, UNIT_PRICE_DECIMALS),
    low: toNumber(low, UNIT_PRICE_DECIMALS),
    close: toNumber(close, UNIT_PRICE_DECIMALS),
    volume: toNumber(volume, market.targetDecimals),
  }))
  return { at: markOf(row), candles }
}
