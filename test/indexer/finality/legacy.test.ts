// A chain before Savanna is indexed through forks and a change of producers, and across its switch to Savanna. Its
// deposits are proved over HTTP: with a full proof, with a light proof once the gateway has a root, and by finalizers
// after the switch.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import t, { type Test } from 'tap'
import { depositProofs } from '../../../bin/deposit-proofs.ts'
import { packAbi } from '../../../core/antelope/abi/pack.ts'
import { readSchedule } from '../../../core/finality/legacy/schedule.ts'
import type { LegacyStart, LegacyStartJson } from '../../../core/finality/legacy/start.ts'
import { executedActions } from '../../../core/finality/receipts.ts'
import { fromHex } from '../../../core/hex.ts'
import { Chain } from '../../../devnet/chain/chain.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import { WaxBridge } from '../../../devnet/contracts/bridge/wax.ts'
import { TokenContract } from '../../../devnet/contracts/token.ts'
import { startShip } from '../../../devnet/ship/server.ts'
import { exportStart, importStart } from '../../../indexer/finality/import-start.ts'
import { readStartFile } from '../../../indexer/finality/start-file.ts'
import { backfill } from '../../../indexer/jobs/backfill.ts'
import { runWorker } from '../../../indexer/jobs/worker.ts'
import { indexChain } from '../../../indexer/run.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import { gatewayAbi } from '../../../proofs/deposit/abi.ts'
import { dposDepositProblem } from '../../../proofs/deposit/antelope/dpos-check.ts'
import type { DepositAction } from '../../../proofs/deposit/json.ts'
import { type TestApi, testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { sameChains } from '../replay/compare-chains.ts'
import { legacySnapshotFile } from './snapshot-file.ts'

const WAX = 1181148696416462999n
const [TOKEN, BRIDGE, USER] = ['eosio.token', 'bridge.svc', 'alice']
const CHAIN_ID = '1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aea5a4'
/** Two rounds of producers, so that schedules are proved before they become active. */
const LAG = 72
const signal = new AbortController().signal
const names = (actions: readonly DepositAction[]) => actions.map(({ name }) => name)
const kindOf = (actions: readonly DepositAction[]) => (actions.at(-1)!.decoded.proof as [string])[0]
const waxAsset = (amount: bigint) => ({ amount, precision: 8, symbol: 'WAX' })

/** Locks deposits; nonces count from 0. */
class LegacyWax {
  readonly chain: Chain
  deposits = 0

  constructor() {
    this.chain = new Chain({
      ...{ chainId: CHAIN_ID, seed: 'legacy', startTime: Date.parse('2026-01-01T00:00:00Z'), legacyLag: LAG },
      contracts: [new TokenContract(TOKEN), new WaxBridge('relay')],
    })
    const create = call(TOKEN, 'create', TOKEN, { issuer: USER, maximum_supply: waxAsset(1n << 60n) })
    const issue = call(TOKEN, 'issue', USER, { to: USER, quantity: waxAsset(1n << 50n), memo: '' })
    this.chain.produce({ transactions: [[create], [issue]] })
  }

  /** @returns its nonce */
  deposit(): bigint {
    const transfer = { from: USER, to: BRIDGE, quantity: waxAsset(5n), memo: 'bob:a note' }
    const { results } = this.chain.produce({ transactions: [[call(TOKEN, 'transfer', USER, transfer)]] })
    t.equal(results[0]?.ok, true)
    return BigInt(this.deposits++)
  }

  idle(count: number): void {
    for (let i = 0; i < count; i++) this.chain.produce()
  }

  /** Replaces the last blocks by others. */
  fork(depth: number): void {
    this.chain.fork(depth)
    this.chain.produce({ time: this.chain.headTime + 3000 })
    this.idle(depth)
  }

  /** Data of the `deplog` action with a nonce, from its bytes on the chain. */
  dataOf(nonce: bigint): Uint8Array {
    for (let num = this.chain.firstBlock; num <= this.chain.head.num; num++)
      for (const { action, receipt } of executedActions(this.chain.block(num)!.traces))
        if (action.name === 'deplog' && receipt.receiver === BRIDGE && action.data[0] === Number(nonce))
          return action.data
    throw new RangeError(`no deposit ${nonce}`)
  }
}

const common = { accounts: { bridge: BRIDGE, wrap: 'wrap.svc' }, systemAccount: 'eosio', tokenContracts: '*' as const }

async function open(t: Test) {
  const { url, pool } = await testDatabase(t, { chains: ['telos', 'wax', 'whole', 'ranges'] })
  const wax = new LegacyWax()
  const ship = await startShip(wax.chain)
  t.teardown(() => ship.stop())
  const unfollowed: string[] = []
  const finality = {
    ...{ bridge: BRIDGE, legacy: true },
    onUnfollowed: (block: number, reason: string) => void unfollowed.push(`${block}: ${reason}`),
  }
  const source = () => new ShipSource({ urls: [ship.url], chain: 'x', backoffMs: [5, 50] })
  // A chain indexed from its middle does not contain the `setabi`.
  const seedAbis = new Map([[BRIDGE, packAbi(wax.chain.contracts.get(BRIDGE)!.abi)]])
  const index = (chain = 'wax', startBlock = 2, endBlock = wax.chain.head.num) =>
    indexChain({
      ...{
        ...common,
        seedAbis,
        chain,
        databaseUrl: url,
        source: source(),
        chainId: chain === 'wax' ? CHAIN_ID : null,
        startBlock,
        endBlock,
        signal,
        finality,
      },
      events: {
        ...{ opened() {}, committed() {}, decoded() {}, forked() {} },
        retrying: (error) => t.fail(`${error.code}: ${error.message}`),
      },
    })
  await pool.query(`select meta.add_chain('telos')`)
  await pool.query(
    `insert into meta.position (chain, first_block, block_num, block_id, block_time, lib_num, head_num, writer, indexed)
     values ('telos', 2, 100, '', now(), 99, 100, gen_random_uuid(), true)`,
  )
  await pool.query(
    `insert into meta.accounts values ('telos', 'bridge', $1, null), ('telos', 'gateway', 'gateway.wax', ${WAX})`,
    [BRIDGE],
  )
  return { url, pool, wax, source, index, finality, unfollowed }
}

async function serve(t: Test, { url, pool }: { url: string; pool: Pool }) {
  const log = { info() {}, warn: (text: string) => t.match(text, /no proof of/), error() {} }
  const bridge = { proofOfDeposit: depositProofs([], log, true) }
  const api = await testApi(t, { url, pool } as never, { chains: [testChain('telos')], bridge })
  return (nonce: bigint) => proofOf(api, nonce)
}

const proofOf = (api: TestApi, nonce: bigint) =>
  api.get(`/api/bridge/v1/proofs/d:${WAX}:${nonce}?relayer=relay`, { host: 'telos.localhost' })

let sequence = 0
/** Records an irreversible credit of a deposit. */
async function credited(pool: Pool, nonce: bigint, actions: readonly DepositAction[]): Promise<void> {
  const { proof } = gatewayAbi('antelope').decodeAction('credit', fromHex(actions.at(-1)!.data))
  const place = [++sequence, Buffer.alloc(32, sequence), WAX.toString(), nonce.toString()]
  const columns = 'chain, block_num, block_time, global_seq, trx_id, domain, nonce'
  await pool.query(
    `insert into ledger.gateway_credits (${columns}, account, relayer, proof)
     values ('telos', 50, now(), $1, $2, $3, $4, 'gateway.wax', 'relay', $5)`,
    [...place, proof],
  )
  await pool.query(
    `insert into ledger.deposit_events (${columns}, type, account) values ('telos', 50, now(), $1, $2, $3, $4, 'credited', 'bob')`,
    place,
  )
}

t.test(
  'BR-24 deposits are proved by heavy and light proofs and, after the switch to Savanna, by Savanna proofs',
  async (t) => {
    const { url, pool, wax, index, unfollowed } = await open(t)
    wax.idle(20)
    const first = wax.deposit()
    const adjacent = wax.deposit()
    wax.idle(30)
    await index()
    const get = await serve(t, { url, pool })
    t.match(await get(first), { status: 404 }, 'one round is not enough')
    wax.idle(20)
    await index()
    wax.fork(15)
    wax.idle(30)
    await index()

    const { rows } = await pool.query<{ schedule: Uint8Array }>('select schedule from ledger.producer_schedules')
    t.equal(rows.length, 0, 'no header has brought the first schedule')
    t.match(await get(first), { status: 404, body: { message: /SCHEDULE_MISSING/ } })
    wax.chain.produce({ producers: ['prod.b', 'prod.c', 'prod.d', 'prod.e'] })
    wax.idle(LAG + 30)
    const second = wax.deposit()
    wax.idle(40)
    const third = wax.deposit()
    wax.chain.produce({ producers: ['prod.c', 'prod.d', 'prod.e', 'prod.f'] })
    wax.idle(LAG + 60)
    const fourth = wax.deposit()
    wax.idle(120)
    await index()
    t.match(
      await get(first),
      { status: 404, body: { message: /SCHEDULE_MISSING/ } },
      'under a schedule that nobody has',
    )
    t.same(unfollowed, [])
    await pool.query(`delete from ledger.deposits where nonce < 2`)

    const schedules = (await pool.query('select schedule from ledger.producer_schedules order by version')).rows.map(
      (row) => readSchedule(row.schedule),
    )
    t.same(
      schedules.map(({ version }) => version),
      [2, 3],
    )
    const problem = (actions: DepositAction[], nonce: bigint, trust = {}) => {
      const expected = { gateway: 'gateway.wax', bridge: BRIDGE, nonce, data: wax.dataOf(nonce) }
      return dposDepositProblem(actions, { schedules: schedules.slice(0, 1), roots: [], ...trust }, expected)
    }
    const heavy = await get(second)
    t.equal(heavy.status, 200, heavy.text)
    t.same([names(heavy.body), kindOf(heavy.body)], [['credit'], 'heavy_proof'])
    t.notMatch(heavy.headers['cache-control'], /immutable/)
    t.equal(problem(heavy.body, second), null)
    const rotated = await get(fourth)
    t.same(names(rotated.body), ['schedule', 'credit'], 'the gateway has needed the first of the two')
    t.equal(problem(rotated.body, fourth), null)
    t.match(problem(rotated.body.slice(1), fourth), /not known/)

    await credited(pool, third, (await get(third)).body)
    const light = await get(second)
    t.same([names(light.body), kindOf(light.body)], [['credit'], 'light_proof'])
    t.match(light.headers['cache-control'], /immutable/)
    const { root } = (light.body[0].decoded.proof as [string, { root: string }])[1]
    t.equal(problem(light.body, second, { roots: [root] }), null)
    t.match(problem(light.body, second), /not trusted/)
    t.same(kindOf((await get(fourth)).body), 'heavy_proof', 'a root of an earlier block is of no use')
    await credited(pool, fourth, (await get(fourth)).body)
    t.same((await get(second)).text, light.text, 'the first root that covers it stays the one')

    const last = wax.deposit()
    wax.idle(3)
    wax.chain.activateSavanna()
    wax.idle(10)
    const between = wax.deposit()
    wax.idle(LAG + 40)
    const proper = wax.deposit()
    wax.idle(8)
    await index()
    t.same([names((await get(last)).body), kindOf((await get(last)).body)], [['credit'], 'heavy_proof'])
    for (const nonce of [between, proper]) {
      const { body } = await get(nonce)
      t.same([names(body), kindOf(body)], [['submitroot', 'credit'], 'savanna_proof'], `deposit ${nonce}`)
    }
    await credited(pool, proper, (await get(proper)).body)
    t.same([kindOf((await get(between)).body), kindOf((await get(last)).body)], ['savanna_proof', 'heavy_proof'])
    t.equal(adjacent, 1n)
    t.same(unfollowed, [])
  },
)

t.test('a chain indexed from the middle proves blocks after a start that its producers signed', async (t) => {
  const { url, pool, wax, source, index, unfollowed } = await open(t)
  wax.chain.produce({ producers: ['prod.b', 'prod.c', 'prod.d'] })
  wax.idle(LAG + 40)
  await index('whole')
  await t.rejects(exportStart(url, 'whole'), { code: 'SCHEDULE_MISSING' }, 'nobody has told the first schedule')
  wax.idle(LAG)
  await index('whole')
  const exported = (await exportStart(url, 'whole')).json as LegacyStartJson
  const folder = temporaryFolder(t)
  const startOf = async (change: object = {}) => {
    const file = join(folder, 'start.json')
    writeFileSync(file, JSON.stringify({ ...exported, ...change }))
    return readStartFile(file)
  }
  const { _active_nodes: nodes, _node_count: count } = exported.blockroot_merkle
  const at = await startOf()
  for (const version of [6, 8] as const) {
    const [active, pending = { version: active!.version, producers: [] }] = (at as LegacyStart).schedules
    const { id, block } = wax.chain.block(Number(count) + 1)!
    const file = join(folder, `snapshot-${version}.bin`)
    const state = { id, block, nodes, count: Number(count), active: active!, pending }
    writeFileSync(file, legacySnapshotFile(version, state))
    t.same(await readStartFile(file), at, `a snapshot of version ${version} says the same`)
    writeFileSync(file, legacySnapshotFile(version, { ...state, count: Number(count) + 1 }))
    await t.rejects(readStartFile(file), { code: 'INVALID_SNAPSHOT' })
  }
  const start = async (change?: object) =>
    importStart({
      ...{ chain: 'wax', databaseUrl: url, chainId: CHAIN_ID, source: source(), signal },
      start: await startOf(change),
    })
  const flip = (text: string) => (text.startsWith('0') ? '1' : '0') + text.slice(1)
  const wrong: [what: string, change: object, code: string][] = [
    ['the id', { id: `${exported.id.slice(0, 8)}${flip(exported.id.slice(8))}` }, 'FINALITY_MISMATCH'],
    [
      'a node',
      { blockroot_merkle: { _active_nodes: nodes.with(0, flip(nodes[0]!)), _node_count: count } },
      'INVALID_FINALITY_START',
    ],
    [
      'the count',
      { blockroot_merkle: { _active_nodes: nodes, _node_count: Number(count) + 1 } },
      'INVALID_FINALITY_START',
    ],
    ['no schedule', { active_schedule: undefined }, 'INVALID_FINALITY_START'],
    ['a version', { active_schedule: { ...exported.active_schedule, version: 3 } }, 'FINALITY_MISMATCH'],
    [
      'producers',
      { active_schedule: { ...exported.active_schedule, producers: exported.active_schedule.producers.slice(1) } },
      'FINALITY_MISMATCH',
    ],
  ]
  for (const [what, change, code] of wrong) await t.rejects(start(change), { code }, what)
  t.same((await pool.query('select from meta.legacy_starts')).rows, [], 'nothing is kept')

  const first = wax.chain.head.num - 10
  await index('wax', first)
  t.match(unfollowed, [/indexing began after the first blocks/])
  const made = await start()
  t.equal(made.lineage.blockNum, wax.chain.head.num, 'moved up to the last block indexed')
  const early = wax.deposit()
  wax.idle(40)
  const late = wax.deposit()
  wax.idle(80)
  await index('wax', first)
  await index('whole')
  t.equal(unfollowed.length, 1)
  await t.rejects(start(), { code: 'FINALITY_FOLLOWED' })
  const get = await serve(t, { url, pool })
  const proof = await get(late)
  t.equal(proof.status, 200, proof.text)
  await credited(pool, late, proof.body)
  t.equal(kindOf((await get(early)).body), 'light_proof')
  t.same(
    await exportStart(url, 'wax'),
    await exportStart(url, 'whole'),
    'as one that was followed from its first block',
  )
})

t.test('indexing that begins while a chain changes to Savanna lacks no finality data', async (t) => {
  const { pool, wax, index, unfollowed } = await open(t)
  wax.idle(LAG)
  wax.chain.activateSavanna()
  wax.idle(2)
  const genesis = wax.chain.head.num - 1
  wax.deposit()
  wax.idle(LAG + 20)
  await index('wax', genesis)
  t.same(unfollowed, [])
  const { rows } = await pool.query(`select min(block_num)::int4 as first from ledger.finality where chain = 'wax'`)
  t.same(rows, [{ first: genesis }])
})

t.test('a backfill by workers gives the same finality rows as linear indexing', async (t) => {
  const { url: databaseUrl, pool, wax, source, index, finality } = await open(t)
  wax.idle(20)
  wax.deposit()
  wax.chain.produce({ producers: ['prod.b', 'prod.c', 'prod.d'] })
  wax.idle(LAG + 40)
  wax.deposit()
  wax.idle(LAG + 5)
  const endBlock = wax.chain.lib.num
  await index('linear', 2, endBlock)
  const over = new AbortController()
  const options = { chain: 'ranges', databaseUrl, finality, pollMs: 20 }
  const working = Array.from({ length: 2 }, () =>
    runWorker({ ...common, ...options, source: source(), signal: over.signal }),
  )
  const made = await backfill({
    ...options,
    accounts: common.accounts,
    ...{ chainId: null, startBlock: 2, endBlock, rangeBlocks: 30, signal: over.signal },
  })
  over.abort()
  await Promise.all(working)
  t.equal(made?.num, endBlock)
  const { rows } = await pool.query(
    `select count(*)::int4 as all, count(header)::int4 as kept from ledger.legacy_blocks where chain = 'ranges'`,
  )
  t.equal(rows[0].all, endBlock - 1)
  t.ok(rows[0].kept < rows[0].all / 6 && rows[0].kept > rows[0].all / 13, `${rows[0].kept} headers`)
  await sameChains(t, pool, 'ranges', 'linear')
})
