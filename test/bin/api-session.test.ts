// Rights of the API's login. Logins belong to the whole server, so their names contain the process id.
import pg from 'pg'
import t from 'tap'
import { apiSession } from '../../bin/api-session.ts'
import { testDatabase } from '../support/database.ts'

t.test('the API takes a read-only role if its login may', async (t) => {
  const { url, pool } = await testDatabase(t)
  const logs: unknown[] = []
  const log = { info() {}, warn: (message: string, more?: unknown) => void logs.push([message, more]), error() {} }
  const login = async (name: string, grants: string) => {
    const role = `${name}_${process.pid}`
    await pool.query(`create role ${role} login password 'secret' ${grants}`)
    t.teardown(async () => {
      const admin = new pg.Client(url.replace(/\/[^/?]*(\?|$)/, '/postgres$1'))
      await admin.connect()
      await admin.query(`drop role ${role}`)
      await admin.end()
    })
    return Object.assign(new URL(url), { username: role, password: 'secret' }).href
  }
  const settings = async (address: string) => {
    const client = new pg.Client({ connectionString: address, options: await apiSession(address, log) })
    await client.connect()
    const { rows } = await client.query(
      `select current_user as role, current_setting('default_transaction_read_only') as ro`,
    )
    const read = await client.query('select from ledger.swaps').then(
      () => null,
      (error: { code: string }) => error.code,
    )
    const write = await client.query('begin read write; delete from state.pools').then(
      () => null,
      (error: { code: string }) => error.code,
    )
    await client.end()
    return { ...rows[0], read, write }
  }

  t.test('a superuser and a writer take it', async (t) => {
    const expected = { role: 'headwater_api', ro: 'on', read: null, write: '42501' }
    t.same(await settings(url), expected)
    t.same(await settings(await login('writer', 'in role headwater_writer')), expected)
    t.same(await settings(await login('server', 'in role headwater_api')), expected)
    t.same(logs, [])
  })

  t.test('another login keeps its own rights, and the log says what to do', async (t) => {
    const address = await login('other', 'in role headwater_reader')
    const found = await settings(address)
    t.match(found, { role: /^other_/, ro: 'on', read: '42501', write: '42501' })
    t.match(logs, [['the API reads with all rights of its login', { remedy: /grant headwater_api to/ }]])
  })

  t.test('an address with its own options is refused, because they would replace the API’s', async (t) => {
    const address = new URL(url)
    address.searchParams.set('options', '-c jit=off')
    await t.rejects(apiSession(address.href, log), { code: 'POOLER_NOT_NAMED', hint: /^remove options= / })
  })
})
