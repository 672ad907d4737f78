// Rights of the roles: the reader sees only the views, the API's role only reads, the writer never changes a ledger
// row.
import type { PoolClient } from 'pg'
import t from 'tap'
import { testDatabase } from '../support/database.ts'

t.test('roles', async (t) => {
  const { pool } = await testDatabase(t)
  await pool.query(`select meta.add_chain('wax')`)
  const { rows: relations } = await pool.query<{ schema: string; name: string }>(
    `select n.nspname as schema, format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('meta', 'ledger', 'state', 'undo', 'derive', 'settled', 'head', 'final', 'board', 'cosign', 'relay', 'final_log') and c.relkind in ('r', 'p', 'v', 'm') order by 2`,
  )
  const isOpen = ({ schema }: { schema: string }) => ['head', 'final', 'board'].includes(schema)

  t.test('the reader sees every view of head, final and board', async (t) => {
    const client = await as(pool.connect(), 'headwater_reader')
    for (const { name } of relations.filter(isOpen)) t.equal(await refusal(client, `select from ${name}`), null, name)
    client.release(true)
  })

  t.test('the reader sees no other table or view', async (t) => {
    const client = await as(pool.connect(), 'headwater_reader')
    for (const { name } of relations.filter((relation) => !isOpen(relation)))
      t.equal(await refusal(client, `select from ${name}`), DENIED, name)
    client.release(true)
  })

  t.test('the reader writes nothing and runs no function of the writer', async (t) => {
    const client = await as(pool.connect(), 'headwater_reader')
    const { rows } = await pool.query(
      `select name from unnest($1::text[]) name where has_table_privilege('headwater_reader', name, 'insert, update, delete, truncate')`,
      [relations.map(({ name }) => name)],
    )
    t.same(rows, [])
    t.equal(await refusal(client, `create table head.mine (a int4)`), DENIED)
    t.equal(await refusal(client, `create table public.mine (a int4)`), DENIED)
    t.equal(await refusal(client, `create schema mine`), DENIED)
    for (const call of ['lo_create(0)', 'lo_creat(-1)', `lo_from_bytea(0, '\\x00')`])
      t.equal(await refusal(client, `select ${call}`), DENIED, call)
    t.equal(await refusal(client, `select meta.rewind('wax', 1)`), DENIED)
    t.equal(await refusal(client, `select meta.clear_chain('wax')`), DENIED)
    client.release(true)
  })

  t.test('a login as the reader itself has bounds for its statements, and only reads', async (t) => {
    const settings = await pool.query(
      `select unnest(s.setconfig) as setting from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
       where r.rolname = 'headwater_reader' and s.setdatabase = 0 order by 1`,
    )
    t.same(settings.rows.map(({ setting }) => setting.toLowerCase()).sort(), [
      'default_transaction_read_only=on',
      'idle_in_transaction_session_timeout=5min',
      'statement_timeout=60s',
      'timezone=utc',
    ])
  })

  t.test(
    'the role of the API reads all data of the chains, changes nothing and does not see the sponsor’s counters',
    async (t) => {
      const client = await as(pool.connect(), 'headwater_api')
      for (const { schema, name } of relations) {
        // Partitions are accessible only through their parent tables.
        if (!name.includes('__'))
          t.equal(await refusal(client, `select from ${name}`), NOT_FOR_API.includes(schema) ? DENIED : null, name)
      }
      const { rows } = await pool.query(
        `select name from unnest($1::text[]) name where has_table_privilege('headwater_api', name, 'insert, update, delete, truncate')`,
        [relations.map(({ name }) => name)],
      )
      t.same(rows, [])
      t.equal(await refusal(client, `create table meta.mine (a int4)`), DENIED)
      t.equal(await refusal(client, `select meta.rewind('wax', 1)`), DENIED)
      client.release(true)
    },
  )

  t.test('the writer inserts facts and can neither change nor remove them', async (t) => {
    const client = await as(pool.connect(), 'headwater_writer')
    for (const { schema, name } of relations) {
      if (schema !== 'ledger') continue
      // Partitions are accessible only through their parent tables.
      if (!name.includes('__'))
        t.equal(await refusal(client, `insert into ${name} select * from ${name} where false`), null, name)
      t.equal(await refusal(client, `update ${name} set chain = chain`), DENIED, name)
      t.equal(await refusal(client, `delete from ${name}`), DENIED, name)
      t.equal(await refusal(client, `truncate ${name}`), DENIED, name)
    }
    t.equal(await refusal(client, `select meta.clear_chain('wax')`), DENIED)
    t.equal(await refusal(client, `update meta.rewinds set chain = chain`), DENIED)
    client.release(true)
  })
})

const DENIED = '42501'
const NOT_FOR_API = ['cosign', 'relay', 'final_log']

async function as(connecting: Promise<PoolClient>, role: string): Promise<PoolClient> {
  const client = await connecting
  await client.query(`set role ${role}`)
  return client
}

/** SQLSTATE of a refused statement; null when it is allowed. Changes nothing. */
async function refusal(client: PoolClient, sql: string): Promise<string | null> {
  await client.query('begin')
  try {
    await client.query(sql)
    return null
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    await client.query('rollback')
  }
}
