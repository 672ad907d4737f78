// DuckDB for tests, from a package file of its own: installed once, by the first run that needs it.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

type Value = null | boolean | number | bigint | string | object

/** What is used of the package. */
interface Reader {
  getRowObjects(): Record<string, Value>[]
}
export interface DuckDb {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<Reader>
  closeSync(): void
}
interface DuckDbPackage {
  DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckDb> }> }
}

/** There is none, and none can be had. */
export interface Missing {
  missing: string
}

const FOLDER = import.meta.dirname
const NAME = '@duckdb/node-api'
/** Set by the runner of the tests when the installation failed: no test tries again. */
export const MISSING_VARIABLE = 'HEADWATER_TEST_DUCKDB_MISSING'
/** Set to `required` where a missing DuckDB is a failure. */
export const REQUIRED_VARIABLE = 'HEADWATER_TEST_DUCKDB'
const PATIENCE_MS = 300_000
/** Without a network it gives up at once. */
const INSTALL = [
  'ci',
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
]

/** Never throws: a reason is an answer. */
export async function installDuckDb(): Promise<Missing | null> {
  const known = process.env[MISSING_VARIABLE]
  if (known !== undefined) return { missing: known }
  try {
    if (!isInstalled()) await promisify(execFile)('npm', INSTALL, { cwd: FOLDER, timeout: PATIENCE_MS })
    load()
    return null
  } catch (error) {
    const { message } = error as Error
    return { missing: message.trim().split('\n').slice(0, 3).join(' ') }
  }
}

/** A database in memory; a reason where there is no DuckDB. */
export async function openDuckDb(): Promise<DuckDb | Missing> {
  const missing = await installDuckDb()
  if (missing !== null) return missing
  const instance = await load().DuckDBInstance.create(':memory:')
  return instance.connect()
}

/** In the version that the package file names. */
function isInstalled(): boolean {
  const installed = join(FOLDER, 'node_modules', NAME, 'package.json')
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  return existsSync(installed) && read(installed).version === read(join(FOLDER, 'package.json')).dependencies[NAME]
}

function load(): DuckDbPackage {
  return createRequire(join(FOLDER, 'package.json'))(NAME) as DuckDbPackage
}
