// Debian's PostgreSQL 15 with its default configuration, as the package installs it. Uses the system's installation,
// otherwise Debian's packages, unpacked without root. Its superuser has a password; a login that is not a superuser
// owns a database.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Account, canReach } from '../../indexer/store/embedded/account.ts'
import { preparePlace } from '../../indexer/store/embedded/place.ts'
import { runningServer, spawnServer, stopServer } from '../../indexer/store/embedded/postmaster.ts'
import { librariesIn, reasonOf } from './browser/chromium.ts'
import { unpackPackage } from './browser/debian-packages.ts'

export interface StockServer {
  /** As the superuser `postgres`, database `postgres`, over 127.0.0.1. */
  adminUrl: string
  /** As the login `keeper`, which may create roles but is no superuser, to its database `stock`. */
  url: string
  /** The server's log so far. */
  log(): string
  stop(): Promise<void>
}

/** No server was found, and none can be installed. */
export interface Missing {
  missing: string
}

interface Binaries {
  folder: string
  /** Empty for the system's server. */
  libraries: string[]
}

const PACKAGE = 'postgresql-15'
const FOLDER = 'usr/lib/postgresql/15/bin'
/** Ignored by git. */
const UNPACKED = join(import.meta.dirname, '../../.headwater', PACKAGE)
/** Set by the test runner after a search without result, so that no test searches again. */
export const MISSING_VARIABLE = 'HEADWATER_TEST_STOCK_MISSING'
/** When set to `required`, a missing server is a failure. */
export const REQUIRED_VARIABLE = 'HEADWATER_TEST_STOCK'
const START_MS = 60_000

/** Never throws: returns the reason. Takes up to some minutes when packages are downloaded. */
export async function findStockServer(): Promise<Binaries | Missing> {
  if (existsSync(join('/', FOLDER, 'postgres'))) return { folder: join('/', FOLDER), libraries: [] }
  const missing = process.env[MISSING_VARIABLE]
  if (missing !== undefined) return { missing }
  if (!existsSync(UNPACKED)) {
    try {
      await unpackPackage(PACKAGE, UNPACKED)
    } catch (error) {
      // A parallel test may have unpacked it.
      if (!existsSync(UNPACKED)) return { missing: reasonOf(error as NodeJS.ErrnoException) }
    }
  }
  return { folder: join(UNPACKED, FOLDER), libraries: librariesIn(UNPACKED) }
}

/** Starts a new server, which also stops when this process is killed. */
export async function startStockServer(): Promise<StockServer | Missing> {
  const binaries = await findStockServer()
  if ('missing' in binaries) return binaries
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-stock-'))
  chmodSync(dataDir, 0o755)
  const place = preparePlace(dataDir, () => {})
  if (!canReach(place.account, binaries.folder)) {
    rmSync(dataDir, { recursive: true })
    return { missing: `the account of the server may not enter ${binaries.folder}: install ${PACKAGE}` }
  }
  const password = randomBytes(12).toString('hex')
  const { account, home, data } = place
  const owned = (name: string, text: string, mode: number) => {
    const path = join(home, name)
    writeFileSync(path, text, { mode })
    if (account !== undefined) chownSync(path, account.uid, account.gid)
    return path
  }
  const runs = (name: string) => {
    const libraries = `LD_LIBRARY_PATH=${binaries.libraries.join(delimiter)}`
    const script = `#!/bin/sh\nexec env ${libraries} ${join(binaries.folder, name)} "$@"\n`
    return binaries.libraries.length === 0 ? join(binaries.folder, name) : owned(name, script, 0o755)
  }
  const passwordFile = owned('password', password, 0o600)
  // With the options of Debian's pg_createcluster.
  await initialise(runs('initdb'), account, [
    ...['-D', data, '--username=postgres', `--pwfile=${passwordFile}`],
    ...['--auth-local=peer', '--auth-host=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8'],
  ])
  const port = await freePort()
  owned('data/postgresql.auto.conf', `port = ${port}\nunix_socket_directories = '${place.sockets}'\n`, 0o600)
  spawnServer(runs('postgres'), place, 'attached, home removed').unref()
  const adminUrl = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`
  await untilReady(adminUrl, async (admin) => {
    await admin.query(`create role keeper login createrole password '${password}'`)
    await admin.query('create database stock owner keeper')
  })
  return {
    adminUrl,
    url: `postgresql://keeper:${password}@127.0.0.1:${port}/stock`,
    log: () => readFileSync(join(home, 'server.log'), 'utf8'),
    async stop() {
      const running = runningServer(data)
      if (running !== undefined) await stopServer(running.pid)
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function initialise(initdb: string, account: Account | undefined, args: string[]): Promise<void> {
  const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }
  await promisify(execFile)(initdb, args, { ...account, cwd: '/', env })
}

async function untilReady(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  for (const until = Date.now() + START_MS; ; await delay(50)) {
    const client = new pg.Client(url)
    try {
      await client.connect()
    } catch (error) {
      if (Date.now() > until) throw error
      continue
    }
    return await work(client).finally(() => client.end())
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
