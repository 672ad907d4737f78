// One database per test: a copy of a migrated template, dropped at the end. `npm test` shares one server among all
// files; a file that runs alone starts a server of its own.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { startTestCluster } from './cluster.ts'

export interface TestDatabase {
  url: string
  pool: pg.Pool
}

/** The used part of a tap test. */
interface Test {
  teardown(work: () => Promise<unknown>): unknown
}

/** What a test database contains in addition to the schema. */
export interface Contents {
  /** Chains whose partitions exist. Making them takes ten times as long as copying them. Default: wax. */
  chains?: readonly string[]
  /** Rows that several tests start from. Written once in a run of all tests, then copied. */
  scene?: Scene
}

export interface Scene {
  /** Lower-case letters, digits and `_`; different for different rows. */
  name: string
  write(database: TestDatabase): Promise<void>
}

/** A database that is copied. */
interface Template {
  name: string
  /** The template that it is made from; null: an empty database. */
  from: Template | null
  fill(url: string): Promise<void>
}

/** First key of the advisory locks under which one process makes a template; the second is the name's hash. */
const TEMPLATE_LOCK = 720_410

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
export async function testDatabase(t: Test, contents: Contents = {}): Promise<TestDatabase> {
  const admin = await serverUrl()
  const template = templateOf(contents)
  await ensureTemplate(admin, template)
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await onServer(admin, (client) => client.query(copyOf(template, name)))
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

function templateOf({ chains = ['wax'], scene }: Contents): Template {
  const schema: Template = { name: 'headwater_template', from: null, fill: migrated }
  const parts: Template = {
    name: ['headwater_template', ...chains.map((chain) => chain.replaceAll('-', '_'))].join('_'),
    from: schema,
    fill: (url) =>
      onPool(url, async (pool) => {
        for (const chain of chains) await pool.query('select meta.add_chain($1)', [chain])
      }),
  }
  const withChains = chains.length === 0 ? schema : parts
  if (scene === undefined) return withChains
  return {
    name: `headwater_scene_${scene.name}`,
    from: withChains,
    fill: (url) => onPool(url, (pool) => scene.write({ url, pool })),
  }
}

async function migrated(url: string): Promise<void> {
  // Imported here: loading knex takes as long as copying three databases.
  const { migrate } = await import('../../migrations/migrate.ts')
  await migrate(url)
}

/** Makes a template unless it exists. Other processes wait meanwhile. */
async function ensureTemplate(admin: string, template: Template): Promise<void> {
  const { name, from, fill } = template
  if (from !== null) await ensureTemplate(admin, from)
  await onServer(admin, async (client) => {
    await client.query('select pg_advisory_lock($1, hashtext($2))', [TEMPLATE_LOCK, name])
    const { rows } = await client.query('select datistemplate as done from pg_database where datname = $1', [name])
    if (rows[0]?.done === true) return
    if (rows[0] !== undefined) await client.query(`drop database ${name} with (force)`)
    await client.query(from === null ? `create database ${name}` : copyOf(from, name))
    await fill(databaseUrl(admin, name))
    await client.query(`alter database ${name} is_template true`)
  })
}

function copyOf(template: Template, name: string): string {
  return `create database ${name} template ${template.name} strategy file_copy`
}

async function onPool(url: string, work: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const pool = new pg.Pool({ connectionString: url })
  try {
    await work(pool)
  } finally {
    await pool.end()
  }
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
