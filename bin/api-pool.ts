// The API's database connections.
import type pg from 'pg'
import { openPool as openConnections } from '../net/postgres.ts'
import type { Log } from './cli/log.ts'

/** Creates the pool; connects on first use. */
export function openPool(databaseUrl: string, settings: pg.PoolConfig, log: Log): pg.Pool {
  // Keep-alive: connections may be idle for hours, and both sides notice a half-open one within a minute.
  const alive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
  // A connection that the server closes does not end the process: the pool opens another.
  return openConnections(
    { connectionString: databaseUrl, use: 'statements', connectionTimeoutMillis: 5000, ...alive, ...settings },
    (error) => log.warn('lost a database connection', { reason: error.message }),
  )
}

/**
 * Opens all connections and keeps them: opening one takes longer than most answers. If the database does not allow all
 * of them, idle ones may close, since loading and following the chains needs connections too.
 */
export async function fillPool(pool: pg.Pool): Promise<void> {
  const { options } = pool
  // Released at once, so that requests can use it.
  const open = async () => (await pool.connect()).release()
  const opened = await Promise.allSettled(Array.from({ length: options.max }, open))
  if (opened.every(({ status }) => status === 'fulfilled')) options.min = options.max
}
