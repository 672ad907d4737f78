// Times in rows. The compiler checks the lines marked with @ts-expect-error: it fails when one of them compiles.
import t from 'tap'
import { microsecondsToMs, msToMicroseconds, secondsToMs, unixSeconds } from '../../../core/antelope/time.ts'
import { type RowPlace, state } from '../../../indexer/project/projection.ts'

const at = { present: true } as RowPlace

t.test('a time of a contract must be converted to milliseconds before it is a column', async (t) => {
  const seconds = unixSeconds(1_700_000_000)
  // @ts-expect-error seconds are not a column
  state('locks', at, { unlockTime: seconds })
  // @ts-expect-error nor are they when they may be absent
  state('locks', at, { unlockTime: seconds as typeof seconds | undefined })
  // @ts-expect-error nor are microseconds
  state('points', at, { pointTime: msToMicroseconds(1) })
  t.match(state('locks', at, { positionId: 7n, unlockTime: secondsToMs(seconds) }).row, {
    unlockTime: 1_700_000_000_000,
  })
})

t.test('a bare number is no time of a contract', async (t) => {
  // @ts-expect-error the number's unit is unknown
  t.equal(secondsToMs(1_700_000_000), 1_700_000_000_000)
  t.equal(microsecondsToMs(msToMicroseconds(1_700_000_000_500)), 1_700_000_000_500)
})
