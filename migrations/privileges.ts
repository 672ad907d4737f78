// Checks a login's rights to migrate a database, and gives the statements by which an administrator grants missing
// ones.
import pg from 'pg'
import { UserError } from '../core/errors.ts'
import { PRIVILEGES, ROLES } from './sql.ts'

/** Roles created by the migrations, for the whole server. */
const WANTED_ROLES = [
  'headwater_writer',
  'headwater_reader',
  'headwater_cosigner',
  'headwater_relayer',
  'headwater_api',
]

interface Privileges {
  login: string
  database: string
  createsSchemas: boolean
  /** Whether it may create tables in `public`, which has the list of applied migrations. */
  createsTables: boolean
  createsRoles: boolean
  /** Whether it may grant any role: before PostgreSQL 16 the right to create roles includes this. */
  grantsAnyRole: boolean
  /** Owner of earlier migrations' objects, if the login may not act as that role; else null. */
  otherOwner: string | null
}

interface Role {
  name: string
  isThere: boolean
  isMember: boolean
  isAdmin: boolean
}

/** SQLSTATE: insufficient privilege. */
export const REFUSED = '42501'

/** @throws UserError DATABASE_PRIVILEGES that lists the missing rights and the statements for an administrator */
export async function checkPrivileges(client: pg.ClientBase): Promise<void> {
  const login = (await client.query<Privileges>(PRIVILEGES)).rows[0] as Privileges
  const roles = (await client.query<Role>(ROLES, [WANTED_ROLES])).rows
  const [name, database] = [login.login, login.database].map(pg.escapeIdentifier) as [string, string]
  const lacks: string[] = []
  const grants: string[] = []
  const lack = (what: string, ...statements: string[]) => {
    lacks.push(what)
    grants.push(...statements)
  }
  if (login.otherOwner !== null)
    lack(`change what ${login.otherOwner} has made`, `grant ${pg.escapeIdentifier(login.otherOwner)} to ${name}`)
  if (!login.createsSchemas) lack('create schemas', `grant create on database ${database} to ${name}`)
  if (!login.createsTables) lack('create tables in the schema public', `grant create on schema public to ${name}`)
  const absent = login.createsRoles ? [] : roles.filter((role) => !role.isThere).map((role) => role.name)
  if (absent.length > 0) lack('create roles', ...absent.map((role) => `create role ${role} nologin`))
  const joinsAny = login.createsRoles && login.grantsAnyRole
  const foreign = roles.filter((role) => role.isThere && !role.isMember && !role.isAdmin && !joinsAny)
  const joins = [...absent, ...foreign.map((role) => role.name)]
  if (foreign.length > 0) lacks.push(`become ${foreign.map((role) => role.name).join(' and ')}`)
  if (joins.length > 0) grants.push(`grant ${joins.join(', ')} to ${name}`)
  if (lacks.length === 0) return
  throw new UserError(
    'DATABASE_PRIVILEGES',
    `the login ${login.login} cannot migrate the database ${login.database}: it may not ${lacks.join(', nor ')}`,
    {
      hint: `migrate with a login that may, or let an administrator run in this database:\n${statements(grants)}`,
    },
  )
}

/** Error for a login that may not read a database migrated by another login. */
export async function cannotRead(client: pg.ClientBase, cause: unknown): Promise<UserError> {
  const { login, database } = (await client.query<Privileges>(PRIVILEGES)).rows[0] as Privileges
  const grants = [`grant headwater_writer to ${pg.escapeIdentifier(login)}`]
  return new UserError('DATABASE_LOGIN', `the login ${login} may not use the schema of the database ${database}`, {
    hint: `use the login that migrated it, or let an administrator run:\n${statements(grants)}`,
    cause,
  })
}

function statements(all: readonly string[]): string {
  return all.map((statement) => `    ${statement};`).join('\n')
}
