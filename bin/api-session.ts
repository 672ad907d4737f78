// Database rights of the API. It only reads, so its connections take a read-only role, whatever the login's rights.

import type pg from 'pg'
import { UserError } from '../core/errors.ts'
import { isPooled, openClient } from '../net/postgres.ts'
import type { Log } from './cli/log.ts'
import { poolerNotNamed } from './pooler.ts'

const ROLE = 'headwater_api'
const READ_ONLY = '-c default_transaction_read_only=on -c timezone=UTC'
const AS_READER = `-c role=${ROLE} ${READ_ONLY}`
/** SQLSTATEs: the login is not a member of the role; the role does not exist. */
const REFUSALS = ['42501', '22023']
/** Settings that the login has to bring when a pooler shares its sessions. */
const LOGIN_SETTINGS: Readonly<Record<string, string>> = {
  default_transaction_read_only: 'on',
  timezone: 'UTC',
  jit: 'off',
  statement_timeout: '5s',
}

/**
 * Start options of the API's connections. Every transaction is read-only. Connections have the rights of
 * `headwater_api` if the login is a member, otherwise those of the login, with a warning in the log. Through a pooler,
 * which has no start options, the login has to have these settings.
 *
 * @param databaseUrl  of a migrated database
 * @throws UserError POOLED_LOGIN with the statements that give a login the settings; POOLER_NOT_NAMED when the start
 *   options have no effect
 */
export async function apiSession(databaseUrl: string, log: Log): Promise<string> {
  const settings = { connectionString: databaseUrl, use: 'statements', application_name: 'headwater api' } as const
  if (isPooled(databaseUrl)) return pooledSession(settings)
  const client = openClient({ ...settings, options: AS_READER })
  try {
    await client.connect()
    await checkOptions(client, databaseUrl)
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

/** A pooler may be configured to drop start options without an error. @throws UserError POOLER_NOT_NAMED */
async function checkOptions(client: pg.Client, databaseUrl: string): Promise<void> {
  const { rows } = await client.query<{ login: string; readOnly: string }>(
    `select current_user as login, current_setting('default_transaction_read_only') as "readOnly"`,
  )
  const { login, readOnly } = rows[0] ?? {}
  if (login === ROLE && readOnly === 'on') return
  throw poolerNotNamed(
    databaseUrl,
    `the user is ${login} and not ${ROLE}, default_transaction_read_only is ${readOnly}`,
  )
}

/** @throws UserError POOLED_LOGIN */
async function pooledSession(settings: Parameters<typeof openClient>[0]): Promise<string> {
  const client = openClient(settings)
  try {
    await client.connect()
    const { rows } = await client.query<{ login: string; name: string; value: string }>(
      `select quote_ident(session_user) as login, lower(name) as name, current_setting(name) as value
       from pg_settings where lower(name) = any ($1)`,
      [Object.keys(LOGIN_SETTINGS)],
    )
    const wrong = rows.filter(({ name, value }) => value !== LOGIN_SETTINGS[name])
    if (wrong.length === 0) return ''
    const [first] = wrong
    const statements = wrong.map(({ login, name }) => `alter role ${login} set ${name} = '${LOGIN_SETTINGS[name]}';`)
    throw new UserError(
      'POOLED_LOGIN',
      `behind a pooler the login ${first?.login} of the API needs settings of its own: ${wrong.map(({ name, value }) => `${name} is ${value}`).join(', ')}`,
      {
        hint: `let an administrator run, and restart the pooler's connections: ${statements.join(' ')} The login should have no other rights than: grant ${ROLE} to ${first?.login};`,
      },
    )
  } finally {
    await client.end().catch(() => {})
  }
}
