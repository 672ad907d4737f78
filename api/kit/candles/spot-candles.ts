// Candles of an order-book market in the format of the API.
import type { BlockMark } from '../../live-market/model.ts'
import type { Queryable } from '../snapshot.ts'
import { readCandles } from './read.ts'
import { type CandleRange, spanParameters } from './span.ts'
import { SPOT_CANDLES } from './sql.ts'
import type { SpanRow } from './stored.ts'
import { spotCandlesJson } from './text.ts'

/**
 * Candles of a market as JSON, oldest first, without gaps, from its first trade on. Prices are target per base, volumes
 * in target.
 *
 * @param targetDecimals  decimals of the target token
 * @returns null when the chain is not indexed
 */
export async function spotCandles(
  database: Queryable,
  chain: string,
  { marketId, targetDecimals }: { marketId: number; targetDecimals: number },
  range: CandleRange,
): Promise<{ at: BlockMark; json: Buffer } | null> {
  return readCandles<SpanRow>(database, range, {
    statement(part) {
      const values = [chain, marketId, ...spanParameters(range), ...part]
      return { name: 'spot-candles', text: SPOT_CANDLES, values }
    },
    begin: (row) => row,
    json: (_row, source, bars) => spotCandlesJson(source, bars, targetDecimals),
  })
}
