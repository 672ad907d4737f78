// Candles of a pool in the format of the API.

import { bucketStart } from '../../../core/candles/resolution.ts'
import type { BlockMark } from '../../live-market/model.ts'
import type { Queryable } from '../snapshot.ts'
import { readCandles } from './read.ts'
import { type CandleRange, spanParameters } from './span.ts'
import { POOL_CANDLES } from './sql.ts'
import type { SpanRow } from './stored.ts'
import { poolCandlesJson } from './text.ts'

export const VOLUME_FIELDS = ['volumeUSD', 'volumeA', 'volumeB'] as const

export type VolumeField = (typeof VOLUME_FIELDS)[number]

export interface PoolCandleRequest extends CandleRange {
  /** True: prices of B in A. */
  reverse: boolean
  volumeField: VolumeField
}

interface Row extends SpanRow {
  decimalsA: number | null
  decimalsB: number | null
  /** Unix seconds; null when the pool is older than the indexed history. */
  created: number | null
  createdPrice: string | null
}

/**
 * Candles of a pool as JSON, oldest first, without gaps; before the first swap at the price of its creation.
 *
 * The time does not depend on the length of the history: it reads the buckets of the range and one price before them.
 *
 * @returns null for a pool that never existed
 */
export async function poolCandles(
  database: Queryable,
  chain: string,
  poolId: bigint | number,
  request: PoolCandleRequest,
): Promise<{ at: BlockMark; json: Buffer } | null> {
  const { reverse, volumeField } = request
  return readCandles<Row>(database, request, {
    statement(part) {
      const values = [chain, `${poolId}`, ...spanParameters(request), ...part, volumeField]
      return { name: 'pool-candles', text: POOL_CANDLES, values }
    },
    begin: (row) => (row.decimalsA === null ? null : { ...row, ...start(row, request) }),
    json(row, source, bars) {
      // Both are null, or neither.
      const [decimalsA, decimalsB] = [row.decimalsA as number, row.decimalsB as number]
      const volumeDecimals = { volumeA: decimalsA, volumeB: decimalsB, volumeUSD: 0 }[volumeField]
      return poolCandlesJson(source, bars, { decimalsA, decimalsB, reverse, volumeDecimals })
    },
  })
}

/** Start of the candles, Unix seconds, and the price there. */
function start(row: Row, { resolution }: CandleRange): { first: number; carry: string | null } {
  if (row.carry !== null || row.created === null) return row
  const created = bucketStart(resolution, row.created * 1000) / 1000
  return { first: Math.max(row.first, created), carry: row.createdPrice }
}
