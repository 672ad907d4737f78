import knexFactory from 'knex'
import t from 'tap'
import { migrationError } from '../../migrations/migrate.ts'
import { testDatabase } from '../support/database.ts'

t.test('when the disk is full, a migration reports that, without its SQL', async (t) => {
  const { url } = await testDatabase(t)
  const knex = knexFactory({ client: 'pg', connection: url, pool: { min: 0, max: 1 } })
  t.teardown(() => knex.destroy())
  const failing = (code: string) =>
    knex
      .raw(`do $$ begin raise exception 'could not extend file' using errcode = '${code}'; end $$`)
      .catch(migrationError)
  const full = await failing('53100')
  t.match(full, { code: 'DISK_FULL', message: 'the database has no disk space left: could not extend file' })
  t.match(await failing('42601'), { code: 'MIGRATION_FAILED', message: 'could not extend file', cause: undefined })
})
