// Reads the stored candles that the statements in sql.ts return. Prices stay in the text: a candle has the index at
// which each of its prices starts.

import { type Resolution, shiftBucket } from '../../../core/candles/resolution.ts'
import type { MarkRow } from '../snapshot.ts'
import { fieldText, nextField, wholeAt } from './fields.ts'
import { type Bar, fillGaps } from './fill.ts'

/** Columns of both kinds of candles; times in Unix seconds, prices and volumes as stored. */
export interface SpanRow extends MarkRow {
  first: number
  last: number
  /** Price before the first candle; null without one. */
  carry: string | null
  bars: string | null
}

/** A candle whose prices and volume are indexes into a text. */
export type StoredBar = Bar<number, number>

/** Volume of a bucket without trades. */
export const QUIET = -1

/** The candles of a row from its first bucket to its last, without gaps. Can be iterated once. */
export class StoredBars {
  readonly source: Uint8Array
  private readonly resolution: Resolution
  private readonly row: SpanRow
  /** End of the bars in the source. */
  private readonly end: number
  private newest: StoredBar | null = null

  constructor(row: SpanRow, resolution: Resolution) {
    const { bars, carry } = row
    const stored = bars === null ? '' : `${bars} `
    this.row = row
    this.resolution = resolution
    this.end = stored.length
    this.source = Buffer.from(carry === null ? stored : `${stored}${carry} `, 'latin1')
  }

  /** All candles. */
  all(): Iterable<StoredBar> {
    return this.upTo(this.row.last * 1000)
  }

  /** Candles up to the last one with trades. */
  traded(): Iterable<StoredBar> {
    return this.upTo(Number.NEGATIVE_INFINITY)
  }

  /** Start of the candles after those already iterated, and the price there. */
  rest(): Pick<SpanRow, 'first' | 'carry'> {
    const { newest, source } = this
    const { first, carry } = this.row
    if (newest === null) return { first, carry }
    return { first: shiftBucket(this.resolution, newest.time, 1) / 1000, carry: fieldText(source, newest.close) }
  }

  private upTo(last: number): Iterable<StoredBar> {
    const { first, carry } = this.row
    const range = { resolution: this.resolution, first: first * 1000, last, carry: carry === null ? null : this.end }
    return fillGaps(this.read(), range, QUIET)
  }

  private *read(): Generator<StoredBar> {
    const { source, end } = this
    for (let at = 0; at < end; ) {
      const open = nextField(source, at)
      const high = nextField(source, open)
      const low = nextField(source, high)
      const close = nextField(source, low)
      const volume = nextField(source, close)
      this.newest = { time: wholeAt(source, at) * 1000, open, high, low, close, volume }
      yield this.newest
      at = nextField(source, volume)
    }
  }
}
