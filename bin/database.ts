// The program's database: the configured or the embedded one, migrated to the current schema.
import pg from 'pg'
import { mask } from '../config/describe.ts'
import type { Config } from '../config/program-schema.ts'
import { HeadwaterError, RetryableError, UserError } from '../core/errors.ts'
import { hasEmbeddedData, runningPostgres, startEmbeddedPostgres } from '../indexer/store/embedded/server.ts'
import { checkSchema, migrate } from '../migrations/migrate.ts'
import { openClient, type Use } from '../net/postgres.ts'
import type { Log } from './cli/log.ts'
import { poolerNotNamed } from './pooler.ts'

export interface Database {
  url: string
  /** Stops the embedded server if this process is its last user. */
  close(): Promise<void>
}

/**
 * @param use  of the command: one that reads needs no server that accepts writes, unless migrations are missing
 * @throws UserError DATABASE_UNREACHABLE, DATABASE_VERSION, NEWER_SCHEMA, SCHEMA_OUTDATED, and those of the address and
 *   the embedded server
 */
export async function openDatabase(config: Config, log: Log, use: Use = 'write'): Promise<Database> {
  const database = await startOrUse(config, log)
  try {
    await checkServer(database.url, use)
    const applied = await migrate(database.url, undefined, use)
    if (applied.length > 0) log.info('migrated the database', { migrations: applied.length, last: applied.at(-1) })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * The database for a command that changes nothing: an outdated schema is an error, and so is an embedded server that has
 * no data.
 *
 * @throws UserError SCHEMA_OUTDATED, and those of `openDatabase`
 */
export async function openUnchanged(config: Config, log: Log): Promise<Database> {
  const database = await startExisting(config, log)
  try {
    await checkServer(database.url, 'statements')
    await checkSchema(database.url, 'statements')
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** A folder on the disk of the database; undefined when the disk is not of this machine, or not known. */
export function databaseFolder({ database, dataDir, databaseDir }: Config): string | undefined {
  return database === undefined ? dataDir : databaseDir
}

/**
 * The address of a database that runs: the configured one, or the embedded one. Starts and migrates nothing.
 *
 * @throws UserError DATABASE_UNREACHABLE when the embedded server does not run
 */
export function runningDatabase({ database, dataDir }: Config): string {
  const url = database ?? runningPostgres(dataDir)
  if (url !== null) return url
  throw new UserError('DATABASE_UNREACHABLE', `the embedded database of ${dataDir} does not run`, {
    hint: 'set DATABASE_URL or HEADWATER_DATA to those of the running process; this command starts no database',
  })
}

/**
 * The database as it is, for a report: an embedded server that does not run is started if it has data. Makes and migrates
 * nothing.
 *
 * @throws UserError DATABASE_UNREACHABLE when there is no embedded database, and those of the embedded server
 */
export async function startExisting(config: Config, log: Log): Promise<Database> {
  if (config.database === undefined && !hasEmbeddedData(config.dataDir))
    throw new UserError('DATABASE_UNREACHABLE', `there is no embedded database in ${config.dataDir}`, {
      hint: 'set DATABASE_URL or HEADWATER_DATA to those of the process; `headwater run` makes one',
    })
  return startOrUse(config, log)
}

/** Starts the embedded server unless a database is configured. Does not migrate. */
export async function startOrUse({ database, dataDir }: Config, log: Log): Promise<Database> {
  if (database !== undefined) return { url: database, close: async () => {} }
  const server = await startEmbeddedPostgres({ dataDir, log: (message) => log.info(message) })
  log.info(server.adopted ? 'uses the PostgreSQL that was running' : 'started PostgreSQL', {
    directory: server.directory,
  })
  return { url: server.url, close: () => server.stop() }
}

/** Major version of the server. Throws UserError when it is unreachable or older than 15. */
export async function checkServer(url: string, use: Use = 'write'): Promise<number> {
  const client = openClient({ connectionString: url, use, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    const { rows } = await client.query(`select current_setting('server_version_num')::int / 10000 as major`)
    const major = Number(rows[0].major)
    if (major >= 15) return major
    throw new UserError('DATABASE_VERSION', `PostgreSQL ${major} is too old`, { hint: 'use PostgreSQL 15 to 18' })
  } catch (cause) {
    if (cause instanceof HeadwaterError) throw cause
    if (cause instanceof pg.DatabaseError && cause.code?.startsWith('57'))
      throw new RetryableError('DATABASE_STARTING', `${mask(url)}: ${cause.message}`, { cause })
    if (cause instanceof pg.DatabaseError && /unsupported startup parameter/.test(cause.message))
      throw poolerNotNamed(url, cause.message, cause)
    throw new UserError('DATABASE_UNREACHABLE', `no connection to ${mask(url)}: ${(cause as Error).message}`, {
      hint: 'correct DATABASE_URL, or leave it out for the embedded server',
      cause,
    })
  } finally {
    await client.end().catch(() => {})
  }
}
