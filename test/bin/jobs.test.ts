// Recurring jobs run in the processes that index, and end with them.
import { fileURLToPath } from 'node:url'
import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import { startJobs } from '../../bin/jobs.ts'
import { startBoss } from '../../indexer/jobs/boss.ts'
import { BOARDS } from '../../indexer/jobs/refresh-boards.ts'
import { JobMetrics } from '../../indexer/operate/job-metrics.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { start } from './program.ts'

const recording = fileURLToPath(new URL('../fixtures/recordings/small.ship.gz', import.meta.url))

t.test('a command that indexes removes the remains of dead workers, and ends at once', { jobs: 2 }, async (t) => {
  for (const args of [['run'], ['index', '--worker']]) t.test(args.join(' '), (t) => cleansUp(t, args))
})

t.test('without a queue indexing continues; the reason is reported', async (t) => {
  const lines: [string, Record<string, unknown>][] = []
  const note = (message: string, fields = {}) => void lines.push([message, fields])
  const registry = new Registry()
  const metrics = new JobMetrics(registry)
  const jobs = startJobs({
    databaseUrl: 'postgresql://nobody@127.0.0.1:1/none',
    log: { info: note, warn: note, error: note },
    metrics,
  })
  await until('two reasons', () => lines.length >= 2)
  const reasons = Object.fromEntries(lines)
  t.match(reasons, {
    'recurring jobs do not run': { code: 'DATABASE_UNAVAILABLE', reason: /ECONNREFUSED/ },
    'sessions of readers are not bounded': { reason: /ECONNREFUSED/ },
  })
  const text = await registry.metrics()
  t.match(
    text,
    /^headwater_job_last_success_timestamp_seconds\{task="gather_statistics"\} 0$/m,
    'for HeadwaterJobStale',
  )
  const asked = performance.now()
  await jobs.stop()
  t.ok(performance.now() - asked < 10_000, 'a stop does not wait for the next attempt')
})

async function cleansUp(t: Test, args: string[]): Promise<void> {
  const { url, pool } = await testDatabase(t)
  await pool.query(
    `insert into meta.staging_sets (chain, first_block, created_at) values ('dev', 7, now() - interval '2 days')`,
  )
  await pool.query('create unlogged table staging.r1_ledger_blocks (like ledger.blocks)')
  const program = start(args, {
    DATABASE_URL: url,
    PORT: '0',
    HEADWATER_CHAINS: 'dev',
    HEADWATER_DEV_SOURCE_FILE: recording,
  })
  t.teardown(() => void program.child.kill('SIGKILL'))
  // It is due at night, so the test requests a run.
  const scheduled = `select cron from pgboss.schedule where name = 'clean_staging'`
  const rowsOf = (sql: string) =>
    pool.query(sql).then(
      ({ rows }) => rows,
      () => [],
    )
  const said = () => program.output.stderr
  await until(
    () => `a schedule: ${said()}`,
    async () => (await rowsOf(scheduled)).length > 0,
    50,
  )
  t.same(await rowsOf(scheduled), [{ cron: '17 4 * * *' }])
  const boards = `select name, cron from pgboss.schedule where name like 'refresh_board_%' order by cron`
  await until('the schedules of the boards', async () => (await rowsOf(boards)).length === BOARDS.length, 50)
  t.same(
    await rowsOf(boards),
    BOARDS.map((board, minute) => ({ name: `refresh_board_${board}`, cron: `${minute}-59/10 * * * *` })),
    'a minute apart',
  )
  const boss = await startBoss({ databaseUrl: url })
  await boss.send('clean_staging', {})
  await boss.stop({ graceful: false, wait: true })
  const left = `select from meta.staging_sets`
  await until(
    () => `nothing is left: ${said()}`,
    async () => (await rowsOf(left)).length === 0,
    50,
  )
  t.same(await rowsOf(`select to_regclass('staging.r1_ledger_blocks') as name`), [{ name: null }])
  const asked = performance.now()
  program.child.kill('SIGTERM')
  const { code, stderr } = await program.outcome
  t.equal(code, 0, stderr)
  t.ok(performance.now() - asked < 20_000, `${Math.round(performance.now() - asked)} ms`)
  t.notMatch(stderr, /"level":(40|50)/, 'no warning, no error')
  // A server process notices shortly after its client's exit that the connection is closed.
  const sessions = `select application_name from pg_stat_activity
    where datname = current_database() and application_name like 'headwater%'`
  await until('no connection is left', async () => (await rowsOf(sessions)).length === 0, 50)
}
