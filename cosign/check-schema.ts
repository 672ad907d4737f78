// Checks that the database has the functions that the cosigner calls. The cosigner's own package cannot migrate a
// database.
import type pg from 'pg'
import { UserError } from '../core/errors.ts'
import { openCosignClient } from './connection.ts'
import { IS_ON, MISSING_FUNCTIONS } from './sql.ts'

/** @throws UserError COSIGN_DATABASE when there is no connection, COSIGN_SCHEMA when functions are missing */
export async function checkCosignSchema(databaseUrl: string): Promise<void> {
  await withFunctions(databaseUrl, async () => {})
}

/** Whether cosigning for a chain is switched on, asked with the login of the cosigner. @throws as checkCosignSchema */
export async function isCosigningOn(databaseUrl: string, chain: string): Promise<boolean> {
  return await withFunctions(databaseUrl, async (client) => {
    return (await client.query<{ isOn: boolean }>(IS_ON, [chain])).rows[0]?.isOn === true
  })
}

async function withFunctions<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = openCosignClient(databaseUrl)
  try {
    await client.connect()
    const missing = (await client.query<{ name: string }>(MISSING_FUNCTIONS)).rows.map(({ name }) => name)
    if (missing.length > 0)
      throw new UserError('COSIGN_SCHEMA', `the database has no ${missing.join(', no ')}`, {
        hint: 'run `headwater migrate` of the version of this program',
      })
    return await work(client)
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    throw new UserError('COSIGN_DATABASE', `the database cannot be used: ${(cause as Error).message}`, {
      hint: 'DATABASE_URL names a login with `grant headwater_cosigner to ...`, on a database that `headwater migrate` has prepared',
      cause,
    })
  } finally {
    await client.end().catch(() => {})
  }
}
