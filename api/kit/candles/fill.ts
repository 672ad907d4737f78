// Fills buckets without trades with flat candles at the last price. Pure.
import { type Resolution, shiftBucket } from '../../../core/candles/resolution.ts'

/** A candle. Prices may be of any type if equal prices are equal values. */
export interface Bar<Price, Volume> {
  /** Start of the bucket, Unix milliseconds. */
  time: number
  open: Price
  high: Price
  low: Price
  close: Price
  volume: Volume
}

export interface FillRange<Price> {
  resolution: Resolution
  /** Start of the first bucket, Unix milliseconds. */
  first: number
  /** Start of the last bucket. */
  last: number
  /** Price before `first`. Null without one: the result then starts with the first candle. */
  carry: Price | null
}

/**
 * All candles from the first bucket to the last.
 *
 * @param bars  candles with trades, oldest first, each at the start of a bucket of the range
 * @param quiet  volume of a flat candle
 */
export function* fillGaps<Price, Volume>(
  bars: Iterable<Bar<Price, Volume>>,
  { resolution, first, last, carry }: FillRange<Price>,
  quiet: Volume,
): Generator<Bar<Price, Volume>> {
  let price = carry
  let time = first
  for (const bar of bars) {
    if (price !== null) {
      for (; time < bar.time; time = shiftBucket(resolution, time, 1)) yield flatBar(time, price, quiet)
    }
    yield bar
    price = bar.close
    time = shiftBucket(resolution, bar.time, 1)
  }
  if (price === null) return
  for (; time <= last; time = shiftBucket(resolution, time, 1)) yield flatBar(time, price, quiet)
}

function flatBar<Price, Volume>(time: number, price: Price, volume: Volume): Bar<Price, Volume> {
  return { time, open: price, high: price, low: price, close: price, volume }
}
