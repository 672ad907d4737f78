// Wrong finality data of a node is an error with chain, block and remedy. Data that a chain does not have yet is not.
import t from 'tap'
import { packSignedBlock, readSignedBlock } from '../../../core/antelope/block.ts'
import { packFinalityData, readFinalityData } from '../../../core/finality/finality-data.ts'
import { FinalityFollower } from '../../../core/finality/follower.ts'
import { packQuorumCertificate, readQuorumCertificate } from '../../../core/finality/quorum-certificate.ts'
import { executedActions } from '../../../core/finality/receipts.ts'
import { Chain } from '../../../devnet/chain/chain.ts'
import type { PackedBlock } from '../../../indexer/source/source.ts'
import { Telos } from '../../proofs/telos.ts'
import { ADDRESS } from './random-ledger.ts'

const telos = new Telos([{ domain: 1, vault: ADDRESS, token: ADDRESS, symbol: 'USDC', scale: 1n }])
const burn = telos.chain.head.num + 1
telos.withdraw('USDC', 7n, 1, ADDRESS)
telos.idle(3)
const { chain } = telos

function packed(num: number, of: Chain = chain): PackedBlock {
  const { prevId, ...stored } = of.block(num)!
  const lib = { num: Math.max(of.firstBlock, num - 2), id: '' }
  return { kind: 'packed', ...stored, prevId: prevId ?? '0'.repeat(64), head: of.head, lib }
}

/** Follows up to a block. */
function followedTo(last: number, onUnfollowed?: (block: number, reason: string) => void): FinalityFollower {
  const follower = new FinalityFollower({ chain: 'telos', bridge: 'bridge.svc', start: null, onUnfollowed })
  for (let num = chain.firstBlock; num <= last; num++) follower.follow(packed(num), num === burn)
  return follower
}

const tables = (rows: { table: string }[]) => rows.map(({ table }) => table).sort()

t.test('rows of a genesis block, of a burn and of others', async (t) => {
  const follower = followedTo(chain.firstBlock - 1)
  const all = new Map<number, string[]>()
  for (let num = chain.firstBlock; num <= chain.head.num; num++) {
    all.set(num, tables(follower.follow(packed(num), num === burn)))
  }
  t.same(all.get(chain.firstBlock), ['finality', 'finalizer_policies'])
  t.ok(all.get(burn)?.includes('bridge_logs'))
  t.same(all.get(chain.head.num), ['certificates', 'finality'])
  t.ok(follower.isConfirmed)
})

t.test('a chain before Savanna has no rows, and no error', async (t) => {
  const old = new Chain({
    ...{ chainId: 'ab'.repeat(32), seed: 'old', startTime: Date.parse('2026-01-01T00:00:00Z'), contracts: [] },
    legacyLag: 3,
  })
  for (let i = 0; i < 3; i++) old.produce()
  const follower = new FinalityFollower({
    ...{ chain: 'wax', bridge: 'bridge.svc', start: null },
    onUnfollowed: () => t.fail('nothing is amiss'),
  })
  for (let num = old.firstBlock; num <= old.head.num; num++) t.same(follower.follow(packed(num, old), false), [])
})

t.test('a start after the genesis block is reported once, and its blocks have no finality rows', async (t) => {
  const told: string[] = []
  const follower = new FinalityFollower({
    ...{ chain: 'telos', bridge: 'bridge.svc', start: null },
    onUnfollowed: (block, reason) => told.push(`${block}: ${reason}`),
  })
  for (let num = burn; num <= chain.head.num; num++) t.same(follower.follow(packed(num), num === burn), [])
  t.same(told, [`${burn}: indexing began after the Savanna genesis block of the chain`])
})

t.test('wrong and missing finality data stop the indexer with what to change', async (t) => {
  const num = burn + 1
  const good = packed(num)
  const data = readFinalityData(good.finality!)
  const changed = (change: object) => ({ ...good, finality: packFinalityData({ ...data, ...change }) })
  const other = new Uint8Array(32).fill(9)
  const cases: [string, PackedBlock, string, RegExp][] = [
    ['none', { ...good, finality: null }, 'FINALITY_MISSING', /finality-data-history/],
    ['another version', changed({ minor: 1 }), 'FINALITY_VERSION', /update/],
    ['a claim of a later block', changed({ claimBlockNum: num }), 'FINALITY_MISMATCH', /take another/],
    ['a claim of an earlier block', changed({ claimBlockNum: chain.firstBlock - 1 }), 'FINALITY_MISMATCH', /another/],
    ['another digest of the claimed block', changed({ claimFinalityDigest: other }), 'FINALITY_MISMATCH', /another/],
    ['another time of the claimed block', changed({ claimTimestamp: 7 }), 'FINALITY_MISMATCH', /another/],
    ['cut', { ...good, finality: good.finality!.slice(0, 40) }, 'TRUNCATED', /./],
    ['another block', { ...good, block: packed(num - 1).block }, 'FINALITY_MISMATCH', /another/],
  ]
  for (const [what, block, code, hint] of cases) {
    const error = t.throws(() => followedTo(num - 1).follow(block, false), { code }, what) as Error & {
      hint?: string
      place?: object
    }
    t.match(error.message, /^telos: /, what)
    t.match(error.place, { chain: 'telos', block: num }, what)
    if (code !== 'TRUNCATED') t.match(error.hint, hint, what)
  }
  const genesis = { ...packed(chain.firstBlock), finality: null }
  t.throws(() => followedTo(0).follow(genesis, false), { code: 'FINALITY_MISSING' }, 'the genesis block without data')
  const unpacked = { kind: 'unpacked', num } as never
  t.throws(() => followedTo(num - 1).follow(unpacked, false), { code: 'FINALITY_MISSING' }, 'another kind of source')
})

t.test('a wrong member that only the next block commits to is found at the next block', async (t) => {
  const num = burn + 1
  const good = packed(num)
  const data = readFinalityData(good.finality!)
  for (const member of ['baseDigest', 'reversibleBlocksMroot', 'actionMroot'] as const) {
    const follower = followedTo(num - 1)
    follower.follow({ ...good, finality: packFinalityData({ ...data, [member]: new Uint8Array(32).fill(9) }) }, false)
    t.throws(() => follower.follow(packed(num + 1), false), { code: 'FINALITY_MISMATCH' }, member)
  }
  const lying = { ...packed(burn), traces: packed(burn - 1).traces }
  t.same(tables(followedTo(burn - 1).follow(lying, true)).includes('bridge_logs'), false, 'other traces have no burn')
})

t.test('actions that do not lead to the root of the block are refused', async (t) => {
  const { traces } = packed(burn)
  const [log] = telos.read(burn, telos.storeAt(burn - 1)).logs
  const [executed] = executedActions(traces).filter(({ action }) => action.name === 'wdlog')
  const place = Buffer.from(traces).indexOf(Buffer.from(log!.data))
  const digest = Buffer.from(traces).indexOf(Buffer.from(executed!.receipt.actDigest))
  for (const [what, at] of Object.entries({ 'data of the action': place + 40, 'its digest': digest })) {
    const changed = Buffer.from(traces)
    changed[at]! ^= 1
    const follow = () => followedTo(burn - 1).follow({ ...packed(burn), traces: changed }, true)
    t.throws(follow, { code: 'FINALITY_MISMATCH' }, what)
  }
})

t.test('a certificate that confirms a policy has to verify', async (t) => {
  let refused = 0
  for (let num = chain.firstBlock + 1; num <= chain.head.num; num++) {
    const good = packed(num)
    const signed = readSignedBlock(good.block)
    const [extension] = signed.extensions
    if (!extension) continue
    const certificate = readQuorumCertificate(extension.data)
    const { active } = certificate
    const forged = { ...certificate, active: { ...active, strong: active.strong!.map((vote) => !vote) } }
    const data = packQuorumCertificate(forged)
    const block = packSignedBlock(signed.packedHeader, signed.signature, signed.transactions, [{ ...extension, data }])
    const follower = followedTo(num - 1)
    if (follower.isConfirmed) continue
    refused++
    t.throws(() => follower.follow({ ...good, block }, false), { code: 'CERTIFICATE_INVALID' }, `block ${num}`)
  }
  t.equal(refused, 1, 'the first one')
})
