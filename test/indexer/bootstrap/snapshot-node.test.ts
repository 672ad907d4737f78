// A node that was started from a snapshot with an empty log, recorded from a real one. Its first entry is the whole
// state of the snapshot's block, without that block. The indexed rows must equal the node's own tables.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { backfill } from '../../../indexer/jobs/backfill.ts'
import { runWorker } from '../../../indexer/jobs/worker.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import type { BlockSource } from '../../../indexer/source/source.ts'
import { testDatabase } from '../../support/database.ts'
import { serve } from '../../support/ship-client.ts'
import { type ReceivedRequest, ShipServer } from '../../support/ship-server.ts'
import { checkState } from '../replay/check-recording.ts'
import { indexExchange, PROFILE } from '../replay/index-recording.ts'
import { nodeState, readText } from '../replay/node-tables.ts'
import { sameRows } from './compare.ts'

const fixtures = new URL('../../fixtures/recordings/', import.meta.url).pathname
const SNAPSHOT = 4394
const LAST = 4480
/** Block of the node's tables. */
const HEAD = 4478

/** Frames by block; the ABI is the first one. */
function readFrames(): { abi: string; frames: Uint8Array[] } {
  const bytes = gunzipSync(readFileSync(`${fixtures}snap-1.ship.gz`))
  const frames: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32LE(at)
    frames.push(bytes.subarray(at + 4, end))
    at = end
  }
  const [abi, ...rest] = frames
  return { abi: Buffer.from(abi!).toString(), frames: rest }
}

const { abi, frames } = readFrames()
const state = JSON.parse(await readText(`${fixtures}snap-1.state.json.gz`))

/** Serves the frames with the real node's status. */
async function snapshotNode(t: Test, deltasBegin = SNAPSHOT): Promise<string> {
  const position = { num: LAST, id: state.head_id }
  const server = await ShipServer.start({
    abi,
    version: 1,
    status: () => ({
      ...{ head: position, lib: position, chainId: state.chain_id },
      traces: { begin: SNAPSHOT + 1, end: LAST + 1 },
      deltas: { begin: deltasBegin, end: LAST + 1 },
      finality: { begin: SNAPSHOT + 1, end: LAST + 1 },
    }),
    *blocks({ start, end }: ReceivedRequest) {
      for (let num = start; num < Math.min(end, LAST + 1); num++) yield { raw: frames[num - SNAPSHOT]! }
    },
  })
  t.teardown(() => server.stop())
  return server.url
}

const sourceOf = (...urls: string[]) => new ShipSource({ urls, chain: 'telos', chainId: state.chain_id })

/** The same blocks, each irreversible when it is sent. */
function irreversible(source: ShipSource): BlockSource {
  return {
    name: 'irreversible',
    stateBlock: (...args) => source.stateBlock(...args),
    firstState: (...args) => source.firstState(...args),
    async *blocks(start, signal) {
      for await (const block of source.blocks(start, signal)) yield { ...block, lib: block.head }
    },
  }
}

t.test('the node’s state is found without a setting, and equals the node’s tables', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['telos'] })
  const node = await snapshotNode(t)
  const { position } = await indexExchange(url, 'telos', sourceOf(node), HEAD)
  t.match(position, { num: HEAD, id: state.head_id, firstBlock: SNAPSHOT + 1 })
  const at = await pool.query(`select first_block::int4, state_block::int4 from head.position`)
  t.same(at.rows, [{ first_block: SNAPSHOT + 1, state_block: SNAPSHOT }])
  const expected = await nodeState(`${fixtures}snap-1.state.json.gz`)
  t.same([...expected.keys()].sort(), ['bridge_routes', 'markets', 'orders', 'pools', 'positions', 'ticks', 'wdraws'])
  checkState(t, pool, 'telos', expected)
  t.test('a backfill by workers finds the same state', async (t) => {
    const accounts = { ...PROFILE, wrap: 'wrap.svc' }
    const common = { chain: 'ranges', databaseUrl: url, source: irreversible(sourceOf(node)), accounts, pollMs: 20 }
    const over = new AbortController()
    const working = runWorker({
      ...{ ...common, systemAccount: 'eosio', tokenContracts: '*', signal: over.signal },
      events: { failed: (_, error) => t.fail(error.message) },
    })
    const { signal } = new AbortController()
    await backfill({ ...common, chainId: state.chain_id, startBlock: 2, endBlock: HEAD, rangeBlocks: 50, signal })
    over.abort()
    await working
    const { rows } = await pool.query(
      `select first_block::int4, block_num::int4, state_block::int4 from head.position where chain = 'ranges'`,
    )
    t.same(rows, [{ first_block: SNAPSHOT + 1, block_num: HEAD, state_block: SNAPSHOT }])
    await sameRows(t, pool, ['state', 'ledger', 'derive'], 'ranges', 'telos')
  })
  t.test('a replay of its recording has the same rows', async (t) => {
    await indexExchange(url, 'replayed', new ReplaySource(`${fixtures}snap-1.ship.gz`), HEAD)
    await sameRows(t, pool, ['state', 'ledger', 'derive'], 'replayed', 'telos')
  })
  t.test('balances equal the node’s own rows', async (t) => {
    const wanted: string[] = []
    for (const [key, rows] of Object.entries<{ balance: string }[]>(state.tables)) {
      const [contract, account, table] = key.split('/')
      if (table === 'accounts') for (const { balance } of rows) wanted.push(`${contract} ${account} ${balance}`)
    }
    const { rows } = await pool.query(
      `select contract || ' ' || account || ' ' || trim_scale(quantity) || ' ' || symbol as text,
         contract || ' ' || account || ' ' || symbol as key, quantity::text from head.balances where account = any($1)`,
      [['swap.svc', 'alice', 'bob', 'carol', 'dave', 'erin']],
    )
    const found = new Map(rows.map(({ key, quantity }) => [key, quantity]))
    t.ok(wanted.length >= 48)
    for (const line of wanted) {
      const [contract, account, amount, symbol] = line.split(' ')
      t.equal(found.get(`${contract} ${account} ${symbol}`), amount, line)
    }
  })
  t.test('the ABIs of the state are stored', async (t) => {
    const abis = await pool.query(`select account from ledger.abis where block_num = $1 order by 1`, [SNAPSHOT])
    for (const account of ['bridge.svc', 'svcdexmain', 'swap.svc'])
      t.ok(
        abis.rows.some((row) => row.account === account),
        account,
      )
    t.equal(Number((await pool.query('select count(*) as n from ledger.undecoded_rows')).rows[0].n), 0)
  })
})

t.test('a block that does not hold the announced whole state is refused', async (t) => {
  const { url } = await testDatabase(t, { chains: ['telos'] })
  const source = sourceOf(await snapshotNode(t))
  const signal = new AbortController().signal
  for (const said of [SNAPSHOT, SNAPSHOT + 1])
    t.match(await source.firstState(said, said, signal), { num: SNAPSHOT }, 'the state before it is used')
  await t.rejects(source.firstState(SNAPSHOT + 5, SNAPSHOT + 5, signal), {
    code: 'FULL_STATE_BLOCK',
    message: /the deltas of block 4394 .*, not in those of block 4399/,
  })
  t.equal(await source.firstState(SNAPSHOT + 5, undefined, signal), null, 'a later start knows no state, and says so')
  t.ok(url)
})

t.test(
  'the state is used for a start up to the next block, unless another node serves that block without a state',
  async (t) => {
    const node = await snapshotNode(t)
    const { signal } = new AbortController()
    const found = (from: number, ...more: string[]) => sourceOf(node, ...more).stateBlock(from, undefined, signal)
    for (const from of [2, SNAPSHOT, SNAPSHOT + 1]) t.equal(await found(from), SNAPSHOT, `from ${from}`)
    t.equal(await found(SNAPSHOT + 2), null)
    const pruned = await snapshotNode(t, SNAPSHOT + 1)
    t.equal(await found(SNAPSHOT, pruned), SNAPSHOT)
    t.equal(await found(SNAPSHOT + 1, pruned), null)
  },
)

t.test('the state of the genesis block is not used by a start at block 2', async (t) => {
  const status = () => ({ traces: { begin: 2, end: 9 }, deltas: { begin: 1, end: 9 } })
  const { url } = await serve(t, { status, blocks: () => [] })
  const found = (from: number, fullState?: number) =>
    new ShipSource({ urls: [url] }).stateBlock(from, fullState, new AbortController().signal)
  t.same([await found(1), await found(2), await found(2, 2), await found(3)], [1, null, 1, null])
})
