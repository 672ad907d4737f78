// Updates windows, extremes and reference prices of pools and markets in a step.
import type { Series } from './model.ts'
import type { Position, SeriesKind, SnapshotReader } from './reader.ts'
import type { Place } from './recent-steps.ts'
import { addVolume, WINDOW_NAMES, type WindowName, windowStart } from './rolling.ts'
import { type TradesRow, volumeOf } from './rows.ts'

/** Trades that entered or left the windows in a step, and the extremes that were read again. */
export interface SeriesReads {
  come: TradesRow[]
  left: [window: WindowName, rows: TradesRow[]][]
  /** Sums of the whole 24-hour window, for series that lost their highest or lowest trade. */
  day: TradesRow[]
}

/** Returns the series of a pool or market; undefined if it is unknown. */
type FindSeries = (id: number) => Series | undefined

/** The first block of each window as of a position. */
export async function moveWindows(
  from: Place,
  position: Position,
  reader: SnapshotReader,
): Promise<Record<WindowName, number>> {
  const blocks = { ...from.windowBlocks }
  for (const name of WINDOW_NAMES) {
    const start = windowStart(position.time, name)
    if (start > windowStart(from.at.time, name))
      blocks[name] = await reader.blockNotBefore(blocks[name], start, position.block)
  }
  return blocks
}

/** @param come  trades of the new blocks */
export async function readSeries(
  come: TradesRow[],
  find: FindSeries,
  kind: SeriesKind,
  from: Place,
  windowBlocks: Record<WindowName, number>,
  position: Position,
  reader: SnapshotReader,
): Promise<SeriesReads> {
  const left: SeriesReads['left'] = []
  for (const name of WINDOW_NAMES) {
    const last = windowBlocks[name] - 1
    if (last >= from.windowBlocks[name])
      left.push([name, await reader.tradesBetween(kind, from.windowBlocks[name], last)])
  }
  const lost = (left.find(([name]) => name === 'day')?.[1] ?? []).filter((row) => losesExtreme(find(row.id), row))
  const ids = lost.map(({ id }) => id)
  const day = ids.length === 0 ? [] : await reader.windowSums(kind, ids, windowStart(position.time, 'day'))
  return { come, left, day }
}

function losesExtreme(series: Series | undefined, { high, low }: TradesRow): boolean {
  if (series === undefined || high === null || low === null) return false
  return series.high24 === null || BigInt(high) >= series.high24 || BigInt(low) <= (series.low24 as bigint)
}

/** @returns ids of the changed series */
export function applySeries(find: FindSeries, reads: SeriesReads): Set<number> {
  const changed = new Set<number>()
  for (const row of reads.come) {
    const one = find(row.id)
    if (one === undefined) continue
    changed.add(row.id)
    for (const name of WINDOW_NAMES) addVolume(one.volumes[name], volumeOf(row))
    one.high24 = extreme(one.high24, row.high, (a, b) => a > b)
    one.low24 = extreme(one.low24, row.low, (a, b) => a < b)
    one.last = BigInt(row.last as string)
    one.first ??= row.first as number
  }
  for (const [name, rows] of reads.left)
    for (const row of rows) {
      const one = find(row.id)
      if (one === undefined) continue
      changed.add(row.id)
      addVolume(one.volumes[name], volumeOf(row), -1)
      if (name === 'day') one.before24 = BigInt(row.last as string)
      if (name === 'week') one.beforeWeek = BigInt(row.last as string)
      if (name === 'day' && one.volumes.day.trades === 0) one.high24 = one.low24 = null
    }
  for (const row of reads.day) {
    const one = find(row.id)
    if (one === undefined) continue
    one.high24 = row.high === null ? null : BigInt(row.high)
    one.low24 = row.low === null ? null : BigInt(row.low)
  }
  return changed
}

function extreme(known: bigint | null, text: string | null, beats: (a: bigint, b: bigint) => boolean): bigint | null {
  if (text === null) return known
  const price = BigInt(text)
  return known === null || beats(price, known) ? price : known
}
