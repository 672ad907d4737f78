// Proofs of deposits from an indexed database: earlier credits of the gateway make later proofs shorter.
import { readFileSync } from 'node:fs'
import { ABI, Serializer } from '@wharfkit/antelope'
import { keccak256 } from 'ethers'
import type pg from 'pg'
import t, { type Test } from 'tap'
import { depositProofs } from '../../../bin/deposit-proofs.ts'
import { loadConfig } from '../../../config/load.ts'
import { slotToMs } from '../../../core/antelope/time.ts'
import type { HeadwaterError } from '../../../core/errors.ts'
import { bridgeLogsOf } from '../../../core/finality/bridge-log.ts'
import { executedActions } from '../../../core/finality/receipts.ts'
import { rowsOf } from '../../../core/finality/rows.ts'
import { type Lineage, track } from '../../../core/finality/track.ts'
import { fromHex } from '../../../core/hex.ts'
import { evmParts, indexEvmChain } from '../../../indexer/run-evm.ts'
import { gatewayAbi } from '../../../proofs/deposit/abi.ts'
import { evmDepositSources } from '../../../proofs/deposit/configured.ts'
import type { LockedDeposit } from '../../../proofs/deposit/evm/prove.ts'
import type { DepositKey } from '../../../proofs/deposit/facts.ts'
import type { DepositAction } from '../../../proofs/deposit/json.ts'
import { DepositProver } from '../../../proofs/deposit/prove.ts'
import { FaultyRpc } from '../../indexer/source/evm/faulty-rpc.ts'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'
import { serveBeacon, VaultChain } from './vault-chain.ts'
import { WaxChain } from './wax-chain.ts'

const WAX = 1181148696416462999n
const { pool, url: databaseUrl } = await testDatabase(t, { chains: ['telos', 'wax'] })
await pool.query(`select meta.add_chain('telos'), meta.add_chain('wax')`)
await pool.query(
  `insert into meta.accounts values ('telos', 'bridge', 'bridge.svc', null), ('telos', 'gateway', 'gateway.evm', 1), ('telos', 'gateway', 'gateway.wax', ${WAX}),
    ('wax', 'bridge', 'bridge.svc', null)`,
)
const names = (actions: readonly DepositAction[] | undefined) => actions?.map(({ name }) => name)
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

async function insert(table: string, row: object): Promise<void> {
  const entries = Object.entries(row)
  const values = entries.map(([name, value]) => (name === 'blockTime' ? new Date(value as number) : value))
  const places = entries.map((_, i) => `$${i + 1}`).join(', ')
  const columns = entries.map(([name]) => snake(name)).join(', ')
  await pool.query(`insert into ledger.${table} (${columns}) values (${places})`, values)
}

async function position(chain: string, num: number, lib: number): Promise<void> {
  await pool.query(
    `insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer, indexed)
     values ($1, null, 2, $2, '', now(), $3, $2, gen_random_uuid(), true)
     on conflict (chain) do update set block_num = $2, lib_num = $3, head_num = $2`,
    [chain, num, lib],
  )
}

let sequence = 0
/** Inserts the credit of a deposit by the last action of a proof. */
async function credited(account: string, { domain, nonce }: DepositKey, credit: DepositAction, blockNum: number) {
  const abi = gatewayAbi(account === 'gateway.wax' ? 'antelope' : 'evm')
  const { proof } = abi.decodeAction('credit', fromHex(credit.data))
  const at = () => ({ chain: 'telos', blockNum, blockTime: Date.now(), globalSeq: ++sequence, trxId: Buffer.alloc(32) })
  await insert('gateway_credits', { ...at(), account, domain, nonce, relayer: 'relay', proof })
  await insert('deposit_events', {
    ...at(),
    domain,
    nonce,
    type: 'credited',
    account: 'alice',
    amount: 1,
    symbol: 'WAX',
    decimals: 8,
  })
}

const code = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: HeadwaterError) => error.code,
  )

await position('telos', 100, 90)

t.test('deposits into a vault', async (t) => {
  const chain = await VaultChain.open(t)
  const first = await chain.depositAmongOthers(6)
  await chain.idle(80)
  const second = await chain.depositAmongOthers(4)
  await chain.idle(70)
  const head = await chain.side.anvil.provider.getBlockNumber()
  const contracts = { vault: [String(chain.side.vault.target).toLowerCase()], withdrawals: [], lightclient: [] }
  const settings = { chain: 'mainnet', chainId: 1, contracts }
  await indexEvmChain({
    ...evmParts({ ...settings, urls: [chain.url], pollMs: 20, onAnomaly() {} }),
    ...settings,
    databaseUrl,
    startBlock: 1,
    endBlock: head,
    signal: new AbortController().signal,
    events: { opened() {}, committed() {}, decoded() {}, forked() {}, retrying() {} },
  })
  const beacon = await serveBeacon(t, await chain.beacon())
  const source = { urls: [chain.url], beacon, batch: 100, timeoutSeconds: 20 }
  const prover = new DepositProver({ evm: evmDepositSources([{ chain: 'mainnet', chainId: 1, source }], true) })
  const prove = (nonce: bigint, relayer = '') => prover.proofOfDeposit(pool, 'telos', { domain: 1n, nonce }, relayer)

  const [a, b] = first.map(({ nonce }) => nonce) as [bigint, bigint]
  const [c] = second.map(({ nonce }) => nonce) as [bigint]
  const proof = (await prove(a))!
  t.same(names(proof.actions), ['update', 'extend', 'extend', 'credit'])
  t.equal(proof.immutable, false)
  t.equal(await prove(a), proof, 'kept for some seconds')
  t.match((await prove(a, 'relay'))?.actions, [{ decoded: { relayer: 'relay' } }])
  t.equal(await prove(99n), null, 'no such deposit')
  t.equal(await prover.proofOfDeposit(pool, 'telos', { domain: 2n, nonce: a }), null, 'no such chain')

  // The credit's block is reversible, so the gateway's knowledge does not count yet.
  await credited('gateway.evm', { domain: 1n, nonce: a }, proof.actions.at(-1)!, 95)
  t.equal((await prove(b))?.immutable, false)
  await position('telos', 100, 95)
  const light = (await prove(b))!
  t.same(names(light.actions), ['credit'], 'the block that the credit before has led to')
  t.equal(light.immutable, true)
  t.same(names((await prove(c))?.actions), ['update', 'extend', 'credit'], 'that block is before this deposit')
  t.same((await prove(a))?.actions.at(-1), proof.actions.at(-1), 'its own credit is its proof')

  await t.test('an error names the missing configuration', async (t) => {
    const without = (more: object) => {
      const all = evmDepositSources([{ chain: 'mainnet', chainId: 1, source: { ...source, ...more } }])
      return code(new DepositProver({ evm: all }).proofOfDeposit(pool, 'telos', { domain: 1n, nonce: c }))
    }
    t.equal(await without({ urls: [] }), 'NO_NODE')
    t.equal(await without({ beacon: undefined }), 'NO_BEACON')
    t.equal(await without({}), 'BEACON_API', 'a beacon node of another network than the known one')
    await pool.query(`update meta.accounts set domain = 3 where account = 'gateway.evm'`)
    t.equal(await code(prove(c)), 'NO_GATEWAY')
    await pool.query(`update meta.accounts set domain = 1 where account = 'gateway.evm'`)
  })

  await t.test('credits with proofs of an unknown layout are ignored', async (t) => {
    const { rows } = await pool.query(`select proof from ledger.gateway_credits where account = 'gateway.evm'`)
    for (const proof of ['\\x', '\\x01', '\\x00000000000000000000', '\\x0102c1800000000000000000000000']) {
      await pool.query(`update ledger.gateway_credits set proof = $1 where account = 'gateway.evm'`, [proof])
      t.same(names((await prove(b))?.actions), ['update', 'extend', 'extend', 'credit'], proof)
    }
    await pool.query(`update ledger.gateway_credits set proof = $1 where account = 'gateway.evm'`, [rows[0].proof])
  })

  await t.test('there is no proof before the block is final', async (t) => {
    const { blockNum } = second[0]!.place
    await pool.query(`update meta.position set lib_num = $1 where chain = 'mainnet'`, [blockNum - 1])
    t.equal(await prove(c), null)
    await pool.query(`update meta.position set lib_num = $1 where chain = 'mainnet'`, [blockNum])
    t.ok(await prove(c))
  })

  await t.test('a client that stops waiting can ask again later', async (t) => {
    const slow = await FaultyRpc.start(t, chain.url)
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const plain = evmDepositSources([{ chain: 'mainnet', chainId: 1, source: { ...source, urls: [slow.url] } }], true)
    const late = new DepositProver({
      evm: new Map(
        [...plain].map(([name, one]) => [
          name,
          { ...one, node: { use: (step) => held.then(() => one.node.use(step)) } },
        ]),
      ),
      waitMs: 50,
    })
    const ask = () => late.proofOfDeposit(pool, 'telos', { domain: 1n, nonce: c })
    t.same(await Promise.all(Array.from({ length: 6 }, () => code(ask()))), Array(6).fill('PROOF_PENDING'))
    go()
    await held
    let proof: unknown
    await until('the proof', async () => {
      proof = await ask().catch(() => null)
      return proof !== null
    })
    t.ok(proof, 'the work went on')
    const asked = slow.requests.length
    t.equal(await ask(), proof)
    t.equal(slow.requests.length, asked, 'done once')
  })

  await t.test('BR-24 the bridge API serves the list of actions that credit a deposit', async (t) => {
    const logged: string[] = []
    const log = { info() {}, warn: (message: string) => void logged.push(message), error() {} }
    const { config } = loadConfig({ env: {}, program: { chains: ['mainnet'] } })
    const evm = { ...config.evm[0]!, source: { ...config.evm[0]!.source, ...source } }
    const serving = (urls: string[]) => {
      const proofOfDeposit = depositProofs([{ ...evm, source: { ...evm.source, urls } }], log, true)
      return testApi(t, { url: databaseUrl, pool }, { chains: [testChain('telos')], bridge: { proofOfDeposit } })
    }
    const api = await serving(source.urls)
    const get = (key: string) => api.get(`/api/bridge/v1/proofs/${key}`, { host: 'telos.localhost' })
    const pushed = await get(`d:1:${c}?relayer=relay`)
    t.equal(pushed.status, 200, pushed.text)
    t.same(pushed.body, (await prove(c, 'relay'))?.actions)
    await creditsDeposit(t, chain, pushed.body, second[0]!)
    t.notMatch(pushed.headers['cache-control'], /immutable/)
    const light = await get(`d%3A1%3A${b}`)
    t.same(names(light.body), ['credit'])
    t.match(light.headers['cache-control'], /immutable/)
    t.equal((await get('d:1:99')).status, 404)
    t.match(await get(`d:1:${c}?relayer=NO`), { status: 400, body: { message: /relayer/ } })
    const lost = await serving(['http://127.0.0.1:9/secret'])
    const failed = await lost.get(`/api/bridge/v1/proofs/d:1:${c}`, { host: 'telos.localhost' })
    t.match(failed, { status: 503, body: { message: /EVM_RPC/ } })
    t.notMatch(failed.text, /127|secret/)
    t.match(logged, [/127\.0\.0\.1:9/])
    t.notMatch(logged, [/secret/])
    const none = await (await serving([])).get(`/api/bridge/v1/proofs/d:1:${c}`, { host: 'telos.localhost' })
    t.match(none, { status: 404, body: { message: /NO_NODE/ } })
  })

  await t.test('a failure is not cached', async (t) => {
    const lone = new DepositProver({
      evm: evmDepositSources(
        [{ chain: 'mainnet', chainId: 1, source: { ...source, urls: ['http://127.0.0.1:9'] } }],
        true,
      ),
    })
    t.equal(await code(lone.proofOfDeposit(pool, 'telos', { domain: 1n, nonce: c })), 'EVM_RPC')
    t.equal(await code(lone.proofOfDeposit(pool, 'telos', { domain: 1n, nonce: c })), 'EVM_RPC')
  })
})

/**
 * Checks the credit at the end of a list with libraries that share no code with the prover: its members against the
 * gateway's ABI, its first header and its receipt against the node.
 */
async function creditsDeposit(t: Test, chain: VaultChain, actions: DepositAction[], { nonce, place }: LockedDeposit) {
  t.ok(Array.isArray(actions))
  for (const action of actions) t.match(action, { account: 'gateway.evm', authorization: [], data: /^([0-9a-f]{2})+$/ })
  const abi = ABI.from(readFileSync(new URL('../../../abis/gateway.evm.abi.json', import.meta.url), 'utf8'))
  const decode = (type: string, data: string) => JSON.parse(JSON.stringify(Serializer.decode({ data, type, abi })))
  const { name, data } = actions.at(-1)!
  const credit = decode('credit', data)
  t.match({ name, ...credit }, { name: 'credit', relayer: 'relay', nonce: String(nonce) })
  const { headers, receipt_nodes, receipt_index, log_index } = decode('receipt_proof', credit.proof)
  const { provider } = chain.side.anvil
  const block = await provider.send('eth_getBlockByNumber', [`0x${place.blockNum.toString(16)}`, false])
  t.equal(keccak256(`0x${headers[0]}`), block.hash)
  t.equal(keccak256(`0x${receipt_nodes[0]}`), block.receiptsRoot)
  const receipt = await provider.getTransactionReceipt(block.transactions[receipt_index])
  const log = receipt!.logs[log_index]!
  t.same(
    [log.address, log.topics[0]],
    [chain.side.vault.target, chain.side.vault.interface.getEvent('Deposit')!.topicHash],
  )
  t.equal(chain.side.vault.interface.parseLog(log)!.args.nonce, nonce)
}

t.test('deposits of wax', async (t) => {
  const chain = new WaxChain()
  let lineage: Lineage | null = null
  let next = chain.blocks.firstBlock
  const follow = async () => {
    for (; next <= chain.blocks.head.num; next++) {
      const block = chain.blocks.block(next)!
      const tracked = track(lineage, block)
      lineage = tracked.lineage
      const at = { chain: 'wax', blockNum: next, blockTime: slotToMs(tracked.block.timestamp) }
      const ids = { blockId: Buffer.from(tracked.block.blockId, 'hex'), prevId: Buffer.alloc(32), producer: 'prod.a' }
      await insert('blocks', { ...at, ...ids })
      const logs = bridgeLogsOf(next, executedActions(block.traces), chain.bridge)
      for (const { table, row } of rowsOf('wax', tracked, logs)) await insert(table, row)
      for (const { id: nonce } of logs) await insert('deposits', { ...at, ...depositRow(nonce) })
    }
    await position('wax', chain.blocks.head.num, chain.blocks.lib.num)
  }
  const prover = new DepositProver({ evm: new Map() })
  const prove = (nonce: bigint, db: Pick<pg.Pool, 'query'> = pool) =>
    prover.proofOfDeposit(db, 'telos', { domain: WAX, nonce }, 'relay')

  chain.idle(3)
  chain.deposit(1n, 2n)
  await follow()
  t.equal(await prove(0n), null, 'no certificate yet')
  chain.idle(2)
  chain.deposit(3n)
  chain.idle(1)
  chain.produce({ finalizers: [1, 2, 3, 4, 5] })
  chain.idle(7)
  chain.deposit(4n)
  chain.idle(4)
  await follow()
  const proof = (await prove(0n))!
  t.same(names(proof.actions), ['submitroot', 'credit'])
  t.match(proof.actions[1], { account: 'gateway.wax', decoded: { relayer: 'relay', nonce: '0' } })
  t.same(
    names((await prove(3n))?.actions),
    ['learn', 'submitroot', 'credit'],
    'the gateway may know the first policy only',
  )
  t.equal(await prove(9n), null)

  await credited('gateway.wax', { domain: WAX, nonce: 0n }, proof.actions.at(-1)!, 90)
  const light = (await prove(1n))!
  t.same(names(light.actions), ['credit'])
  t.equal(light.immutable, true)
  await credited('gateway.wax', { domain: WAX, nonce: 3n }, (await prove(3n))!.actions.at(-1)!, 91)
  t.same(await prove(1n), light, 'others that are credited do not change it')
  t.equal((await prove(2n))?.immutable, true, 'a later root covers it')
  // A gateway may accept proofs of another layout.
  await pool.query(`update ledger.gateway_credits set proof = '\\x01' where account = 'gateway.wax'`)
  t.same(names((await prove(1n))?.actions), ['learn', 'submitroot', 'credit'].slice(1))
})

function depositRow(nonce: bigint): object {
  const place = { nonce, globalSeq: nonce, trxId: Buffer.alloc(32), bridge: 'bridge.svc', tokenContract: 'eosio.token' }
  const token = { tokenSymbol: 'WAX', tokenDecimals: 8, sender: 'alice', raw: 1, canonical: 1 }
  return { ...place, ...token, beneficiary: 'bob', memo: '' }
}
