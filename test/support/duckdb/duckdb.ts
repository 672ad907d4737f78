// DuckDB for tests, from its own package file. The first run that needs it installs it.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

type Value = null | boolean | number | bigint | string | object

/** The used part of the package. */
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

/** DuckDB is not installed, and cannot be. */
export interface Missing {
  missing: string
}

const FOLDER = import.meta.dirname
const NAME = '@duckdb/node-api'
/** Set by the test runner when the installation failed, so that no test tries again. */
export const MISSING_VARIABLE = 'HEADWATER_TEST_DUCKDB_MISSING'
/** When set to `required`, a missing DuckDB is a failure. */
export const REQUIRED_VARIABLE = 'HEADWATER_TEST_DUCKDB'
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

/** Never throws: returns the reason. */
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

/** An in-memory database, or the reason why there is none. */
export async function openDuckDb(): Promise<DuckDb | Missing> {
  const missing = await installDuckDb()
  if (missing !== null) return missing
  const instance = await load().DuckDBInstance.create(':memory:')
  return instance.connect()
}

/** Whether the version of the package file is installed. */
function isInstalled(): boolean {
  const installed = join(FOLDER, 'node_modules', NAME, 'package.json')
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  return existsSync(installed) && read(installed).version === read(join(FOLDER, 'package.json')).dependencies[NAME]
}

function load(): DuckDbPackage {
  return createRequire(join(FOLDER, 'package.json'))(NAME) as DuckDbPackage
}
