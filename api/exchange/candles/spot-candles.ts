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
 * @returns null when the chain is not indexed; the candles can be taken once
 */
export async function streamSpotCandles(
  database: Queryable,
  chain: string,
  market: { marketId: number; targetDecimals: number },
  range: CandleRange,
): Promise<{ at: BlockMark; candles: Iterable<SpotCandle> } | null> {
  const values = [chain, market.marketId, ...spanParameters(range)]
  const { rows } = await database.query<SpanRow>({ name: 'spot-candles', text: SPOT_CANDLES, values })
  const row = rows[0]
  if (row === undefined) return null
  const { resolution } = range
  const span = { resolution, first: row.first * 1000, last: row.last * 1000, carry: row.carry }
  return { at: markOf(row), candles: inTokens(fillGaps(readBars(row.bars), span, '0'), market.targetDecimals) }
}

/** The same as a list. */
export async function spotCandles(
  database: Queryable,
  chain: string,
  market: { marketId: number; targetDecimals: number },
  range: CandleRange,
): Promise<{ at: BlockMark; candles: SpotCandle[] } | null> {
  const answer = await streamSpotCandles(database, chain, market, range)
  return answer && { at: answer.at, candles: [...answer.candles] }
}

function* inTokens(bars: Iterable<Bar<string, string>>, targetDecimals: number): Generator<SpotCandle> {
  for (const { time, open, high, low, close, volume } of bars) {
    yield {
      time,
      open: toNumber(open, UNIT_PRICE_DECIMALS),
      high: toNumber(high, UNIT_PRICE_DECIMALS),
      low: toNumber(low, UNIT_PRICE_DECIMALS),
      close: toNumber(close, UNIT_PRICE_DECIMALS),
      volume: toNumber(volume, targetDecimals),
    }
  }
}
