// Checks the rights of SQL readers. Only the owner of the database or a superuser can revoke some of them. If the login
// that ran the migration is neither, readers still have these rights, and an administrator must revoke them.
import pg from 'pg'
import { READER_RIGHTS, UNBOUNDED_READERS } from '../../migrations/sql.ts'
import { openClient } from '../../net/postgres.ts'
import { type Finding, ok, warn } from './finding.ts'

interface Rights {
  database: string
  temporary: boolean
  tables: boolean
  largeObjects: boolean
  jit: boolean
}

export async function checkReaders(url: string): Promise<Finding[]> {
  const client = openClient({ connectionString: url, use: 'statements' })
  await client.connect()
  try {
    const unbounded = await client.query<{ login: string; owner: string }>(UNBOUNDED_READERS)
    const { rows } = await client.query<Rights>(READER_RIGHTS)
    return [sessions(unbounded.rows), ...rows.map(rights)]
  } finally {
    await client.end()
  }
}

/** Whether the owner of the schema can end readers' sessions that exceed their limits. */
function sessions(unbounded: readonly { login: string; owner: string }[]): Finding {
  const owner = unbounded[0]?.owner
  if (owner === undefined) return ok('readers', 'sessions that exceed meta.reader_limits are ended')
  const logins = unbounded.map(({ login }) => login)
  return warn(
    'readers',
    `the login ${owner} cannot end sessions of ${logins.join(', ')} that are above the limits`,
    `let an administrator run: grant ${logins.map(pg.escapeIdentifier).join(', ')} to ${pg.escapeIdentifier(owner)};`,
  )
}

function rights({ database, temporary, tables, largeObjects, jit }: Rights): Finding {
  const name = pg.escapeIdentifier(database)
  const faults: readonly (readonly [has: boolean, fault: string, remedy: string])[] = [
    [
      temporary,
      'any login may create temporary tables, which fill the disk',
      `revoke temporary on database ${name} from public; grant temporary on database ${name} to headwater_writer;`,
    ],
    [tables, 'any login may create tables in the schema public', 'revoke create on schema public from public;'],
    [
      largeObjects,
      'any login may create large objects, which fill the disk',
      'revoke execute on function pg_catalog.lo_creat(int4), pg_catalog.lo_create(oid), pg_catalog.lo_from_bytea(oid, bytea) from public;',
    ],
    [
      jit,
      'JIT compilation is not switched off for this database: readers have it, unless the server switches it off',
      `alter database ${name} set jit = off;`,
    ],
  ]
  const found = faults.filter(([has]) => has)
  if (found.length === 0) return ok('rights', 'readers can create nothing, and JIT compilation is off for them')
  const remedies = found.map(([, , remedy]) => remedy)
  return warn(
    'rights',
    found.map(([, fault]) => fault).join('; '),
    `let an administrator run in this database: ${remedies.join(' ')}`,
  )
}
