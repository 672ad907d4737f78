// Runs work on a separate connection.
import type pg from 'pg'
import { openClient } from '../../net/postgres.ts'
import { databaseError } from './errors.ts'

export interface ConnectionOptions {
  databaseUrl: string
  /** Part of the application name: `headwater NAME CHAIN`. */
  name: string
  /** For error messages. */
  chain: string
  /** Statements that set up the session. */
  session?: string
}

/**
 * Connects, runs `work`, and closes the connection in any case.
 *
 * @throws RetryableError DATABASE_UNAVAILABLE and other errors by `databaseError`; coded errors unchanged
 */
export async function onConnection<T>(
  { databaseUrl, name, chain, session }: ConnectionOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = openClient({ connectionString: databaseUrl, application_name: `headwater ${name} ${chain}` })
  try {
    await client.connect()
    if (session !== undefined) await client.query(session)
    return await work(client)
  } catch (error) {
    throw databaseError(error, { chain })
  } finally {
    await client.end().catch(() => {})
  }
}
