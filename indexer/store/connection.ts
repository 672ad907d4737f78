// A connection of its own for one piece of work.
import type pg from 'pg'
import { openClient } from '../../net/postgres.ts'
import { databaseError } from './errors.ts'

export interface ConnectionOptions {
  databaseUrl: string
  /** What the database shows as the connection's application is `headwater`, this, and the chain. */
  name: string
  /** Named in errors. */
  chain: string
  /** Settings of the session: one or more statements. */
  session?: string
}

/**
 * Connects, runs `work`, and ends the connection however that went.
 *
 * @throws RetryableError DATABASE_UNAVAILABLE and what else `databaseError` makes of what the database said; errors with a
 *   code of ours as they are
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
