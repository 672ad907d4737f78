// Candles as JSON. An answer has thousands, and nothing in them needs escaping: they become bytes some at a time, so that
// what a candle is made of is garbage before it is moved.
import type { PoolCandle } from './pool-candles.ts'
import type { SpotCandle } from './spot-candles.ts'

/** Candles that become bytes together. */
const TOGETHER = 128

export function poolCandlesJson(candles: Iterable<PoolCandle>): Buffer {
  return jsonOf(
    candles,
    ({ time, open, high, low, close, volume }) =>
      `{"time":${time},"open":"${open}","high":"${high}","low":"${low}","close":"${close}","volume":${volume}}`,
  )
}

export function spotCandlesJson(candles: Iterable<SpotCandle>): Buffer {
  return jsonOf(
    candles,
    ({ time, open, high, low, close, volume }) =>
      `{"time":${time},"open":${open},"high":${high},"low":${low},"close":${close},"volume":${volume}}`,
  )
}

/** An array of what `one` makes of each candle: ASCII. */
function jsonOf<Candle>(candles: Iterable<Candle>, one: (candle: Candle) => string): Buffer {
  const parts: Buffer[] = [Buffer.from('[')]
  let texts: string[] = []
  let isFirst = true
  const flush = () => {
    if (texts.length === 0) return
    parts.push(Buffer.from(`${isFirst ? '' : ','}${texts.join(',')}`, 'latin1'))
    isFirst = false
    texts = []
  }
  for (const candle of candles) {
    texts.push(one(candle))
    if (texts.length === TOGETHER) flush()
  }
  flush()
  parts.push(Buffer.from(']'))
  return Buffer.concat(parts)
}
