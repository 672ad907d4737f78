// Recurring jobs: they run when due, in one process at a time, and again after success or failure.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { startBoss } from '../../../indexer/jobs/boss.ts'
import { startSchedules } from '../../../indexer/jobs/schedules.ts'
import { testDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'

t.test('due jobs run once a minute, in one of two processes; a failure is reported and ends nothing', async (t) => {
  const { url: databaseUrl, pool } = await testDatabase(t)
  const began = Date.now()
  const runs: string[] = []
  const failures: string[] = []
  let atOnce = 0
  let most = 0
  const jobsOf = (process: string) => {
    const run = async () => {
      most = Math.max(most, ++atOnce)
      await delay(50)
      runs.push(process)
      atOnce--
      throw new Error(`on purpose in ${process}`)
    }
    return [
      { name: 'every_minute', cron: '* * * * *', run },
      // Not due while the test runs, unless it is New Year.
      { name: 'once_a_year', cron: '0 0 1 1 *', run: async () => void runs.push('too early') },
    ]
  }
  const bosses = await Promise.all([1, 2].map(() => startBoss({ databaseUrl, schedules: true, dueSeconds: 1 })))
  t.teardown(() => Promise.all(bosses.map((boss) => boss.stop({ graceful: false, wait: true }))))
  await Promise.all(
    bosses.map((boss, index) =>
      startSchedules(
        boss,
        jobsOf(`process ${index}`),
        (job, _seconds, error) => error && failures.push(`${job}: ${error.message}`),
        0.5,
      ),
    ),
  )
  const { rows } = await pool.query('select name, cron, timezone from pgboss.schedule order by name')
  t.same(rows, [
    { name: 'every_minute', cron: '* * * * *', timezone: 'UTC' },
    { name: 'once_a_year', cron: '0 0 1 1 *', timezone: 'UTC' },
  ])
  await until('a run', () => runs.length > 0)
  // The other process would have run it by then.
  await delay(2500)
  const minutes = Math.floor(Date.now() / 60_000) - Math.floor(began / 60_000) + 1
  t.ok(runs.length >= 1 && runs.length <= minutes, `${runs.length} runs in ${minutes} minutes: ${runs}`)
  t.equal(most, 1)
  t.same(
    failures,
    runs.map((process) => `every_minute: on purpose in ${process}`),
  )
})
