// Reads stored candles: what the statements in sql.ts answer. Thousands of prices stay where they are in the text: a
// candle says where each of them begins.
import type { MarkRow } from '../snapshot.ts'
import { nextField, wholeAt } from './fields.ts'
import { type Bar, fillGaps } from './fill.ts'
import type { Resolution } from './resolution.ts'

/** Members that both kinds of candles have; times in Unix seconds, prices and volumes as stored. */
export interface SpanRow extends MarkRow {
  first: number
  last: number
  carry: string | null
  bars: string | null
}

/** A candle whose prices and volume are places in a text. */
export type StoredBar = Bar<number, number>

export interface StoredBars {
  source: Uint8Array
  /** Without holes. The volume of a bucket in which nothing traded is `QUIET`. */
  bars: Iterable<StoredBar>
}

export const QUIET = -1

/** The candles of a row from its first bucket to its last. */
export function storedBars({ bars, first, last, carry }: SpanRow, resolution: Resolution): StoredBars {
  const end = bars?.length ?? 0
  const source = Buffer.from(carry === null ? (bars ?? '') : `${bars ?? ''} ${carry}`, 'latin1')
  const range = { resolution, first: first * 1000, last: last * 1000, carry: carry === null ? null : end + 1 }
  return { source, bars: fillGaps(readBars(source, end), range, QUIET) }
}

function* readBars(source: Uint8Array, end: number): Generator<StoredBar> {
  for (let at = 0; at < end; ) {
    const open = nextField(source, at)
    const high = nextField(source, open)
    const low = nextField(source, high)
    const close = nextField(source, low)
    const volume = nextField(source, close)
    yield { time: wholeAt(source, at) * 1000, open, high, low, close, volume }
    at = nextField(source, volume)
  }
}
