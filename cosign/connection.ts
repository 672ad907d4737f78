// Connections of the cosigner. They set the cosigner's role after any login. Commits do not wait for the disk: a crash
// of the database server may lose the last half second of counts.
import type pg from 'pg'
import { openClient, openPool } from '../net/postgres.ts'
import type { Log } from './log.ts'

/** Timeout of a connection and of a statement, ms. */
const TIMEOUT_MS = 3000

function settings(connectionString: string): pg.ClientConfig {
  return {
    connectionString,
    application_name: 'headwater cosign',
    connectionTimeoutMillis: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
    options: '-c role=headwater_cosigner -c timezone=UTC -c synchronous_commit=off',
  }
}

export function openCosignPool(databaseUrl: string, log: Log): pg.Pool {
  const pool = openPool({ ...settings(databaseUrl), max: 10 })
  pool.on('error', (error) => log.warn('lost a database connection', { reason: error.message }))
  return pool
}

export function openCosignClient(databaseUrl: string): pg.Client {
  return openClient(settings(databaseUrl))
}
