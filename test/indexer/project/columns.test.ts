// Times in rows. The compiler checks the lines marked with @ts-expect-error: it fails when one of them compiles.
import t from 'tap'
import { asUnixSeconds, msToMicroseconds } from '../../../core/antelope/time.ts'
import { TimePoint } from '../../../core/antelope/time-point.ts'
import { type RowPlace, state } from '../../../indexer/project/projection.ts'

const at = { present: true } as RowPlace

t.test('a time of a contract must be converted to a TimePoint before it is a column', async (t) => {
  const seconds = asUnixSeconds(1_700_000_000)
  // @ts-expect-error seconds are not a column
  state('locks', at, { unlockTime: seconds })
  // @ts-expect-error nor are they when they may be absent
  state('locks', at, { unlockTime: seconds })
  // @ts-expect-error nor are microseconds
  state('points', at, { pointTime: msToMicroseconds(1) })
  t.match(state('locks', at, { positionId: 7n, unlockTime: TimePoint.ofSeconds(seconds) }).row, {
    unlockTime: { ms: 1_700_000_000_000 },
  })
})
