// The program with an EVM chain on a real node: `check` and indexing.
import t from 'tap'
import { checkEvm } from '../../bin/checks/evm.ts'
import { indexEvm } from '../../bin/index-evm.ts'
import { loadConfig } from '../../config/load.ts'
import { startBeacon } from '../../devnet/evm/beacon.ts'
import { depositValues, LocalChain } from '../indexer/source/evm/local-chain.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const [shipped] = loadConfig({ env: {}, program: { chains: ['mainnet'] } }).config.evm

function configured(node: LocalChain, urls = [node.url]) {
  const { vault, withdrawals } = node.contracts
  const source = { ...shipped!.source, urls, pollMs: 50 }
  return { ...shipped!, contracts: { vaults: [vault], withdrawals: [withdrawals], lightClients: [] }, source }
}

t.test('the check finds what is wrong with an endpoint', async (t) => {
  const node = await LocalChain.start(t)
  await node.mine(3)
  const config = configured(node)
  const levels = async (changed: object) => (await checkEvm({ ...config, ...changed })).map(({ level }) => level)
  t.same(await levels({}), ['ok', 'ok', 'ok'], 'the endpoint and its two contracts')
  t.same(await levels({ chainId: 5 }), ['fail'], 'another chain')
  const nowhere = { vaults: [`0x${'77'.repeat(20)}`], withdrawals: [], lightClients: [] }
  t.same(await levels({ contracts: nowhere }), ['warn', 'ok', 'fail'], 'no contract')
  t.same(await levels({ source: { ...config.source, urls: ['http://127.0.0.1:1'] } }), ['fail'], 'nobody there')
  t.same(await levels({ source: { ...config.source, urls: [] } }), ['fail'], 'no endpoint')
  const beacon = { ...config.source, beacon: node.url }
  t.same(await levels({ source: beacon }), ['ok', 'ok', 'ok', 'fail'], 'no beacon node')
  const ends = { ...config.source, finalHeaders: 'ends' as const }
  t.same(await levels({ source: ends }), ['warn', 'ok', 'ok', 'ok'], 'nobody to compare it with')
  t.notOk((await levels({ source: { ...ends, urls: [node.url, node.url] } })).includes('warn'), 'two endpoints')
})

t.test('the check shows how old the finalized block of the beacon node is', async (t) => {
  const node = await LocalChain.start(t)
  await node.mine(5)
  const { timestamp } = await node.rpc<{ timestamp: string }>('eth_getBlockByNumber', '0x0', false)
  const beacon = await startBeacon(node.url, Number(timestamp) * 1000)
  t.teardown(() => beacon.stop())
  const config = configured(node)
  const found = async () => (await checkEvm({ ...config, source: { ...config.source, beacon: beacon.url } })).at(-1)
  await until('a finalized block', async () => (await found())?.level === 'ok')
  t.match(await found(), { subject: /^mainnet beacon node http/, message: /^finalized slot \d+, -?\d{1,2} s old$/ })
  const [other] = (await checkEvm({ ...config, chainId: 5, source: { ...config.source, beacon: beacon.url } })).slice(
    -1,
  )
  t.match(other, { level: 'fail', message: 'serves chain 1', remedy: /correct source.beacon/ })
  const real = Date.now
  let shift = 2 * 3_600_000
  t.intercept(Date, 'now', { value: () => real() + shift })
  t.match(await found(), { level: 'warn', message: /^finalized slot \d+, 7[12]\d\d s old$/, remedy: /caught up/ })
  shift = -3_600_000
  t.match(await found(), { level: 'warn', message: /^finalized slot \d+, -3[56]\d\d s old$/, remedy: /clock/ })
})

t.test('an empty database begins at the block of the first contract', async (t) => {
  const node = await LocalChain.start(t)
  await node.mine(20)
  node.contracts.vault = node.contracts.lightclient
  const { pool, url } = await testDatabase(t)
  const stop = new AbortController()
  const { blockNum } = await node.log('vault', 'Deposit', depositValues(1))
  await node.mine(3)
  const silent = () => {}
  const config = configured(node)
  const running = indexEvm(
    { ...config, contracts: { ...config.contracts, withdrawals: [] } },
    {
      databaseUrl: url,
      signal: stop.signal,
      onAnomaly: silent,
      watch: () => ({ opened: silent, committed: silent, forked: silent, decoded: silent, retrying: silent }),
    },
  )
  const found = async () => (await pool.query('select block_num::int4 as num from head.vault_deposits')).rows
  await until('a deposit is indexed', async () => {
    // Rejects when the indexer has failed.
    await Promise.race([running, null])
    return (await found()).length > 0
  })
  t.same(await found(), [{ num: blockNum }])
  const { rows } = await pool.query('select first_block::int4 as first, chain_id from meta.position')
  t.same(rows, [{ first: 3, chain_id: 'eip155:1' }], 'the third block is that of the contract')
  const roles = await pool.query('select role, account from meta.accounts')
  t.same(roles.rows, [{ role: 'vault', account: node.contracts.vault }])
  stop.abort()
  await running
})

t.test('an EVM chain without endpoints or contracts is reported', async (t) => {
  const options = {
    databaseUrl: '',
    signal: AbortSignal.timeout(1),
    onAnomaly() {},
    watch: () => t.fail('watched') as never,
  }
  await t.rejects(indexEvm(shipped!, options), { code: 'NO_NODE' })
  const bare = { ...shipped!, contracts: { vaults: [], withdrawals: [], lightClients: [] } }
  await t.rejects(indexEvm({ ...bare, source: { ...bare.source, urls: ['http://x'] } }, options), {
    code: 'NO_CONTRACTS',
  })
})
