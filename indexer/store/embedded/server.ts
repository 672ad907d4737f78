// The embedded PostgreSQL: created at first use, adopted when still running after a crash of this program, restarted
// when it was killed, and stopped by the last process that uses it.
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { RetryableError, UserError } from '../../../core/errors.ts'
import { openClient } from '../../../net/postgres.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { initialise } from './initdb.ts'
import { releaseLease, takeLease, withLock } from './lease.ts'
import { findPlace, type Place, preparePlace } from './place.ts'
import {
  type Lifetime,
  type PidFile,
  removeEmptyPidFile,
  runningServer,
  spawnServer,
  startFailure,
  stopServer,
} from './postmaster.ts'
import { HOST_BASED_AUTHENTICATION, serverConfiguration } from './settings.ts'

/** Timeout until a server accepts connections, ms: it may have to recover from a crash. */
const START_TIMEOUT = 60_000
/** Interval of the check that the server is running, ms. */
const WATCH_INTERVAL = 250

export interface EmbeddedOptions {
  /** The data folder; the server's home is `postgres` in it. */
  dataDir: string
  /** Whether the server ends with this process, even if it is killed, and its files are removed. For tests. */
  ephemeral?: boolean
  /** Whether the server ends with this process, even if it is killed; its data is kept. */
  attached?: boolean
  /** Whether commits wait for the disk. False only for data that can be made again. Default true. */
  durable?: boolean
  /** Called with messages for the log: the path of the data, a restart. */
  log?: (message: string) => void
}

export interface EmbeddedPostgres {
  /** Connects over the Unix socket as the superuser, without a password. */
  url: string
  /** Connects over 127.0.0.1 with the password, for programs without Unix sockets. */
  tcpUrl: string
  /** The data directory. */
  directory: string
  /** Whether the server was already running. */
  adopted: boolean
  /** Ends this process's use; the last user stops the server. */
  stop(): Promise<void>
}

/**
 * Starts or adopts the server of a data folder, and keeps it running until `stop`.
 *
 * @throws UserError EMBEDDED_UNAVAILABLE (platform), EMBEDDED_OWNER (data of another account), EMBEDDED_VERSION,
 *   DISK_FULL; BugError EMBEDDED_START with the server's log
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {})
  const place = preparePlace(options.dataDir, log)
  checkOwner(place)
  const binaries = findBinaries(place.account, log)
  const { ephemeral = false, attached = false, durable = true } = options
  const lifetime = ephemeral ? 'attached, home removed' : attached ? 'attached' : 'detached'
  const up = () => withLock(place.home, () => ensureRunning(place, binaries, { lifetime, durable }))
  takeLease(place.home)
  let server: PidFile & { adopted: boolean }
  try {
    server = await up()
  } catch (error) {
    releaseLease(place.home)
    throw error
  }
  const stopWatching = watch(place, log, up)
  const password = readFileSync(join(place.home, 'password'), 'utf8')
  return {
    url: socketUrl(place, server.port),
    tcpUrl: `postgresql://postgres:${password}@127.0.0.1:${server.port}/headwater`,
    directory: place.data,
    adopted: server.adopted,
    async stop() {
      await stopWatching()
      await withLock(place.home, async () => {
        if (!releaseLease(place.home)) return
        const running = runningServer(place.data)
        if (running !== undefined) await stopServer(running.pid)
      })
      if (ephemeral) rmSync(place.home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Address of the server of a data folder if it runs; null otherwise. Starts nothing. */
export function runningPostgres(dataDir: string): string | null {
  const place = findPlace(dataDir)
  const running = place === null ? undefined : runningServer(place.data)
  return place === null || running === undefined ? null : socketUrl(place, running.port)
}

/** Whether a data folder has a database. Makes none. */
export function hasEmbeddedData(dataDir: string): boolean {
  return findPlace(dataDir) !== null
}

function checkOwner({ data }: Place): void {
  const uid = process.getuid?.()
  const owner = statSync(data, { throwIfNoEntry: false })?.uid
  if (uid === 0 || owner === undefined || owner === uid) return
  throw new UserError('EMBEDDED_OWNER', `${data} belongs to user ${owner}, this process runs as user ${uid}`, {
    hint: 'run as the same user as before, or set HEADWATER_DATA to another folder',
  })
}

interface Kind {
  lifetime: Lifetime
  durable: boolean
}

async function ensureRunning(place: Place, binaries: Binaries, { lifetime, durable }: Kind) {
  const running = runningServer(place.data)
  if (running !== undefined) {
    await untilReady(place, running.port, () => runningServer(place.data) !== undefined).catch((error: Error) => {
      throw silent(place, running, error)
    })
    return { ...running, adopted: true }
  }
  if (!existsSync(place.data)) await initialise(place, binaries.initdb, randomBytes(18).toString('base64url'))
  const port = await choosePort(join(place.home, 'port'))
  write(place, 'data/postgresql.conf', serverConfiguration({ port, sockets: place.sockets, durable }))
  write(place, 'data/pg_hba.conf', HOST_BASED_AUTHENTICATION)
  clearSockets(place)
  removeEmptyPidFile(place.data)
  const logStart = statSync(join(place.home, 'server.log'), { throwIfNoEntry: false })?.size ?? 0
  const child = spawnServer(binaries.postgres, place, lifetime)
  let exited = false
  child.once('exit', () => {
    exited = true
  })
  child.unref()
  const pipe = child.stdin as (typeof child.stdin & { unref(): void }) | null
  pipe?.unref()
  try {
    await untilReady(place, port, () => !exited)
  } catch {
    const text = readFileSync(join(place.home, 'server.log'), 'utf8')
    throw startFailure(place, text.slice(logStart <= text.length ? logStart : 0))
  }
  await createDatabase(place, port)
  return { pid: runningServer(place.data)?.pid as number, port, adopted: false }
}

/** The error of a server that does not answer, or of another process that has its id and cannot be examined. */
function silent({ data }: Place, { pid }: PidFile, cause: Error): RetryableError {
  return new RetryableError('EMBEDDED_SILENT', `PostgreSQL (process ${pid}) does not answer: ${cause.message}`, {
    hint: `see its log; if process ${pid} is not PostgreSQL, remove ${join(data, 'postmaster.pid')}`,
    cause,
  })
}

/**
 * Removes the files of a killed server from its socket folder. A new server would take the old lock for a living
 * server's while the dead process is a zombie, or when its id was reused.
 */
function clearSockets({ sockets }: Place): void {
  for (const name of readdirSync(sockets))
    if (name.startsWith('.s.PGSQL.')) rmSync(join(sockets, name), { force: true })
}

/** Waits until the server answers. Throws its last error when it has exited or the timeout has passed. */
async function untilReady(place: Place, port: number, isThere: () => boolean): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT
  for (;;) {
    const there = isThere()
    const client = openClient({ connectionString: socketUrl(place, port, 'postgres') })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (!there || Date.now() > deadline) throw error
    }
    await sleep(15)
  }
}

async function createDatabase(place: Place, port: number): Promise<void> {
  const client = openClient({ connectionString: socketUrl(place, port, 'postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query(`select from pg_database where datname = 'headwater'`)
    if (rowCount === 0) await client.query('create database headwater')
  } finally {
    await client.end()
  }
}

/** Restarts the server when it is gone. @returns a function that stops the check and awaits a restart in progress */
function watch(place: Place, log: (message: string) => void, up: () => Promise<PidFile>): () => Promise<void> {
  let repair: Promise<unknown> | undefined
  const timer = setInterval(() => {
    if (repair !== undefined || runningServer(place.data) !== undefined) return
    log('PostgreSQL is gone: starting it again')
    repair = up()
      .then(({ pid }) => log(`PostgreSQL runs again as process ${pid}`))
      .catch((error: Error) => log(`PostgreSQL did not come back: ${error.message}`))
      .finally(() => {
        repair = undefined
      })
  }, WATCH_INTERVAL)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await repair
  }
}

/** The previous port if free, so that saved connections remain valid; else any free port. */
async function choosePort(file: string): Promise<number> {
  const last = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  const port = (await freePort(last)) ?? ((await freePort(0)) as number)
  writeFileSync(file, String(port))
  return port
}

function freePort(wanted: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(undefined))
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

function socketUrl(place: Place, port: number, database = 'headwater'): string {
  return `postgresql://postgres@localhost:${port}/${database}?host=${encodeURIComponent(place.sockets)}`
}

/** Writes a file for the server atomically. */
function write({ home, account }: Place, name: string, text: string): void {
  const path = join(home, name)
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  if (account !== undefined) chownSync(`${path}.new`, account.uid, account.gid)
  renameSync(`${path}.new`, path)
}
