// The program on a primary and a physical hot standby, real servers. One pair of servers for all parts: starting one
// takes longer than most of them.
import t from 'tap'
import { migrate } from '../../migrations/migrate.ts'
import { WAX_SCENE } from '../api/exchange/scene.ts'
import { testPool } from '../support/database.ts'
import { startReplicatedServers } from '../support/standby.ts'
import { REQUIRED_VARIABLE } from '../support/stock-server.ts'
import { answersAreEqual } from './equal-answers.ts'

t.setTimeout(240_000)

const servers = await startReplicatedServers()
if ('missing' in servers) {
  if (process.env[REQUIRED_VARIABLE] === 'required') t.fail(servers.missing)
  else t.comment(`not run: ${servers.missing}`)
} else {
  t.teardown(() => servers.stop())
  const { primary } = servers
  await primary.query('create database scene')
  const url = primary.url('scene')
  await migrate(url)
  const pool = testPool(t, url, { max: 4 })
  const database = { url, pool }
  await pool.query('select meta.add_chain($1)', ['wax'])
  await WAX_SCENE.write(database)
  t.test('equal answers on primary and standby', (t) => answersAreEqual(t, servers, database))
}
