// Charts of the whole exchange: every bucket of a window, including buckets without trades. Pure.
import { type Bucket, bucketOf, DAY, HOUR, type HourRange, hourOf, WEEK } from './hours.ts'

export const RESOLUTIONS = { '1h': HOUR, '4h': 4 * HOUR, '1d': DAY, '1w': WEEK } as const
export type Resolution = keyof typeof RESOLUTIONS

export const WINDOWS = { '24h': DAY, '7d': WEEK, '30d': 30 * DAY, '90d': 90 * DAY, all: null } as const
export type WindowName = keyof typeof WINDOWS

/** Limit of points in an answer: 30 weeks of hours, 13 years of days. */
export const MAX_POINTS = 5000

export interface ChartPoint {
  /** Start, ISO 8601. */
  t: string
  tvl: number
  volume: number
  fees: number
  swapVolume: number
  spotVolume: number
  swapFees: number
  spotFees: number
  /** Trades of unknown USD value; they are not in volumes and fees. */
  withoutUsd: number
}

export const SERIES = ['tvl', 'volume', 'fees', 'swapVolume', 'spotVolume', 'swapFees', 'spotFees'] as const

/**
 * Start of a window's first bucket. The bucket is whole, so the chart may be a little longer than the window.
 *
 * @param now    Unix milliseconds of chain time
 * @param since  start of the indexed history, for the window `all`
 */
export function firstBucket(window: WindowName, length: number, now: number, since: number): number {
  const span = WINDOWS[window]
  return bucketOf(span === null ? since : now - span, length)
}

/**
 * The ended hours of a window: the last 24 hours, 168 hours and so on, without the hour in progress.
 *
 * @param now    Unix milliseconds of chain time
 * @param since  start of the indexed history, for the window `all`
 */
export function hoursOf(window: WindowName, now: number, since: number): HourRange {
  const before = hourOf(now)
  const span = WINDOWS[window]
  return { from: span === null ? hourOf(since) : before - span, before }
}

/** Number of buckets from the first one to the one in progress, inclusive. */
export function countBuckets(first: number, length: number, now: number): number {
  return Math.floor((bucketOf(now, length) - first) / length) + 1
}

/**
 * All buckets, oldest first. A bucket without a known TVL has that of the bucket before it. Without trades, everything
 * else is 0.
 *
 * @param found   buckets with data, in any order
 * @param before  TVL before the first bucket, USD; null if unknown, which gives 0
 * @param length  duration of a bucket, milliseconds
 */
export function chartPoints(
  found: readonly Bucket[],
  before: number | null,
  first: number,
  length: number,
  now: number,
): ChartPoint[] {
  const byStart = new Map(found.map((bucket) => [bucket.t, bucket]))
  let tvl = before ?? 0
  const points: ChartPoint[] = []
  for (let t = first; t <= now; t += length) {
    const bucket = byStart.get(t)
    tvl = bucket?.locked ?? tvl
    points.push({
      t: new Date(t).toISOString(),
      tvl,
      volume: bucket?.volume ?? 0,
      fees: bucket?.fees ?? 0,
      swapVolume: bucket?.swapVolume ?? 0,
      spotVolume: bucket?.spotVolume ?? 0,
      swapFees: bucket?.swapFees ?? 0,
      spotFees: bucket?.spotFees ?? 0,
      withoutUsd: bucket === undefined ? 0 : bucket.swapsWithoutUsd + bucket.dealsWithoutUsd,
    })
  }
  return points
}
