// Candles of an order-book market, as the API answers them.
import type { BlockMark } from '../../market/model.ts'
import { markOf, type Queryable } from '../snapshot.ts'
import { type CandleRange, spanParameters } from './span.ts'
import { SPOT_CANDLES } from './sql.ts'
import { readSpan, type SpanRow, storedBars } from './stored.ts'
import { spotCandlesJson } from './text.ts'

/**
 * Candles of a market as JSON, oldest first, without holes, from its first trade on: prices in target per base, volumes in
 * target.
 *
 * @param targetDecimals  precision of the target token
 * @returns null when the chain is not indexed
 */
export async function spotCandles(
  database: Queryable,
  chain: string,
  market: { marketId: number; targetDecimals: number },
  range: CandleRange,
): Promise<{ at: BlockMark; json: Buffer } | null> {
  const row = await readSpan<SpanRow>(database, range, (part) => {
    return {
      name: 'spot-candles',
      text: SPOT_CANDLES,
      values: [chain, market.marketId, ...spanParameters(range), ...part],
    }
  })
  return row && { at: markOf(row), json: spotCandlesJson(storedBars(row, range.resolution), market.targetDecimals) }
}
