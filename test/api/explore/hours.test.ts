import t from 'tap'
import { hoursUpTo } from '../../../api/explore/hours-range.ts'

t.test('hours of a page end with that of the block, or with an earlier one', async (t) => {
  const time = Date.parse('2026-01-01T10:00:00.500Z')
  const at = (text: string) => Date.parse(text) / 1000
  t.same(hoursUpTo(time, undefined, 2), { from: at('2026-01-01T09:00:00Z'), before: at('2026-01-01T11:00:00Z') })
  t.same(hoursUpTo(time - 1000, undefined, 2), { from: at('2026-01-01T08:00:00Z'), before: at('2026-01-01T10:00:00Z') })
  t.same(hoursUpTo(time, time - 3_600_000, 1), { from: at('2026-01-01T09:00:00Z'), before: at('2026-01-01T10:00:00Z') })
  t.same(hoursUpTo(time, time + 86_400_000, 1), hoursUpTo(time, undefined, 1), 'not after the block')
  t.same(hoursUpTo(0, undefined, 5), { from: 0, before: 3600 })
})
