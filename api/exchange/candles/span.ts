// Which candles a request asks for: checked values in, parameters of a statement out.
import { type Resolution, shiftBucket, stepInterval } from './resolution.ts'

export interface CandleRange {
  resolution: Resolution
  /** Unix milliseconds; the bucket that holds it is the first. */
  from?: number
  /** Unix milliseconds; the bucket that holds it is the last, if the chain has come that far. */
  to?: number
  /** Most candles: the newest of the range. */
  limit: number
}

/** Times that both JavaScript and PostgreSQL can hold; nothing was traded outside. */
const LATEST = Date.UTC(9999, 11, 31)

/** Parameters $3 to $7 of the statements in sql.ts. */
export function spanParameters({ resolution, from, to, limit }: CandleRange): unknown[] {
  return [resolution, timeParameter(from), timeParameter(to), limit - 1, stepInterval(resolution)]
}

/** How many buckets a range has at most. */
export function mostBuckets({ resolution, from, to, limit }: CandleRange): number {
  if (from === undefined || to === undefined) return limit
  const length = shiftBucket(resolution, 0, 1)
  return Math.min(limit, Math.max(0, to - from) / length + 2)
}

function timeParameter(at: number | undefined): string | null {
  return at === undefined ? null : new Date(Math.min(Math.max(at, 0), LATEST)).toISOString()
}
