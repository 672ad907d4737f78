// Checks a PostgreSQL server: its clock, its settings, and how many commits its disk takes.
import type { ClientBase } from 'pg'
import { type Finding, ok, warn } from './finding.ts'

const MB = 2 ** 20
/** Largest difference of the clocks, seconds. Ages of blocks are of the server's clock. */
const MAX_SKEW = 5
/** Commits that are measured. */
const COMMITS = 20
/** Commits a second below which a chain of two blocks a second has little room for other work of the disk. */
const SLOW_COMMITS = 50
/** Connections of a process with one chain, and of some readers. */
const FEWEST_CONNECTIONS = 40

interface Setting {
  name: string
  /** Whether a value fits; of memory and WAL in bytes, else of the text. */
  fits: (value: string, bytes: number) => boolean
  wanted: string
  why: string
}

const SETTINGS: readonly Setting[] = [
  { name: 'fsync', fits: (value) => value === 'on', wanted: 'on', why: 'a crash of the machine damages the database' },
  {
    name: 'full_page_writes',
    fits: (value) => value === 'on',
    wanted: 'on',
    why: 'a crash of the machine damages the database',
  },
  {
    name: 'shared_buffers',
    fits: (_, bytes) => bytes >= 256 * MB,
    wanted: "'1GB'",
    why: 'a quarter of the memory is usual, the default is for small databases',
  },
  {
    name: 'max_wal_size',
    fits: (_, bytes) => bytes >= 2048 * MB,
    wanted: "'8GB'",
    why: 'a backfill is held up by checkpoints',
  },
  {
    name: 'max_connections',
    fits: (value) => Number(value) >= FEWEST_CONNECTIONS,
    wanted: '100',
    why: 'each API takes 11 connections and the indexer about 5 a chain',
  },
]

/** @param isOwn  whether the server is the embedded one, whose settings are ours */
export async function checkServerSettings(client: ClientBase, isOwn: boolean): Promise<Finding[]> {
  const found = [await checkClock(client)]
  if (!isOwn) found.push(...(await checkSettings(client)))
  const commits = await checkCommits(client)
  return commits === null ? found : [...found, commits]
}

async function checkClock(client: ClientBase): Promise<Finding> {
  const before = Date.now()
  const { rows } = await client.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  )
  const skew = ((rows[0]?.ms ?? 0) - (before + Date.now()) / 2) / 1000
  if (Math.abs(skew) <= MAX_SKEW) return ok('clock', 'same as the clock of the database server')
  const text = `the clock of the database server is ${Math.abs(skew).toFixed(0)} s ${skew > 0 ? 'ahead' : 'behind'}`
  return warn('clock', text, 'synchronise both machines, for example with chrony')
}

async function checkSettings(client: ClientBase): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; value: string; bytes: string | null }>(
    `select name, current_setting(name) as value,
       case when unit in ('kB', '8kB', 'MB') then pg_size_bytes(current_setting(name)) end::text as bytes
     from pg_settings where name = any($1)`,
    [SETTINGS.map(({ name }) => name)],
  )
  const values = new Map(rows.map((row) => [row.name, row]))
  const wrong = SETTINGS.filter(({ name, fits }) => {
    const found = values.get(name)
    return found !== undefined && !fits(found.value, Number(found.bytes ?? 0))
  })
  if (wrong.length === 0) return [ok('settings', 'the settings of the server are suitable')]
  return wrong.map(({ name, wanted, why }) =>
    warn(
      'settings',
      `${name} = ${values.get(name)?.value}: ${why}`,
      `let an administrator run: alter system set ${name} = ${wanted}; then reload the server, or restart it for shared_buffers and max_connections (docs/operate/sizing.md)`,
    ),
  )
}

/** Commits a second, one after the other. Each writes a message into the WAL and changes no table. Null on a standby. */
async function checkCommits(client: ClientBase): Promise<Finding | null> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  if (rows[0]?.standby !== false) return null
  const started = performance.now()
  for (let i = 0; i < COMMITS; i++) await client.query('select 1')
  const way = performance.now() - started
  for (let i = 0; i < COMMITS; i++) await client.query(`select pg_logical_emit_message(true, 'headwater', 'check')`)
  // Without the time of the network.
  const spent = Math.max(performance.now() - started - 2 * way, 1)
  const rate = Math.round((1000 * COMMITS) / spent)
  if (rate >= SLOW_COMMITS) return ok('commits', `${rate} a second`)
  return warn('commits', `${rate} a second`, `the disk of the database is slow: a chain needs ${SLOW_COMMITS} or more`)
}
