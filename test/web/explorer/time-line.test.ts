// The line of values over time.
import t from 'tap'
import { linePath } from '../../../web/explorer/core/time-line.ts'

const points = (...values: (number | null)[]) => values.map((value, i) => ({ time: 1000 + i * 10, value }))

t.test('a line fills its box, and has a gap where nothing is known', async (t) => {
  t.equal(linePath(points(1, 3, 2), 100, 50), 'M0.00 50.00L50.00 0.00L100.00 25.00')
  t.equal(linePath(points(1, null, 3, 2), 90, 40), 'M0.00 40.00M60.00 0.00L90.00 20.00')
  t.equal(linePath(points(null, 4, 4), 100, 50), 'M50.00 25.00L100.00 25.00', 'places are times, known or not')
  for (const few of [points(), points(1), points(null, null), points(1, null)]) t.equal(linePath(few, 100, 50), '')
})
