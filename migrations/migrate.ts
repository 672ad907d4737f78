// Brings a database to this program's schema: numbered SQL files, forward only, each in its own transaction.
import { readdir, readFile } from 'node:fs/promises'
import knexFactory, { type Knex } from 'knex'
import pg from 'pg'
import { UserError } from '../core/errors.ts'

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
      // The files are sent whole: a question mark in them is SQL, not a placeholder.
      up: (knex) => knex.raw(migration.sql.replaceAll('?', '\\?')),
      down: () => Promise.reject(new Error('migrations go forward only')),
    }
  }
}

/**
 * Applies the migrations that a database lacks.
 *
 * @param url  PostgreSQL connection string of a role that may create schemas
 * @returns names of the migrations applied now, oldest first
 * @throws UserError NEWER_SCHEMA when the database was migrated by a newer program
 */
export async function migrate(url: string): Promise<string[]> {
  const silent = () => {}
  const log = { warn: silent, error: silent, deprecate: silent, debug: silent }
  const knex = knexFactory({ client: 'pg', connection: url, pool: { min: 0, max: 2 }, log })
  const config: Knex.MigratorConfig = {
    migrationSource: new SqlFiles(),
    tableName: 'headwater_migrations',
    schemaName: 'public',
  }
  try {
    return await alone(url, async () => {
      await refuseNewerSchema(knex, config)
      await knex.migrate.forceFreeMigrationsLock(config)
      const [, applied] = await knex.migrate.latest(config)
      return applied
    })
  } catch (error) {
    throw shortened(error)
  } finally {
    await knex.destroy()
  }
}

/** Key of the advisory lock that a migrating process holds. */
const LOCK = 720_410_000

/**
 * Runs work while no other process migrates this database: they wait for each other. Unlike the library's own lock, a
 * row, this one goes with the process that held it.
 */
async function alone<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'headwater migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return await work()
  } finally {
    await client.end()
  }
}

/** The driver puts the whole SQL text before the server's message; only the latter says what happened. */
function shortened(error: unknown): unknown {
  if (!(error instanceof Error) || !('severity' in error)) return error
  return new UserError('MIGRATION_FAILED', error.message.slice(error.message.lastIndexOf(' - ') + 3), {
    hint: 'the database is as it was before this migration',
    cause: error,
  })
}

async function refuseNewerSchema(knex: Knex, config: Knex.MigratorConfig): Promise<void> {
  const known = new Set((await new SqlFiles().getMigrations()).map((migration) => migration.name))
  if (!(await knex.schema.withSchema('public').hasTable(String(config.tableName)))) return
  const rows: { name: string }[] = await knex.withSchema('public').from(String(config.tableName)).select('name')
  const unknown = rows.map((row) => row.name).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new UserError(
    'NEWER_SCHEMA',
    `the database has migrations that this program does not know: ${unknown.join(', ')}`,
    {
      hint: 'start the version of the program that made them, or a newer one',
    },
  )
}
