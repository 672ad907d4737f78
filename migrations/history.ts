// The list of applied migrations, knex's own table with the checksum of each file, compared with the program's files.
import type pg from 'pg'
import { UserError } from '../core/errors.ts'
import { checksum, codeChecksum, type SchemaFiles } from './files.ts'
import { cannotRead, REFUSED } from './privileges.ts'
import { APPLIED, HAS_MIGRATIONS } from './sql.ts'

/** Name of the row for functions, views and grants. */
export const CODE = 'code'

export interface Applied {
  name: string
  /** Null for a migration of a program older than the baseline. */
  checksum: string | null
  /** Version of the program that applied it. */
  version: string | null
}

export interface Missing {
  /** Names of the missing migrations, in the order in which they are applied. */
  migrations: string[]
  /** Whether functions, views and grants differ from the program's. They are made again with every migration. */
  code: boolean
}

/** Applied migrations, oldest first. @throws UserError DATABASE_LOGIN */
export async function appliedMigrations(client: pg.ClientBase): Promise<Applied[]> {
  try {
    if (!(await client.query<{ there: boolean }>(HAS_MIGRATIONS)).rows[0]?.there) return []
    return (await client.query<Applied>(APPLIED)).rows
  } catch (error) {
    if ((error as { code?: unknown }).code !== REFUSED) throw error
    throw await cannotRead(client, error)
  }
}

/**
 * What the database lacks.
 *
 * @throws UserError SCHEMA_BEFORE_BASELINE, NEWER_SCHEMA, MIGRATION_EDITED
 */
export function missingOf(files: SchemaFiles, applied: readonly Applied[]): Missing {
  if (applied.some((one) => one.checksum === null))
    throw new UserError(
      'SCHEMA_BEFORE_BASELINE',
      'the database was made by a program older than the first release of the schema, and cannot be upgraded',
      {
        hint: 'index again next to it: create an empty database, start the program on it (DATABASE_URL, or HEADWATER_DATA for the embedded server), and switch over when it has caught up; docs/operate/upgrade.md',
      },
    )
  refuseNewer(files, applied)
  for (const one of applied) {
    const file = files.migrations.find(({ name }) => name === one.name)
    if (file !== undefined && checksum(file) !== one.checksum)
      throw new UserError('MIGRATION_EDITED', `${one.name} was edited after it was applied to this database`, {
        hint: 'put the file back as it was applied, and write the change as a new file of migrations/forward; a database on which an unreleased file was tried is made again from nothing',
      })
  }
  const names = new Set(applied.map(({ name }) => name))
  return {
    migrations: files.migrations.map(({ name }) => name).filter((name) => !names.has(name)),
    code: applied.find(({ name }) => name === CODE)?.checksum !== codeChecksum(files),
  }
}

function refuseNewer(files: SchemaFiles, applied: readonly Applied[]): void {
  const known = new Set([CODE, ...files.migrations.map(({ name }) => name)])
  const unknown = applied.map(({ name }) => name).filter((name) => !known.has(name))
  const newer = applied.find(({ name, version }) => name === CODE && isNewer(version, files.version))
  if (unknown.length === 0 && newer === undefined) return
  const what = unknown.length > 0 ? unknown.join(', ') : `functions and views of version ${newer?.version}`
  throw new UserError('NEWER_SCHEMA', `the database has migrations that this program does not know: ${what}`, {
    hint: 'start the version of the program that made them, or a newer one',
  })
}

/** Whether a version of three numbers is newer than another. */
function isNewer(version: string | null, than: string): boolean {
  const [a, b] = [version ?? '0.0.0', than].map((text) => text.split(/[.-]/).slice(0, 3).map(Number)) as [
    number[],
    number[],
  ]
  const differing = a.findIndex((part, i) => part !== b[i])
  return differing >= 0 && (a[differing] ?? 0) > (b[differing] ?? 0)
}
