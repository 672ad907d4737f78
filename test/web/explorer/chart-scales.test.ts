// Scales of the chart of candles.
import t from 'tap'
import { priceScaleOf, volumeScaleOf } from '../../../web/explorer/core/chart-scales.ts'

const of = (minValue: number, maxValue: number) => () => ({ priceRange: { minValue, maxValue } })

t.test('prices that are about equal have a scale whose labels differ', async (t) => {
  t.same(priceScaleOf(of(100, 100)), { priceRange: { minValue: 99, maxValue: 101 } })
  t.same(priceScaleOf(of(99.5, 100)), { priceRange: { minValue: 98.75, maxValue: 100.75 } })
  t.same(priceScaleOf(of(90, 100)), { priceRange: { minValue: 90, maxValue: 100 } })
  t.equal(
    priceScaleOf(() => null),
    null,
  )
})

t.test('volumes stand on the bottom, also without any', async (t) => {
  t.same(volumeScaleOf(of(3, 8)), { priceRange: { minValue: 0, maxValue: 8 } })
  t.same(volumeScaleOf(of(0, 0)), { priceRange: { minValue: 0, maxValue: 1 } })
})
