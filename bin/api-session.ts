// With which rights the API uses the database: it reads, so its connections take on a role that can do nothing else,
// whatever the login may do.

import { openClient } from '../net/postgres.ts'
import type { Log } from './cli/log.ts'

const ROLE = 'headwater_api'
const READ_ONLY = '-c default_transaction_read_only=on -c timezone=UTC'
const AS_READER = `-c role=${ROLE} ${READ_ONLY}`
/** SQLSTATE: the login is no member of the role; the role is not there. */
const REFUSALS = ['42501', '22023']

/**
 * Settings with which connections of the API start. Every transaction is read-only; beside that they have the rights of
 * `headwater_api`, where the login may take it on, and else those of the login, which the log then says.
 *
 * @param databaseUrl  of a migrated database
 */
export async function apiSession(databaseUrl: string, log: Log): Promise<string> {
  const client = openClient({ connectionString: databaseUrl, options: AS_READER, application_name: 'headwater api' })
  try {
    await client.connect()
    return AS_READER
  } catch (error) {
    if (!REFUSALS.includes((error as { code?: string }).code ?? '')) throw error
    const remedy = `let an administrator run: grant ${ROLE} to the login of the API`
    log.warn('the API reads with all rights of its login', { reason: (error as Error).message, remedy })
    return READ_ONLY
  } finally {
    await client.end().catch(() => {})
  }
}
