// Converts the checked values of a request for candles to the parameters of a statement.
import { type Resolution, shiftBucket, stepInterval } from '../../../core/candles/resolution.ts'

export interface CandleRange {
  resolution: Resolution
  /** Unix milliseconds; its bucket is the first. */
  from?: number
  /** Unix milliseconds; its bucket is the last, unless the chain ends before it. */
  to?: number
  /** Limit of candles: the newest of the range. */
  limit: number
}

/** Latest time that both JavaScript and PostgreSQL can hold; nothing was traded after it. */
const LATEST = Date.UTC(9999, 11, 31)

/** Parameters $3 to $7 of the statements in sql.ts. */
export function spanParameters({ resolution, from, to, limit }: CandleRange): unknown[] {
  return [resolution, timeParameter(from), timeParameter(to), limit - 1, stepInterval(resolution)]
}

/** Maximum number of buckets in a range. */
export function maxBuckets({ resolution, from, to, limit }: CandleRange): number {
  if (from === undefined || to === undefined) return limit
  const length = shiftBucket(resolution, 0, 1)
  return Math.min(limit, Math.max(0, to - from) / length + 2)
}

function timeParameter(at: number | undefined): string | null {
  return at === undefined ? null : new Date(Math.min(Math.max(at, 0), LATEST)).toISOString()
}
