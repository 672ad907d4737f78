// Checks that the database has the functions that the cosigner calls. The cosigner's own package cannot migrate a
// database.
import { UserError } from '../core/errors.ts'
import { openCosignClient } from './connection.ts'
import { MISSING_FUNCTIONS } from './sql.ts'

/** @throws UserError COSIGN_DATABASE when there is no connection, COSIGN_SCHEMA when functions are missing */
export async function checkCosignSchema(databaseUrl: string): Promise<void> {
  const client = openCosignClient(databaseUrl)
  let missing: string[]
  try {
    await client.connect()
    missing = (await client.query<{ name: string }>(MISSING_FUNCTIONS)).rows.map(({ name }) => name)
  } catch (cause) {
    throw new UserError('COSIGN_DATABASE', `the database cannot be used: ${(cause as Error).message}`, {
      hint: 'DATABASE_URL names a login with `grant headwater_cosigner to ...`, on a database that `headwater migrate` has prepared',
      cause,
    })
  } finally {
    await client.end().catch(() => {})
  }
  if (missing.length === 0) return
  throw new UserError('COSIGN_SCHEMA', `the database has no ${missing.join(', no ')}`, {
    hint: 'run `headwater migrate` of the version of this program',
  })
}
