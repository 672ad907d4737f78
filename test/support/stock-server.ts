// Debian's PostgreSQL with its default configuration, as the package installs it: 15 of Debian 12, or the version of
// HEADWATER_TEST_STOCK_VERSION where its package can be had (17 on Debian 13). Uses the system's installation,
// otherwise Debian's packages, unpacked without root. Its superuser has a password; a login that is not a superuser
// owns a database.
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runningServer, spawnServer, stopServer } from '../../indexer/store/embedded/postmaster.ts'
import { type Binaries, findPackage, freePort, type Missing, newHome, untilReady } from './debian-server.ts'

export interface StockServer {
  /** As the superuser `postgres`, database `postgres`, over 127.0.0.1. */
  adminUrl: string
  /** As the login `keeper`, which may create roles but is no superuser, to its database `stock`. */
  url: string
  /** The server's log so far. */
  log(): string
  stop(): Promise<void>
}

const VERSION = process.env.HEADWATER_TEST_STOCK_VERSION ?? '15'
const PACKAGE = `postgresql-${VERSION}`
const PROGRAMS = {
  name: PACKAGE,
  folder: `usr/lib/postgresql/${VERSION}/bin`,
  program: 'postgres',
  /** Ignored by git. */
  target: join(import.meta.dirname, '../../.headwater', PACKAGE),
}
/** Set by the test runner after a search without result, so that no test searches again. */
export const MISSING_VARIABLE = 'HEADWATER_TEST_STOCK_MISSING'
/** When set to `required`, a missing server is a failure. */
export const REQUIRED_VARIABLE = 'HEADWATER_TEST_STOCK'

/** Never throws: returns the reason. Takes up to some minutes when packages are downloaded. */
export function findStockServer(): Promise<Binaries | Missing> {
  return findPackage(PROGRAMS, process.env[MISSING_VARIABLE])
}

/** Starts a new server, which also stops when this process is killed. */
export async function startStockServer(): Promise<StockServer | Missing> {
  const binaries = await findStockServer()
  if ('missing' in binaries) return binaries
  const place = newHome(binaries, 'headwater-stock-')
  if ('missing' in place) return place
  const password = randomBytes(12).toString('hex')
  const { home, data } = place
  const passwordFile = place.owned('password', password, 0o600)
  // With the options of Debian's pg_createcluster.
  await place.run('initdb', [
    ...['-D', data, '--username=postgres', `--pwfile=${passwordFile}`],
    ...['--auth-local=peer', '--auth-host=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8'],
  ])
  const port = await freePort()
  place.owned('data/postgresql.auto.conf', `port = ${port}\nunix_socket_directories = '${place.sockets}'\n`, 0o600)
  spawnServer(place.program('postgres'), place, 'attached, home removed').unref()
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
      rmSync(place.dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
