// Candles as JSON: an answer has thousands, and nothing in them needs escaping.
import type { PoolCandle } from './pool-candles.ts'
import type { SpotCandle } from './spot-candles.ts'

export function poolCandlesText(candles: readonly PoolCandle[]): string {
  const one = ({ time, open, high, low, close, volume }: PoolCandle) =>
    `{"time":${time},"open":"${open}","high":"${high}","low":"${low}","close":"${close}","volume":${volume}}`
  return `[${candles.map(one).join(',')}]`
}

export function spotCandlesText(candles: readonly SpotCandle[]): string {
  const one = ({ time, open, high, low, close, volume }: SpotCandle) =>
    `{"time":${time},"open":${open},"high":${high},"low":${low},"close":${close},"volume":${volume}}`
  return `[${candles.map(one).join(',')}]`
}
