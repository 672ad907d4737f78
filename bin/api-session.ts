// Database rights of the API. It only reads, so its connections take a read-only role, whatever the login's rights.

import { openClient } from '../net/postgres.ts'
import type { Log } from './cli/log.ts'

const ROLE = 'headwater_api'
const READ_ONLY = '-c default_transaction_read_only=on -c timezone=UTC'
const AS_READER = `-c role=${ROLE} ${READ_ONLY}`
/** SQLSTATEs: the login is not a member of the role; the role does not exist. */
const REFUSALS = ['42501', '22023']

/**
 * Start options of the API's connections. Every transaction is read-only. Connections have the rights of
 * `headwater_api` if the login is a member, otherwise those of the login, with a warning in the log.
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
