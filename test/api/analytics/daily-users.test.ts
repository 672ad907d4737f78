// Daily users of a window: the mean over the window's number of hours, ending with the last complete hour.
import t from 'tap'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { NOW, WAX_SCENE } from '../exchange/scene.ts'

const HOUR = 3_600_000
/** The scene ends at 09:41, in the middle of an hour and of every chart's point. */
const LAST = Math.floor(NOW / HOUR) * HOUR - HOUR
const HOURS = 100 * 24

/** Increases with the hour, so that a mean over another range differs. */
const usersOf = (hoursAgo: number) => (HOURS - hoursAgo) ** 2

/** Block number at a time, as in the scene. */
const blockAt = (time: number) => 1000 + Math.ceil((time - (NOW - 100 * 24 * HOUR)) / 500)

t.test('daily users are the mean of the hours of the window', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const times = Array.from({ length: HOURS }, (_, i) => new Date(LAST - i * HOUR))
  const users = times.map((_, i) => usersOf(i))
  await database.pool.query(
    `insert into ledger.hour_snapshots select 'wax', t, b, t + interval '1 hour', 1, 1, 0, 0, 1, 1
     from unnest($1::timestamptz[], $2::int8[]) x (t, b)`,
    [times, times.map((time) => blockAt(time.getTime() + HOUR))],
  )
  await database.pool.query(
    `insert into derive.hour_totals select 'wax', t, 0, 0, 0, 0, 0, 0, 0, 0, u from unnest($1::timestamptz[], $2::int8[]) x (t, u)`,
    [times, users],
  )
  const api = await testApi(t, database)
  for (const [window, resolution, hours] of [
    ['24h', '1D', 24],
    ['7d', '1W', 168],
    ['30d', '1M', 720],
    ['90d', null, 2160],
  ] as const) {
    const wanted = users.slice(0, hours).reduce((sum, one) => sum + one, 0) / hours
    t.equal((await api.get(`/api/v3/analytics/overview?window=${window}`)).body.stats.dauAvg, wanted, window)
    if (resolution === null) continue
    const { body } = await api.get(`/api/v2/analytics/global?resolution=${resolution}`)
    t.equal(body.dailyActiveUsers, wanted, resolution)
  }
})
