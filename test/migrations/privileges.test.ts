// Logins with few rights: `migrate` asks an administrator for exactly the rights that it needs. Roles belong to a whole
// server, so this file uses its own.
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import t from 'tap'
import type { UserError } from '../../core/errors.ts'
import { startBoss } from '../../indexer/jobs/boss.ts'
import { migrate } from '../../migrations/migrate.ts'
import { run } from '../bin/program.ts'
import { startTestCluster } from '../support/cluster.ts'

const recording = fileURLToPath(new URL('../fixtures/recordings/small.ship.gz', import.meta.url))
const cluster = await startTestCluster()
const admin = new pg.Client(cluster.url)
await admin.connect()
t.teardown(async () => {
  await admin.end()
  await cluster.stop()
})

/** Creates a database of the superuser and a login without rights. @returns the URL with that login */
async function setUp(database: string, login: string, rights = ''): Promise<string> {
  await admin.query(`create database "${database}"`)
  if ((await admin.query('select from pg_roles where rolname = $1', [login])).rowCount === 0)
    await admin.query(`create role "${login}" login password 'secret' ${rights}`)
  return addressOf(database, login)
}

function addressOf(database: string, login?: string): string {
  const url = new URL(cluster.url)
  url.pathname = `/${database}`
  if (login !== undefined) Object.assign(url, { username: login, password: 'secret' })
  return url.href
}

async function as<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  return await work(client).finally(() => client.end())
}

/** The statements inside a hint. */
const statementsOf = (hint = '') => hint.split('\n').flatMap((line) => /^ +(.*);$/.exec(line)?.[1] ?? [])

async function refusal(work: Promise<unknown>): Promise<UserError> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (error === undefined) throw new Error('it was not refused')
  return error as UserError
}

t.test('a login without rights gets the statements to request; with these it migrates and indexes', async (t) => {
  const url = await setUp('a base', 'plain')
  const { code, stdout, stderr } = await run(['migrate'], { DATABASE_URL: url })
  t.same([code, stdout], [1, ''])
  t.equal(
    stderr,
    `DATABASE_PRIVILEGES: the login plain cannot migrate the database a base: it may not create schemas, nor create tables in the schema public, nor create roles
  hint: migrate with a login that may, or let an administrator run in this database:
    grant create on database "a base" to "plain";
    grant create on schema public to "plain";
    create role headwater_writer nologin;
    create role headwater_relayer nologin;
    create role headwater_reader nologin;
    create role headwater_cosigner nologin;
    create role headwater_api nologin;
    grant headwater_writer, headwater_relayer, headwater_reader, headwater_cosigner, headwater_api to "plain";
`,
  )
  const tables = `select relname from pg_class where relnamespace = 'public'::regnamespace`
  t.same((await as(addressOf('a base'), (client) => client.query(tables))).rows, [], 'nothing was begun')
  const checked = await run(['check', '--json'], { DATABASE_URL: url })
  const found = JSON.parse(checked.stdout) as { subject: string; level: string; message: string; remedy?: string }[]
  t.match(
    found.find(({ message }) => /may not create schemas/.test(message)),
    { level: 'fail', remedy: /create role/ },
  )

  await as(addressOf('a base'), async (client) => {
    for (const statement of statementsOf(stderr)) await client.query(statement)
  })
  const migrated = await run(['migrate'], { DATABASE_URL: url })
  t.equal(migrated.code, 0, migrated.stderr)
  t.match(migrated.stdout, /^applied baseline\/010_meta\.sql$/m)
  const replayed = await run(['replay', recording], { DATABASE_URL: url })
  t.equal(replayed.code, 0, replayed.stderr)
})

t.test('a writer without further rights indexes a database that another login migrated', async (t) => {
  await admin.query(`create role reader login password 'secret'`)
  const url = addressOf('a base', 'reader')
  const error = await refusal(migrate(url))
  t.equal(error.code, 'DATABASE_LOGIN')
  t.same(statementsOf(error.hint), ['grant headwater_writer to "reader"'])
  for (const statement of statementsOf(error.hint)) await admin.query(statement)
  t.same(await migrate(url), [])
  const replayed = await run(['replay', recording, '--chain', 'again'], { DATABASE_URL: url })
  t.equal(replayed.code, 0, replayed.stderr)
})

t.test('an update by another login needs the role of the first one', async (t) => {
  const url = await setUp('updated', 'plain')
  await as(addressOf('updated'), async (client) => {
    await client.query('grant create on database updated to plain; grant create on schema public to plain')
  })
  await migrate(url)
  await admin.query('grant create on database updated to reader')
  await as(addressOf('updated'), (client) =>
    client.query(`delete from public.headwater_migrations where name = 'code'`),
  )
  const error = await refusal(migrate(addressOf('updated', 'reader')))
  t.match(
    error.message,
    /it may not change what plain has made, nor become headwater_relayer and headwater_reader and headwater_cosigner and headwater_api$/,
  )
  t.same(statementsOf(error.hint), [
    'grant "plain" to "reader"',
    'grant headwater_relayer, headwater_reader, headwater_cosigner, headwater_api to "reader"',
  ])
})

t.test('a login that may create roles is asked only for membership in existing ones', async (t) => {
  const url = await setUp('third', 'maker', 'createrole')
  await as(addressOf('third'), (client) =>
    client.query('grant create on database third to maker; grant create on schema public to maker'),
  )
  const error = await refusal(migrate(url))
  t.match(error, {
    code: 'DATABASE_PRIVILEGES',
    message:
      /it may not become headwater_writer and headwater_relayer and headwater_reader and headwater_cosigner and headwater_api$/,
  })
  t.same(statementsOf(error.hint), [
    'grant headwater_writer, headwater_relayer, headwater_reader, headwater_cosigner, headwater_api to "maker"',
  ])

  for (const name of ['a base', 'updated']) await admin.query(`drop database "${name}" with (force)`)
  await admin.query(
    'drop role headwater_writer, headwater_relayer, headwater_reader, headwater_cosigner, headwater_api',
  )
  t.ok((await migrate(url)).length > 5, 'it makes them itself when they are not there')
  const replayed = await run(['replay', recording], { DATABASE_URL: url })
  t.equal(replayed.code, 0, replayed.stderr)
})

t.test('check names what other logins may still do, and the statements that end it', async (t) => {
  const rights = async () => {
    const { stdout } = await run(['check', '--json'], { DATABASE_URL: addressOf('third', 'maker') })
    const found = JSON.parse(stdout) as { subject: string; level: string; message: string; remedy?: string }[]
    return found.find(({ subject }) => subject === 'rights')
  }
  const found = await rights()
  t.match(found, { level: 'warn', message: /temporary tables.*large objects.*JIT/ }, 'the login is not the owner')
  await as(addressOf('third'), (client) => client.query(found?.remedy?.replace(/^[^:]*: /, '') ?? ''))
  t.match(await rights(), { level: 'ok' })
})

t.test('the reader has limits and sees only the views', async (t) => {
  await admin.query(`alter role headwater_reader login password 'secret'`)
  await as(addressOf('third', 'headwater_reader'), async (client) => {
    const setting = async (name: string) => (await client.query(`show ${name}`)).rows[0][name.toLowerCase()] ?? null
    t.equal(await setting('statement_timeout'), '1min')
    t.equal(await setting('idle_in_transaction_session_timeout'), '5min')
    t.equal(await setting('jit'), 'off')
    t.equal((await client.query('select count(*)::int4 as n from final.swaps')).rows[0].n > 0, true)
    const refused = async (sql: string) =>
      client.query(sql).then(
        () => 'done',
        (error: { code: string }) => error.code,
      )
    t.equal(await refused('create temp table mine (a int4)'), '25006', 'nothing is written')
    await client.query('set default_transaction_read_only = off')
    t.equal(await refused('create table public.mine (a int4)'), '42501')
    t.equal(await refused('create temp table mine (a int4)'), '42501')
    t.equal(await refused('select lo_create(0)'), '42501')
    for (const table of ['ledger.swaps', 'state.balances', 'meta.position', 'cosign.counters', 'pgboss.job'])
      t.match(await refused(`select from ${table}`), /^(42501|42P01|3F000)$/, table)
  })
  await admin.query('alter role headwater_reader nologin')
})

t.test('an error names the rights that the queue lacks', async (t) => {
  const boss = await startBoss({ databaseUrl: addressOf('third', 'maker') })
  await boss.stop({ graceful: false, wait: true })
  await admin.query('grant headwater_writer to plain')
  const other = await refusal(startBoss({ databaseUrl: addressOf('third', 'plain') }))
  t.match(other, { code: 'QUEUE_PRIVILEGES', hint: 'let an administrator run: grant "maker" to "plain";' })
  await as(addressOf('third'), (client) => client.query('drop schema pgboss cascade'))
  const none = await refusal(startBoss({ databaseUrl: addressOf('third', 'plain') }))
  t.match(none, {
    code: 'QUEUE_PRIVILEGES',
    hint: 'let an administrator run: grant create on database "third" to "plain";',
  })
})
