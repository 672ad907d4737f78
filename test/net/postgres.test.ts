// Connections to PostgreSQL: one module opens them, and a lost connection does not end the process.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { migrate } from '../../migrations/migrate.ts'
import { openClient, openPool } from '../../net/postgres.ts'
import { testDatabase } from '../support/database.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = [
  'api',
  'bin',
  'config',
  'core',
  'cosign',
  'relay',
  'devnet',
  'finality-store',
  'indexer',
  'migrations',
  'net',
  'packs',
  'proofs',
]
/** `postgres.ts` opens all connections; `servers.ts` asks each host of an address which server it is, before that. */
const OPENERS = ['net/postgres.ts', 'net/postgres/servers.ts']

t.test('no other file creates a client or a pool', async (t) => {
  const others = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name))
      .filter((name) => /new (pg\.)?(Client|Pool)\(/.test(readFileSync(join(ROOT, name), 'utf8'))),
  )
  t.same(others, OPENERS)
})

t.test('a connection that is lost in use or while idle does not end the process', async (t) => {
  const { url, pool: admin } = await testDatabase(t)
  const lost = new Set<string>()
  const config = { connectionString: url, application_name: 'lost' }
  const client = openClient(config, () => lost.add('client'))
  await client.connect()
  const pool = openPool({ ...config, max: 2 }, () => lost.add('pool'))
  const used = await pool.connect()
  await pool.query('select 1')
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lost'`)
  await t.rejects(used.query('select 1'))
  used.release(true)
  await t.rejects(client.query('select 1'))
  while (lost.size < 2) await delay(10)
  t.equal((await pool.query('select 1 as n')).rows[0].n, 1, 'the pool opens another one')
  await pool.end()
})

t.test('sessions of the program run without JIT, with any other options', async (t) => {
  const { url } = await testDatabase(t)
  const options = '-c timezone=Asia/Tokyo'
  const client = openClient({ connectionString: url, options })
  await client.connect()
  const { rows } = await client.query(`select current_setting('jit') as jit, current_setting('timezone') as zone`)
  t.same(rows, [{ jit: 'off', zone: 'Asia/Tokyo' }])
  await client.end()
})

t.test('readers, and functions that run at each block, run without JIT on a server with JIT', async (t) => {
  const { pool, url } = await testDatabase(t)
  // Settings of a database are not copied with it.
  const own = new URL(url)
  own.pathname = `${own.pathname}_own`
  await pool.query(`create database ${own.pathname.slice(1)}`)
  t.teardown(() => pool.query(`drop database ${own.pathname.slice(1)} with (force)`))
  await migrate(own.href)
  const { rows } = await pool.query(
    'select s.setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase where d.datname = $1',
    [own.pathname.slice(1)],
  )
  t.match(rows[0]?.setconfig ?? [], ['jit=off'])
  const functions = await pool.query(
    `select proname, proconfig from pg_proc where pronamespace = 'meta'::regnamespace and proname in ('refresh_candles', 'rewind') order by 1`,
  )
  for (const { proname, proconfig } of functions.rows) t.ok(proconfig.includes('jit=off'), proname)
  t.notOk(
    functions.rows[0].proconfig.some((one: string) => one.startsWith('enable_')),
    'no hint to the planner',
  )
})
