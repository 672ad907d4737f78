// What `headwater check` says about a relayer: its keys, its nodes, its permission. No finding has a key.
import { chmodSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PrivateKey } from '@wharfkit/antelope'
import { AbiCoder } from 'ethers'
import t, { type Test } from 'tap'
import { findingLine } from '../../../bin/checks/finding.ts'
import { checkRelay } from '../../../bin/checks/relay.ts'
import { loadConfig } from '../../../config/load.ts'
import { TestNode, withKey } from '../../cosign/node.ts'
import { startFakeEvmNode } from '../../relay/evm-node.ts'
import { keyFile } from '../../relay/key-file.ts'

const EVM_KEY = '22'.repeat(32)
const LIGHT_CLIENT = `0x${'ab'.repeat(20)}`
const key = PrivateKey.generate('K1')
const publicKey = String(key.toPublic())

async function serve(t: Test, answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('keys, chains, balance, light client and permission', async (t) => {
  const evm = await startFakeEvmNode(t)
  evm.time = Math.floor(Date.now() / 1000)
  evm.callResult = AbiCoder.defaultAbiCoder().encode(['address'], [LIGHT_CLIENT])
  const wax = await new TestNode(Date.now()).start(t)
  const api = await serve(t, (_, response) => response.writeHead(200, { connection: 'close' }).end('{"pending":[]}'))
  const folder = t.testdir({ evm: EVM_KEY, antelope: String(key) })
  const files = { evm: join(folder, 'evm'), antelope: join(folder, 'antelope') }
  for (const file of Object.values(files)) chmodSync(file, 0o600)
  const gateways = '[{"account":"gateway.evm","domain":"1"}]'
  const check = async (more: Record<string, string> = {}) => {
    const env = {
      ...{
        HEADWATER_CHAINS: 'wax,mainnet',
        HEADWATER_BRIDGE_LEDGER: 'wax',
        HEADWATER_WAX_ACCOUNTS_BRIDGE: 'bridge.svc',
      },
      ...{ HEADWATER_WAX_ACCOUNTS_GATEWAYS: gateways, HEADWATER_WAX_ACCOUNTS_HOP: 'hop.svc' },
      ...{ HEADWATER_WAX_CHAIN_ID: wax.chain.chainId, HEADWATER_RELAY_API: `${api}/api/bridge/v1` },
      HEADWATER_RELAY_NODES: `wax=${wax.url},mainnet=${evm.url}/secret-of-the-provider`,
      ...{ HEADWATER_RELAY_EVM_KEY_FILE: files.evm, HEADWATER_RELAY_ANTELOPE_KEY_FILE: files.antelope },
      ...{ HEADWATER_RELAY_ACCOUNT: 'myrelayer', HEADWATER_RELAY_PERMISSION: 'relay', ...more },
    }
    const lines = (await checkRelay(loadConfig({ env }).config)).map(findingLine)
    for (const secret of [EVM_KEY, String(key), 'secret-of']) t.notOk(lines.join().includes(secret), 'nothing secret')
    return lines
  }
  const link = (account: string, action: string) => ({ account, action })
  const all = [
    ...['forward', 'bounce', 'refund'].map((name) => link('bridge.svc', name)),
    link('hop.svc', 'recover'),
    link('gateway.evm', ''),
  ]
  const give = (links: typeof all, keys = { relay: publicKey }) =>
    wax.accounts.set('myrelayer', withKey(PrivateKey.generate('K1'), { keys, links: { relay: links } }))
  const permissionOf = (lines: string[]) => lines.filter((line) => /relayer permission/.test(line))

  give(all)
  const good = await check()
  t.same(
    good.filter((line) => !line.startsWith('ok ')),
    [],
    'nothing is wrong',
  )
  t.match(good, [
    /^ok {4}relayer key for EVM chains: 0x[0-9a-f]{40}, readable by its owner alone$/,
    /^ok {4}relayer key for Antelope chains: PUB_K1_\w+ for myrelayer@relay, readable by its owner alone$/,
    /^ok {4}relayer chains: mainnet, wax; the ledger is on wax$/,
    /^ok {4}relayer API http:\S+: lists the open work$/,
    /^ok {4}relayer node of mainnet http:\S+: chain 1, head 200, \d s old$/,
    /^ok {4}relayer balance on mainnet: 0x[0-9a-f]{40} has 1 coins for gas$/,
    new RegExp(`^ok {4}relayer contracts on mainnet: the light client is ${LIGHT_CLIENT}`),
    /^ok {4}relayer node of wax http:\S+: the right chain, -?\d+ s old$/,
    /^ok {4}relayer permission myrelayer@relay on wax: its key, linked to the actions of the relayer only$/,
  ])

  evm.balance = 10n ** 16n
  evm.time -= 1000
  const poor = await check()
  t.match(
    poor.find((line) => /balance/.test(line)),
    /^warn .*has 0\.01 coins.*relay\.warnBalance is 0\.1$/,
  )
  t.match(
    poor.find((line) => /node of mainnet/.test(line)),
    /^warn .*nothing is sent while it lags/,
  )
  const other = { HEADWATER_MAINNET_CONTRACTS_LIGHT_CLIENTS: `0x${'cd'.repeat(20)}` }
  t.match(
    (await check(other)).find((line) => /contracts on/.test(line)),
    /^fail .*which is not configured/,
  )

  give([...all.slice(1), link('eosio.token', 'transfer'), link('bridge.svc', 'setroute')])
  t.match(permissionOf(await check()), [
    /^warn .*not linked to bridge\.svc::forward, which are refused/,
    /^warn .*linked to eosio\.token::transfer, bridge\.svc::setroute too; a stolen key/,
  ])
  give(all, { relay: String(PrivateKey.generate('K1').toPublic()) })
  t.match(permissionOf(await check()), [/^fail .*the key of the relayer is not its key/])
  wax.accounts.set('myrelayer', withKey(key))
  t.match(permissionOf(await check()), [/^fail .*has no such permission/])
  t.match(permissionOf(await check({ HEADWATER_RELAY_PERMISSION: 'active' })), [
    /^warn .*a stolen key can do everything/,
  ])
})

t.test('nodes of other chains, and what does not answer', async (t) => {
  const evm = await startFakeEvmNode(t, 5)
  const nothing = 'http://127.0.0.1:1'
  const env = {
    ...{
      HEADWATER_CHAINS: 'telos,mainnet',
      HEADWATER_RELAY_API: `${nothing}/v1`,
      HEADWATER_RELAY_NODES: `mainnet=${evm.url}`,
    },
    HEADWATER_RELAY_EVM_KEY_FILE: keyFile(t, EVM_KEY),
  }
  const lines = (
    await checkRelay(loadConfig({ env: { ...env, DATABASE_URL: 'postgresql://me@127.0.0.1:1/none' } }).config)
  ).map(findingLine)
  t.match(lines.slice(2), [
    /^fail {2}relayer database: the database cannot be used/,
    /^fail {2}relayer API http:\/\/127\.0\.0\.1:1: /,
    /^fail {2}relayer node of mainnet \S+: .*chain 5, not of 1/,
    /^fail {2}relayer balance on mainnet/,
    /^fail {2}relayer contracts on mainnet/,
  ])
  t.same(await checkRelay(loadConfig({ env: { HEADWATER_CHAINS: 'telos' } }).config), [], 'no key: no relayer')
})
