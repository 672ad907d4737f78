// A primary and a physical hot standby of Debian's PostgreSQL 15, which follows by a replication slot. Both can be killed
// and started again, and the standby promoted. Commits do not wait for the disk: processes die here, not the machine.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { runningServer, spawnServer, stopServer } from '../../indexer/store/embedded/postmaster.ts'
import { type Binaries, freePort, type Missing, newHome, type ServerHome, untilReady } from './debian-server.ts'
import { findStockServer } from './stock-server.ts'
import { until } from './until.ts'

export interface ReplicatedServers {
  primary: Server
  standby: Server
  /** Address of a database on both, the primary first. */
  url(database: string, settings?: string): string
  /** Waits until the standby has replayed what is committed on the primary. */
  replayed(): Promise<void>
  stop(): Promise<void>
}

/** One of the servers. */
export class Server {
  readonly port: number
  readonly log: () => string
  private readonly place: ServerHome
  private readonly password: string

  constructor(place: ServerHome, port: number, password: string) {
    this.place = place
    this.port = port
    this.password = password
    this.log = () => readFileSync(join(place.home, 'server.log'), 'utf8')
  }

  /** `user:password@host:port` for this server, as the superuser. */
  get authority(): string {
    return `postgres:${this.password}@127.0.0.1:${this.port}`
  }

  /** Address of a database, as the superuser. */
  url(database = 'postgres'): string {
    return `postgresql://${this.authority}/${database}`
  }

  async start(): Promise<void> {
    spawnServer(this.place.program('postgres'), this.place, 'attached').unref()
    await untilReady(this.url(), async () => {})
  }

  /** Kills the server and all its processes at once, as a power cut does; or stops them for a while, and lets them go on. */
  kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' = 'SIGKILL'): void {
    const running = runningServer(this.place.data)
    if (running === undefined) throw new Error(`no server runs on port ${this.port}`)
    // The postmaster first: it would start others in place of killed ones.
    for (const pid of [running.pid, ...childrenOf(running.pid)]) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended.
      }
    }
  }

  async stop(): Promise<void> {
    const running = runningServer(this.place.data)
    if (running !== undefined) await stopServer(running.pid)
  }

  /** Makes a stopped server a standby without a primary. */
  makeStandby(): void {
    this.place.owned('data/standby.signal', '', 0o600)
  }

  /** Makes a standby a primary; returns when it accepts writes. */
  async promote(): Promise<void> {
    await this.query('select pg_promote(true, 60)')
    await until('the promotion', async () => {
      const { rows } = await this.query('select pg_is_in_recovery() as standby')
      return rows[0]?.standby === false
    })
  }

  async query(text: string, values: unknown[] = [], database = 'postgres'): Promise<pg.QueryResult> {
    const client = new pg.Client(this.url(database))
    client.on('error', () => {})
    await client.connect()
    return client.query(text, values).finally(() => client.end().catch(() => {}))
  }

  /** Stops it, and removes its files. */
  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.place.dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

const SETTINGS = `fsync = off
full_page_writes = off
synchronous_commit = on
max_connections = 100
max_standby_streaming_delay = 500ms
wal_level = replica
log_line_prefix = '%m [%p] '
`

/** Starts both. They also stop when this process is killed. */
export async function startReplicatedServers(): Promise<ReplicatedServers | Missing> {
  const binaries = await findStockServer()
  if ('missing' in binaries) return binaries
  const password = randomBytes(12).toString('hex')
  const primary = await startPrimary(binaries, password)
  if ('missing' in primary) return primary
  const standby = await addStandby(binaries, primary, password)
  if ('missing' in standby) return standby
  return {
    primary,
    standby,
    url: (database, settings = '') =>
      `postgresql://postgres:${password}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/${database}${settings === '' ? '' : `?${settings}`}`,
    async replayed() {
      const { rows } = await primary.query('select pg_current_wal_flush_lsn() as lsn')
      await until('the replay', async () => {
        const { rows: found } = await standby.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as there', [
          rows[0].lsn,
        ])
        return found[0].there as boolean
      })
    },
    async stop() {
      await standby.remove()
      await primary.remove()
    },
  }
}

async function startPrimary(binaries: Binaries, password: string): Promise<Server | Missing> {
  const place = newHome(binaries, 'headwater-primary-')
  if ('missing' in place) return place
  const passwordFile = place.owned('password', password, 0o600)
  await place.run('initdb', [
    ...['-D', place.data, '--username=postgres', `--pwfile=${passwordFile}`, '--no-sync'],
    ...['--auth-local=peer', '--auth-host=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8'],
  ])
  const port = await freePort()
  place.owned('data/postgresql.auto.conf', `${settingsOf(place, port)}`, 0o600)
  const server = new Server(place, port, password)
  await server.start()
  return server
}

/** Copies a running server by pg_basebackup, and starts the copy as its standby. */
async function addStandby(binaries: Binaries, primary: Server, password: string): Promise<Server | Missing> {
  const place = newHome(binaries, 'headwater-standby-')
  if ('missing' in place) return place
  // `--write-recovery-conf` writes primary_conninfo, primary_slot_name and standby.signal.
  const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`
  await place.run(
    'pg_basebackup',
    [
      ...['--pgdata', place.data, '--dbname', source, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'],
      ...['--wal-method=stream', '--create-slot', '--slot=standby'],
    ],
    { PGPASSWORD: password },
  )
  const port = await freePort()
  const file = 'data/postgresql.auto.conf'
  const copied = readFileSync(join(place.home, file), 'utf8')
  // The last of two lines with one name counts.
  place.owned(file, `${copied}\n${settingsOf(place, port)}`, 0o600)
  const server = new Server(place, port, password)
  await server.start()
  return server
}

function settingsOf({ sockets }: ServerHome, port: number): string {
  return `${SETTINGS}port = ${port}\nunix_socket_directories = '${sockets}'\n`
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent)
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[1])
  } catch {
    return undefined // it has ended
  }
}
