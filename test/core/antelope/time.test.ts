import t from 'tap'
import { msToSlot, slotToMs } from '../../../core/antelope/time.ts'

t.test('slots count half seconds since the year 2000', async (t) => {
  t.equal(slotToMs(0), Date.parse('2000-01-01T00:00:00Z'))
  t.equal(slotToMs(1), Date.parse('2000-01-01T00:00:00.500Z'))
  t.equal(slotToMs(0xffffffff), Date.parse('2068-01-19T03:14:07.500Z'))
})

t.test('a time within a slot belongs to it', async (t) => {
  const ms = Date.parse('2026-01-01T00:00:00.500Z')
  t.equal(msToSlot(ms + 499), msToSlot(ms))
  t.equal(msToSlot(ms + 500), msToSlot(ms) + 1)
  t.equal(msToSlot(ms - 1), msToSlot(ms) - 1)
})
