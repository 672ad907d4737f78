// Bars of a chart. Times are in seconds. The range excludes its end; `countback` counts back from the end.

import { RESOLUTIONS, type Resolution } from '../../../core/candles/resolution.ts'
import type { ChainContext } from '../../chain-context.ts'
import type { Bar } from '../../kit/candles/fill.ts'
import { poolCandles } from '../../kit/candles/pool-candles.ts'
import type { CandleRange } from '../../kit/candles/span.ts'
import { spotCandles } from '../../kit/candles/spot-candles.ts'
import { LIMITS } from '../../kit/limits.ts'
import type { BlockMark } from '../../live-market/model.ts'
import type { Listed } from './symbols.ts'

export interface HistoryRange {
  resolution: Resolution
  /** Unix seconds, inclusive. Ignored when `countback` is given. */
  from: number
  /** Unix seconds, exclusive. */
  to: number
  countback?: number
}

export type History =
  | { s: 'ok'; t: number[]; o: number[]; h: number[]; l: number[]; c: number[]; v: number[] }
  | { s: 'no_data'; nextTime?: number }

type NumberBar = Bar<number, number>

interface Bars {
  at: BlockMark
  bars: NumberBar[]
}

/** Parses a resolution. Charts may omit the number: `D` is `1D`. */
export function resolutionOf(text: string): Resolution | null {
  const name = /^[DWM]$/i.test(text) ? `1${text}` : text
  return RESOLUTIONS.find((resolution) => resolution === name.toUpperCase()) ?? null
}

/**
 * Bars of a range, oldest first. If there are none, the time of the last bar before the range, where the chart
 * continues.
 *
 * @returns null when the chain, pool or market no longer exists
 */
export async function readHistory(
  context: ChainContext,
  listed: Listed,
  { resolution, from, to, countback }: HistoryRange,
): Promise<{ at: BlockMark; history: History } | null> {
  const counted = countback !== undefined && countback > 0
  const most = counted ? Math.min(countback, LIMITS.candlesMost) : LIMITS.candlesMost
  const range = { resolution, from: counted ? undefined : from * 1000, to: to * 1000 - 1, limit: most }
  const read = await readBars(context, listed, range)
  if (read === null) return null
  const { at } = read
  const bars = read.bars.filter(({ time }) => time < to * 1000 && (counted || time >= from * 1000))
  if (bars.length > 0) return { at, history: columns(bars) }
  // The bar of `from` starts before it. After the last block there are no bars, so the newest bar is read.
  let older: number | null = read.bars[0]?.time ?? null
  if (older === null && from < to && from * 1000 > at.time) older = await newestBar(context, listed, resolution)
  if (older === null || older >= from * 1000) return { at, history: { s: 'no_data' } }
  return { at, history: { s: 'no_data', nextTime: older / 1000 } }
}

/** Time of the newest bar; null without one. */
async function newestBar(context: ChainContext, listed: Listed, resolution: Resolution): Promise<number | null> {
  return (await readBars(context, listed, { resolution, limit: 1 }))?.bars[0]?.time ?? null
}

async function readBars({ pool, chain }: ChainContext, listed: Listed, range: CandleRange): Promise<Bars | null> {
  if (listed.exchange === 'spot') {
    const { id, target } = listed.book
    const read = await spotCandles(pool, chain, { marketId: id, targetDecimals: target.decimals }, range)
    return read && { at: read.at, bars: JSON.parse(read.json.toString()) }
  }
  const read = await poolCandles(pool, chain, listed.pool.id, { ...range, reverse: false, volumeField: 'volumeB' })
  if (read === null) return null
  const candles: readonly Bar<string, number>[] = JSON.parse(read.json.toString())
  const bars = candles.map(({ time, open, high, low, close, volume }) => {
    return { time, open: Number(open), high: Number(high), low: Number(low), close: Number(close), volume }
  })
  return { at: read.at, bars }
}

function columns(bars: readonly NumberBar[]): History {
  return {
    s: 'ok',
    t: bars.map(({ time }) => time / 1000),
    o: bars.map(({ open }) => open),
    h: bars.map(({ high }) => high),
    l: bars.map(({ low }) => low),
    c: bars.map(({ close }) => close),
    v: bars.map(({ volume }) => volume),
  }
}
