// Runs the programs of Debian's PostgreSQL 15: folders, accounts, start, readiness. Used by the servers of tests.
import { execFile } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { canReach } from '../../indexer/store/embedded/account.ts'
import { type Place, preparePlace } from '../../indexer/store/embedded/place.ts'
import { librariesIn, reasonOf } from './browser/chromium.ts'
import { unpackPackage } from './browser/debian-packages.ts'

/** A program was not found, and cannot be installed. */
export interface Missing {
  missing: string
}

/** Programs of a package. */
export interface Binaries {
  folder: string
  /** Empty for the system's programs. */
  libraries: string[]
}

const START_MS = 60_000

/**
 * The folder of a package's programs: the system's, otherwise that of Debian's package, unpacked without root. Never
 * throws. Takes up to some minutes when packages are downloaded.
 *
 * @param name     package
 * @param folder   of the programs, without the first slash
 * @param program  one of them
 * @param target   folder of the unpacked package
 * @param missing  result of an earlier search without result
 */
export async function findPackage(
  { name, folder, program, target }: { name: string; folder: string; program: string; target: string },
  missing: string | undefined,
): Promise<Binaries | Missing> {
  if (existsSync(join('/', folder, program))) return { folder: join('/', folder), libraries: [] }
  if (missing !== undefined) return { missing }
  if (!existsSync(target)) {
    try {
      await unpackPackage(name, target)
    } catch (error) {
      // A parallel test may have unpacked it.
      if (!existsSync(target)) return { missing: reasonOf(error as NodeJS.ErrnoException) }
    }
  }
  return { folder: join(target, folder), libraries: librariesIn(target) }
}

/** A new folder of a server, with helpers that act as its account. */
export interface ServerHome extends Place {
  /** Removed at the end. */
  dataDir: string
  /** Writes a file of the account below `home`. @returns its path */
  owned(name: string, text: string, mode: number): string
  /** Path of a program that the account can start. */
  program(name: string): string
  /** Runs a program as the account. */
  run(name: string, args: readonly string[], env?: Record<string, string>): Promise<void>
}

/** Makes the folders of a server below a new temporary folder. */
export function newHome(binaries: Binaries, prefix: string): ServerHome | Missing {
  const dataDir = mkdtempSync(join(tmpdir(), prefix))
  chmodSync(dataDir, 0o755)
  const place = preparePlace(dataDir, () => {})
  const { account, home } = place
  if (!canReach(account, binaries.folder)) {
    rmSync(dataDir, { recursive: true })
    return { missing: `the account of the server may not enter ${binaries.folder}: install the package` }
  }
  const owned = (name: string, text: string, mode: number) => {
    const path = join(home, name)
    writeFileSync(path, text, { mode })
    if (account !== undefined) chownSync(path, account.uid, account.gid)
    return path
  }
  const program = (name: string) => {
    const libraries = `LD_LIBRARY_PATH=${binaries.libraries.join(delimiter)}`
    const script = `#!/bin/sh\nexec env ${libraries} ${join(binaries.folder, name)} "$@"\n`
    return binaries.libraries.length === 0 ? join(binaries.folder, name) : owned(name, script, 0o755)
  }
  return {
    ...place,
    dataDir,
    owned,
    program,
    async run(name, args, env = {}) {
      const environment = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env }
      await promisify(execFile)(program(name), [...args], { ...account, cwd: '/', env: environment })
    },
  }
}

/** Waits until a server accepts connections, and runs work on one. */
export async function untilReady<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  for (const until = Date.now() + START_MS; ; await delay(25)) {
    const client = new pg.Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
    } catch (error) {
      if (Date.now() > until) throw error
      continue
    }
    return await work(client).finally(() => client.end())
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
