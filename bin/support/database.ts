// Facts of the database. Each part reads on its own and has a time limit: a part that fails leaves the others.
import type pg from 'pg'
import { readPositions } from '../../api/operate/positions.ts'
import type { Config } from '../../config/program-schema.ts'
import { openPool } from '../../net/postgres.ts'
import type { Log } from '../cli/log.ts'
import { startExisting } from '../database.ts'
import { maskStatement } from './mask.ts'
import { collect, type Facts, type Part } from './report.ts'
import * as sql from './sql.ts'

type Reader = (pool: pg.Pool) => Facts | Promise<Facts>

/** By name, in the order of the report. */
const PARTS: Readonly<Record<string, Reader>> = {
  server: async (pool) => ({ ...(await rows(pool, sql.SERVER))[0], extensions: await rows(pool, sql.EXTENSIONS) }),
  migrations: (pool) => rows(pool, sql.MIGRATIONS),
  positions: positions,
  'reports of indexers': (pool) => rows(pool, sql.REPORTS),
  'undecoded data': (pool) => rows(pool, sql.UNDECODED),
  'orphaned blocks': (pool) => rows(pool, sql.ORPHANED),
  rewinds: (pool) => rows(pool, sql.REWINDS),
  'failed jobs': (pool) => rows(pool, sql.FAILED_JOBS),
  'transactions of relayers': (pool) => rows(pool, sql.INTENTS),
  'refusals of relayers': (pool) => rows(pool, sql.REFUSALS),
  'open transactions': async (pool) => bare(await rows(pool, sql.TRANSACTIONS)),
  'slow statements': statements,
  tables: (pool) => rows(pool, sql.TABLES),
  'settings of PostgreSQL': (pool) => rows(pool, sql.SETTINGS),
}

const TIMEOUTS = { connectionTimeoutMillis: 10_000, query_timeout: 15_000 }

/** Never throws: without a database every part has the reason. An embedded server runs for the time of the report. */
export async function databaseParts(config: Config, log: Log): Promise<Part[]> {
  let reason: unknown
  try {
    const database = await startExisting(config, log)
    const pool = openPool({ connectionString: database.url, use: 'statements', max: 1, ...TIMEOUTS })
    try {
      await pool.query('select 1')
      const parts: Part[] = []
      for (const [name, read] of Object.entries(PARTS)) parts.push(await collect(name, () => read(pool)))
      return parts
    } finally {
      await pool.end()
      await database.close()
    }
  } catch (error) {
    reason = error
  }
  return await Promise.all(Object.keys(PARTS).map((name) => collect(name, () => Promise.reject(reason))))
}

async function rows(pool: pg.Pool, statement: string): Promise<Record<string, unknown>[]> {
  const client = await pool.connect()
  try {
    await client.query(`begin read only; ${sql.LIMITS}`)
    const { rows: found } = await client.query<Record<string, unknown>>(statement)
    await client.query('commit')
    client.release()
    return found
  } catch (error) {
    // Ends the connection and with it the transaction.
    client.release(true)
    throw error
  }
}

async function positions(pool: pg.Pool): Promise<Facts> {
  const found = await readPositions(pool)
  return found.map(({ chainId, blockId, stale, hasState, ...shown }) => shown)
}

async function statements(pool: pg.Pool): Promise<Facts> {
  const [extension] = await rows(pool, sql.STATEMENTS_SCHEMA)
  if (extension === undefined)
    throw new Error(
      'the extension pg_stat_statements is not in this database: add it to shared_preload_libraries, then run "create extension pg_stat_statements"',
    )
  return bare(await rows(pool, sql.slowStatements(String(extension.schema))))
}

/** Statements may hold values of users. */
function bare(found: Record<string, unknown>[]): Facts {
  return found.map((row) => ({ ...row, query: maskStatement(String(row.query ?? '')) }))
}
