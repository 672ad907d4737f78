// The schema's files. `baseline/` and `forward/` are migrations: each is applied once and never edited afterwards.
// `code/` holds what can be replaced, functions, views and grants: it is run whole at each migration.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const folder = new URL('./', import.meta.url)

export interface SqlFile {
  /** Path below migrations/, the name in the list of applied migrations. */
  name: string
  sql: string
}

export interface SchemaFiles {
  /** Version of the program. */
  version: string
  /** The baseline, then forward migrations, in the order in which they are applied. */
  migrations: readonly SqlFile[]
  /** Schemas, roles and functions: run before the migrations. */
  functions: readonly SqlFile[]
  /** Views: run after the migrations. */
  views: readonly SqlFile[]
  /** Rights of the roles: run last. */
  grants: SqlFile
}

/** The files of this program. */
export async function schemaFiles(): Promise<SchemaFiles> {
  const [manifest, baseline, forward, functions, views, grants] = await Promise.all([
    readFile(new URL('../package.json', folder), 'utf8'),
    filesOf('baseline'),
    filesOf('forward'),
    filesOf('code/functions'),
    filesOf('code/views'),
    fileOf('code/grants.sql'),
  ])
  const { version } = JSON.parse(manifest) as { version: string }
  return { version, migrations: [...baseline, ...forward], functions, views, grants }
}

async function filesOf(name: string): Promise<SqlFile[]> {
  const names = (await readdir(new URL(`${name}/`, folder))).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(names.map((file) => fileOf(`${name}/${file}`)))
}

async function fileOf(name: string): Promise<SqlFile> {
  // A checkout may have changed the line ends.
  return { name, sql: (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n') }
}

/** SHA-256 of one or more files, 64 hex digits. */
export function checksum(...files: readonly SqlFile[]): string {
  const hash = createHash('sha256')
  for (const { name, sql } of files) hash.update(`${name}\n${sql.length}\n${sql}`)
  return hash.digest('hex')
}

/** Checksum of everything that is run at each migration. */
export function codeChecksum({ functions, views, grants }: SchemaFiles): string {
  return checksum(...functions, ...views, grants)
}
