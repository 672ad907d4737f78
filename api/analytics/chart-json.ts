// Charts as JSON. Points whose hours are counted never change: their text is kept, and only the last ones are made anew.
import type { MarketState } from '../market/model.ts'
import { Json } from './answer.ts'
import { type ChartPoint, chartPoints, firstBucket, SERIES, type WindowName } from './chart.ts'
import type { HourHistory } from './hour-history.ts'
import { bucketOf } from './hours.ts'

type Series = (typeof SERIES)[number]

/** Points of a chart as text, separated by commas. */
type Texts = Record<Series | 'items', string>

/** The points that never change any more. */
export interface SettledPoints {
  /** Start of the first point, and of the first one behind them. */
  from: number
  until: number
  /** As the last one left it. */
  tvl: number
  texts: Texts
}

/**
 * The chart of a window, the point in progress included.
 *
 * @param length  milliseconds of a point
 * @returns the series as members of one object, and the same points with all of their members
 */
export function chartJson(
  history: HourHistory,
  { at, since }: MarketState,
  window: WindowName,
  length: number,
): { series: Record<Series, Json>; items: Json } {
  const from = firstBucket(window, length, at.time, since)
  const { until, tvl, texts } = settledOf(history, window, from, length)
  const rest = pointsOf(history, tvl, until, length, at.time)
  const all = joined(texts, textsOf(rest))
  const series = Object.fromEntries(SERIES.map((name) => [name, new Json(`[${all[name]}]`)])) as Record<Series, Json>
  return { series, items: new Json(`[${all.items}]`) }
}

function settledOf(history: HourHistory, window: WindowName, from: number, length: number): SettledPoints {
  const key = `${window} ${length}`
  const before = history.settled.get(key)
  const known =
    before?.from === from ? before : { from, until: from, tvl: history.lockedBefore(from) ?? 0, texts: textsOf([]) }
  // The point that the last counted hour lies in may have more to come.
  const until = Math.max(known.until, bucketOf(history.countedUntil, length))
  if (until > known.until) {
    const points = pointsOf(history, known.tvl, known.until, length, until - 1)
    known.texts = joined(known.texts, textsOf(points))
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

function joined(first: Texts, second: Texts): Texts {
  const join = (x: string, y: string) => (x === '' ? y : y === '' ? x : `${x},${y}`)
  return Object.fromEntries(
    Object.entries(first).map(([name, text]) => [name, join(text, second[name as Series])]),
  ) as Texts
}
