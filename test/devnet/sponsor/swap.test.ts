// The cosigner in a whole devnet: a chain that verifies account signatures, the indexer, the API, the cosigner.
import { Checksum256, PrivateKey } from '@wharfkit/antelope'
import t from 'tap'
import { SILENT } from '../../../api/http/log.ts'
import { checkCosign } from '../../../bin/checks/cosign.ts'
import { indexChains } from '../../../bin/index-chains.ts'
import { serve } from '../../../bin/serve.ts'
import { loadConfig } from '../../../config/load.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { sha256 } from '../../../core/sha256.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import { SPONSOR } from '../../../devnet/contracts/sponsor.ts'
import { startDevnet } from '../../../devnet/devnet.ts'
import { networks } from '../../../devnet/networks.ts'
import { AntelopeNode } from '../../../devnet/relayer/antelope-node.ts'
import { ExchangeSimulation } from '../../../devnet/simulation/exchange-simulation.ts'
import { setUpPayer } from '../../../devnet/sponsor/payer.ts'
import { sponsoredSwap, swapTransaction } from '../../../devnet/sponsor/swap.ts'
import { IndexerMetrics } from '../../../indexer/operate/metrics.ts'
import { keyFile, startTestCosigner } from '../../cosign/service.ts'
import { testDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'

const FOLDER = new URL('../../../config/demo/', import.meta.url).pathname
const USER = 'trent.lp'

t.test('the exchange pays the CPU of a swap on the devnet', async (t) => {
  const simulation = (setting: ConstructorParameters<typeof ExchangeSimulation>[0]) => new ExchangeSimulation(setting)
  const net = await startDevnet({
    chains: ['wax'],
    simulation,
    days: 1,
    seed: 1,
    interval: 3_600_000,
    lastHourInterval: 600_000,
  })
  t.teardown(() => net.stop())
  await net.ready
  const { http, ship, firstBlock } = net.chains[0]!
  const wax = new AntelopeNode(http)
  const [payerKey, userKey] = [PrivateKey.generate('K1'), PrivateKey.generate('K1')]
  const file = keyFile(t, String(payerKey))

  const database = await testDatabase(t)
  const cosigner = await startTestCosigner(t, database, { node: http, keyFile: file }, { key: payerKey })
  const { config } = loadConfig({ env: {}, folder: FOLDER, program: { chains: ['wax'] } })
  const [chain] = config.chains
  const source = { ...chain!.source, urls: [ship], http, startBlock: firstBlock, fullStateBlock: firstBlock }
  const chains = [{ ...chain!, source }]
  const cosign = { ...config.cosign, url: cosigner.url, node: http, keyFile: file }
  const stop = new AbortController()
  const { signal } = stop
  const databaseUrl = database.url
  const indexing = indexChains({
    chains,
    evm: [],
    databaseUrl,
    signal,
    log: SILENT,
    metrics: new IndexerMetrics(),
    onProgress() {},
  })
  const server = await serve({ ...config, chains, evm: [], cosign }, databaseUrl, SILENT, { port: 0 })
  t.teardown(async () => {
    stop.abort()
    await indexing
    await server.close()
  })
  await until('the API is ready', async () => (await fetch(`${server.url}/health/ready`)).ok, 250)
  const options = { api: server.url, wax, user: USER, amount: 5 }

  await t.test('before the payer’s permission exists, `check` reports it and the chain refuses', async (t) => {
    const levels = (await checkCosign({ chains, cosign })).map(({ level, message }) => `${level}: ${message}`)
    t.match(levels, [/^ok: PUB_K1_/, /^fail: the account has no such permission/])
    await t.rejects(sponsoredSwap(options), /Failed to retrieve permission: liquid.svc@bw/)
  })

  await setUpPayer(wax, String(payerKey.toPublic()))
  const auth = { threshold: 1, keys: [{ key: String(userKey.toPublic()), weight: 1 }], accounts: [], waits: [] }
  await wax.push([call('eosio', 'updateauth', USER, { account: USER, permission: 'active', parent: 'owner', auth })])

  t.test('headwater check finds the permission linked to the noop only', async (t) => {
    const found = await checkCosign({ chains, cosign })
    t.match(
      found.map(({ level, message }) => `${level}: ${message}`),
      [/^ok: PUB_K1_/, 'ok: one key, that of the file', 'ok: linked to liquid.svc::noop only'],
    )
  })

  t.test('the payer is billed, the user is not, and the API shows the swap', async (t) => {
    const { id, signature, billed, swap } = await sponsoredSwap({ ...options, key: String(userKey) })
    t.match(signature, /^SIG_K1_/)
    t.ok(billed.payer > 0)
    t.equal(billed.user, 0)
    t.match(swap, { trx_id: id, sender: USER, recipient: USER })
    const { rows } = await database.pool.query(
      `select sender from head.swaps where chain = 'wax' and trx_id = $1 and pool_id = 0`,
      [id],
    )
    t.same(rows, [{ sender: USER }])
    const asked = async () => {
      const answer = await fetch(`${server.url}/api/v2/cpu/status`, { method: 'POST' })
      return ((await answer.json()) as { cpu: object | null }).cpu
    }
    let cpu = await asked()
    // The check is repeated if the node was too busy to answer.
    const isKnown = async () => {
      cpu ??= await asked()
      return cpu !== null
    }
    await until('the CPU of the payer', isKnown, 100)
    t.match(cpu, { max: '10000000', percent: Number })
  })

  t.test('one signature alone is refused, and so is the payer’s signature of another transaction', async (t) => {
    const sign = (packed: Uint8Array, key: PrivateKey, chainId: string = networks.wax.chainId) =>
      String(key.signDigest(Checksum256.from(sha256(fromHex(chainId), packed, new Uint8Array(32)))))
    const packed = await swapTransaction(options)
    const { body } = await cosigner.sign(toHex(packed))
    const own = sign(packed, userKey)
    const missing = /does not have signatures for it/
    await t.rejects(wax.send(packed, [own]), missing)
    await t.rejects(wax.send(packed, [body.signature]), missing)
    await t.rejects(
      wax.send(packed, [own, sign(packed, payerKey, networks.telos.chainId)]),
      missing,
      'of another chain',
    )
    await t.rejects(wax.send(packed, [own, sign(await swapTransaction(options), payerKey)]), missing)
    await t.rejects(wax.send(packed, ['x']), /invalid signature/)
    await wax.send(packed, [body.signature, own])
    await t.rejects(wax.send(packed, [body.signature, own]), /duplicate/)
  })

  t.test('the cosigner’s key can do nothing but pay', async (t) => {
    const authorization = [{ actor: SPONSOR, permission: 'bw' }]
    const quantity = { amount: 1n, precision: 8, symbol: 'WAX' }
    const steal = { from: SPONSOR, to: USER, quantity, memo: '' }
    const packed = await wax.pack([{ account: 'eosio.token', name: 'transfer', authorization, data: steal }])
    const digest = sha256(fromHex(networks.wax.chainId), packed, new Uint8Array(32))
    await t.rejects(
      wax.send(packed, [String(payerKey.signDigest(Checksum256.from(digest)))]),
      /irrelevant authority 'liquid.svc@bw'; minimum authority is liquid.svc@active/,
    )
  })

  t.test('transactions that the chain would refuse are not signed: poor, expired, other chain, slow', async (t) => {
    const refused = async (packed: Uint8Array, service = cosigner) => (await service.sign(toHex(packed))).body.error
    t.match(
      await refused(await swapTransaction({ ...options, amount: 40_000_000_000 })),
      /The transaction fails: .*overdrawn/,
    )
    const expired = (await swapTransaction(options)).slice()
    new DataView(expired.buffer, expired.byteOffset).setUint32(0, 1_700_000_000, true)
    t.match(await refused(expired), /has expired/)
    const foreign = (await swapTransaction(options)).slice()
    new DataView(foreign.buffer, foreign.byteOffset).setUint32(6, 7, true)
    t.match(await refused(foreign), /ref_block_prefix/)
    t.match(await refused(await swapTransaction({ ...options, user: 'nobody.here' })), /does not exist/)
    t.match(await refused(await swapTransaction({ ...options, user: 'svcdexmain' })), /is not a user/)
    t.match(await refused(await swapTransaction({ ...options, user: 'shop.gm' })), /has a contract/)
    const readOnly = await startTestCosigner(
      t,
      database,
      { node: http, keyFile: file, simulate: 'read-only' },
      { key: payerKey },
    )
    const answer = await readOnly.sign(toHex(await swapTransaction(options)))
    t.equal(answer.status, 503, 'a read-only trial cannot tell: nodes let nothing write in it')
  })
})
