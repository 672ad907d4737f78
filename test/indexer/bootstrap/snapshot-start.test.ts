// A chain that starts from a node's snapshot has the rows of the node's own tables, and goes on as one that was started
// from a node's first deltas. A snapshot that does not fit leaves no rows.
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { packBlockHeader, packSignedBlock } from '../../../core/antelope/block.ts'
import { nameToU64 } from '../../../core/antelope/name.ts'
import { msToSlot } from '../../../core/antelope/time.ts'
import { startShip } from '../../../devnet/ship/server.ts'
import { SqlSource } from '../../../finality-store/proof-source.ts'
import { type IndexOptions, indexChain } from '../../../indexer/run.ts'
import { NodeLogs } from '../../../indexer/source/logs/node-logs.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import type { BlockSource, PackedBlock } from '../../../indexer/source/source.ts'
import { Telos } from '../../proofs/telos.ts'
import { testDatabase } from '../../support/database.ts'
import { stateOfDeltas } from '../../support/full-deltas.ts'
import { unpackNode } from '../../support/node-logs.ts'
import { simulatedState } from '../../support/snapshot-state.ts'
import { writeSnapshot } from '../../support/snapshot-writer.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { VALUATION } from '../../support/valuation.ts'
import { ADDRESS, prove } from '../finality/random-ledger.ts'
import { blockState } from '../finality/snapshot-file.ts'
import { checkState } from '../replay/check-recording.ts'
import { PROFILE } from '../replay/index-recording.ts'
import { stateRow } from '../replay/node-tables.ts'
import type { TextRow } from '../replay/text-rows.ts'
import { countRows, sameRows } from './compare.ts'
import { accounts, chainId, quiet, RandomExchange } from './random-exchange.ts'

const signal = new AbortController().signal
const common = { tokenContracts: '*' as const, systemAccount: 'eosio', events: quiet, signal, startBlock: 2 }

/** A node whose logs begin after block `num`, a snapshot of that block, and an indexer of that node. */
async function simulated(t: Test) {
  const { url, pool } = await testDatabase(t, { chains: ['deltas', 'snapshot'] })
  const exchange = new RandomExchange(11)
  const { chain } = exchange
  exchange.produce(200)
  const at = chain.head
  const deltas = chain.fullDeltas()
  exchange.produce(40)
  const ship = await startShip(chain, { logStart: { num: at.num, deltas, isSnapshot: true } })
  t.teardown(() => ship.stop())
  const folder = temporaryFolder(t)
  const { id, block } = chain.block(at.num)!
  const snapshot = (version: number, change: { chainId?: string; num?: number } = {}) => {
    const path = join(folder, `snapshot-${version}.bin`)
    const of = change.num === undefined ? { id, block } : chain.block(change.num)!
    const blockState = simulatedState(version, of)
    writeFileSync(path, writeSnapshot({ version, blockState, chainId, ...stateOfDeltas(deltas), ...change }))
    return path
  }
  const index = (name: string, path?: string, change: Partial<IndexOptions> = {}) =>
    indexChain({
      ...common,
      ...{ chain: name, databaseUrl: url, accounts, chainId, valuation: VALUATION, endBlock: chain.lib.num },
      source: new ShipSource({ urls: [ship.url], chain: name, chainId }),
      ...(path === undefined ? {} : { snapshot: { path } }),
      ...change,
    })
  return { pool, num: at.num, lib: chain.lib.num, snapshot, index }
}

t.test('a simulated chain', async (t) => {
  const { pool, num, lib, snapshot, index } = await simulated(t)
  const nothing = async (what: string) =>
    t.same((await pool.query(`select chain from head.position where chain = 'snapshot'`)).rows, [], what)

  await index('deltas')
  await t.rejects(index('snapshot', snapshot(6, { chainId: 'cd'.repeat(32) })), { code: 'OTHER_CHAIN' })
  await t.rejects(index('snapshot', snapshot(8, { chainId: 'cd'.repeat(32) }), { chainId: null }), {
    code: 'OTHER_CHAIN',
  })
  await t.rejects(index('snapshot', snapshot(8, { num: num - 1 })), {
    code: 'SNAPSHOT_TOO_OLD',
    message: new RegExp(`of block ${num - 1}, the nodes keep blocks from ${num + 1} on`),
  })
  const torn = snapshot(8)
  truncateSync(torn, readFileSync(torn).length - 3)
  await t.rejects(index('snapshot', torn), { code: 'SNAPSHOT_TORN' })
  await t.rejects(index('snapshot', `${torn}.zst`), { code: 'SNAPSHOT_UNREADABLE' })
  const lost: BlockSource = {
    name: 'lost branch',
    async *blocks() {
      const id = `${(num + 1).toString(16).padStart(8, '0')}${'1'.repeat(56)}`
      const at = { num: num + 1, id }
      const block = packSignedBlock(emptyHeader('2'.repeat(64), Date.parse('2026-01-01')), new Uint8Array(66), [], [])
      const rest = { traces: Uint8Array.of(0), deltas: Uint8Array.of(0), finality: null, block }
      yield { kind: 'packed', ...at, prevId: '2'.repeat(64), head: at, lib: at, ...rest } satisfies PackedBlock
    },
  }
  await t.rejects(index('snapshot', snapshot(8), { source: lost, checksActions: false }), { code: 'SNAPSHOT_UNLINKED' })
  await nothing('nothing is written before all fits')

  await index('snapshot', snapshot(8), { endBlock: num + 1 })
  const { rows } = await pool.query(
    `select first_block::int, state_block::int from head.position where chain = 'snapshot'`,
  )
  t.same(rows, [{ first_block: num + 1, state_block: num }])
  // The file may be gone, or still be named, when the indexer starts again.
  await index('snapshot', `${torn}.gone`, { endBlock: num + 2 })
  await t.rejects(index('snapshot', snapshot(6, { num: num + 5 })), { code: 'SNAPSHOT_NOT_USED' })
  t.equal((await index('snapshot', snapshot(8)))?.num, lib)
  t.ok((await countRows(pool, 'state.pools', 'snapshot')) > 0)
  await sameRows(t, pool, ['state', 'ledger', 'derive'], 'snapshot', 'deltas', ['ledger.abis'])
  const kept = `select account, abi from ledger.abis where chain = $1 and account = any('{swap.svc,svcdexmain,delphioracle}') order by 1`
  t.same((await pool.query(kept, ['snapshot'])).rows, (await pool.query(kept, ['deltas'])).rows, 'with the same ABIs')
})

t.test('a snapshot of version 6 leads to the same rows', async (t) => {
  const { pool, snapshot, index } = await simulated(t)
  await index('deltas')
  await index('snapshot', snapshot(6))
  await sameRows(t, pool, ['state', 'ledger', 'derive'], 'snapshot', 'deltas', ['ledger.abis'])
})

const REAL = 1678
const REAL_ID = '0000068eb1107f12811af3ad25ab8d0dda9329bbe555f879e94454fc24701341'
const REAL_TIME = Date.parse('2026-11-23T15:08:57.500Z')
const LAST = 1720

/** A block with the given payloads. Its header is made up: the node kept no block log. */
function packed(num: number, id: string, prevId: string, rest: Pick<PackedBlock, 'traces' | 'deltas'>): PackedBlock {
  const header = emptyHeader(prevId, REAL_TIME + (num - REAL) * 500)
  const at = { num, id, prevId, head: { num: LAST, id: '' }, lib: { num: LAST, id: '' } }
  return { kind: 'packed', ...at, block: packSignedBlock(header, new Uint8Array(66), [], []), finality: null, ...rest }
}

t.test('a snapshot of a real node', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['real', 'snapshot', 'deltas'] })
  const folder = unpackNode(t, 'snapshot')
  const state = await NodeLogs.open([join(folder, 'state-history')], 2 ** 29)
  const logs = await NodeLogs.open([unpackNode(t, 'pruned')], 2 ** 29)
  t.teardown(() => Promise.all([state.close(), logs.close()]))
  const index = (chain: string, source: BlockSource, change: Partial<IndexOptions>) =>
    indexChain({
      ...common,
      ...{ chain, databaseUrl: url, source, accounts: { ...PROFILE, wrap: 'wrap.svc' }, chainId: null },
      ...{ checksActions: false, ...change },
    })
  const snapshot = { path: join(folder, 'snapA.bin') }

  t.test('has the rows of the node’s own tables', async (t) => {
    const none = { traces: Uint8Array.of(0), deltas: Uint8Array.of(0) }
    const id = (await logs.traces.read(REAL + 1)).id
    const source: BlockSource = {
      name: 'one',
      async *blocks() {
        yield packed(REAL + 1, id, REAL_ID, none)
      },
    }
    await index('real', source, { snapshot, endBlock: REAL + 1 })
    const position = `select chain_id, first_block::int, state_block::int from meta.position where chain = 'real'`
    const chain = 'faf83d43f2c2de2380afb028f74dacd50e0f76a226cf8d3b6a392515b926176d'
    t.same((await pool.query(position)).rows, [{ chain_id: chain, first_block: REAL + 1, state_block: REAL }])
    const { tables, balances } = nodeTables()
    t.same([...tables.keys()].sort(), ['bridge_routes', 'markets', 'orders', 'pools', 'positions', 'ticks', 'wdraws'])
    checkState(t, pool, 'real', tables)
    const { rows } = await pool.query(
      `select contract || ' ' || account || ' ' || amount || ' ' || symbol as text from head.balances where chain = 'real'`,
    )
    t.equal(balances.length, 59)
    t.same(rows.map(({ text }) => text).sort(), balances.sort())
    t.equal(await countRows(pool, 'ledger.undecoded_rows', 'real'), 0)
  })

  t.test('continues like a start from a node’s first deltas', async (t) => {
    const whole = await state.deltas.read(REAL)
    const source: BlockSource = {
      name: 'logs',
      firstState: async () => ({ num: REAL, id: REAL_ID, head: whole, lib: whole, deltas: whole.content }),
      async *blocks({ from, to = LAST }) {
        for (let num = from, previous = REAL_ID; num <= to; num++) {
          const [traces, deltas] = await Promise.all([logs.traces.read(num), logs.deltas.read(num)])
          yield packed(num, traces.id, previous, { traces: traces.content, deltas: deltas.content })
          previous = traces.id
        }
      },
    }
    await index('deltas', source, { endBlock: LAST })
    await index('snapshot', source, { endBlock: LAST, snapshot })
    t.equal(await countRows(pool, 'ledger.blocks', 'snapshot'), LAST - REAL)
    await sameRows(t, pool, ['state', 'ledger', 'derive'], 'snapshot', 'deltas', ['ledger.abis'])
  })
})

/** The node's tables in the columns of state.*, and balances as text. */
function nodeTables() {
  const file = new URL('../../fixtures/node/snapshot.tables.json.gz', import.meta.url)
  const json = JSON.parse(gunzipSync(readFileSync(file)).toString())
  const tables = new Map<string, TextRow[]>()
  const balances: string[] = []
  for (const [key, { json: rows }] of Object.entries<{ json: Record<string, string>[] }>(json.tables)) {
    const [code = '', scope = '', table = ''] = key.split('/')
    for (const row of rows) {
      const made = stateRow(table, `${nameToU64(scope)}`, row)
      if (made) tables.set(made.name, [...(tables.get(made.name) ?? []), made.row])
      if (table !== 'accounts') continue
      const [quantity = '', symbol = ''] = row.balance!.split(' ')
      balances.push(`${code} ${scope} ${BigInt(quantity.replace('.', ''))} ${symbol}`)
    }
  }
  return { tables, balances }
}

t.test('a bridge proves withdrawals after the snapshot, without a further command', async (t) => {
  const telos = new Telos([{ domain: 1, vault: ADDRESS, token: ADDRESS, symbol: 'USDC', scale: 1n }])
  const ship = await startShip(telos.chain)
  t.teardown(() => ship.stop())
  const { url, pool } = await testDatabase(t, { chains: ['telos', 'false'] })
  telos.produce({ finalizers: [1, 2, 3, 4, 5] })
  telos.idle(4)
  telos.follow()
  const { num } = telos.chain.lib
  const { tree, lastPending } = telos.storeAt(num).lineage!
  const [active, pending = null] = (await telos.store.policies()).filter(({ blockNum }) => blockNum <= num)
  const { id, block } = telos.chain.block(num)!
  const path = join(temporaryFolder(t), 'snapshot.bin')
  const { chainId } = telos.chain
  const write = (blockState: Uint8Array) =>
    writeFileSync(path, writeSnapshot({ version: 8, blockState, chainId, ...stateOfDeltas(telos.chain.fullDeltas()) }))
  const right = blockState({ id, block, tree, active: active!, pending, lastPending })
  write(right)
  const burn = telos.withdraw('USDC', 7n, 1, ADDRESS)
  telos.idle(6)
  const unfollowed: string[] = []
  const index = (chain: string) =>
    indexChain({
      ...{ ...common, chain, databaseUrl: url, chainId, snapshot: { path }, endBlock: telos.chain.head.num },
      source: new ShipSource({ urls: [ship.url], chain, backoffMs: [5, 50] }),
      accounts: { bridge: 'bridge.svc', wrap: 'wrap.svc' },
      finality: { bridge: 'bridge.svc', onUnfollowed: (at, reason) => unfollowed.push(`${at}: ${reason}`) },
    })
  await index('telos')
  t.same(unfollowed, [])
  t.ok(await prove(new SqlSource(pool, 'telos'), burn, { generation: 2, newest: 2 }))

  // A key of the policy, which the chain commits to.
  const wrong = Buffer.from(right)
  const key = Buffer.from(active!.policy.finalizers[0]!.publicKey)
  wrong[wrong.indexOf(key) + 5]! ^= 1
  write(wrong)
  await t.rejects(index('false'), { code: /INVALID_SNAPSHOT|FINALITY_MISMATCH|CERTIFICATE_INVALID/ })
  t.same((await pool.query(`select chain from head.position where chain = 'false'`)).rows, [])
  t.same((await pool.query('select chain from meta.finality_starts')).rows, [{ chain: 'telos' }])
})

function emptyHeader(previous: string, ms: number): Uint8Array {
  const none = new Uint8Array(32)
  return packBlockHeader({
    ...{ timestamp: msToSlot(ms), producer: 'eosio', confirmed: 0, previous },
    ...{ transactionMroot: none, actionMroot: none, scheduleVersion: 0, newProducers: null, headerExtensions: [] },
  })
}
