// The database session of a relayer: what happens when it is gone.
import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { loadConfig } from '../../config/load.ts'
import { SILENT } from '../../relay/log.ts'
import { startRelayer } from '../../relay/start.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { startFakeEvmNode } from './evm-node.ts'
import { keyFile } from './key-file.ts'

const { url: databaseUrl, pool } = await testDatabase(t)

/** Starts a relayer with a key and a node of its own. */
async function start(t: Test, key: string, relay: object = {}) {
  const node = await startFakeEvmNode(t)
  const { config } = loadConfig({ env: {}, program: { chains: ['telos', 'mainnet'] } })
  const contracts = { vaults: [], withdrawals: [`0x${'77'.repeat(20)}`], lightClients: [] }
  const own = { evmKeyFile: keyFile(t, key), api: 'http://127.0.0.1:9/v1', nodes: [`mainnet=${node.url}`] }
  const fast = { chains: ['mainnet'], port: 0, pollSeconds: 0.05, maxLagSeconds: 1e9, ...relay }
  const evm = config.evm.map((chain) => ({ ...chain, contracts }))
  const settings = { ...config, evm, relay: { ...config.relay, ...own, ...fast } }
  return startRelayer({ config: settings, databaseUrl, log: SILENT })
}

const endSessions = () =>
  pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'headwater relay'`)

t.test('a relayer that has lost its session ends, whatever connections its metrics have', async (t) => {
  const relayer = await start(t, '11'.repeat(32))
  t.teardown(() => relayer.close())
  const { port, hostname } = new URL(relayer.url)
  const [silent, idle] = [connect(Number(port), hostname), connect(Number(port), hostname)]
  t.teardown(() => [silent, idle].map((socket) => socket.destroy()))
  await Promise.all([once(silent, 'connect'), once(idle, 'connect')])
  idle.write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(idle, 'data')
  let ended: unknown
  relayer.done.catch((error: unknown) => {
    ended = error
  })
  await endSessions()
  await until('its end', () => ended !== undefined)
  t.match(ended, { code: 'RELAY_SESSION_LOST' })
})
