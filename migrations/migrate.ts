// Migrates a database to this program's schema, forward only (files.ts), one process at a time.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { UserError } from '../core/errors.ts'
import { isPooled, openClient, type Use } from '../net/postgres.ts'
import { apply } from './apply.ts'
import { type SchemaFiles, schemaFiles } from './files.ts'
import { appliedMigrations, type Missing, missingOf } from './history.ts'
import { checkPrivileges, REFUSED } from './privileges.ts'
import { boundReaders } from './reader-sessions.ts'
import { CREATE_LOCK, HAS_LOCK, IN_RECOVERY, IS_LOCKED, LOCK, LOCK_SESSION } from './sql.ts'

/**
 * Applies the missing migrations. If none is missing, the login only needs to read their names.
 *
 * @param url    PostgreSQL connection string of a role that may create schemas and roles
 * @param given  the schema to migrate to; default: this program's
 * @param use    `statements` for a process that only reads: it looks for missing migrations on its own server
 * @returns what was applied now, oldest first: names of migrations, then `code` for functions, views and grants
 * @throws UserError NEWER_SCHEMA when the database was migrated by a newer program; SCHEMA_BEFORE_BASELINE,
 *   MIGRATION_EDITED; SCHEMA_OUTDATED when migrations are missing on a standby, or behind a pooler; DATABASE_PRIVILEGES, DATABASE_LOGIN with the statements that grant the missing rights
 */
export async function migrate(url: string, given?: SchemaFiles, use: Use = 'write'): Promise<string[]> {
  const files = given ?? (await schemaFiles())
  const client = openClient({ connectionString: url, use, application_name: 'headwater migrate' })
  await client.connect()
  try {
    const wanted = await missing(client, files)
    if (wanted === null) return []
    await refuseReader(client, url, wanted)
    // Processes that migrate one database wait for each other. Knex's own lock is a row, which survives a crash of its
    // process; this lock ends with the connection.
    await createLock(client)
    while (!(await tryLock(client))) {
      if (!(await client.query<{ held: boolean }>(IS_LOCKED)).rows[0]?.held) {
        if ((await missing(client, files)) === null) return []
        await checkPrivileges(client)
      }
      await delay(CHECK_EVERY_MS)
    }
    const lacking = await missing(client, files)
    if (lacking === null) return []
    await checkPrivileges(client)
    return await withReaderLimits(url, () => apply(url, files, lacking))
  } catch (error) {
    throw migrationError(error)
  } finally {
    await client.end()
  }
}

/**
 * Checks that no migration is missing, and applies none.
 *
 * @throws UserError SCHEMA_OUTDATED, NEWER_SCHEMA, SCHEMA_BEFORE_BASELINE, MIGRATION_EDITED, DATABASE_LOGIN
 */
export async function checkSchema(url: string, use: Use): Promise<void> {
  const client = openClient({ connectionString: url, use })
  await client.connect()
  try {
    const lacking = await missing(client, await schemaFiles())
    if (lacking !== null)
      throw new UserError('SCHEMA_OUTDATED', `${textOf(lacking)} in this database`, {
        hint: 'run `headwater migrate`, or start the program: this command changes nothing',
      })
  } finally {
    await client.end()
  }
}

function textOf({ migrations }: Missing): string {
  return migrations.length > 0 ? `${migrations.length} migrations are missing` : 'functions and views are outdated'
}

/** @throws UserError SCHEMA_OUTDATED on a connection that cannot migrate */
async function refuseReader(client: pg.ClientBase, url: string, lacking: Missing): Promise<void> {
  const isStandby = (await client.query<{ standby: boolean }>(IN_RECOVERY)).rows[0]?.standby
  if (!isStandby && !isPooled(url)) return
  const where = isStandby ? 'on this standby' : 'behind this pooler'
  throw new UserError('SCHEMA_OUTDATED', `${textOf(lacking)} ${where}`, {
    hint: 'run `headwater migrate` with the address of the primary itself; a standby gets the schema from there',
  })
}

/** Interval between checks whether another login is still migrating, ms. */
const CHECK_EVERY_MS = 200
/** SQLSTATEs of creating a table that another process creates at the same time: its rows of the catalog, it, its type. */
const CREATED_CONCURRENTLY = ['23505', '42P07', '42710']

/** @throws UserError DATABASE_PRIVILEGES */
async function createLock(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(HAS_LOCK)
  if (rows[0]?.there) return
  await checkPrivileges(client)
  await client.query(CREATE_LOCK).catch((error: { code?: string }) => {
    if (!CREATED_CONCURRENTLY.includes(error.code ?? '')) throw error
  })
}

/**
 * Waits for the lock of the migrating process, which is held until the connection ends.
 *
 * @returns false when the login may not take the lock: another login migrates this database
 */
async function tryLock(client: pg.ClientBase): Promise<boolean> {
  try {
    await client.query(LOCK_SESSION)
    await client.query(`begin; ${LOCK}`)
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code !== REFUSED) throw error
    await client.query('rollback')
    return false
  }
}

/**
 * Runs `work` and meanwhile ends readers' sessions that exceed their limits: open transactions of readers block table
 * changes.
 */
async function withReaderLimits<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const over = new AbortController()
  const ignore = () => {}
  const bounding = boundReaders({ databaseUrl, signal: over.signal, onSession: ignore, onError: ignore })
  try {
    return await work()
  } finally {
    over.abort()
    await bounding
  }
}

async function missing(client: pg.ClientBase, files: SchemaFiles): Promise<Missing | null> {
  const found = missingOf(files, await appliedMigrations(client))
  return found.migrations.length === 0 && !found.code ? null : found
}

/** SQLSTATE: the server has no disk space left. */
const DISK_FULL = '53100'

/** Removes the SQL text that the driver puts before the server's message. */
export function migrationError(error: unknown): unknown {
  if (!(error instanceof Error) || !('severity' in error)) return error
  const message = error.message.slice(error.message.lastIndexOf(' - ') + 3)
  if ((error as { code?: unknown }).code === DISK_FULL)
    return new UserError('DISK_FULL', `the database has no disk space left: ${message}`, {
      hint: 'free space on the database server; the database is as it was before this migration',
    })
  const { detail } = error as { detail?: unknown }
  const why = typeof detail === 'string' ? `${message}: ${detail}` : message
  return new UserError('MIGRATION_FAILED', why, { hint: 'the database is as it was before this migration' })
}
