// Migrates a database to this program's schema: numbered SQL files, forward only, each in its own transaction.
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import knexFactory, { type Knex } from 'knex'
import type pg from 'pg'
import { UserError } from '../core/errors.ts'
import { openClient } from '../net/postgres.ts'
import { cannotRead, checkPrivileges, REFUSED } from './privileges.ts'
import { boundReaders } from './reader-sessions.ts'
import { APPLIED, CREATE_LOCK, END_MIGRATION, HAS_LOCK, HAS_MIGRATIONS, IS_LOCKED, LOCK, LOCK_SESSION } from './sql.ts'

const folder = new URL('./sql/', import.meta.url)

interface SqlMigration {
  name: string
  sql: string
}

class SqlFiles implements Knex.MigrationSource<SqlMigration> {
  async getMigrations(): Promise<SqlMigration[]> {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
    return Promise.all(names.map(async (name) => ({ name, sql: await readFile(new URL(name, folder), 'utf8') })))
  }

  getMigrationName(migration: SqlMigration): string {
    return migration.name
  }

  async getMigration(migration: SqlMigration): Promise<Knex.Migration> {
    return {
      // Each file is sent whole: escapes question marks, which are SQL here and not placeholders.
      up: (knex) => knex.raw(migration.sql.replaceAll('?', '\\?')),
      down: () => Promise.reject(new Error('migrations go forward only')),
    }
  }
}

/**
 * Applies the missing migrations. If none is missing, the login only needs to read their names.
 *
 * @param url  PostgreSQL connection string of a role that may create schemas and roles
 * @returns names of the migrations applied now, oldest first
 * @throws UserError NEWER_SCHEMA when the database was migrated by a newer program; DATABASE_PRIVILEGES, DATABASE_LOGIN
 *   with the statements that grant the missing rights
 */
export async function migrate(url: string): Promise<string[]> {
  const client = openClient({ connectionString: url, application_name: 'headwater migrate' })
  await client.connect()
  try {
    if ((await missing(client)).length === 0) return []
    // Processes that migrate one database wait for each other. Knex's own lock is a row, which survives a crash of its
    // process; this lock ends with the connection.
    await createLock(client)
    while (!(await tryLock(client))) {
      if (!(await client.query<{ held: boolean }>(IS_LOCKED)).rows[0]?.held) {
        if ((await missing(client)).length === 0) return []
        await checkPrivileges(client)
      }
      await delay(CHECK_EVERY_MS)
    }
    if ((await missing(client)).length === 0) return []
    await checkPrivileges(client)
    return await withReaderLimits(url, () => applyAll(url))
  } catch (error) {
    throw migrationError(error)
  } finally {
    await client.end()
  }
}

/** Interval between checks whether another login is still migrating, ms. */
const CHECK_EVERY_MS = 200
/** SQLSTATEs of creating a table that another process creates at the same time. */
const CREATED_CONCURRENTLY = ['23505', '42P07']

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

/** Names of the missing migrations. @throws UserError NEWER_SCHEMA, DATABASE_LOGIN */
async function missing(client: pg.ClientBase): Promise<string[]> {
  const known = (await new SqlFiles().getMigrations()).map(({ name }) => name)
  const applied = await appliedMigrations(client)
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length === 0) return known.filter((name) => !applied.includes(name))
  throw new UserError(
    'NEWER_SCHEMA',
    `the database has migrations that this program does not know: ${unknown.join(', ')}`,
    {
      hint: 'start the version of the program that made them, or a newer one',
    },
  )
}

/** Names of the applied migrations, oldest first. @throws UserError DATABASE_LOGIN */
export async function appliedMigrations(client: pg.ClientBase): Promise<string[]> {
  try {
    if (!(await client.query<{ there: boolean }>(HAS_MIGRATIONS)).rows[0]?.there) return []
    return (await client.query<{ name: string }>(APPLIED)).rows.map(({ name }) => name)
  } catch (error) {
    if ((error as { code?: unknown }).code !== REFUSED) throw error
    throw await cannotRead(client, error)
  }
}

async function applyAll(url: string): Promise<string[]> {
  const silent = () => {}
  const log = { warn: silent, error: silent, deprecate: silent, debug: silent }
  const knex = knexFactory({ client: 'pg', connection: url, pool: { min: 0, max: 2 }, log })
  const config: Knex.MigratorConfig = {
    migrationSource: new SqlFiles(),
    tableName: 'headwater_migrations',
    schemaName: 'public',
  }
  try {
    await knex.migrate.forceFreeMigrationsLock(config)
    const [, applied] = await knex.migrate.latest(config)
    await knex.raw(END_MIGRATION)
    return applied
  } finally {
    await knex.destroy()
  }
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
  return new UserError('MIGRATION_FAILED', message, { hint: 'the database is as it was before this migration' })
}
