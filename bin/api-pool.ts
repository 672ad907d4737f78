// The connections with which the API answers requests.
import type pg from 'pg'
import { openPool as openConnections } from '../net/postgres.ts'
import type { Log } from './cli/log.ts'

/** Does not connect yet. */
export function openPool(databaseUrl: string, settings: pg.PoolConfig, log: Log): pg.Pool {
  // Connections may be without work for hours: a half-open one is noticed by both sides within a minute.
  const alive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
  // A connection that the server ended is no reason to end: the pool opens another.
  return openConnections(
    { connectionString: databaseUrl, connectionTimeoutMillis: 5000, ...alive, ...settings },
    (error) => log.warn('lost a database connection', { reason: error.message }),
  )
}

/**
 * Opens all connections, which stay: to open one takes longer than most answers. Where the database does not allow so
 * many, none stays that has no work: those that load and follow the chains need some too.
 */
export async function fillPool(pool: pg.Pool): Promise<void> {
  const { options } = pool
  // Each is there for requests as soon as it is open.
  const open = async () => (await pool.connect()).release()
  const opened = await Promise.allSettled(Array.from({ length: options.max }, open))
  if (opened.every(({ status }) => status === 'fulfilled')) options.min = options.max
}
