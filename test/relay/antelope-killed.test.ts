// A relayer of an Antelope chain is killed (SIGKILL) right before and right after it has pushed a transaction: the next one
// pushes the same bytes, which the chain runs once.
import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PrivateKey } from '@wharfkit/antelope'
import t from 'tap'
import { loadConfig } from '../../config/load.ts'
import { SILENT } from '../../relay/log.ts'
import { startRelayer } from '../../relay/start.ts'
import { childModule } from '../support/child-module.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { CHAIN_ID, startFakeNode } from './antelope-node.ts'
import { keyFile } from './key-file.ts'
import { sessionsEnded } from './sessions-ended.ts'

const { url: databaseUrl, pool } = await testDatabase(t)
const node = await startFakeNode(t)
const abi = JSON.parse(readFileSync(new URL('../../abis/bridge.svc.telos.devnet.abi.json', import.meta.url), 'utf8'))
node.abiOf = () => abi
/** Withdrawals that the bridge API lists for a refund. */
const refunds = new Set<string>()
const server = createServer((_, response) => {
  const settlements = [...refunds].map((id) => ({
    ...{ key: `w:${id}`, action: 'refund', contract: 'bridge.svc', id, domain: '1' },
    ...{ released: null, tx: null, owner: 'alice' },
  }))
  const next = { pending: null, deposits: null, settlements: null, hops: null }
  const body = { pending: [], deposits: [], settlements, hops: [], next }
  response.writeHead(200, { connection: 'close' }).end(JSON.stringify(body))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
t.teardown(() => void server.close())

function settings() {
  const { config } = loadConfig({ env: {}, program: { chains: ['telos', 'mainnet'] } })
  const chains = config.chains.map((chain) => ({
    ...chain,
    chainId: CHAIN_ID,
    accounts: { ...chain.accounts, gateways: [{ account: 'gateway.evm', domain: '1' }] },
  }))
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const key = { antelopeKeyFile: keyFile(t, String(PrivateKey.generate('K1'))), permission: 'relay' }
  const speed = { pollSeconds: 0.05, port: 0, maxLagSeconds: 1e9 }
  const relay = { ...config.relay, ...key, ...speed, api, nodes: [`telos=${node.url}`], policy: 'always' as const }
  return { ...config, chains, relay } as unknown as Parameters<typeof startRelayer>[0]['config']
}

for (const [at, pushed] of [
  ['intended', 0],
  ['sent', 1],
] as const)
  t.test(`killed at ${at}`, async (t) => {
    const config = settings()
    const id = `${7 + pushed}`
    const states = async () =>
      (await pool.query('select state, hash from relay.intents where leg = $1', [`w:${id}`])).rows
    const before = node.ran.length
    refunds.add(id)
    const { file, execArgv } = childModule('./child.ts', import.meta.url)
    const env = {
      ...process.env,
      HEADWATER_TEST_RELAY: JSON.stringify({ config, databaseUrl }),
      HEADWATER_TEST_KILL: at,
    }
    const child = fork(file, { execArgv, env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    t.equal(await new Promise((resolve) => child.once('exit', (_, name) => resolve(name))), 'SIGKILL')
    await sessionsEnded(pool)
    t.match(await states(), [{ state: 'intended' }], 'the journal does not know whether it was pushed')
    t.equal(node.ran.length - before, pushed)

    const running = await startRelayer({ config, databaseUrl, log: SILENT })
    t.teardown(() => running.close())
    await until('it is pushed', async () => (await states())[0]?.state !== 'intended')
    t.equal(node.ran.length - before, 1)
    // The last irreversible block is after its expiration. The list of this turn was read before.
    node.onInfo = () => {
      node.onInfo = null
      refunds.delete(id)
      node.time += 3_600_000
    }
    await until('it has ended', async () => (await states())[0]?.state === 'done')
    t.equal((await states()).length, 1, 'one transaction')
    t.equal(node.ran.length - before, 1, 'which ran once')
  })
