// Packages that only tests use and that are too large for the program's own package file. Each has a package file in a
// folder of its own. The first run that needs it installs it.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PATIENCE_MS = 300_000
/** Fails immediately without a network. */
const INSTALL = [
  'ci',
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
]

/**
 * Installs a package unless it is there, and loads it.
 *
 * @param folder  holds package.json and package-lock.json
 * @throws Error when it cannot be installed
 */
export async function installedPackage<T>(folder: string, name: string): Promise<T> {
  if (!isInstalled(folder, name)) await promisify(execFile)('npm', INSTALL, { cwd: folder, timeout: PATIENCE_MS })
  return createRequire(join(folder, 'package.json'))(name) as T
}

/** Whether the version of the package file is installed. */
function isInstalled(folder: string, name: string): boolean {
  const installed = join(folder, 'node_modules', name, 'package.json')
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  return existsSync(installed) && read(installed).version === read(join(folder, 'package.json')).dependencies[name]
}

/** The first lines of an error's message. */
export function firstLines(error: unknown): string {
  return (error as Error).message.trim().split('\n').slice(0, 3).join(' ')
}
