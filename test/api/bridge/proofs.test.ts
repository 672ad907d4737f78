// Contracts on a real EVM accept the API's proofs unchanged. That EVM chain is indexed too: a root stored by its light
// client makes the next proof light.
import { Contract, ZeroAddress } from 'ethers'
import t from 'tap'
import { slotToMs } from '../../../core/antelope/time.ts'
import { rowsOf } from '../../../core/finality/rows.ts'
import { toHex } from '../../../core/hex.ts'
import { evmParts, indexEvmChain } from '../../../indexer/run-evm.ts'
import { learnProblem, releaseProblem, rootProblem } from '../../../proofs/check.ts'
import { MemoryStore } from '../../../proofs/memory-store.ts'
import { EvmSide, rootArguments } from '../../proofs/destination.ts'
import { Telos } from '../../proofs/telos.ts'
import { type TestApi, testApi, testChain } from '../../support/api.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { BASE, evmChain } from './scene.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into.
type Any = any

const RECIPIENT = '0x00000000000000000000000000000000000000aa'
const WEEK = 7 * 86_400

/** A text as the bytes of an address, in hex. */
const hex = (text: string): string => `0x${Buffer.from(text).toString('hex')}`
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Both sides of the bridge and a database that indexes them. */
class BridgeSides {
  readonly database: TestDatabase
  readonly evm: EvmSide
  readonly telos: Telos
  private readonly store = new MemoryStore()
  private next: number

  constructor(database: TestDatabase, evm: EvmSide, telos: Telos) {
    this.database = database
    this.evm = evm
    this.telos = telos
    this.next = telos.chain.firstBlock
  }

  async insert(table: string, row: Record<string, unknown>): Promise<void> {
    const names = Object.keys(row)
    const values = Object.entries(row).map(([name, value]) =>
      name === 'blockTime' ? new Date(value as number) : value,
    )
    const places = names.map((_, i) => `$${i + 1}`).join(', ')
    await this.database.pool.query(
      `insert into ledger.${table} (${names.map(snake).join(', ')}) values (${places})`,
      values,
    )
  }

  /** Writes the ledger's new blocks. */
  async followTelos(): Promise<void> {
    const { chain } = this.telos
    for (; this.next <= chain.head.num; this.next++) {
      const { tracked, burns, logs } = this.telos.read(this.next, this.store)
      this.store.append(tracked, burns)
      const { blockId, timestamp } = tracked.block
      const at = { chain: 'telos', blockNum: this.next, blockTime: slotToMs(timestamp) }
      await this.insert('blocks', {
        ...at,
        blockId: Buffer.from(blockId, 'hex'),
        prevId: Buffer.alloc(32),
        producer: 'prod.a',
      })
      for (const { table, row } of rowsOf('telos', tracked, logs))
        await this.insert(table, row as Record<string, unknown>)
      for (const [i, { id, domain, vault, token, recipient, amount, deadline, fee, memo }] of burns.entries())
        await this.insert('withdrawals', {
          ...{ ...at, globalSeq: this.next * 100 + i, trxId: Buffer.alloc(32, Number(id) + 1) },
          ...{
            id,
            domain,
            vault,
            token,
            recipient,
            amount,
            deadline,
            fee,
            memo,
            sender: 'alice',
            symbol: 'USDC',
            decimals: 6,
          },
        })
    }
    const { head, lib } = chain
    await this.database.pool.query(
      `insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer, indexed)
       values ('telos', null, 2, $1, $2, $3, $4, $1, gen_random_uuid(), true)
       on conflict (chain) do update set block_num = $1, block_id = $2, block_time = $3, lib_num = $4, head_num = $1`,
      [head.num, head.id, new Date(slotToMs(this.store.lineage!.timestamp)), lib.num],
    )
  }

  /** Indexes the EVM chain up to its head. */
  async followEvm(): Promise<void> {
    const { anvil, vault, withdrawals, lightClient } = this.evm
    const { url } = anvil.provider._getConnection()
    const [a, b, c] = [vault, withdrawals, lightClient].map(({ target }) => [(target as string).toLowerCase()])
    const contracts = { vault: a!, withdrawals: b!, lightclient: c! }
    const chain = { chain: 'mainnet', chainId: 1, contracts }
    const quiet = { opened() {}, committed() {}, decoded() {}, forked() {}, retrying() {} }
    await indexEvmChain({
      ...evmParts({ ...chain, urls: [url], pollMs: 20, onAnomaly() {} }),
      ...chain,
      databaseUrl: this.database.url,
      startBlock: 1,
      endBlock: await anvil.provider.getBlockNumber(),
      signal: new AbortController().signal,
      events: quiet,
    })
  }
}

const WAX = '1181148696416462999'
const TEXT = { vault: 'bridge.svc', token: 'wrap.svc', recipient: 'bob' }

async function open(): Promise<{ sides: BridgeSides; api: TestApi }> {
  const database = await testDatabase(t)
  const evm = await EvmSide.open(1, new Telos([]).chain.genesisPolicy())
  t.teardown(() => evm.anvil.stop())
  await database.pool.query(`select meta.add_chain('telos')`)
  await database.pool.query(
    `insert into meta.accounts values ('telos', 'bridge', 'bridge.svc', null), ('telos', 'gateway', 'gateway.evm', 1)`,
  )
  const toWax = {
    domain: BigInt(WAX),
    vault: hex(TEXT.vault),
    token: hex(TEXT.token),
    symbol: 'ETH',
    scale: 1n,
  } as const
  const sides = new BridgeSides(database, evm, new Telos([...evm.routes, toWax]))
  const [vaults, withdrawals, lightClients] = [evm.vault, evm.withdrawals, evm.lightClient].map(({ target }) => [
    target as string,
  ])
  const lower = (list: string[] | undefined) => list!.map((one) => one.toLowerCase())
  const { url } = evm.anvil.provider._getConnection()
  const contracts = { vaults: lower(vaults), withdrawals: lower(withdrawals), lightClients: lower(lightClients) }
  await sides.followTelos()
  const api = await testApi(t, database, { chains: [testChain('telos')], evm: [evmChain([url], contracts)] })
  return { sides, api }
}

const { sides, api } = await open()
const { evm, telos } = sides
const get = (path: string, headers = {}) => api.get(`${BASE}/${path}`, { host: 'telos.localhost', ...headers })
const held = (address: string): Promise<bigint> => evm.token.getFunction('balanceOf')(address)

async function burned(amount = 5_000_000n, fee = 0n, memo = ''): Promise<bigint> {
  const id = telos.withdraw('USDC', amount, 1, RECIPIENT, fee, memo)
  await sides.followTelos()
  return id
}

/** Clients would misread numbers above 2^53, and numbers in members that should be text. */
function unsafeNumbers(value: unknown): unknown[] {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? [] : [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(unsafeNumbers) : []
}

t.test('BR-21 404 until the proof exists, then a hard proof', async (t) => {
  const id = await burned()
  t.equal((await get(`proofs/w:${id}`)).status, 404)
  t.match((await get(`transfers/w:${id}`)).body, { status: 'burned', hasProof: false })
  telos.idle(2)
  await sides.followTelos()
  t.match((await get(`transfers/w:${id}`)).body, { status: 'provable', hasProof: true })
  const { status, body, headers } = await get(`proofs/w:${id}`)
  t.equal(status, 200)
  t.equal(headers['cache-control'], 'public, no-cache', 'it changes when a root is stored')
  t.equal(body.track, 'hard')
  t.equal(body.light, null)
  t.equal((await get(`proofs/w:${id}`, { 'if-none-match': String(headers.etag) })).status, 304)
  const metrics = (await api.app.inject('/metrics')).body
  t.match(metrics, /^headwater_bridge_proofs_total{kind="withdrawal",outcome="none"} 1$/m)
  t.match(metrics, /^headwater_bridge_proofs_total{kind="withdrawal",outcome="made"} 1$/m)
})

t.test('there is a proof even if no contracts are configured', async (t) => {
  const id = await burned()
  telos.idle(2)
  await sides.followTelos()
  const bare = await testApi(t, sides.database, { chains: [testChain('telos')], evm: [] })
  const { status, body } = await bare.get(`${BASE}/proofs/w:${id}`, { host: 'telos.localhost' })
  t.equal(status, 200)
  const vault = (evm.vault.target as string).toLowerCase()
  t.match(body, { track: 'hard', light: null, hard: { releaseTo: null, lightClient: null, vault } })
  t.equal(await evm.refusal(body.hard), null, 'the contracts would take it')
})

t.test('BR-22 BR-25 members stand in the order of the structs, wide integers are texts', async (t) => {
  const id = await burned(6_000_000n, 7n, 'note')
  telos.idle(2)
  await sides.followTelos()
  const { body } = await get(`proofs/w:${id}`)
  const inputs = (contract: Contract, name: string) => contract.interface.getFunction(name)!.inputs
  const names = (input: { components: readonly { name: string }[] | null }) => input.components!.map(({ name }) => name)
  t.same(Object.keys(body.hard.release), names(inputs(evm.withdrawals, 'release')[0]!))
  const [finality, , , , pending] = inputs(evm.withdrawals, 'submitAndRelease')
  t.same(Object.keys(body.hard.submitRoot), ['finality', 'bits', 'signature', 'policyKeys', 'pending'])
  t.same(Object.keys(body.hard.submitRoot.finality), names(finality!))
  t.same(Object.keys(body.hard.submitRoot.pending), names(pending!))
  t.match(body.hard, {
    releaseTo: (evm.withdrawals.target as string).toLowerCase(),
    vault: (evm.vault.target as string).toLowerCase(),
  })
  t.match(body.hard.release, {
    id: String(id),
    domain: '1',
    amount: '6000000',
    fee: '7',
    memo: `0x${toHex(Buffer.from('note'))}`,
  })
  t.same(unsafeNumbers(body), [])
  for (const component of inputs(evm.withdrawals, 'release')[0]!.components!) {
    const bits = /^uint(\d+)$/.exec(component.type)?.[1]
    if (bits) t.type(body.hard.release[component.name], Number(bits) <= 32 ? 'number' : 'string', component.name)
  }
})

t.test('BR-23 the contracts accept the proof unchanged: first hard, then light, which stays the same', async (t) => {
  const first = await burned(1_000_000n)
  const second = await burned(2_000_000n, 300n, 'for you')
  telos.idle(3)
  await sides.followTelos()
  const { hard } = (await get(`proofs/w:${second}`)).body
  const { submitRoot, release } = hard
  const to = new Contract(hard.releaseTo, evm.withdrawals.interface, evm.anvil.sender)
  const had = await held(RECIPIENT)
  await evm.anvil.send(
    to,
    'submitAndRelease',
    submitRoot.finality,
    submitRoot.bits,
    submitRoot.signature,
    submitRoot.policyKeys,
    submitRoot.pending,
    release,
  )
  t.equal((await held(RECIPIENT)) - had, 1_999_700n)
  await sides.followEvm()
  t.match((await get(`transfers/w:${second}`)).body, { status: 'released', dst_tx: /^0x[0-9a-f]{64}$/ })
  t.match(
    (await get('pending')).body.pending.find(({ key }: Any) => key === `w:${first}`),
    { track: 'light', action: 'release', estimatedGas: { light: 151_000 } },
  )

  const light = await get(`proofs/w:${first}`)
  t.equal(light.body.track, 'light')
  t.equal(light.headers['cache-control'], 'public, no-cache', 'the block that stored the root may still be replaced')
  t.equal(await evm.anvil.refusal(to, 'release', light.body.light.release), null)
  // These blocks make that block final.
  await evm.anvil.provider.send('anvil_mine', ['0x60'])
  await sides.followEvm()
  const lasting = await get(`proofs/w:${first}`)
  t.equal(lasting.headers['cache-control'], 'public, max-age=31536000, immutable')
  t.equal(lasting.text, light.text)
  await evm.anvil.send(to, 'release', lasting.body.light.release)
  telos.idle(20)
  await sides.followTelos()
  await sides.followEvm()
  t.equal((await get(`proofs/w:${first}`)).text, light.text, 'the same bytes for good')
  t.same(
    (await get('chains')).body.sources[0].roots.map(({ lastBlock }: Any) => lastBlock),
    [submitRoot.finality.qcClaimBlockNum],
  )
})

t.test(
  'a withdrawal to wax has a proof with names as bytes and without a contract; EVM contracts refuse it',
  async (t) => {
    const id = telos.withdraw('ETH', 5_000n, BigInt(WAX), hex(TEXT.recipient), 3n)
    telos.idle(3)
    await sides.followTelos()
    t.match((await get(`transfers/w:${id}`)).body, { status: 'provable', hasProof: true, domain: WAX })
    const { status, body } = await get(`proofs/w:${id}`)
    t.equal(status, 200)
    t.match(body, { track: 'hard', light: null, hard: { releaseTo: null, lightClient: null, vault: 'bridge.svc' } })
    const { release, submitRoot } = body.hard
    t.match(release, { domain: WAX, token: hex('wrap.svc'), recipient: hex('bob'), amount: '5000', fee: '3' })
    const names = { account: 'bridge.svc', action: 'wdlog', permission: 'active' }
    const root = Buffer.from(submitRoot.finality.finalityMroot.slice(2), 'hex')
    const expected = { ledger: names, vault: Buffer.from('bridge.svc'), root }
    t.equal(releaseProblem(release, expected), null)
    t.equal(releaseProblem({ ...release, recipient: hex('eve') }, expected), 'the action is not in the block')
    t.equal(rootProblem(submitRoot, telos.chain.genesisPolicy()), null)
    const passable = { ...release, token: ZeroAddress, recipient: ZeroAddress }
    const call = [...rootArguments(submitRoot), passable]
    t.equal(await evm.anvil.refusal(evm.withdrawals, 'submitAndRelease', ...call), 'WrongDomain')
  },
)

t.test('a policy that the light client lacks comes with the proof', async (t) => {
  const address = String(evm.lightClient.target).toLowerCase()
  const ahead = async () => (await get('handoffs/1')).body.lightClients
  t.same(await ahead(), [{ lightClient: address, newest: 1, handoffs: [] }])
  telos.produce({ finalizers: [1, 2, 3, 4, 5] })
  await sides.followTelos()
  t.same((await ahead())[0].handoffs, [], 'its block is not final')
  telos.idle(4)
  await sides.followTelos()
  const [{ handoffs: early }] = await ahead()
  t.equal(early.length, 1, 'before a withdrawal needs it')
  const learn = [...rootArguments(early[0].submitRoot), early[0].learn]
  t.equal(await evm.anvil.refusal(evm.lightClient, 'submitAndLearn', ...learn), null, 'the light client takes it')
  telos.idle(4)
  const id = await burned(3_000_000n)
  telos.idle(3)
  await sides.followTelos()
  const { hard } = (await get(`proofs/w:${id}`)).body
  t.same(hard.handoffs, early, 'those of a withdrawal are the same')
  const { lightClient } = evm
  for (const { submitRoot, learn } of hard.handoffs)
    await evm.anvil.send(lightClient, 'submitAndLearn', ...rootArguments(submitRoot), learn)
  await evm.anvil.send(evm.withdrawals, 'submitAndRelease', ...rootArguments(hard.submitRoot), hard.release)
  await sides.followEvm()
  t.equal((await get(`transfers/w:${id}`)).body.status, 'released')
  t.same(await ahead(), [{ lightClient: address, newest: 2, handoffs: [] }])
  t.equal((await get('handoffs/x')).status, 400)
  t.equal((await get('handoffs/2')).status, 404)
})

t.test('for a light client that is not indexed, `learned` gives its newest policy', async (t) => {
  const id = telos.withdraw('ETH', 6_000n, BigInt(WAX), hex(TEXT.recipient))
  telos.idle(3)
  await sides.followTelos()
  const handoffs = async (query: string) => (await get(`proofs/w:${id}${query}`)).body.hard.handoffs
  t.same(await handoffs(''), [])
  t.same(await handoffs('?learned=2'), [])
  const [first, ...others] = await handoffs('?learned=1')
  t.same(others, [])
  t.equal(first.learn.lastPendingGeneration, 2)
  t.equal(learnProblem(first.learn), null)
  t.equal((await get(`proofs/w:${id}?learned=x`)).status, 400)
})

t.test('after its deadline a withdrawal is expired with the same body', async (t) => {
  const id = await burned(4_000_000n)
  telos.idle(3)
  await sides.followTelos()
  const { deadline } = (await get(`transfers/w:${id}`)).body
  await evm.anvil.provider.send('evm_setNextBlockTimestamp', [deadline + WEEK])
  await evm.anvil.provider.send('evm_mine', [])
  await sides.followEvm()
  t.match(
    (await get('pending')).body.pending.find(({ key }: Any) => key === `w:${id}`),
    { action: 'expire' },
  )
  const { hard } = (await get(`proofs/w:${id}`)).body
  await evm.anvil.send(evm.withdrawals, 'submitAndExpire', ...rootArguments(hard.submitRoot), hard.release)
  await sides.followEvm()
  t.equal((await get(`transfers/w:${id}`)).body.status, 'expired')
})

t.test('limits equal those of the vault’s own views', async (t) => {
  const { sources } = (await get('chains')).body
  t.same(sources[0].vaults, [], 'no route uses it yet')
  const token = (evm.token.target as string).toLowerCase()
  const vault = (evm.vault.target as string).toLowerCase()
  await sides.database.pool.query(
    `insert into state.bridge_routes values ('telos', 0, 1, $1, $2, 'wrap.svc', 'USDC', 6, 1, 1000, 1000000000000, 900000000000, true, true)`,
    [Buffer.from(vault.slice(2), 'hex'), Buffer.from(token.slice(2), 'hex')],
  )
  const available = (await evm.vault.getFunction('available')(token)) as bigint
  const routes = (await get('routes')).body.routes as Any[]
  t.match(
    routes.find(({ from }) => from === 'telos'),
    {
      open: true,
      withdrawableNow: String(available),
      max: String(available < 900000000000n ? available : 900000000000n),
    },
  )
  const source = (await get('chains')).body.sources[0]
  t.match(source.vaults, [
    { vault, source: 'rpc', stale: false, depositsPaused: false, block: await evm.anvil.provider.getBlockNumber() },
  ])
  t.match(source.routes[0].limits, { scale: '1', enabled: true, available: String(available) })
})
