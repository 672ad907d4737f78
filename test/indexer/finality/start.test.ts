// A chain indexed from its middle proves blocks after an imported start. Wrong starts are refused before anything is
// stored. Without a start, the indexer says why it stores no proof data.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import t, { type Test } from 'tap'
import { type FinalityStart, type StartJson, startFromJson } from '../../../core/finality/start.ts'
import { toHex } from '../../../core/hex.ts'
import { startShip } from '../../../devnet/ship/server.ts'
import { SqlSource } from '../../../finality-store/proof-source.ts'
import { exportStart, importStart } from '../../../indexer/finality/import-start.ts'
import { readStartFile } from '../../../indexer/finality/start-file.ts'
import { indexChain } from '../../../indexer/run.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import { Telos } from '../../proofs/telos.ts'
import { testDatabase } from '../../support/database.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ADDRESS, prove } from './random-ledger.ts'
import { snapshotFile } from './snapshot-file.ts'

const folder = temporaryFolder(t)
const signal = new AbortController().signal
const exported = async (url: string, chain: string) => (await exportStart(url, chain)).json as StartJson
const startFile = async (path: string) => (await readStartFile(path)) as FinalityStart

async function open(t: Test) {
  const telos = new Telos([{ domain: 1, vault: ADDRESS, token: ADDRESS, symbol: 'USDC', scale: 1n }])
  const ship = await startShip(telos.chain)
  t.teardown(() => ship.stop())
  const { url, pool } = await testDatabase(t, { chains: ['whole', 'middle'] })
  const { chainId } = telos.chain
  const source = () => new ShipSource({ urls: [ship.url], chain: 'x', backoffMs: [5, 50] })
  const unfollowed: string[] = []
  const index = (chain: string, startBlock: number, endBlock = telos.chain.head.num) =>
    indexChain({
      ...{ chain, databaseUrl: url, source: source(), chainId, startBlock, endBlock, signal },
      ...{ accounts: { bridge: 'bridge.svc', wrap: 'wrap.svc' }, systemAccount: 'eosio', tokenContracts: '*' },
      finality: { bridge: 'bridge.svc', onUnfollowed: (block, reason) => unfollowed.push(`${block}: ${reason}`) },
      events: {
        ...{ opened() {}, committed() {}, decoded() {}, forked() {} },
        retrying: (error) => t.fail(`${error.code}: ${error.message}`),
      },
    })
  const start = (chain: string, from: FinalityStart) =>
    importStart({ chain, databaseUrl: url, chainId, source: source(), start: from, signal })
  return { telos, url, pool, index, start, unfollowed }
}

const burned = (telos: Telos) => telos.withdraw('USDC', 7n, 1, ADDRESS)
/** A light client with the policy of the start. */
const proofOf = (pool: Pool, chain: string, id: bigint) =>
  prove(new SqlSource(pool, chain), id, { generation: 2, newest: 2 })
const kept = async (pool: Pool) => (await pool.query('select chain from meta.finality_starts order by 1')).rows

t.test(
  'a start from another database is advanced to the last indexed block, and later blocks are proved',
  async (t) => {
    const { telos, url, pool, index, start, unfollowed } = await open(t)
    telos.produce({ finalizers: [1, 2, 3, 4, 5] })
    telos.idle(8)
    await index('whole', telos.chain.firstBlock)
    const { blockNum, json } = await exportStart(url, 'whole')
    t.equal(blockNum, telos.chain.lib.num)
    const file = join(folder, 'start.json')
    writeFileSync(file, JSON.stringify(json))
    const from = await startFile(file)

    telos.idle(5)
    const first = telos.chain.head.num - 3
    await index('middle', first)
    t.equal(unfollowed.length, 1)
    t.match(unfollowed[0], `${first}: indexing began after the Savanna genesis block`)
    telos.idle(3)
    const at = telos.chain.head.num - 3
    const made = await start('middle', from)
    t.equal(made.lineage.blockNum, at, 'the last block indexed')
    const early = burned(telos)
    telos.idle(3)
    telos.produce({ finalizers: [2, 3, 4, 5] })
    telos.idle(5)
    const late = burned(telos)
    telos.idle(3)
    await index('middle', first)
    await index('whole', telos.chain.firstBlock)
    for (const id of [early, late]) {
      const proof = await proofOf(pool, 'middle', id)
      t.ok(proof)
      t.same(proof?.proof.hard.release, (await proofOf(pool, 'whole', id))?.proof.hard.release)
      t.same(proof?.proof.hard.submitRoot, (await proofOf(pool, 'whole', id))?.proof.hard.submitRoot)
    }
    t.equal(unfollowed.length, 1, 'nothing else was left out')
    await t.rejects(start('middle', from), { code: 'FINALITY_FOLLOWED' })
    t.same((await exported(url, 'middle')).peaks, (await exported(url, 'whole')).peaks)
  },
)

t.test('a start may contain leaves instead of peaks, and a chain may be indexed from that start on', async (t) => {
  const { telos, url, pool, index, start, unfollowed } = await open(t)
  telos.produce({ finalizers: [1, 2, 3, 4, 5] })
  telos.idle(9)
  await index('whole', telos.chain.firstBlock)
  const json = await exported(url, 'whole')
  const { rows } = await pool.query<{ leaf: Uint8Array }>(
    `select substring(nodes for 32) as leaf from ledger.finality where block_num <= $1 order by block_num`,
    [telos.chain.lib.num],
  )
  const leaves = rows.map(({ leaf }) => toHex(leaf)).join('')
  const { peaks: _, ...rest } = json
  const from = startFromJson({ ...rest, leaves })
  t.same(from.lineage.tree.peaks.map(toHex), json.peaks)
  t.throws(() => startFromJson({ ...rest, leaves: leaves.slice(64) }), { code: 'INVALID_FINALITY_START' })
  const made = await start('later', from)
  t.equal(made.lineage.blockNum, from.lineage.blockNum)
  const id = burned(telos)
  telos.idle(4)
  await index('later', from.lineage.blockNum - 2)
  t.same(unfollowed, [], 'blocks before the start wait for it')
  t.ok(await proofOf(pool, 'later', id))
  telos.idle(2)
  await index('passed', from.lineage.blockNum + 2, from.lineage.blockNum + 3)
  t.match(unfollowed[0], 'indexing began after the Savanna genesis block')
})

t.test('a snapshot is a start', async (t) => {
  const { telos, pool, index, start } = await open(t)
  telos.produce({ finalizers: [1, 2, 3, 4, 5] })
  telos.idle(2)
  telos.follow()
  const { num } = telos.chain.lib
  const { tree, lastPending } = telos.storeAt(num).lineage!
  const [active, pending = null] = (await telos.store.policies()).filter(({ blockNum }) => blockNum <= num)
  const { id, block } = telos.chain.block(num)!
  const bytes = snapshotFile({ id, block, tree, active: active!, pending, lastPending })
  const file = join(folder, 'snapshot.bin')
  writeFileSync(file, bytes)
  const from = await startFile(file)
  const burn = burned(telos)
  telos.idle(4)
  await start('telos', from)
  await index('telos', num + 1)
  t.ok(await proofOf(pool, 'telos', burn))

  const damaged = (name: string, content: Uint8Array) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return startFile(path)
  }
  await t.rejects(damaged('cut', bytes.subarray(0, 200)), { code: 'SNAPSHOT_TORN' })
  await t.rejects(damaged('packed', Buffer.from('28b52ffd00000000', 'hex')), { code: 'SNAPSHOT_ZSTD', hint: /zstd/ })
  await t.rejects(damaged('text', Buffer.from('no JSON')), { code: 'INVALID_FINALITY_START' })
  await t.rejects(damaged('empty', Buffer.from('')), { code: 'INVALID_FINALITY_START' })
  await t.rejects(damaged('other', Buffer.from('{"genesis":1}')), { code: 'INVALID_FINALITY_START' })
})

t.test('false starts are refused', async (t) => {
  const { telos, url, pool, index, start } = await open(t)
  telos.idle(8)
  telos.produce({ finalizers: [1, 2, 3, 4, 5] })
  telos.idle(8)
  await index('whole', telos.chain.firstBlock)
  const json = await exported(url, 'whole')
  telos.idle(8)
  const flip = (hex: string, at = hex.length - 1) =>
    hex.slice(0, at) + (Number.parseInt(hex[at]!, 16) ^ 1).toString(16) + hex.slice(at + 1)
  const policies = (change: (policy: string) => string) =>
    json.policies.map((entry) => ({ ...entry, policy: change(entry.policy) }))
  const wrong: [string, Partial<StartJson>, string][] = [
    ['a peak', { peaks: json.peaks!.map((peak) => flip(peak)) }, 'FINALITY_MISMATCH'],
    ['too few peaks', { peaks: json.peaks!.slice(1) }, 'INVALID_PEAKS'],
    ['the genesis block', { genesis: json.genesis - 2 ** json.peaks!.length }, 'INVALID_PEAKS'],
    ['the time', { slot: json.slot + 1 }, 'FINALITY_MISMATCH'],
    ['the start of the policy', { policyStart: json.policyStart - 1 }, 'FINALITY_MISMATCH'],
    ['a key', { policies: policies((policy) => flip(policy)) }, 'FINALITY_MISMATCH'],
    ['the block', { blockId: flip(json.blockId) }, 'FINALITY_MISMATCH'],
    ['no policy', { policies: [] }, 'INVALID_FINALITY_START'],
  ]
  for (const [what, change, code] of wrong) {
    const attempt = async () => start('false', startFromJson({ ...json, ...change }))
    await t.rejects(attempt(), { code }, what)
  }
  t.same(await kept(pool), [], 'nothing is kept')
  await start('false', startFromJson(json))
  t.same(await kept(pool), [{ chain: 'false' }], 'the true one is')
})
