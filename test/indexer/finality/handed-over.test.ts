// A finalizer policy may vote only after certificates of an earlier one made it pending for good. Otherwise the sender of the
// blocks replaces the trusted policy by their own.
import t from 'tap'
import {
  BLOCK_EXTENSION,
  blockId,
  type Extension,
  packSignedBlock,
  readSignedBlock,
} from '../../../core/antelope/block.ts'
import { EMPTY_ROOT } from '../../../core/antelope/merkle.ts'
import { packFinalityData, readFinalityData } from '../../../core/finality/finality-data.ts'
import { finalizerPolicyDigest, packFinalizerPolicy } from '../../../core/finality/finalizer-policy.ts'
import { FinalityFollower } from '../../../core/finality/follower.ts'
import { readQuorumCertificate } from '../../../core/finality/quorum-certificate.ts'
import { type FinalityStart, startFromJson, startToJson } from '../../../core/finality/start.ts'
import { type Tracked, track } from '../../../core/finality/track.ts'
import { toHex } from '../../../core/hex.ts'
import { Chain } from '../../../devnet/chain/chain.ts'
import { Finalizers } from '../../../devnet/chain/finalizers.ts'
import type { PackedBlock } from '../../../indexer/source/source.ts'

const LAST = 20
const chain = new Chain({
  ...{ chainId: 'ab'.repeat(32), seed: 'honest', startTime: Date.parse('2026-01-01T00:00:00Z'), contracts: [] },
})
for (let i = 0; i < LAST; i++) chain.produce(i === 12 ? { finalizers: [2, 3, 4, 5] } : {})
const first = chain.firstBlock
const last = chain.head.num
const digest = toHex(finalizerPolicyDigest(chain.genesisPolicy()))

function packed(num: number): PackedBlock {
  const { prevId, ...stored } = chain.block(num)!
  const position = { num, id: stored.id }
  return { kind: 'packed', ...stored, prevId: prevId ?? '0'.repeat(64), head: position, lib: position }
}

interface Forgery {
  /** Generation of the forger's policy. */
  generation: number
  /** First block with a certificate of the forger. */
  certifiedFrom: number
  /** Generations that a block names, from the block on in which the forger's policy becomes pending. */
  named?: (num: number) => { activeGeneration: number; lastPendingGeneration: number }
}

/** The chain with the honest genesis block, in which the next block makes the forger's policy pending and active. */
function forged({ generation, certifiedFrom, named }: Forgery): PackedBlock[] {
  const finalizers = new Finalizers('forger')
  const policy = finalizers.policy(generation, [0, 1, 2, 3])
  const tracked = new Map<number, Tracked>()
  const blocks: PackedBlock[] = []
  for (let num = first; num <= last; num++) {
    const honest = packed(num)
    const data = readFinalityData(honest.finality!)
    const { packedHeader, signature, transactions, extensions } = readSignedBlock(honest.block)
    const header = Buffer.from(packedHeader)
    if (num > first) {
      const claimed = tracked.get(data.claimBlockNum)!
      const generations = named?.(num) ?? { activeGeneration: generation, lastPendingGeneration: generation }
      const pendingPolicy = num === first + 1 ? policy : null
      Object.assign(data, generations, { pendingPolicy, claimFinalityDigest: claimed.block.finalityDigest })
      header.set(data.claimBlockNum === first ? EMPTY_ROOT : claimed.lineage.tree.root(), 78)
    }
    const signed = (extension: Extension): Extension[] => {
      if (extension.id !== BLOCK_EXTENSION.quorumCertificate) return [extension]
      const { blockNum } = readQuorumCertificate(extension.data)
      if (blockNum === first) return [extension]
      if (num < certifiedFrom) return []
      const { finalityDigest } = tracked.get(blockNum)!.block
      const certificate = { blockNum, finalityDigest, active: policy, pending: null, strong: true }
      return [{ ...extension, data: finalizers.sign(certificate) }]
    }
    const block = packSignedBlock(header, signature, transactions, extensions.flatMap(signed))
    const position = { num, id: blockId(header, num) }
    const source = { ...honest, ...position, block, finality: packFinalityData(data), head: position, lib: position }
    tracked.set(num, track(tracked.get(num - 1)?.lineage ?? null, source))
    blocks.push(source)
  }
  return blocks
}

/** Follows blocks and verifies the newest certificate, as `headwater fetch` and `headwater logs check` do. */
function followed(blocks: readonly PackedBlock[], start: FinalityStart | null = null): FinalityFollower {
  const follower = new FinalityFollower({ chain: 'telos', bridge: '', start })
  for (const block of blocks) follower.follow(block, false)
  follower.checkNewest()
  return follower
}

const honest = Array.from({ length: last - first + 1 }, (_, i) => packed(first + i))

t.test('a valid change of policy is followed, from the genesis block and from each start', async (t) => {
  const { knownPolicies, root, verified } = followed(honest)
  t.equal(knownPolicies.length, 2)
  t.equal(toHex(root!.digest), digest)
  t.ok(verified >= 3)
  for (let num = first + 4; num < last - 3; num++) {
    const start = followed(honest.slice(0, num - first + 1)).asStart!
    t.ok(followed(honest.slice(num - first + 1), start).root, `from block ${num + 1}`)
  }
})

t.test('a policy that no certificate of the first one confirms may not vote', async (t) => {
  const refused = { code: 'FINALITY_MISMATCH', message: /policy/ }
  const ways: Record<string, Forgery> = {
    'certificates from the start': { generation: 2, certifiedFrom: first },
    'a certificate in the last block alone': { generation: 2, certifiedFrom: last },
    'another policy of generation 1': { generation: 1, certifiedFrom: first },
    'a policy that is pending first': {
      ...{ generation: 2, certifiedFrom: last },
      named: (num) => ({ activeGeneration: num > last - 6 ? 2 : 1, lastPendingGeneration: 2 }),
    },
  }
  for (const [what, way] of Object.entries(ways)) t.throws(() => followed(forged(way)), refused, what)
})

t.test('a start with a policy that its block does not commit to is refused', async (t) => {
  const start = startToJson(followed(honest.slice(0, 8)).asStart!)
  const own = new Finalizers('forger')
  const policy = (generation: number) => {
    return { blockNum: 1, slot: 1, policy: toHex(packFinalizerPolicy(own.policy(generation, [0, 1, 2, 3]))) }
  }
  const [active] = start.policies
  const refused = { code: 'INVALID_FINALITY_START' }
  t.throws(() => startFromJson({ ...start, policies: [policy(0), active, policy(2)] }), refused, 'three policies')
  t.throws(() => startFromJson({ ...start, policies: [policy(1), active] }), refused, 'one generation twice')
  const later = { ...active, blockNum: first + 100 }
  t.throws(() => startFromJson({ ...start, policies: [later] }), refused, 'a policy of a later block')
})
