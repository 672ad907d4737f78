// The embedded PostgreSQL: created on first use, adopted when a process of ours was killed and left it running,
// started again when it was killed itself, stopped by the last process that uses it.
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../../../core/errors.ts'
import { openClient } from '../../../net/postgres.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { initialise } from './initdb.ts'
import { releaseLease, takeLease, withLock } from './lease.ts'
import { type Place, preparePlace } from './place.ts'
import { type Lifetime, type PidFile, runningServer, spawnServer, startFailure, stopServer } from './postmaster.ts'
import { HOST_BASED_AUTHENTICATION, serverConfiguration } from './settings.ts'

/** Longest wait for a server to accept connections, in ms: it may have a crash to recover from. */
const START_TIMEOUT = 60_000
/** How often a running server is looked after, in ms. */
const WATCH_INTERVAL = 250

export interface EmbeddedOptions {
  /** The data folder; the server lives in `postgres` below it. */
  dataDir: string
  /** True for tests: the server ends with this process, however that ends, and leaves nothing. */
  ephemeral?: boolean
  /** True: the server ends with this process, however that ends; its data stays. */
  attached?: boolean
  /** False for data that can be made again: commits do not wait for the disk. Default true. */
  durable?: boolean
  /** Told of everything worth knowing: where the data is, a restart. */
  log?: (message: string) => void
}

export interface EmbeddedPostgres {
  /** Connects over the Unix socket, without a password, as the superuser. */
  url: string
  /** The same over 127.0.0.1, with the password: for programs that know no Unix sockets. */
  tcpUrl: string
  /** Where the data is. */
  directory: string
  /** True when the server was running already. */
  adopted: boolean
  /** Ends this process's use; the last user stops the server. */
  stop(): Promise<void>
}

/**
 * Starts or adopts the server of a data folder, and keeps it running until `stop`.
 *
 * @throws UserError EMBEDDED_UNAVAILABLE (platform), EMBEDDED_OWNER (data of another account), EMBEDDED_VERSION,
 *   DISK_FULL; BugError EMBEDDED_START with the server's own words
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
    await untilReady(place, running.port, () => runningServer(place.data) !== undefined)
    return { ...running, adopted: true }
  }
  if (!existsSync(place.data)) await initialise(place, binaries.initdb, randomBytes(18).toString('base64url'))
  const port = await choosePort(join(place.home, 'port'))
  write(place, 'data/postgresql.conf', serverConfiguration({ port, sockets: place.sockets, durable }))
  write(place, 'data/pg_hba.conf', HOST_BASED_AUTHENTICATION)
  clearSockets(place)
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

/**
 * Removes what a killed server left in its socket folder. The next one would take the old lock for that of a living
 * server as long as nobody has reaped the dead process, or when its id is in use again.
 */
function clearSockets({ sockets }: Place): void {
  for (const name of readdirSync(sockets))
    if (name.startsWith('.s.PGSQL.')) rmSync(join(sockets, name), { force: true })
}

/** Waits until the server answers; throws its last refusal when it is gone or the time is over. */
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

/** Looks after the server: brings it back when it is gone. Returns a function that ends this and awaits a restart. */
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

/** The port of the last time when it is free, so that saved connections go on working; else any free one. */
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

/** Writes a file that the server reads, at once or not at all. */
function write({ home, account }: Place, name: string, text: string): void {
  const path = join(home, name)
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  if (account !== undefined) chownSync(`${path}.new`, account.uid, account.gid)
  renameSync(`${path}.new`, path)
}
