// Applies missing migrations with knex in one transaction: functions first, so that every migration runs with the newest
// ones, then the missing files, then views and grants. Readers and processes see the old schema until it commits.
import knexFactory, { type Knex } from 'knex'
import { writerUrl } from '../net/postgres.ts'
import { checksum, codeChecksum, type SchemaFiles, type SqlFile } from './files.ts'
import { CODE, type Missing } from './history.ts'
import {
  CHAINS,
  CODE_OBJECTS,
  COMPLETE_CHAIN,
  CREATE_HISTORY,
  CREATE_VIEWS,
  DATASET_VIEWS,
  DROP_CODE,
  DROP_VIEWS,
  END_MIGRATION,
  FORGOTTEN_OBJECTS,
  JOIN_READERS,
  KEEP_OBJECTS,
  NOTE_CHECKSUM,
  NOTE_CODE,
  SKIP_BODIES,
} from './sql.ts'

const TABLE = { tableName: 'headwater_migrations', schemaName: 'public' }
/** SQLSTATEs of `create or replace` for other columns of a view, and for another result or name of a parameter. */
const OTHER_SHAPE = ['42P16', '42804', '42P13', '42725', '2BP01']

/** A function or view of the program's schemas. */
interface CodeObject {
  identity: string
  /** Changes whenever the object is made again. */
  made: string
}

class SqlFiles implements Knex.MigrationSource<SqlFile> {
  private readonly files: readonly SqlFile[]

  constructor(files: readonly SqlFile[]) {
    this.files = files
  }

  getMigrations(): Promise<SqlFile[]> {
    return Promise.resolve([...this.files])
  }

  getMigrationName({ name }: SqlFile): string {
    return name
  }

  getMigration({ sql }: SqlFile): Promise<Knex.Migration> {
    return Promise.resolve({
      up: (knex) => run(knex, sql),
      down: () => Promise.reject(new Error('migrations go forward only')),
    })
  }
}

/** Sends statements whole: escapes question marks, which are SQL here and not placeholders. */
async function run(knex: Knex, sql: string): Promise<void> {
  await knex.raw(sql.replaceAll('?', '\\?'))
}

/** @returns what was applied now, in order: names of migrations, then `code` */
export async function apply(url: string, files: SchemaFiles, missing: Missing): Promise<string[]> {
  const silent = () => {}
  const log = { warn: silent, error: silent, deprecate: silent, debug: silent }
  const knex = knexFactory({ client: 'pg', connection: await writerUrl(url), pool: { min: 0, max: 2 }, log })
  try {
    await knex.raw(CREATE_HISTORY)
    await knex.migrate.forceFreeMigrationsLock(TABLE)
    await knex.transaction((transaction) => applyAll(transaction, files))
    await completeChains(knex)
    return [...missing.migrations, CODE]
  } finally {
    await knex.destroy()
  }
}

async function applyAll(knex: Knex.Transaction, files: SchemaFiles): Promise<void> {
  const before = await objects(knex)
  const started = performance.now()
  await knex.raw(SKIP_BODIES)
  await orAfter(knex, DROP_CODE, () => runAll(knex, files.functions))
  const migrating = performance.now()
  await knex.migrate.latest({
    ...TABLE,
    migrationSource: new SqlFiles(files.migrations),
    // Names are compared by history.ts, which knows the row of the code.
    disableMigrationsListValidation: true,
  })
  const migrated = performance.now()
  await orAfter(knex, DROP_VIEWS, async () => {
    await knex.raw(CREATE_VIEWS)
    await runAll(knex, files.views)
    await knex.raw(DATASET_VIEWS)
  })
  // Before the grants, which change every function.
  await removeForgotten(knex, before)
  await run(knex, files.grants.sql)
  await knex.raw(END_MIGRATION)
  for (const file of files.migrations) await knex.raw(NOTE_CHECKSUM, [checksum(file), files.version, file.name])
  const seconds = (migrating - started + performance.now() - migrated) / 1000
  await knex.raw(NOTE_CODE, [CODE, codeChecksum(files), files.version, seconds])
}

async function runAll(knex: Knex, files: readonly SqlFile[]): Promise<void> {
  for (const { sql } of files) await run(knex, sql)
}

/** Does `work`; where `create or replace` is not enough, does it again after removing the old objects. */
async function orAfter(knex: Knex.Transaction, remove: string, work: () => Promise<void>): Promise<void> {
  await knex.raw('savepoint code')
  try {
    await work()
  } catch (error) {
    if (!OTHER_SHAPE.includes((error as { code?: string }).code ?? '')) throw error
    await knex.raw('rollback to savepoint code')
    await run(knex, remove)
    await work()
  }
}

async function objects(knex: Knex): Promise<CodeObject[]> {
  return (await knex.raw<{ rows: CodeObject[] }>(CODE_OBJECTS)).rows
}

/** Removes functions and views that an earlier program made and this one does not. Others' objects stay. */
async function removeForgotten(knex: Knex, before: readonly CodeObject[]): Promise<void> {
  const old = new Set(before.map(({ identity, made }) => `${made} ${identity}`))
  const made = (await objects(knex)).filter((one) => !old.has(`${one.made} ${one.identity}`)).map((one) => one.identity)
  const { rows } = await knex.raw<{ rows: { identity: string }[] }>(FORGOTTEN_OBJECTS, [made])
  for (const { identity } of rows) await run(knex, `drop ${identity}`)
  await knex.raw(KEEP_OBJECTS, [made])
}

/** Gives indexed chains the partitions and indexes of new tables: each chain in a transaction of its own. */
async function completeChains(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { chain: string }[] }>(CHAINS)
  for (const { chain } of rows) await knex.raw(COMPLETE_CHAIN, [chain])
  await knex.raw(JOIN_READERS)
}
