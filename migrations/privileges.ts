// What a login lacks to migrate a database, and the statements by which an administrator gives it that.
import pg from 'pg'
import { UserError } from '../core/errors.ts'
import { PRIVILEGES, ROLES } from './sql.ts'

/** The roles that the migrations make, for the whole server. */
const WANTED_ROLES = ['headwater_writer', 'headwater_reader', 'headwater_cosigner', 'headwater_api']

interface Privileges {
  login: string
  database: string
  createsSchemas: boolean
  /** In `public`, where the list of applied migrations is kept. */
  createsTables: boolean
  createsRoles: boolean
  /** Before PostgreSQL 16, who creates roles may also grant every one. */
  grantsAnyRole: boolean
  /** Who owns what earlier migrations made, when the login may not act as that role. */
  otherOwner: string | null
}

interface Role {
  name: string
  isThere: boolean
  isMember: boolean
  isAdmin: boolean
}

/** SQLSTATE of a refused statement. */
export const REFUSED = '42501'

/** @throws UserError DATABASE_PRIVILEGES that lists what is missing, and the statements that an administrator runs */
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

/** What a login needs to work with a database that another one has migrated. */
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
