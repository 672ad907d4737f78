// The finality tree in parts, and the store from which proofs are made: growth, rewinds, starts in the middle.
import t from 'tap'
import { IncrementalMerkle, merkleProof, merkleRoot } from '../../core/antelope/merkle.ts'
import {
  completedNodes,
  lastLeafOf,
  type NodePosition,
  pathOf,
  pathPositions,
  rootOf,
  rootPositions,
} from '../../core/finality/positions.ts'
import { isGenesis, lineageAt, peaksOf, track } from '../../core/finality/track.ts'
import { sha256 } from '../../core/sha256.ts'
import { certificateVerifier } from '../../proofs/certificates.ts'
import { MemoryStore } from '../../proofs/memory-store.ts'
import { type Destination, proveWithdrawal } from '../../proofs/prove.ts'
import { LEDGER, Telos } from './telos.ts'

const VAULT = '0x00000000000000000000000000000000000000c1'
const TOKEN = '0x00000000000000000000000000000000000000c2'
const RECIPIENT = '0x00000000000000000000000000000000000000c3'
const route = { domain: 1, vault: VAULT, token: TOKEN, symbol: 'USDC', scale: 1n } as const
const nowhere: Destination = { releaseTo: VAULT, vault: VAULT, lightClient: VAULT, roots: [], generation: 1, newest: 1 }
const verify = certificateVerifier()

t.test('full nodes suffice for the roots and paths of trees of every size', async (t) => {
  const leaves = Array.from({ length: 70 }, (_, i) => sha256(Buffer.from(`leaf ${i}`)))
  const stored: Uint8Array[][] = []
  const node = (position: NodePosition) => stored[lastLeafOf(position)]![position.level]!
  for (const [index, leaf] of leaves.entries()) {
    stored.push(completedNodes(index, leaf, node))
    const count = index + 1
    const sofar = leaves.slice(0, count)
    t.same(rootOf(count, node), merkleRoot(sofar))
    const paths = sofar.map((_, i) => pathOf(i, count, node))
    t.same(
      paths,
      sofar.map((_, i) => merkleProof(sofar, i)),
    )
  }
  t.equal(
    stored.reduce((sum, nodes) => sum + nodes.length, 0),
    70 + 35 + 17 + 8 + 4 + 2 + 1,
    'each full node once',
  )
  t.throws(() => pathPositions(3, 3), RangeError)
  const deep = 2 ** 26 - 5
  t.ok(pathPositions(12_345_678, deep).length < 100, 'a few dozen reads in a tree of years')
  t.equal(rootPositions(deep).length, 25)
})

/** A followed ledger with three withdrawals in different blocks. */
function followed(): Telos {
  const telos = new Telos([route])
  for (let i = 0; i < 3; i++) {
    telos.withdraw('USDC', 1_000_000n, 1, RECIPIENT)
    telos.idle(3 + i)
  }
  telos.follow()
  return telos
}

t.test('a fork removes the proof, and the new branch has its own', async (t) => {
  const telos = followed()
  const prove = (id: bigint) => proveWithdrawal({ source: telos.store, verify, ledger: LEDGER }, id, nowhere)
  const before = await prove(0n)
  const at = telos.chain.head.num
  telos.withdraw('USDC', 2_000_000n, 1, RECIPIENT)
  telos.produce({ certificate: 'none' })
  telos.follow()
  t.equal(await prove(3n), null, 'no certificate yet')
  telos.chain.fork(2)
  telos.withdraw('USDC', 9_000_000n, 1, RECIPIENT)
  telos.idle(3)
  telos.follow(at + 1)
  const other = await prove(3n)
  t.equal(other?.proof.hard.release.amount, '9000000')
  t.same(await prove(0n), before)
  t.equal(telos.store.lineage?.blockNum, telos.chain.head.num)
  t.same(telos.store.lineage?.tree.root(), await rootOfAll(telos))
})

async function rootOfAll({ store, chain }: Telos): Promise<Uint8Array> {
  const leaves: Uint8Array[] = []
  for (let num = chain.firstBlock; num <= chain.head.num; num++) leaves.push((await store.block(num))!.leaf)
  return merkleRoot(leaves)
}

t.test('a store that starts from peaks proves later blocks, and detects false peaks', async (t) => {
  const telos = followed()
  const all = await proveWithdrawal({ source: telos.store, verify, ledger: LEDGER }, 2n, nowhere)
  const policies = await telos.store.policies()
  const at = telos.chain.firstBlock + 6
  const { tree, timestamp } = telos.storeAt(at).lineage!
  const start = (peaks: readonly Uint8Array[]) => {
    const lastPending = { digest: policies[0]!.digest, start: policies[0]!.start }
    const genesis = telos.chain.firstBlock
    return new MemoryStore(lineageAt({ genesis, blockNum: at, timestamp, peaks, lastPending }), policies)
  }
  const grow = (store: MemoryStore) => {
    for (let num = at + 1; num <= telos.chain.head.num; num++) {
      const { tracked, burns } = telos.read(num, store)
      store.append(tracked, burns)
    }
    return store
  }
  const middle = grow(start(tree.peaks))
  t.same(await proveWithdrawal({ source: middle, verify, ledger: LEDGER }, 2n, nowhere), all)
  const leaves: Uint8Array[] = []
  for (let num = telos.chain.firstBlock; num <= at; num++) leaves.push((await telos.store.block(num))!.leaf)
  t.same(peaksOf(leaves), tree.peaks, 'imported leaves lead there too')
  const peaks = tree.peaks.map((peak, i) => (i === 0 ? sha256(peak) : peak))
  t.throws(() => grow(start(peaks)), { code: 'FINALITY_MISMATCH' })
  t.throws(() => start(tree.peaks.slice(1)), { code: 'INVALID_PEAKS' })
  const wrong = lineageAt({
    genesis: telos.chain.firstBlock,
    blockNum: at,
    timestamp,
    peaks: tree.peaks,
    lastPending: { digest: policies[0]!.digest, start: policies[0]!.start + 1 },
  })
  t.throws(() => grow(new MemoryStore(wrong, policies)), { code: 'FINALITY_MISMATCH' }, 'a wrong start of the policy')
  const lagging = { ...nowhere, newest: 0 }
  const known = [{ ...policies[0]!, blockNum: 0 }]
  const late = grow(new MemoryStore(start(tree.peaks).lineage, known))
  await t.rejects(proveWithdrawal({ source: late, verify, ledger: LEDGER }, 2n, lagging), { code: 'HANDOFF_MISSING' })
})

t.test('false data of a node is refused', async (t) => {
  const telos = followed()
  const num = telos.chain.head.num
  const source = telos.chain.block(num)!
  const { lineage } = telos.storeAt(num - 1)
  t.ok(isGenesis(telos.chain.block(telos.chain.firstBlock)!))
  t.notOk(isGenesis(telos.chain.block(telos.chain.firstBlock + 1)!), 'claims the genesis block')
  t.throws(() => track(lineage, { ...source, finality: null }), { code: 'FINALITY_MISSING' })
  t.throws(() => track(lineage, telos.chain.block(num - 1)!), { code: 'FINALITY_MISMATCH' })
  t.throws(() => track(lineage, { ...source, id: telos.chain.idOf(num - 1)! }), { code: 'FINALITY_MISMATCH' })
  const changed = source.finality!.slice()
  changed[60]! ^= 1 // reversible_blocks_mroot
  const store = telos.storeAt(num - 1)
  store.append(track(lineage, { ...source, finality: changed }), [])
  telos.idle(1)
  const next = telos.read(num + 1, store).tracked
  t.throws(() => store.append(next, []), { code: 'FINALITY_MISMATCH' }, 'the next claim tells')
  const { burns } = telos.read(telos.chain.firstBlock + 2, telos.storeAt(telos.chain.firstBlock + 1))
  t.equal(burns.length, 1)
  const fresh = telos.storeAt(telos.chain.firstBlock + 1)
  const { tracked } = telos.read(telos.chain.firstBlock + 2, fresh)
  const leaves = burns[0]!.leaves.slice(1)
  t.throws(() => fresh.append(tracked, [{ ...burns[0]!, leaves }]), { code: 'FINALITY_MISMATCH' })
})

t.test('a tree in parts equals the incremental one', async (t) => {
  const telos = followed()
  const { tree } = telos.store.lineage!
  t.type(tree, IncrementalMerkle)
  const positions = rootPositions(tree.count)
  t.same(await telos.store.nodes(positions), tree.peaks)
})
