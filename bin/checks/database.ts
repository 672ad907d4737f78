// Checks the database: reachable, of a supported version and schema, with free space.
import { existsSync } from 'node:fs'
import type { Config } from '../../config/program-schema.ts'
import { UserError } from '../../core/errors.ts'
import { schemaFiles } from '../../migrations/files.ts'
import { appliedMigrations, missingOf } from '../../migrations/history.ts'
import { checkPrivileges } from '../../migrations/privileges.ts'
import { isPooled, openClient } from '../../net/postgres.ts'
import { checkServer, type Database, databaseFolder, startOrUse } from '../database.ts'
import { roomOf } from '../support/machine.ts'
import { type Finding, fail, failure, ok, warn } from './finding.ts'
import { checkReaders } from './readers.ts'
import { checkServerSettings } from './server.ts'

const GB = 2 ** 30
/** Free space limits, bytes: a warning below the first, a failure below the second. */
const LOW_SPACE = 20 * GB
const NO_SPACE = GB

const POOLED =
  'give the indexer, jobs, migrations, exports and the cosigner the address of the server itself: they need sessions'

export interface DatabaseFindings {
  found: Finding[]
  /** Last indexed block of each chain that has any. */
  positions: ReadonlyMap<string, number>
}

export async function checkDatabase(config: Config): Promise<DatabaseFindings> {
  const silent = { info() {}, warn() {}, error() {} }
  const found = checkDisk(config)
  let positions: ReadonlyMap<string, number> = new Map()
  let database: Database
  try {
    database = await startOrUse(config, silent)
  } catch (error) {
    return { found: [...found, failure('database', error, 'see the log of the embedded PostgreSQL')], positions }
  }
  try {
    const major = await checkServer(database.url, 'statements')
    found.push(ok('database', `PostgreSQL ${major}${config.database === undefined ? ', embedded' : ''}`))
    if (isPooled(database.url))
      found.push(warn('pooler', 'only `headwater api`, `headwater compare` and `headwater status` may use it', POOLED))
    else found.push(...(await checkServerOf(database.url, config.database === undefined)))
    const schema = await checkSchema(database.url)
    found.push(schema)
    if (schema.level === 'ok') found.push(...(await checkReaders(database.url)))
    positions = await readPositions(database.url)
  } catch (error) {
    found.push(failure('database', error, 'correct DATABASE_URL'))
  } finally {
    await database.close()
  }
  return { found, positions }
}

async function checkServerOf(url: string, isOwn: boolean): Promise<Finding[]> {
  const client = openClient({ connectionString: url, use: 'statements' })
  await client.connect()
  try {
    await client.query(`set statement_timeout = '10s'`)
    return await checkServerSettings(client, isOwn)
  } catch (error) {
    return [warn('server', (error as Error).message, 'the settings and the disk of the server were not checked')]
  } finally {
    await client.end()
  }
}

function checkDisk(config: Config): Finding[] {
  const folder = databaseFolder(config)
  if (folder === undefined) return []
  if (config.database !== undefined && !existsSync(folder))
    return [fail('disk', `there is no folder ${folder}`, 'correct HEADWATER_DATABASE_DIR, or leave it out')]
  return [checkSpace(folder)]
}

function checkSpace(folder: string): Finding {
  const { freeBytes: free } = roomOf(folder)
  const text = `${(free / GB).toFixed(1)} GB free`
  if (free < NO_SPACE) return fail('disk', text, 'free some space, or move the database to another disk')
  if (free < LOW_SPACE) return warn('disk', text, 'enough to try, little for the history of a chain')
  return ok('disk', text)
}

async function checkSchema(url: string): Promise<Finding> {
  const files = await schemaFiles()
  const client = openClient({ connectionString: url, use: 'statements' })
  await client.connect()
  try {
    const { migrations, code } = missingOf(files, await appliedMigrations(client))
    if (migrations.length > 0 || code) await checkPrivileges(client)
    if (migrations.length > 0)
      return warn('schema', `${migrations.length} migrations are missing`, 'they are applied at the next start')
    if (code) return warn('schema', 'functions and views are of another version', 'they are replaced at the next start')
    return ok('schema', `up to date, ${files.migrations.length} migrations`)
  } catch (error) {
    if (error instanceof UserError && error.code === 'NEWER_SCHEMA')
      return fail('schema', 'newer than this program', 'start the version of the program that made it, or a newer one')
    return failure('schema', error, 'see docs/operate/upgrade.md')
  } finally {
    await client.end()
  }
}

async function readPositions(url: string): Promise<ReadonlyMap<string, number>> {
  const client = openClient({ connectionString: url, use: 'statements' })
  await client.connect()
  try {
    const { rows: made } = await client.query<{ made: boolean }>(
      `select to_regclass('meta.position') is not null as made`,
    )
    if (made[0]?.made !== true) return new Map()
    const { rows } = await client.query<{ chain: string; num: number }>(
      'select chain, block_num::float8 as num from meta.position',
    )
    return new Map(rows.map(({ chain, num }) => [chain, num]))
  } finally {
    await client.end()
  }
}
