// Charts as JSON. A point is settled when all of its hours have been counted: it no longer changes, and its JSON is
// cached. Only the last points are computed again.
import type { MarketState } from '../live-market/model.ts'
import { Json } from './answer.ts'
import { type ChartPoint, chartPoints, firstBucket, SERIES, type WindowName } from './chart.ts'
import type { HourHistory } from './hour-history.ts'
import { bucketOf } from './hours.ts'

type Series = (typeof SERIES)[number]

/** Points of a chart as JSON, separated by commas. */
type Texts = Record<Series | 'items', string>
type Bytes = Record<Series | 'items', Buffer>

const NAMES = [...SERIES, 'items'] as const
const NOTHING = Object.fromEntries(NAMES.map((name) => [name, Buffer.alloc(0)])) as Bytes

/** The settled points of a chart. */
export interface SettledPoints {
  /** Start of the first point, and end of the last. */
  from: number
  until: number
  /** TVL at the end of the last point, USD. */
  tvl: number
  bytes: Bytes
}

/**
 * The chart of a window, including the point in progress.
 *
 * @param length  duration of a point, milliseconds
 * @returns the series as members of one object, and the same points with all of their members
 */
export function chartJson(
  history: HourHistory,
  { at, since }: MarketState,
  window: WindowName,
  length: number,
): { series: Record<Series, Json>; items: Json } {
  const from = firstBucket(window, length, at.time, since)
  const { until, tvl, bytes } = settledOf(history, window, from, length)
  const texts = textsOf(pointsOf(history, tvl, until, length, at.time))
  const json = (name: Series | 'items') =>
    new Json('[', bytes[name], `${comma(bytes[name], texts[name])}${texts[name]}]`)
  const series = Object.fromEntries(SERIES.map((name) => [name, json(name)])) as Record<Series, Json>
  return { series, items: json('items') }
}

function settledOf(history: HourHistory, window: WindowName, from: number, length: number): SettledPoints {
  const key = `${window} ${length}`
  const before = history.settled.get(key)
  const known =
    before?.from === from ? before : { from, until: from, tvl: history.lockedBefore(from) ?? 0, bytes: NOTHING }
  // The point at which counting has arrived is not complete.
  const until = Math.max(known.until, bucketOf(history.countedUntil, length))
  if (until > known.until) {
    const points = pointsOf(history, known.tvl, known.until, length, until - 1)
    known.bytes = extended(known.bytes, textsOf(points))
    known.tvl = points.at(-1)?.tvl ?? known.tvl
    known.until = until
  }
  history.settled.set(key, known)
  return known
}

function pointsOf(history: HourHistory, tvl: number, from: number, length: number, last: number): ChartPoint[] {
  const buckets = history.buckets({ from, before: last + 1 }, length, false)
  return chartPoints(buckets, tvl, from, length, last)
}

function textsOf(points: readonly ChartPoint[]): Texts {
  const series = SERIES.map((name) => [name, points.map((point) => `{"t":"${point.t}","v":${point[name]}}`).join(',')])
  return { ...(Object.fromEntries(series) as Texts), items: points.map((point) => JSON.stringify(point)).join(',') }
}

function extended(bytes: Bytes, texts: Texts): Bytes {
  const join = (name: Series | 'items') =>
    Buffer.concat([bytes[name], Buffer.from(`${comma(bytes[name], texts[name])}${texts[name]}`)])
  return Object.fromEntries(NAMES.map((name) => [name, join(name)])) as Bytes
}

function comma(before: Buffer, after: string): string {
  return before.length === 0 || after === '' ? '' : ','
}
