// DuckDB for tests, from its own package file.
import { firstLines, installedPackage } from '../test-package.ts'

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

/** Never throws: returns the reason. */
export async function installDuckDb(): Promise<Missing | null> {
  const known = process.env[MISSING_VARIABLE]
  if (known !== undefined) return { missing: known }
  try {
    await load()
    return null
  } catch (error) {
    return { missing: firstLines(error) }
  }
}

/** An in-memory database, or the reason why there is none. */
export async function openDuckDb(): Promise<DuckDb | Missing> {
  const missing = await installDuckDb()
  if (missing !== null) return missing
  const instance = await (await load()).DuckDBInstance.create(':memory:')
  return instance.connect()
}

function load(): Promise<DuckDbPackage> {
  return installedPackage<DuckDbPackage>(FOLDER, NAME)
}
