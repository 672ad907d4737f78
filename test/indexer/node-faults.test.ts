// One node always sends an unusable block: the chain continues with another node. When all nodes send it, the blocks
// before it are written, and the error names the block and the node.
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import t, { type Test } from 'tap'
import type { HeadwaterError } from '../../core/errors.ts'
import { packFinalityData, readFinalityData } from '../../core/finality/finality-data.ts'
import { startShip } from '../../devnet/ship/server.ts'
import { backfill } from '../../indexer/jobs/backfill.ts'
import { runWorker } from '../../indexer/jobs/worker.ts'
import { type IndexOptions, indexChain } from '../../indexer/run.ts'
import { CatchUpSource } from '../../indexer/source/ship/catch-up.ts'
import { ShipSource } from '../../indexer/source/ship/source.ts'
import type { BlockSource, PackedBlock } from '../../indexer/source/source.ts'
import { Telos } from '../proofs/telos.ts'
import { forgetChain } from '../simulation/forget-chain.ts'
import { testDatabase } from '../support/database.ts'
import { serve } from '../support/ship-client.ts'
import type { ShipServer, Step } from '../support/ship-server.ts'
import { ADDRESS } from './finality/random-ledger.ts'

const telos = new Telos([{ domain: 1, vault: ADDRESS, token: ADDRESS, symbol: 'USDC', scale: 1n }])
for (let round = 0; round < 4; round++) {
  telos.withdraw('USDC', 7n, 1, ADDRESS)
  telos.idle(3)
}
const { chain } = telos
/** The log of a node that was started from a snapshot of this block. */
const logStart = { num: chain.head.num, deltas: chain.fullDeltas(), isSnapshot: true }
telos.withdraw('USDC', 7n, 1, ADDRESS)
telos.idle(9)
const first = chain.firstBlock
const last = chain.head.num
const LAG = 3
/** A block with a withdrawal; irreversible on the node. */
const FINAL = first + 6
/** A reversible block. */
const RECENT = last - 1

function packed(num: number): PackedBlock {
  const { prevId, ...stored } = chain.block(num)!
  const libNum = Math.max(first, last - LAG)
  const lib = { num: libNum, id: chain.idOf(libNum)! }
  return { kind: 'packed', ...stored, prevId: prevId ?? '0'.repeat(64), head: chain.head, lib }
}

type Damage = (block: PackedBlock) => Step
const finalityOf = (change: object): Damage => {
  return (block) => ({
    ...block,
    finality: packFinalityData({ ...readFinalityData(block.finality!), ...change }),
  })
}
const DAMAGES: Record<string, { damage: Damage; code: string }> = {
  'cut traces': { damage: (block) => ({ ...block, traces: block.traces.subarray(0, -1) }), code: 'TRUNCATED' },
  'no finality data': { damage: (block) => ({ ...block, finality: null }), code: 'FINALITY_MISSING' },
  'the body of another block': {
    damage: (block) => ({ ...block, block: packed(block.num - 1).block }),
    code: 'BLOCK_ID',
  },
  'finality data that the next block contradicts': {
    damage: finalityOf({ baseDigest: new Uint8Array(32).fill(9) }),
    code: 'FINALITY_MISMATCH',
  },
  'a frame that is no message': { damage: () => ({ raw: Uint8Array.of(2, 1, 2, 3) }), code: 'SHIP_FRAME' },
  'a message of an unknown kind': { damage: () => ({ raw: Uint8Array.of(77) }), code: 'SHIP_MESSAGE' },
}

/** Serves the chain with one block damaged at every request. */
async function node(
  t: Test,
  num = 0,
  damage: Damage = (block) => block,
  /** Awaited after the damaged block. */
  after = async () => {},
): Promise<ShipServer> {
  const range = { begin: first, end: last + 1 }
  const lib = packed(last).lib
  return serve(t, {
    status: () => ({ head: chain.head, lib, traces: range, deltas: range, finality: range }),
    async *blocks({ start }) {
      for (let at = start; at <= last; at++) {
        yield at === num ? damage(packed(at)) : packed(at)
        if (at === num) await after()
      }
    },
  })
}

interface Reports {
  codes: Set<string>
  texts: string[]
  failure: HeadwaterError | null
}

/** Indexes the whole chain from these nodes. */
async function index(
  url: string,
  nodes: { url: string }[],
  more: Partial<IndexOptions> = {},
  open = (source: ShipSource): BlockSource => source,
): Promise<Reports> {
  const reports: Reports = { codes: new Set(), texts: [], failure: null }
  const say = (code: string, text: string) => {
    reports.codes.add(code)
    reports.texts.push(text)
  }
  const source = new ShipSource({
    ...{ urls: nodes.map((each) => each.url), chain: 'telos', backoffMs: [1, 2] as const, onAnomaly: say },
  })
  const failed = await indexChain({
    ...{
      chain: 'telos',
      databaseUrl: url,
      source: open(source),
      accounts: { bridge: 'bridge.svc' },
      systemAccount: 'eosio',
    },
    ...{ tokenContracts: '*', chainId: null, startBlock: first, endBlock: last, finality: { bridge: 'bridge.svc' } },
    signal: new AbortController().signal,
    events: {
      ...{ opened() {}, decoded() {}, forked() {}, committed() {} },
      retrying: (error) => say(error.code, error.message),
    },
    ...more,
  }).then(
    () => null,
    (error: HeadwaterError) => error,
  )
  reports.failure = failed
  return reports
}

async function rowsOf(pool: Pool): Promise<unknown[]> {
  const tables = ['blocks', 'finality', 'bridge_logs', 'certificates', 'withdrawals']
  const rows = await Promise.all(
    tables.map((table) =>
      pool.query(`select to_jsonb(x) as row from ledger.${table} x where chain = 'telos' order by 1`),
    ),
  )
  return rows.map((result) => result.rows)
}

async function positionOf(pool: Pool): Promise<unknown[]> {
  return (await pool.query(`select block_num::int as num from meta.position where chain = 'telos'`)).rows
}

t.test('a damaged block is requested from another node, and the rows equal those from good nodes', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['telos'] })
  const good = await node(t)
  t.equal((await index(url, [good])).failure, null)
  const expected = await rowsOf(pool)
  t.ok(expected.every((rows) => (rows as unknown[]).length > 0))
  for (const [what, { damage, code }] of Object.entries(DAMAGES)) {
    for (const num of [FINAL, RECENT]) {
      const name = `${what}, block ${num === FINAL ? 'final' : 'reversible'}`
      await forgetChain(pool, 'telos')
      const bad = await node(t, num, damage)
      const reports = await index(url, [bad, good])
      t.equal(reports.failure, null, name)
      t.ok(reports.codes.has(code), `${name}: ${[...reports.codes]}`)
      const text = reports.texts.find((each) => each.includes(bad.url)) ?? ''
      t.match(text, new RegExp(`^telos: .*block (${num}|${num + 1})`), name)
      t.same(await rowsOf(pool), expected, name)
    }
  }
})

t.test('if all nodes send the damaged block, the blocks before it are written and the error names it', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['telos'] })
  for (const [what, { damage, code }] of Object.entries(DAMAGES)) {
    if (what.includes('contradicts')) continue
    await forgetChain(pool, 'telos')
    const nodes = [await node(t, FINAL, damage), await node(t, FINAL, damage)]
    const { failure } = await index(url, nodes)
    t.equal(failure?.code, code, what)
    t.match(failure?.message, new RegExp(`block ${FINAL}.*every node of the chain sends it so`), what)
    t.ok(nodes.some((each) => failure?.message.includes(each.url)))
    t.match(failure?.place, { chain: 'telos', block: FINAL })
    t.same(await positionOf(pool), [{ num: FINAL - 1 }], what)
    t.ok(nodes.every((each) => each.requests.length > 0))
  }
})

t.test('a single node is asked again, and indexing continues once it sends an intact block', async (t) => {
  let left = 2
  const once = await node(t, FINAL, (block) =>
    left-- > 0 ? { ...block, traces: block.traces.subarray(0, -1) } : block,
  )
  const { url, pool } = await testDatabase(t, { chains: ['telos'] })
  t.equal((await index(url, [once])).failure, null)
  t.same(await positionOf(pool), [{ num: last }])
})

t.test('a block that the database refuses is found in its batch, and requested from another node', async (t) => {
  const producer: Damage = (block) => {
    const body = Buffer.from(block.block)
    body.fill(0, 4, 12)
    return { ...block, block: body }
  }
  const bad = await node(t, FINAL, producer)
  const { url, pool } = await testDatabase(t, { chains: ['telos'] })
  await pool.query(`alter table ledger.blocks add constraint named check (producer <> '')`)
  const reports = await index(url, [bad, await node(t)], { finality: undefined, checksActions: false })
  t.equal(reports.failure, null)
  t.ok(reports.codes.has('DATABASE_REFUSED'))
  t.ok(
    reports.texts.some((text) => text.includes(bad.url) && text.includes(`block ${FINAL}`)),
    reports.texts.join('\n'),
  )

  t.test('if all nodes send it, the error names the block', async (t) => {
    const { url, pool } = await testDatabase(t, { chains: ['telos'] })
    await pool.query(`alter table ledger.blocks add constraint named check (producer <> '')`)
    const { failure } = await index(url, [bad], { finality: undefined, checksActions: false })
    t.equal(failure?.code, 'DATABASE_REFUSED')
    t.match(failure?.message, `telos: ${bad.url} sent block ${FINAL}`)
    t.same(await positionOf(pool), [{ num: FINAL - 1 }])
  })
})

t.test('damaged blocks with several sessions', async (t) => {
  const bad = await node(t, FINAL, DAMAGES['cut traces']!.damage)
  const good = await node(t)
  const { url, pool } = await testDatabase(t, { chains: ['telos'] })
  const inParallel = (ship: ShipSource) => new CatchUpSource(ship, { sessions: 2, queueBytes: 1 << 20 })
  t.equal((await index(url, [bad, good], {}, inParallel)).failure, null)
  const { rows } = await pool.query(`select count(*)::int as blocks from ledger.blocks where chain = 'telos'`)
  t.same(rows, [{ blocks: last - first + 1 }])
})

t.test('a reversible block that is written already is replaced when its child contradicts it', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['telos'] })
  const good = await node(t)
  t.equal((await index(url, [good])).failure, null)
  const expected = await rowsOf(pool)
  await forgetChain(pool, 'telos')
  const { damage } = DAMAGES['finality data that the next block contradicts']!
  const isWritten = async () => ((await positionOf(pool))[0] as { num: number } | undefined)?.num === RECENT
  const bad = await node(t, RECENT, damage, async () => {
    while (!(await isWritten())) await delay(10)
  })
  const reports = await index(url, [bad, good])
  t.equal(reports.failure, null)
  t.ok(reports.codes.has('FINALITY_MISMATCH'))
  t.same(await rowsOf(pool), expected)
})

/** A node that was started from a snapshot and has this state. */
async function snapshotNode(t: Test, deltas = logStart.deltas): Promise<{ url: string }> {
  const server = await startShip(chain, { logStart: { ...logStart, deltas } })
  t.teardown(() => server.stop())
  return server
}

const CHAIN_ID = '4667b205c6838ef70ff7988f6e8257e8be0e1284a2f59699054a018f743b1d11'
const CUT = logStart.deltas.subarray(0, -7)
const FROM_STATE = { startBlock: 2, endBlock: chain.lib.num, finality: undefined }

t.test('a damaged whole state is requested from another node', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['telos'] })
  const [damaged, good] = [await snapshotNode(t, CUT), await snapshotNode(t)]
  const reports = await index(url, [damaged, good], FROM_STATE)
  t.equal(reports.failure, null)
  t.ok(reports.codes.has('TRUNCATED'), [...reports.codes].join())
  const text = reports.texts.find((each) => each.includes(damaged.url))
  t.match(text, `telos: ${damaged.url} sent the state of block ${logStart.num}, which cannot be used`)
  const { rows } = await pool.query(`select first_block::int, block_num::int, state_block::int from meta.position`)
  t.same(rows, [{ first_block: logStart.num + 1, block_num: chain.lib.num, state_block: logStart.num }])

  t.test('if all nodes send a damaged state, the error says so', async (t) => {
    const { url, pool } = await testDatabase(t, { chains: ['telos'] })
    const { failure } = await index(url, [damaged, await snapshotNode(t, CUT)], FROM_STATE)
    t.equal(failure?.code, 'TRUNCATED')
    t.match(failure?.message, /the state of block \d+, .*every node of the chain sends it so/)
    t.match(failure?.place, { chain: 'telos', block: logStart.num })
    t.same(await positionOf(pool), [])
  })

  t.test('by workers too', async (t) => {
    const { url, pool } = await testDatabase(t, { chains: ['telos'] })
    const source = new ShipSource({ urls: [damaged.url, good.url], chain: 'telos' })
    const common = { chain: 'telos', databaseUrl: url, source, accounts: { bridge: 'bridge.svc' }, pollMs: 20 }
    const over = new AbortController()
    const failures: HeadwaterError[] = []
    const working = runWorker({
      ...{ ...common, systemAccount: 'eosio', tokenContracts: '*', signal: over.signal },
      events: { failed: (_, error) => failures.push(error) },
    })
    const { startBlock, endBlock } = FROM_STATE
    const { signal } = new AbortController()
    await backfill({ ...common, chainId: null, startBlock, endBlock, rangeBlocks: 100, signal })
    over.abort()
    await working
    t.match(failures, [{ code: 'TRUNCATED', message: damaged.url, place: { block: logStart.num } }])
    t.same(await positionOf(pool), [{ num: chain.lib.num }])
  })
})

t.test('a state above the size limit is requested from another node, which may have a smaller one', async (t) => {
  const begin = logStart.num
  /** Size limit, above those of the ABI and of the good state, bytes. */
  const LIMIT = 1 << 20
  const small = await snapshotNode(t)
  const big = await serve(t, {
    status: () => ({
      chainId: CHAIN_ID,
      traces: { begin: begin + 1, end: last + 1 },
      deltas: { begin, end: last + 1 },
    }),
    blocks: () => [{ raw: new Uint8Array(LIMIT + 1) }],
  })
  const stateOf = (...nodes: { url: string }[]) =>
    new ShipSource({
      ...{ urls: nodes.map((each) => each.url), chain: 'telos', maxFrameBytes: LIMIT },
      onAnomaly: (code, text) => said.push(`${code} ${text}`),
    }).firstState(2, undefined, new AbortController().signal)
  const said: string[] = []
  t.match(await stateOf(big, small), { num: begin, node: small.url })
  t.match(said, [new RegExp(`^FRAME_TOO_LARGE telos: ${big.url}.*block ${begin} was due`)])
  await t.rejects(stateOf(big), { code: 'FRAME_TOO_LARGE', message: big.url, place: { block: begin } })
  const stopped = await snapshotNode(t).then((each) => ({ url: each.url.replace(/:\d+/, ':1') }))
  await t.rejects(stateOf(big, stopped), { code: 'SHIP_CONNECTION' }, 'the other node may have a smaller one')
})
