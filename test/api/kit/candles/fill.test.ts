// Gap filling of candles. Pure.
import fc from 'fast-check'
import t from 'tap'
import { type Bar, fillGaps } from '../../../../api/kit/candles/fill.ts'
import { RESOLUTIONS, shiftBucket } from '../../../../core/candles/resolution.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const MINUTE = 60_000

const bar = (
  minute: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume = 1,
): Bar<number, number> => ({
  time: START + minute * MINUTE,
  open,
  high,
  low,
  close,
  volume,
})

const flat = (minute: number, price: number) => bar(minute, price, price, price, price, 0)

const range = (first: number, last: number, carry: number | null) => ({
  resolution: '1' as const,
  first: START + first * MINUTE,
  last: START + last * MINUTE,
  carry,
})

t.test('CND-07 quiet periods are flat at the last price', async (t) => {
  const bars = [bar(1, 10, 14, 9, 12), bar(4, 11, 11, 8, 8)]
  t.same([...fillGaps(bars, range(1, 5, null), 0)], [bars[0], flat(2, 12), flat(3, 12), bars[1], flat(5, 8)])
})

t.test('CND-08 the price before the first bucket is carried in', async (t) => {
  const bars = [bar(2, 10, 14, 9, 12)]
  t.same([...fillGaps(bars, range(0, 3, 7), 0)], [flat(0, 7), flat(1, 7), bars[0], flat(3, 12)])
  t.same([...fillGaps([], range(0, 1, 7), 0)], [flat(0, 7), flat(1, 7)])
})

t.test('CND-09 nothing before the first price', async (t) => {
  t.same([...fillGaps([bar(2, 1, 1, 1, 1)], range(0, 2, null), 0)], [bar(2, 1, 1, 1, 1)])
  t.same([...fillGaps([], range(0, 9, null), 0)], [])
})

t.test('an empty range has no candles', async (t) => {
  t.same([...fillGaps([], range(3, 2, 7), 0)], [])
})

t.test(
  'CND-02 CND-07 no gaps in any resolution: every bucket once, and a quiet bucket stays at the last close',
  (t) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...RESOLUTIONS),
        fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 20 }),
        fc.option(fc.integer({ min: 1, max: 99 })),
        (resolution, places, carry) => {
          const monday = Date.parse(resolution === '1M' ? '2024-01-01T00:00:00Z' : '2026-01-05T00:00:00Z')
          const sorted = [...places].sort((a, b) => a - b)
          const bars = sorted.map((place) => ({
            ...bar(0, place, place + 2, place - 2, place + 1),
            time: shiftBucket(resolution, monday, place),
          }))
          const first = monday
          const last = shiftBucket(resolution, monday, 60)
          const filled = [...fillGaps(bars, { resolution, first, last, carry }, 0)]
          const begin = carry === null ? (sorted[0] ?? 61) : 0
          if (filled.length !== 61 - begin) return false
          return filled.every((candle, i) => {
            if (candle.time !== shiftBucket(resolution, monday, begin + i)) return false
            if (places.includes(begin + i)) return candle.volume === 1
            const before = i === 0 ? carry : filled[i - 1]!.close
            return (
              candle.volume === 0 && [candle.open, candle.high, candle.low, candle.close].every((p) => p === before)
            )
          })
        },
      ),
    )
    t.end()
  },
)
