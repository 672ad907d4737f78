// Fills the periods in which nothing traded with flat candles at the last price. Pure.
import { type Resolution, shiftBucket } from './resolution.ts'

/** A candle; prices are of any kind, as long as equal ones look the same. */
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
  /** Start of the first bucket wanted, Unix milliseconds. */
  first: number
  /** Start of the last bucket wanted. */
  last: number
  /** Price before `first`; null when there was none, and then the answer begins with the first candle. */
  carry: Price | null
}

/**
 * All candles from the first bucket to the last.
 *
 * @param bars  those in which something traded, oldest first, each at the start of a bucket of the range
 * @param quiet  volume of a flat candle
 */
export function fillGaps<Price, Volume>(
  bars: readonly Bar<Price, Volume>[],
  { resolution, first, last, carry }: FillRange<Price>,
  quiet: Volume,
): Bar<Price, Volume>[] {
  const filled: Bar<Price, Volume>[] = []
  let price = carry
  let time = first
  const flatUntil = (end: number) => {
    if (price === null) {
      if (time < end) time = end
      return
    }
    for (; time < end; time = shiftBucket(resolution, time, 1)) {
      filled.push({ time, open: price, high: price, low: price, close: price, volume: quiet })
    }
  }
  for (const bar of bars) {
    flatUntil(bar.time)
    filled.push(bar)
    price = bar.close
    time = shiftBucket(resolution, bar.time, 1)
  }
  if (price !== null) flatUntil(shiftBucket(resolution, last, 1))
  return filled
}
