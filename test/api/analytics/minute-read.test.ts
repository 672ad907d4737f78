// Values read once a minute: no request waits when a minute begins, and no value is older than a minute.
import t from 'tap'
import { MinuteRead } from '../../../api/analytics/latest-read.ts'

const MINUTE = 60_000
const START = Date.parse('2026-05-01T00:00:00Z')

/** Reads that the test completes. */
function reading() {
  const open: (() => void)[] = []
  const times: number[] = []
  const read = new MinuteRead(async (time) => {
    times.push(time - START)
    await new Promise<void>((resolve) => open.push(resolve))
    return time - START
  })
  /** Answer to a request at this time; null while the request waits for a read. */
  const at = (time: number) =>
    Promise.race([read.of(START + time), new Promise<null>((resolve) => setTimeout(resolve, 10, null))])
  const end = async () => {
    for (const resolve of open.splice(0)) resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { at, end, times }
}

t.test('frequent requests wait for the first read only', async (t) => {
  const { at, end, times } = reading()
  t.equal(await at(500), null, 'there is nothing yet')
  await end()
  t.same([await at(1000), await at(MINUTE - 500)], [500, 500], 'once a minute')
  t.equal(await at(MINUTE), 500, 'the old value, while a new one is read')
  t.equal(await at(MINUTE + 500), 500)
  await end()
  t.equal(await at(MINUTE + 1000), MINUTE)
  t.same(times, [500, MINUTE])
})

t.test('a value older than a minute is not returned', async (t) => {
  const { at, end, times } = reading()
  await at(500)
  await end()
  t.equal(await at(MINUTE + 501), null, 'the value is of the minute before the last one')
  await end()
  t.equal(await at(MINUTE + 502), MINUTE + 501)
  t.equal(await at(10 * MINUTE), null)
  await end()
  t.equal(await at(10 * MINUTE + 500), 10 * MINUTE)
  t.same(times, [500, MINUTE + 501, 10 * MINUTE])
})
