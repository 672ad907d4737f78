import t from 'tap'
import { HEADER_EXTENSION, readSignedBlock, SAVANNA_SCHEDULE_VERSION } from '../../../core/antelope/block.ts'
import { EMPTY_ROOT, IncrementalMerkle } from '../../../core/antelope/merkle.ts'
import {
  baseDigest,
  FINALITY_MAJOR,
  FINALITY_MINOR,
  finalityDigest,
  finalityLeaf,
  type Level3,
  level2Digest,
  level3Digest,
} from '../../../core/finality/digests.ts'
import {
  type BlockRef,
  type FinalityCore,
  genesisCore,
  lastFinalOf,
  nextCore,
  refOf,
} from '../../../core/finality/finality-core.ts'
import { packFinalityData, readFinalityData } from '../../../core/finality/finality-data.ts'
import { finalityExtensionOf } from '../../../core/finality/finality-extension.ts'
import {
  applyFinalizerPolicyDiff,
  diffFinalizerPolicies,
  type FinalizerPolicy,
  finalizerPolicyDigest,
} from '../../../core/finality/finalizer-policy.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { loadVectors } from '../../fixtures/proofs/load.ts'

interface DeepMindBlock {
  block_num: number
  block_id: string
  lib: number
  signed_block: string
  finality_data: string
  expect: {
    action_mroot: string
    last_pending_policy_digest: string
    l3_digest: string
    l2_digest: string
    finality_mroot: string
    finality_digest: string
    finality_leaf: string
    validation_root: string
  }
}
interface Policy {
  generation: number
  threshold: string
  finalizers: { description: string; weight: string; public_key_le: string }[]
}
interface ConsensusBlock {
  block_num: number
  block_id: string
  signed_block: string
  expect?: {
    lib: number
    active_policy: Policy & { digest: string }
    pending_policy?: (Policy & { digest: string }) | null
    base_digest: string
    reversible_blocks_mroot: string
    latest_qc_claim_block_num: number
    latest_qc_claim_finality_digest: string
    latest_qc_claim_timestamp: number
    last_pending_start_timestamp: number
    l3_digest: string
    l2_digest: string
    finality_mroot: string
    finality_digest: string
  }
}
const deepMind = loadVectors<{ blocks: DeepMindBlock[] }>('savanna-deepmind-chain').blocks
const consensus = loadVectors<{ blocks: ConsensusBlock[] }>('savanna-consensus-chain').blocks

const EMPTY = new Uint8Array()

const policyOf = ({ generation, threshold, finalizers }: Policy): FinalizerPolicy => ({
  generation,
  threshold: BigInt(threshold),
  finalizers: finalizers.map(({ description, weight, public_key_le }) => ({
    description,
    weight: BigInt(weight),
    publicKey: fromHex(public_key_le),
  })),
})

t.test('finality data, digests and finality tree of a real chain', async (t) => {
  const genesis = deepMind[0]!
  const digests = new Map<number, string>()
  const roots = new Map<number, string>()
  let tree = IncrementalMerkle.empty
  let parentTimestamp = 0
  let lastPending = { digest: EMPTY_ROOT, start: 0 }
  for (const { block_num, signed_block, finality_data, expect } of deepMind) {
    const { header } = readSignedBlock(fromHex(signed_block))
    const data = readFinalityData(fromHex(finality_data))
    t.equal(toHex(packFinalityData(data)), finality_data, 'packs to the same bytes')
    t.equal(toHex(data.actionMroot), expect.action_mroot)
    if (data.pendingPolicy) {
      lastPending = { digest: finalizerPolicyDigest(data.pendingPolicy), start: header.timestamp }
      t.equal(toHex(lastPending.digest), expect.last_pending_policy_digest)
    }

    const l3 = level3Digest({ ...data, timestamp: header.timestamp })
    t.equal(toHex(l3), expect.l3_digest)
    const l2 = level2Digest({
      lastPendingPolicyDigest: lastPending.digest,
      lastPendingPolicyStart: lastPending.start,
      level3Digest: l3,
    })
    t.equal(toHex(l2), expect.l2_digest)
    const proper = header.scheduleVersion === SAVANNA_SCHEDULE_VERSION
    const finalityMroot = proper ? header.actionMroot : EMPTY_ROOT
    const digest = finalityDigest({ ...data, finalityMroot, level2Digest: l2 })
    t.equal(toHex(digest), expect.finality_digest)

    const { timestamp } = header
    const leaf = finalityLeaf({ ...data, blockNum: block_num, timestamp, parentTimestamp, finalityDigest: digest })
    t.equal(toHex(leaf), expect.finality_leaf)
    tree = tree.append(leaf)
    t.equal(toHex(tree.root()), expect.validation_root)
    digests.set(block_num, toHex(digest))
    roots.set(block_num, toHex(tree.root()))
    parentTimestamp = timestamp

    if (block_num > genesis.block_num) t.equal(toHex(data.claimFinalityDigest), digests.get(data.claimBlockNum))
    if (proper && data.claimBlockNum > genesis.block_num) {
      t.equal(toHex(header.actionMroot), roots.get(data.claimBlockNum), 'the header commits to the tree of its claim')
    }
  }
})

t.test('the two-chain rule gives the last irreversible blocks of a real chain', async (t) => {
  const [genesis, ...rest] = deepMind.map((block) => ({
    ...block,
    ...readSignedBlock(fromHex(block.signed_block)),
    data: readFinalityData(fromHex(block.finality_data)),
  }))
  let core: FinalityCore = genesisCore(genesis!.blockNum, genesis!.header.timestamp)
  let parent: BlockRef = {
    id: genesis!.id,
    blockNum: genesis!.blockNum,
    timestamp: genesis!.header.timestamp,
    finalityDigest: fromHex(genesis!.expect.finality_digest),
    parentTimestamp: 0,
  }
  for (const block of rest) {
    const { claim } = finalityExtensionOf(block.header)!
    core = nextCore(core, parent, claim)
    t.equal(lastFinalOf(core), block.lib)
    t.equal(toHex(core.reversible.root()), toHex(block.data.reversibleBlocksMroot))
    t.equal(refOf(core, claim.blockNum)?.timestamp, block.data.claimTimestamp)
    parent = {
      id: block.id,
      blockNum: block.blockNum,
      timestamp: block.header.timestamp,
      finalityDigest: fromHex(block.expect.finality_digest),
      parentTimestamp: parent.timestamp,
    }
  }
  t.throws(() => nextCore(core, parent, { blockNum: parent.blockNum + 1, strong: true }), RangeError, 'a later block')
  t.throws(() => nextCore(core, parent, { blockNum: 5, strong: true }), RangeError, 'an older claim')
})

t.test('digests of a real chain from its headers alone, across a change of policy', async (t) => {
  const genesisAt = consensus.findIndex((block) =>
    finalityExtensionOf(readSignedBlock(fromHex(block.signed_block)).header),
  )
  const genesis = readSignedBlock(fromHex(consensus[genesisAt]!.signed_block))
  // The chain's only producer with its key; version and time of the schedule are those of genesis.
  const activeProposers = fromHex(
    '0000000000000000010000000000ea3055000100000001000240e54a7b27e042b80a810153bec1dd166eef95fa69f6c9886ae283363bc2add80100',
  )
  let active = applyFinalizerPolicyDiff(null, finalityExtensionOf(genesis.header)!.finalizerPolicy!)
  let proposed: [number, FinalizerPolicy][] = []
  let pending = null as [number, FinalizerPolicy] | null
  let lastPending = { policy: active, start: genesis.header.timestamp }
  let core = genesisCore(genesis.blockNum, genesis.header.timestamp)
  let parent = null as BlockRef | null
  let checked = 0
  const features = new Set<string>()
  for (const { signed_block, expect } of consensus) {
    const block = readSignedBlock(fromHex(signed_block))
    const activation = block.header.headerExtensions.find(({ id }) => id === HEADER_EXTENSION.protocolFeatures)
    for (const digest of toHex(activation?.data.subarray(1) ?? EMPTY).match(/.{64}/g) ?? []) features.add(digest)
    if (block.blockNum < genesis.blockNum) continue
    const extension = finalityExtensionOf(block.header)!
    if (parent) {
      core = nextCore(core, parent, extension.claim)
      const final = lastFinalOf(core)
      if (pending && pending[0] <= final) {
        active = pending[1]
        pending = null
      }
      const promoted = pending ? undefined : proposed.findLast(([num]) => num <= final)
      if (promoted) {
        pending = [block.blockNum, promoted[1]]
        proposed = proposed.filter(([num]) => num > promoted[0])
        lastPending = { policy: promoted[1], start: block.header.timestamp }
      }
      if (extension.finalizerPolicy) {
        const base = proposed.at(-1)?.[1] ?? pending?.[1] ?? active
        const policy = applyFinalizerPolicyDiff(base, extension.finalizerPolicy)
        t.same(diffFinalizerPolicies(base, policy), extension.finalizerPolicy, 'the same change is found')
        proposed.push([block.blockNum, policy])
      }
    }
    const claimed = refOf(core, extension.claim.blockNum)
    const base = baseDigest({
      packedHeader: block.packedHeader,
      core,
      proposed,
      pending,
      activeProposers,
      proposedProposers: null,
      pendingProposers: null,
      protocolFeatures: [...features].sort().map(fromHex),
    })
    const commitment: Level3 = {
      reversibleBlocksMroot: core.reversible.root(),
      claimBlockNum: extension.claim.blockNum,
      claimFinalityDigest: claimed?.finalityDigest ?? EMPTY_ROOT,
      claimTimestamp: claimed?.timestamp ?? 0,
      timestamp: block.header.timestamp,
      baseDigest: base,
    }
    const level2 = level2Digest({
      lastPendingPolicyDigest: finalizerPolicyDigest(lastPending.policy),
      lastPendingPolicyStart: lastPending.start,
      level3Digest: level3Digest(commitment),
    })
    const digest = finalityDigest({
      major: FINALITY_MAJOR,
      minor: FINALITY_MINOR,
      activeGeneration: active.generation,
      lastPendingGeneration: lastPending.policy.generation,
      finalityMroot: block.header.scheduleVersion === SAVANNA_SCHEDULE_VERSION ? block.header.actionMroot : EMPTY_ROOT,
      level2Digest: level2,
    })
    if (expect) {
      checked++
      t.equal(lastFinalOf(core), expect.lib, `block ${block.blockNum}`)
      t.equal(toHex(finalizerPolicyDigest(active)), expect.active_policy.digest)
      t.equal(pending && toHex(finalizerPolicyDigest(pending[1])), expect.pending_policy?.digest ?? null)
      t.same(active, policyOf(expect.active_policy))
      t.equal(toHex(base), expect.base_digest)
      t.equal(toHex(commitment.reversibleBlocksMroot), expect.reversible_blocks_mroot)
      t.equal(commitment.claimTimestamp, expect.latest_qc_claim_timestamp)
      t.equal(lastPending.start, expect.last_pending_start_timestamp)
      t.equal(toHex(commitment.claimFinalityDigest), expect.latest_qc_claim_finality_digest)
      t.equal(toHex(level2), expect.l2_digest)
      t.equal(toHex(digest), expect.finality_digest)
    }
    parent = {
      id: block.id,
      blockNum: block.blockNum,
      timestamp: block.header.timestamp,
      finalityDigest: digest,
      parentTimestamp: parent?.timestamp ?? 0,
    }
  }
  t.ok(checked > 8)
})

t.test('a policy change leaves what both policies share in place', async (t) => {
  const finalizer = (n: number) => ({ description: `f${n}`, weight: 1n, publicKey: new Uint8Array(96).fill(n) })
  const policy = (generation: number, ...ns: number[]) => ({ generation, threshold: 3n, finalizers: ns.map(finalizer) })
  const from = policy(1, 1, 2, 3, 4)
  const to = policy(2, 1, 5, 3, 4, 6)
  const diff = diffFinalizerPolicies(from, to)
  t.same(diff.removeIndexes, [1])
  t.same(
    diff.insertIndexes.map(([index, { description }]) => [index, description]),
    [
      [1, 'f5'],
      [4, 'f6'],
    ],
  )
  t.same(applyFinalizerPolicyDiff(from, diff), to)
  const two = diffFinalizerPolicies(policy(1, 1, 2, 3), policy(2, 2))
  t.same(two.removeIndexes, [0, 1], 'an index counts in what the removals before it left')
  t.throws(() => applyFinalizerPolicyDiff(policy(1), two), RangeError)
})

t.test('branches of one block keep their own links and refs', async (t) => {
  const ref = (blockNum: number, mark: number): BlockRef => ({
    id: blockNum.toString(16).padStart(8, '0') + mark.toString(16).padStart(2, '0').repeat(28),
    blockNum,
    timestamp: blockNum,
    finalityDigest: new Uint8Array(32).fill(mark),
    parentTimestamp: blockNum - 1,
  })
  const claim = { blockNum: 5, strong: false }
  const grow = (from: FinalityCore, first: number, count: number, mark: number) => {
    let core = from
    for (let num = first; num < first + count; num++) core = nextCore(core, ref(num, mark), claim)
    return core
  }
  const hexOf = (core: FinalityCore) => [toHex(core.packedLinks), toHex(core.packedRefs), toHex(core.reversible.root())]
  const trunk = grow(genesisCore(5, 5), 5, 3, 1)
  const before = hexOf(trunk)
  const left = grow(trunk, 8, 40, 2)
  const right = grow(trunk, 8, 40, 3)
  t.same(hexOf(trunk), before)
  t.same(hexOf(left), hexOf(grow(grow(genesisCore(5, 5), 5, 3, 1), 8, 40, 2)), 'as if it had grown alone')
  t.same(hexOf(right), hexOf(grow(grow(genesisCore(5, 5), 5, 3, 1), 8, 40, 3)))
  t.equal(
    toHex(right.packedRefs),
    right.refs
      .map(({ id, finalityDigest }, i) => `${id}${toHex(new Uint8Array([i + 5, 0, 0, 0]))}${toHex(finalityDigest)}`)
      .join(''),
  )
  const closed = nextCore(right, ref(48, 3), { blockNum: 47, strong: true })
  t.equal(lastFinalOf(closed), 5)
  const final = nextCore(closed, ref(49, 3), { blockNum: 49, strong: true })
  t.equal(lastFinalOf(final), 47)
  t.equal(final.packedRefs.length, 3 * 68)
  t.equal(toHex(final.packedRefs.subarray(0, 4)), '0000002f')
})
