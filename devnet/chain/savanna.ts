// Savanna state of one block: the claimed certificate, policies in their three stages, the finality tree.
// Immutable. A child's state is made in two steps, because its digests cover its header.

import type { BlockHeader } from '../../core/antelope/block.ts'
import { EMPTY_ROOT, IncrementalMerkle } from '../../core/antelope/merkle.ts'
import {
  baseDigest,
  FINALITY_MAJOR,
  FINALITY_MINOR,
  finalityDigest,
  finalityLeaf,
  level2Digest,
  level3Digest,
} from '../../core/finality/digests.ts'
import {
  type BlockRef,
  type FinalityCore,
  genesisCore,
  lastFinalOf,
  latestClaimOf,
  nextCore,
  type QcClaim,
  refOf,
} from '../../core/finality/finality-core.ts'
import type { FinalityData } from '../../core/finality/finality-data.ts'
import { type FinalizerPolicy, finalizerPolicyDigest } from '../../core/finality/finalizer-policy.ts'
import { required } from '../../core/required.ts'

/** A block in the finality core of its descendants, with the finality tree up to it. */
interface TreeRef extends BlockRef {
  tree: IncrementalMerkle
}

/** State before the header is known. */
export interface SavannaDraft {
  core: FinalityCore<TreeRef>
  /** False for the genesis block and its child, whose headers follow the rules before Savanna. */
  proper: boolean
  active: FinalizerPolicy
  proposed: readonly (readonly [blockNum: number, policy: FinalizerPolicy])[]
  pending: readonly [blockNum: number, policy: FinalizerPolicy] | null
  lastPending: { policy: FinalizerPolicy; digest: Uint8Array; start: number }
  /** The policy that becomes pending in this block. */
  promoted: FinalizerPolicy | null
  /** Root of the finality tree up to the claimed block; zeros while that is the genesis block. */
  finalityMroot: Uint8Array
}

export interface SavannaState extends SavannaDraft {
  data: FinalityData
  ref: TreeRef
  /** This block's leaf in the finality tree. */
  leaf: Uint8Array
}

export function genesisDraft(blockNum: number, timestamp: number, policy: FinalizerPolicy): SavannaDraft {
  return {
    core: genesisCore(blockNum, timestamp),
    proper: false,
    active: policy,
    proposed: [],
    pending: null,
    lastPending: { policy, digest: finalizerPolicyDigest(policy), start: timestamp },
    promoted: policy,
    finalityMroot: EMPTY_ROOT,
  }
}

/** Claim of a child: a certificate on the given block, or a repetition of that block's own claim. */
export function claimOn(parent: SavannaState, certificate: 'strong' | 'weak' | 'none'): QcClaim {
  if (certificate === 'none' || !parent.proper) return latestClaimOf(parent.core)
  return { blockNum: parent.ref.blockNum, strong: certificate === 'strong' }
}

/**
 * @param timestamp  slot of the child
 * @param proposal   policy that the child proposes
 */
export function childDraft(
  parent: SavannaState,
  timestamp: number,
  claim: QcClaim,
  proposal: FinalizerPolicy | null,
): SavannaDraft {
  const core = nextCore(parent.core, parent.ref, claim)
  const blockNum = parent.ref.blockNum + 1
  const final = lastFinalOf(core)
  let { active, pending, proposed, lastPending } = parent
  if (pending && pending[0] <= final) {
    active = pending[1]
    pending = null
  }
  const next = pending ? undefined : proposed.findLast(([num]) => num <= final)
  if (next) {
    pending = [blockNum, next[1]]
    proposed = proposed.filter(([num]) => num > next[0])
    lastPending = { policy: next[1], digest: finalizerPolicyDigest(next[1]), start: timestamp }
  }
  if (proposal) proposed = [...proposed, [blockNum, proposal]]
  return {
    core,
    proper: parent.core.refs.length > 0,
    active,
    proposed,
    pending,
    lastPending,
    promoted: next?.[1] ?? null,
    finalityMroot: finalityRoot(core, parent, claim),
  }
}

function finalityRoot(core: FinalityCore<TreeRef>, parent: SavannaState, claim: QcClaim): Uint8Array {
  if (claim.blockNum === latestClaimOf(parent.core).blockNum) return parent.finalityMroot
  return required(refOf(core, claim.blockNum), `block ${claim.blockNum} in the core`).tree.root()
}

/** The policy that the next proposal builds on. */
export function newestPolicy({ proposed, pending, active }: SavannaDraft): FinalizerPolicy {
  return proposed.at(-1)?.[1] ?? pending?.[1] ?? active
}

/** Constants of a devnet. */
export interface Constants {
  /** Packed `proposer_policy`. */
  proposers: Uint8Array
  protocolFeatures: readonly Uint8Array[]
}

export interface FinishedHeader {
  header: BlockHeader
  packed: Uint8Array
  id: string
  blockNum: number
  /** Savanna root of the block's actions. */
  actionMroot: Uint8Array
}

export function finishSavanna(
  draft: SavannaDraft,
  parent: SavannaState | null,
  { header, packed, id, blockNum, actionMroot }: FinishedHeader,
  constants: Constants,
): SavannaState {
  const { timestamp } = header
  const claim = latestClaimOf(draft.core)
  const claimed = refOf(draft.core, claim.blockNum)
  const data: FinalityData = {
    major: FINALITY_MAJOR,
    minor: FINALITY_MINOR,
    activeGeneration: draft.active.generation,
    actionMroot,
    reversibleBlocksMroot: draft.core.reversible.root(),
    claimBlockNum: claim.blockNum,
    claimFinalityDigest: claimed?.finalityDigest ?? EMPTY_ROOT,
    claimTimestamp: claimed?.timestamp ?? 0,
    baseDigest: baseDigest({
      packedHeader: packed,
      core: draft.core,
      proposed: draft.proposed,
      pending: draft.pending,
      activeProposers: constants.proposers,
      proposedProposers: null,
      pendingProposers: null,
      protocolFeatures: constants.protocolFeatures,
    }),
    pendingPolicy: draft.promoted,
    lastPendingGeneration: draft.lastPending.policy.generation,
  }
  const digest = finalityDigest({
    ...data,
    finalityMroot: draft.finalityMroot,
    level2Digest: level2Digest({
      lastPendingPolicyDigest: draft.lastPending.digest,
      lastPendingPolicyStart: draft.lastPending.start,
      level3Digest: level3Digest({ ...data, timestamp }),
    }),
  })
  const parentTimestamp = parent?.ref.timestamp ?? 0
  const leaf = finalityLeaf({ ...data, blockNum, timestamp, parentTimestamp, finalityDigest: digest })
  const tree = (parent?.ref.tree ?? IncrementalMerkle.empty).append(leaf)
  return { ...draft, data, ref: { id, blockNum, timestamp, parentTimestamp, finalityDigest: digest, tree }, leaf }
}
