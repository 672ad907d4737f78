// One database per test: a copy of a migrated template, dropped at the end. `npm test` shares one server among all
// files; a file that runs alone starts a server of its own.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../../migrations/migrate.ts'
import { startTestCluster } from './cluster.ts'

export interface TestDatabase {
  url: string
  pool: pg.Pool
}

/** The used part of a tap test. */
interface Test {
  teardown(work: () => Promise<unknown>): unknown
}

const TEMPLATE = 'headwater_template'
/** Key of the advisory lock under which one process makes the template. */
const TEMPLATE_LOCK = 720_410_001

let server: Promise<string> | undefined

/** Address of the test server; starts one, for the life of this process, when `npm test` has not. */
function serverUrl(): Promise<string> {
  server ??= process.env.HEADWATER_TEST_DATABASE
    ? Promise.resolve(process.env.HEADWATER_TEST_DATABASE)
    : startTestCluster().then((cluster) => cluster.url)
  return server
}

/**
 * Makes a migrated database for one test.
 *
 * @returns its address, as superuser, and a small pool on it that ends with the test
 */
export async function testDatabase(t: Test): Promise<TestDatabase> {
  const admin = await serverUrl()
  await onServer(admin, ensureTemplate)
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await onServer(admin, (client) => client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`))
  const url = databaseUrl(admin, name)
  const pool = testPool(t, url, { max: 4 })
  // Before the pool ends: the pool would wait for a connection that a failed test did not release.
  t.teardown(() => onServer(admin, (client) => client.query(`drop database ${name} with (force)`)))
  return { url, pool }
}

/** A pool that ends with the test. */
export function testPool(t: Test, url: string, settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, ...settings })
  // The pool has ended before its connections, which the dropping of their database may then break.
  pool.on('error', () => {})
  t.teardown(() => pool.end())
  return pool
}

/** The same server, another database. */
function databaseUrl(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

async function ensureTemplate(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
  const { rows } = await client.query('select datistemplate as done from pg_database where datname = $1', [TEMPLATE])
  if (rows[0]?.done === true) return
  if (rows[0] !== undefined) await client.query(`drop database ${TEMPLATE} with (force)`)
  await client.query(`create database ${TEMPLATE}`)
  await migrate(databaseUrl(await serverUrl(), TEMPLATE))
  await client.query(`alter database ${TEMPLATE} is_template true`)
}

/** Runs work on a separate connection, whose end releases its advisory locks. */
async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(databaseUrl(url, 'postgres'))
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
