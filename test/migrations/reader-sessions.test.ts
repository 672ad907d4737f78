// Limits of readers on a server where the owner of the database is no superuser: sessions above the limits are ended,
// so that their locks block others only until then.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { checkDatabase } from '../../bin/checks/database.ts'
import { loadConfig } from '../../config/load.ts'
import { openQueue, startBoss } from '../../indexer/jobs/boss.ts'
import { migrate } from '../../migrations/migrate.ts'
import { boundReaders, type ReaderSession } from '../../migrations/reader-sessions.ts'
import { startTestCluster } from '../support/cluster.ts'
import { until } from '../support/until.ts'

const cluster = await startTestCluster()
const admin = new pg.Client(cluster.url)
await admin.connect()
t.teardown(async () => {
  await admin.end()
  await cluster.stop()
})
await admin.query(`create role keeper login createrole password 'secret'`)
await admin.query('create database guarded owner keeper')

function addressOf(login: string): string {
  return Object.assign(new URL(cluster.url), { pathname: '/guarded', username: login, password: 'secret' }).href
}

const url = addressOf('keeper')
await migrate(url)
const owner = new pg.Pool({ connectionString: url, max: 3 })
owner.on('error', () => {})
t.teardown(() => owner.end())
// The owner created this role, as on a hosted server; it did not create `foreign one`.
await owner.query(`create role spy login password 'secret' in role headwater_reader`)
await admin.query(`create role "foreign one" login password 'secret' in role headwater_reader`)
await admin.query(`create role worker login password 'secret' in role headwater_reader, headwater_writer`)

const FREE =
  'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set default_transaction_read_only = off'

/** A session that has removed its own limits. @param run  its work; not awaited when it takes long */
async function session(
  t: Test,
  login: string,
  ...run: string[]
): Promise<{ pid: number; end: Promise<string | null> }> {
  const client = new pg.Client(addressOf(login))
  const lost = new Promise<string>((resolve) => client.on('error', (error) => resolve(error.message)))
  await client.connect()
  t.teardown(() => client.end().catch(() => {}))
  await client.query(FREE)
  const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid
  const end = (async () => {
    for (const sql of run) {
      const failure = await client.query(sql).then(
        () => null,
        (error: Error) => error.message,
      )
      if (failure !== null) return failure
    }
    return run.length > 0 && /^begin/.test(run[0] as string) ? lost : null
  })()
  return { pid, end }
}

async function limits(login: string, values: Partial<Record<string, string>>): Promise<void> {
  const { statement = '1h', idle = '1h', transaction = '1h', blocking = '1h' } = values
  await owner.query(
    `insert into meta.reader_limits values ($1, $2, $3, $4, $5) on conflict (login) do update set statement = excluded.statement,
      idle_transaction = excluded.idle_transaction, transaction = excluded.transaction, blocking = excluded.blocking`,
    [login, statement, idle, transaction, blocking],
  )
}

async function look(): Promise<ReaderSession[]> {
  return (await owner.query('select * from meta.end_reader_sessions()')).rows
}

t.test(
  'after a migration, a reader has limits: 1 minute a statement, 5 minutes idle, 1 hour a transaction',
  async (t) => {
    const { rows } = await owner.query(
      `select login, statement::text, idle_transaction::text as idle, transaction::text, blocking::text from meta.reader_limits`,
    )
    t.same(rows, [
      {
        login: 'headwater_reader',
        statement: '00:01:00',
        idle: '00:05:00',
        transaction: '01:00:00',
        blocking: '00:00:15',
      },
    ])
    const spy = await session(t, 'spy')
    t.same(await look(), [])
    for (const sql of [`update meta.reader_limits set statement = '1 day'`, 'select from meta.end_reader_sessions()']) {
      const client = new pg.Client(addressOf('spy'))
      await client.connect()
      await client.query(FREE)
      await t.rejects(client.query(sql), { code: '42501' }, sql)
      await client.end()
    }
    t.equal((await owner.query('select from pg_stat_activity where pid = $1', [spy.pid])).rowCount, 1)
  },
)

t.test(
  'statements, idle times and transactions above the limits are ended, with any settings of session and role',
  async (t) => {
    await owner.query('alter role headwater_reader reset all')
    await limits('headwater_reader', { statement: '400ms', idle: '600ms', transaction: '900ms' })
    await limits('worker', { statement: '1ms', idle: '1ms', transaction: '1ms' })
    const resting = await session(t, 'spy', 'select 1')
    // Waits until the sessions above the limits have ended.
    await admin.query(`select pg_advisory_lock(77)`)
    const foreign = await session(t, 'worker', 'select pg_advisory_lock(77)')
    const busy = await session(t, 'spy', 'select pg_sleep(200)')
    const paused = await session(t, 'spy', 'begin; listen headwater; select from head.swaps')
    const steps = Array.from({ length: 2000 }, () => 'select pg_sleep(0.1)')
    const long = await session(t, 'spy', 'begin', ...steps)
    const found = new Map<number, ReaderSession>()
    const areFound = async () => {
      for (const each of await look()) found.set(each.pid, each)
      return found.size >= 3
    }
    await until('three sessions are found', areFound, 50)
    t.match(found.get(busy.pid), { login: 'spy', reason: 'long statement', ended: true })
    t.match(found.get(paused.pid), { login: 'spy', reason: 'idle transaction', ended: true })
    t.match(found.get(long.pid), { login: 'spy', reason: 'long transaction', ended: true })
    t.equal(found.size, 3)
    for (const each of [busy, paused, long]) t.match(await each.end, /terminat/)
    const alive = await owner.query('select pid from pg_stat_activity where pid = any ($1)', [
      [resting.pid, foreign.pid],
    ])
    t.equal(alive.rowCount, 2, 'who rests, and who is more than a reader, goes on')
    await admin.query(`select pg_advisory_unlock(77)`)
    t.equal(await foreign.end, null)

    await limits('spy', { statement: '1h' })
    const allowed = await session(t, 'spy', 'select pg_sleep(1)')
    await delay(600)
    t.same(await look(), [], 'a login has limits of its own where a row names it')
    t.equal(await allowed.end, null)
    await owner.query(`delete from meta.reader_limits where login in ('spy', 'worker')`)
  },
)

t.test('check names a reader that only an administrator can grant to the owner', async (t) => {
  const readers = async () => {
    const { found } = await checkDatabase(loadConfig({ env: { DATABASE_URL: url } }).config)
    return found.find(({ subject }) => subject === 'readers')
  }
  await limits('headwater_reader', { idle: '100ms' })
  const held = await session(t, 'foreign one', 'begin')
  t.match(await readers(), {
    level: 'warn',
    message: 'the login keeper cannot end sessions of foreign one that are above the limits',
    remedy: 'let an administrator run: grant "foreign one" to "keeper";',
  })
  await delay(200)
  t.same(await look(), [], 'whether it is in a transaction cannot be seen')
  await limits('headwater_reader', { blocking: '100ms' })
  await admin.query('grant headwater_reader to keeper with inherit true')
  const blocked = await session(t, 'foreign one', 'begin; select from head.swaps')
  const isIdle = `select from pg_stat_activity where pid = $1 and state = 'idle in transaction'`
  while ((await admin.query(isIdle, [blocked.pid])).rowCount === 0) await delay(10)
  const waiting = owner.query('begin; lock table ledger.swaps in access exclusive mode; commit')
  let refused: ReaderSession[] = []
  const isRefused = async () => {
    refused = await look()
    return refused.length > 0
  }
  await until('the session cannot be ended', isRefused, 50)
  t.match(refused, [{ pid: blocked.pid, reason: 'another session waits for its lock', ended: false }])

  await admin.query('grant "foreign one" to keeper')
  t.match(await readers(), { level: 'ok' })
  t.match(await look(), [{ pid: blocked.pid, ended: true }])
  await waiting
  await limits('headwater_reader', { idle: '100ms' })
  t.match(await look(), [{ pid: held.pid, reason: 'idle transaction', ended: true }])
})

t.test('a reader with a lock on the job queue stops neither its first start nor its maintenance', async (t) => {
  await limits('headwater_reader', { blocking: '300ms' })
  const lock = `select pg_advisory_lock(('x' || encode(sha224((current_database() || '.pgboss.pgboss')::bytea), 'hex'))::bit(64)::bigint)`
  const over = new AbortController()
  const ended: ReaderSession[] = []
  const bounding = boundReaders({
    databaseUrl: url,
    signal: over.signal,
    onSession: (session) => ended.push(session),
    onError: (error) => t.fail(error.message),
    everyMs: 100,
  })
  const first = await session(t, 'spy', lock)
  await first.end
  const boss = await startBoss({ databaseUrl: url, maintenanceSeconds: 1 })
  t.teardown(() => boss.stop({ graceful: false, wait: true }))
  t.match(ended, [{ pid: first.pid, reason: 'another session waits for its lock', ended: true }])

  await openQueue(boss, 'work', 'standard')
  const id = (await boss.send('work', {}, { expireInSeconds: 1, retryLimit: 0 })) as string
  await boss.fetch('work')
  const second = await session(t, 'spy', lock)
  await second.end
  const started = performance.now()
  while ((await boss.getJobById('work', id))?.state !== 'failed') {
    if (performance.now() - started > 240_000) throw new Error('the job of a dead worker is not given up')
    await delay(50)
  }
  t.match(ended[1], { pid: second.pid, ended: true })
  over.abort()
  await bounding
})

t.test('migrations wait for each other by a lock that no reader may take', async (t) => {
  await limits('headwater_reader', {})
  await owner.query('grant select on public.headwater_migrating to headwater_reader')
  await owner.query(`delete from public.headwater_migrations where name = 'code'`)
  const holding = await session(
    t,
    'spy',
    'select pg_advisory_lock(720410000)',
    'begin; select from public.headwater_migrating',
  )
  const isHeld = `select from pg_stat_activity where pid = $1 and state = 'idle in transaction'`
  while ((await admin.query(isHeld, [holding.pid])).rowCount === 0) await delay(10)
  const client = new pg.Client(addressOf('spy'))
  await client.connect()
  for (const mode of ['share update exclusive', 'share', 'exclusive', 'access exclusive'])
    await t
      .rejects(client.query(`begin; lock table public.headwater_migrating in ${mode} mode`), { code: '42501' })
      .finally(() => client.query('rollback'))
  await client.end()
  const first = [migrate(url), migrate(url)]
  // A login that may not migrate waits for one that does, but not for one that may come.
  await until('the lock, or the migration', async () => {
    const { rows } = await owner.query(
      `select exists (select from pg_locks where granted and mode = 'ShareUpdateExclusiveLock'
           and relation = 'public.headwater_migrating'::regclass)
         or exists (select from public.headwater_migrations where name = 'code') as found`,
    )
    return rows[0].found
  })
  const results = await Promise.all([...first, migrate(addressOf('worker'))])
  t.same(results.flat(), ['code'], 'one of them does it, the others wait, also who may not migrate')
  t.equal((await owner.query('select from pg_stat_activity where pid = $1', [holding.pid])).rowCount, 1)
})
