// Candles of an order-book market, as the API answers them.
import type { BlockMark } from '../../market/model.ts'
import { markOf, type Queryable } from '../snapshot.ts'
import { type CandleRange, spanParameters } from './span.ts'
import { SPOT_CANDLES } from './sql.ts'
import { type SpanRow, storedBars } from './stored.ts'
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
  const values = [chain, market.marketId, ...spanParameters(range)]
  const { rows } = await database.query<SpanRow>({ name: 'spot-candles', text: SPOT_CANDLES, values })
  const row = rows[0]
  if (row === undefined) return null
  return { at: markOf(row), json: spotCandlesJson(storedBars(row, range.resolution), market.targetDecimals) }
}
