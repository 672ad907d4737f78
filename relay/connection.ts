// Connections of the relayer. They use its role, whatever the login. A commit waits for the disk: an intent must survive
// a crash of the database server before its transaction is sent.
import type pg from 'pg'
import { openClient } from '../net/postgres.ts'

/** Timeout of a connection and of a statement, ms. */
const TIMEOUT_MS = 10_000

export function openRelayClient(databaseUrl: string, onLost?: (error: Error) => void): pg.Client {
  return openClient(
    {
      connectionString: databaseUrl,
      application_name: 'headwater relay',
      connectionTimeoutMillis: TIMEOUT_MS,
      statement_timeout: TIMEOUT_MS,
      // Of a server that answers no more: later than its own timeout.
      query_timeout: 2 * TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: TIMEOUT_MS,
      options: '-c role=headwater_relayer -c timezone=UTC -c synchronous_commit=on',
    },
    onLost,
  )
}
