// `headwater migrate --plan`: what a migration would do, and how long it would hold locks. Changes nothing. The seconds
// follow from the sizes of the tables and from speeds measured on the same server; the migration itself is not tried.
import type pg from 'pg'
import { type SchemaFiles, schemaFiles } from './files.ts'
import { appliedMigrations, CODE, type Missing, missingOf } from './history.ts'
import { measureSpeeds } from './plan-speeds.ts'
import { CODE_DURATION, PLAN_INDEXES, PLAN_TABLES } from './sql.ts'

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
  const { rows: indexes } = await client.query<{ name: string; table: string; bytes: number }>(PLAN_INDEXES)
  const { rows: durations } = await client.query<{ seconds: number }>(CODE_DURATION)
  const work = [
    ...steps.flatMap(({ rewritten }) => rewritten),
    ...indexes.map(({ table, bytes }) => ({ name: table, bytes })),
  ]
  const largest = work.sort((x, y) => y.bytes - x.bytes)[0]
  const speeds = largest === undefined ? { rewrite: 1, index: 1 } : await measureSpeeds(client, largest.name)
  return {
    steps: [
      ...steps.map(({ name, tables, rewritten }) => ({
        name,
        tables,
        seconds: rounded(rewritten.reduce((sum, { bytes }) => sum + bytes, 0) / speeds.rewrite),
      })),
      { name: CODE, tables: [], seconds: rounded(durations[0]?.seconds ?? 0) },
    ],
    indexes: indexes.map(({ name, bytes }) => ({ name, bytes, seconds: rounded(bytes / speeds.index) })),
  }
}

function allSteps({ migrations }: Missing): PlannedStep[] {
  return [...migrations, CODE].map((name) => ({ name, tables: [], seconds: 0 }))
}

function sqlOf(files: SchemaFiles, name: string): string {
  return files.migrations.find((file) => file.name === name)?.sql ?? ''
}

/** A table is rewritten when a statement that names it changes rows or a column's type. */
function stepOf(name: string, sql: string, tables: readonly PlannedTable[]) {
  const statements = sql.split(';')
  const naming = (table: string) =>
    statements.filter((text) => new RegExp(`(?<![\\w.])${table.replace('.', '\\.')}(?!\\w)`).test(text))
  const named = tables.filter((table) => naming(table.name).length > 0)
  return {
    name,
    tables: named,
    rewritten: named.filter((table) => naming(table.name).some((text) => REWRITES.test(text))),
  }
}

/** Tenths of a second, rounded up. */
function rounded(seconds: number): number {
  return Math.ceil(seconds * 10) / 10
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
    'Computed from the sizes of the tables and the speed of this server with a sample of the rows; the code took as long the last time.',
    '',
  ].join('\n')
}

function size(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
}
