// `headwater migrate --plan`: what a migration would do, and how long it would hold locks. Changes nothing. The seconds
// are estimates from the sizes of the tables, at the speeds below; a migration was not tried.
import type pg from 'pg'
import { type SchemaFiles, schemaFiles } from './files.ts'
import { appliedMigrations, type Missing, missingOf } from './history.ts'
import { PLAN_INDEXES, PLAN_TABLES } from './sql.ts'

/** Speeds on one core, bytes a second, assumed and not measured: to rewrite a table, and to read it for an index. */
const REWRITE = 20e6
const INDEX = 40e6
/** Assumed time to replace all functions, views and grants, seconds, not measured. It does not depend on rows. */
const CODE_SECONDS = 3

export interface PlannedTable {
  name: string
  bytes: number
}

export interface PlannedStep {
  /** Name of the migration, or `code`. */
  name: string
  /** Tables that it names and that have rows, with their partitions. */
  tables: PlannedTable[]
  /** Estimated seconds for which the named tables are locked. */
  seconds: number
}

export interface Plan {
  steps: PlannedStep[]
  /** Indexes that chains get after the migration has committed: writers of that chain wait, readers do not. */
  indexes: { name: string; bytes: number; seconds: number }[]
}

/** Statements after which a table is written again; others only change the catalog. */
const REWRITES =
  /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b|\bupdate\s|\bdelete\s+from\b|\binsert\s+into\b|\bcluster\b/i

/** @throws UserError as `migrate` */
export async function planMigration(client: pg.ClientBase, given?: SchemaFiles): Promise<Plan> {
  const files = given ?? (await schemaFiles())
  const applied = await appliedMigrations(client)
  const missing = missingOf(files, applied)
  if (missing.migrations.length === 0 && !missing.code) return { steps: [], indexes: [] }
  if (applied.length === 0) return { steps: allSteps(missing), indexes: [] }
  const { rows: tables } = await client.query<PlannedTable>(PLAN_TABLES)
  const steps = missing.migrations.map((name) => stepOf(name, sqlOf(files, name), tables))
  const { rows: indexes } = await client.query<{ name: string; bytes: number }>(PLAN_INDEXES)
  return {
    steps: [...steps, { name: 'code', tables: [], seconds: CODE_SECONDS }],
    indexes: indexes.map((index) => ({ ...index, seconds: seconds(index.bytes, INDEX) })),
  }
}

function allSteps({ migrations }: Missing): PlannedStep[] {
  return [...migrations, 'code'].map((name) => ({ name, tables: [], seconds: 0 }))
}

function sqlOf(files: SchemaFiles, name: string): string {
  return files.migrations.find((file) => file.name === name)?.sql ?? ''
}

/** A table is rewritten when a statement that names it changes rows or a column's type. */
function stepOf(name: string, sql: string, tables: readonly PlannedTable[]): PlannedStep {
  const statements = sql.split(';')
  const naming = (table: string) =>
    statements.filter((text) => new RegExp(`(?<![\\w.])${table.replace('.', '\\.')}(?!\\w)`).test(text))
  const named = tables.filter((table) => naming(table.name).length > 0)
  const rewritten = named.filter((table) => naming(table.name).some((text) => REWRITES.test(text)))
  return { name, tables: named, seconds: rewritten.reduce((sum, { bytes }) => sum + seconds(bytes, REWRITE), 0) }
}

function seconds(bytes: number, speed: number): number {
  return Math.ceil((bytes / speed) * 10) / 10
}

/** The plan as lines of text. */
export function planText({ steps, indexes }: Plan): string {
  if (steps.length === 0) return 'nothing to do\n'
  const total = steps.reduce((sum, step) => sum + step.seconds, 0)
  const lines = steps.map(({ name, tables, seconds: of }) => {
    const what = tables.map((table) => `${table.name} (${size(table.bytes)})`).join(', ')
    return `apply ${name}${what === '' ? '' : `: ${what}`}: about ${of} s`
  })
  const built = indexes.map(
    ({ name, bytes, seconds: of }) => `then build ${name} (table of ${size(bytes)}): about ${of} s`,
  )
  return [
    ...lines,
    `One transaction of about ${Math.round(total * 10) / 10} s. Until it commits, writers wait for the tables named above and readers of the views wait.`,
    ...built,
    'Estimated from the sizes of the tables, not measured here.',
    '',
  ].join('\n')
}

function size(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
}
