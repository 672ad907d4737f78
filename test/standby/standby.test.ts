// The program on a primary and a physical hot standby, real servers. One pair of servers for all parts: starting the
// pair takes longer than most parts.
import t from 'tap'
import { migrate } from '../../migrations/migrate.ts'
import { WAX_SCENE } from '../api/exchange/scene.ts'
import { testPool } from '../support/database.ts'
import { startReplicatedServers } from '../support/standby.ts'
import { REQUIRED_VARIABLE } from '../support/stock-server.ts'
import { commandsRun } from './commands.ts'
import { standbyIsCompared } from './compare.ts'
import { standbyDies } from './deaths.ts'
import { answersAreEqual, bridgeAnswersAreEqual } from './equal-answers.ts'
import { failsOver } from './failover.ts'
import { hostsAreChosen } from './hosts.ts'
import { poolerServes } from './pooler.ts'
import { standbyServes } from './replay.ts'

const servers = await startReplicatedServers()
if ('missing' in servers) {
  if (process.env[REQUIRED_VARIABLE] === 'required') t.fail(servers.missing)
  else t.comment(`not run: ${servers.missing}`)
} else {
  t.teardown(() => servers.stop())
  const { primary } = servers
  await primary.query('create database empty')
  await migrate(primary.url('empty'))
  await primary.query(`select meta.add_chain('wax')`, [], 'empty')
  for (const name of ['scene', 'live']) await primary.query(`create database ${name} template empty`)
  const url = primary.url('scene')
  const database = { url, pool: testPool(t, url, { max: 4 }) }
  await WAX_SCENE.write(database)
  await servers.replayed()
  t.test('equal answers on primary and standby', (t) => answersAreEqual(t, servers, database))
  t.test('equal answers of two chains with a bridge', (t) => bridgeAnswersAreEqual(t, servers))
  t.test('a comparison on a standby', (t) => standbyIsCompared(t, servers, database))
  t.test('commands on a standby', (t) => commandsRun(t, servers))
  t.test('one of several servers', (t) => hostsAreChosen(t, servers))
  t.test('an API on a standby', (t) => standbyServes(t, servers))
  t.test('an API behind PgBouncer', (t) => poolerServes(t, servers, database))
  t.test('a killed standby, and a killed balancer', (t) => standbyDies(t, servers))
  // The last part: the primary dies.
  t.test('a failover', (t) => failsOver(t, servers))
}
