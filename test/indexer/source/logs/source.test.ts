// The source `logs` gives the same database as a recording or state history, and one stream from the logs to the node's
// head.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { LogSource, type LogSourceOptions } from '../../../../indexer/source/logs/source.ts'
import { ReplaySource } from '../../../../indexer/source/replay.ts'
import { ShipSource } from '../../../../indexer/source/ship/source.ts'
import type { PackedBlock, StartPosition } from '../../../../indexer/source/source.ts'
import { verifyChain } from '../../../../indexer/verify/verify.ts'
import { testDatabase } from '../../../support/database.ts'
import { unpackNode } from '../../../support/node-logs.ts'
import { finalChain, recordedBlocks, writeNodeLogs } from '../../../support/recorded-logs.ts'
import { nodeServing } from '../../../support/serving-node.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { indexExchange, indexRecording } from '../../replay/index-recording.ts'

const CHAIN_ID = '9ab8455e7f69aec914f61a19964a2612ea829cd28594b3ac7a8544b05a3d0573'
const small = new URL('../../../fixtures/recordings/small.ship.gz', import.meta.url).pathname

const sourceOf = (folder: string, options: Partial<LogSourceOptions> = {}) =>
  new LogSource({ folders: [folder], chain: 'wax', ...options })

async function collect(source: LogSource, start: Partial<StartPosition> = {}): Promise<PackedBlock[]> {
  const blocks: PackedBlock[] = []
  for await (const block of source.blocks({ from: 2, have: [], ...start }, new AbortController().signal))
    blocks.push(block)
  return blocks
}

/** A node that has some of the blocks and sends them unchanged. */
const nodeWith = async (t: Test, blocks: readonly PackedBlock[], chainId = CHAIN_ID): Promise<ShipSource> =>
  new ShipSource({ urls: [await nodeServing(t, blocks, chainId)], chain: 'wax', backoffMs: [10, 20] })

t.test('logs of every generation give the database of the recording', async (t) => {
  const { url } = await testDatabase(t)
  const folder = temporaryFolder(t)
  writeNodeLogs(folder, await recordedBlocks('small'))
  await indexRecording(url, 'recorded', new ReplaySource(small))
  await indexRecording(url, 'logs', sourceOf(folder))
  const [recorded, logs] = [await verifyChain(url, 'recorded'), await verifyChain(url, 'logs')]
  t.equal(logs.digest.sha256, recorded.digest.sha256)
  t.ok(logs.ok && logs.digest.tables.length > 10)
})

t.test('plain logs with forks, partitions, and a running node give the same database', async (t) => {
  const { url, pool } = await testDatabase(t)
  const forks = unpackNode(t, 'forks')
  const all = await collect(sourceOf(forks))
  t.same([all[0]!.num, all.at(-1)!.num, all.length], [2, 594, 593])
  const early = temporaryFolder(t)
  writeNodeLogs(early, [...all.slice(0, 450)], { irreversible: 400, identity: Buffer.from(CHAIN_ID, 'hex') })
  const events: string[] = []
  const live = await nodeWith(t, all.slice(390))
  const onLogs: LogSourceOptions['onLogs'] = ({ range, ended }) => events.push(`${range.from}-${range.to} ${ended}`)
  await indexExchange(url, 'plain', sourceOf(forks))
  await indexExchange(url, 'partitions', sourceOf(unpackNode(t, 'partitions')))
  const last = await indexExchange(url, 'both', sourceOf(early, { live, onLogs }), 594)
  t.same(events, ['2-400 false', '400-400 true'])
  t.equal(last.position.num, 594)
  const digests = await Promise.all(['plain', 'partitions', 'both'].map((chain) => verifyChain(url, chain)))
  const [plain] = digests
  for (const { chain, digest, ok } of digests) {
    t.ok(ok, `${chain} is consistent`)
    // The partitioned log of deltas begins with block 2, so that entry has the whole state, with one more ABI.
    const same = (table: { table: string }) => table.table !== 'ledger.abis' || chain !== 'partitions'
    t.same(digest.tables.filter(same), plain!.digest.tables.filter(same), chain)
  }
  const abis = 'select account, block_num::int4 from ledger.abis where chain ='
  const more = await pool.query(`${abis} 'partitions' except ${abis} 'plain'`)
  t.same(more.rows, [{ account: 'eosio', block_num: 2 }])
  t.ok(plain!.digest.tables.some(({ table, rows }) => table === 'ledger.swaps' && rows > 10))
})

t.test('the chain id comes from the block log, and another one is refused', async (t) => {
  const folder = unpackNode(t, 'forks')
  const signal = new AbortController().signal
  t.equal(await sourceOf(folder).chainId(signal), CHAIN_ID)
  await t.rejects(collect(sourceOf(folder, { chainId: 'ab'.repeat(32) })), { code: 'OTHER_CHAIN' })
  const live = await nodeWith(t, await collect(sourceOf(folder)), 'cd'.repeat(32))
  const early = temporaryFolder(t)
  writeNodeLogs(early, (await collect(sourceOf(folder))).slice(0, 100), { identity: Buffer.from(CHAIN_ID, 'hex') })
  await t.rejects(collect(sourceOf(early, { live })), { code: 'OTHER_CHAIN' }, 'nor is that of the node that goes on')
})

t.test('reading continues after an indexed block, and after one that a fork replaced', async (t) => {
  const folder = unpackNode(t, 'forks')
  const all = await collect(sourceOf(folder))
  const at = (num: number) => ({ num, id: all[num - 2]!.id })
  const lost = (num: number) => ({ num, id: num.toString(16).padStart(8, '0').padEnd(64, 'f') })
  const next = await collect(sourceOf(folder), { from: 301, have: [at(300)], to: 310 })
  t.same([next[0]!.num, next.length], [301, 10])
  const forked = await collect(sourceOf(folder), { from: 304, have: [at(300), at(301), lost(302), lost(303)], to: 310 })
  t.same([forked[0]!.num, forked.length], [302, 9])
  const whole = await collect(sourceOf(folder), { from: 302, have: [lost(300), lost(301)], lib: 299, to: 303 })
  t.same(
    whole.map(({ num }) => num),
    [300, 301, 302, 303],
  )
  await t.rejects(collect(sourceOf(folder), { from: 301, have: [lost(300)] }), {
    code: 'LOG_OTHER_BRANCH',
    place: { block: 300 },
  })
  t.same(await collect(sourceOf(folder), { from: 595, have: [at(594)] }), [], 'nothing is left')
})

t.test('missing ranges are named before anything is read', async (t) => {
  const all = await collect(sourceOf(unpackNode(t, 'forks')))
  const [low, high] = [temporaryFolder(t), temporaryFolder(t)]
  const identity = Buffer.from(CHAIN_ID, 'hex')
  writeNodeLogs(low, all.slice(0, 100), { identity })
  writeNodeLogs(high, all.slice(200), { identity })
  const both = new LogSource({ folders: [low, high], chain: 'wax' })
  await t.rejects(collect(both), {
    code: 'LOG_RANGE_MISSING',
    message: /blocks: 102 to 201; trace_history: 102 to 201; chain_state_history: 102 to 201/,
    hint: /begin an empty database at block 202/,
    place: { block: 102 },
  })
  t.equal((await collect(both, { from: 202 })).length, 393)
  const live = await nodeWith(t, all.slice(300))
  await t.rejects(collect(sourceOf(low, { live })), {
    code: 'LOG_RANGE_MISSING',
    message: /end with block 101, the node has blocks from 302 on: blocks 102 to 301/,
  })
})

t.test('folders without a block log, without traces, and without anything', async (t) => {
  const folder = unpackNode(t, 'forks')
  await t.rejects(collect(sourceOf(join(folder, 'state-history'))), { code: 'LOG_NOT_THERE', message: /`blocks`/ })
  await t.rejects(collect(sourceOf(join(folder, 'blocks'))), { code: 'LOG_NOT_THERE', message: /`trace_history`/ })
  await t.rejects(collect(sourceOf(temporaryFolder(t))), { code: 'NO_LOGS' })
  await t.rejects(collect(sourceOf(join(folder, 'nothing'))), { code: 'NO_LOGS' })
  const apart = new LogSource({ folders: [join(folder, 'state-history'), join(folder, 'blocks')] })
  t.equal((await collect(apart)).length, 593)
})

t.test('the state of a snapshot is found as with state history', async (t) => {
  const signal = new AbortController().signal
  const source = sourceOf(unpackNode(t, 'snapshot'))
  for (const from of [2, 1678, 1679]) t.equal(await source.stateBlock(from, undefined, signal), 1678, `from ${from}`)
  t.equal(await source.stateBlock(1680, undefined, signal), null, 'a later start')
  const state = await source.firstState(2, undefined, signal)
  t.match(state, { num: 1678, id: /^0000068e/ })
  t.ok(state!.deltas.length > 300_000)
  t.equal(await sourceOf(unpackNode(t, 'forks')).stateBlock(2, undefined, signal), null, 'a log that has block 2')
  await t.rejects(source.firstState(1700, 1700, signal), { code: 'FULL_STATE_BLOCK' })
})

t.test('orphaned branches in the logs are skipped', async (t) => {
  const blocks = await recordedBlocks('forks')
  const final = finalChain(blocks)
  t.ok(blocks.length > final.length)
  const folder = temporaryFolder(t)
  writeNodeLogs(folder, blocks)
  const read = await collect(sourceOf(folder), { from: final[0]!.num })
  t.same(
    read.map(({ id }) => id),
    final.map(({ id }) => id),
  )
})
