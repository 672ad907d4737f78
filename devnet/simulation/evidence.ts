// Evidence that history's relayer gives to the gateway for wax: actions of irreversible blocks, and changes of the
// finalizer policy, each with its branch to a root of the finality tree and the certificate for that root.

import { actionDigest, witnessHash } from '../../core/antelope/digest.ts'
import type { FinalizerPolicy } from '../../core/finality/finalizer-policy.ts'
import type { CertifiedRoot, Handoff, SavannaProof } from '../../core/finality/light-client.ts'
import type { TrackedBlock } from '../../core/finality/track.ts'
import { itemAt, required } from '../../core/required.ts'
import { certifiedRootOf, handoffOf, savannaProof } from '../../proofs/deposit/antelope/members.ts'
import type { Chain, FinalBlock } from '../chain/chain.ts'
import type { SavannaState } from '../chain/savanna.ts'
import type { MerkleLog } from './merkle-log.ts'

/** Proof of an action under a root. */
export interface Evidence {
  proof: SavannaProof
  root: CertifiedRoot
}

/** A policy that became pending in a block under a root: the members of `learn`. */
export interface PolicyEvidence {
  root: CertifiedRoot
  handoff: Handoff
}

/** A root of the finality tree, and the tree up to it. */
export interface TreeRoot {
  root: CertifiedRoot
  tree: MerkleLog
}

/**
 * The root for which the chain's head carries a certificate.
 *
 * @param tree  up to the last irreversible block; the head has just made it irreversible
 */
export function newestRoot(chain: Chain, tree: MerkleLog): TreeRoot {
  const { state, certificate } = required(chain.certified, 'certified block')
  const pending = state.pending && { policy: state.pending[1] }
  const root = certifiedRootOf({ block: trackedBlock(state), certificate, pending })
  // After a weak certificate the root covers blocks that are still reversible.
  const more = Array.from({ length: state.data.claimBlockNum - chain.lib.num }, (_, i) =>
    chain.leafOf(chain.lib.num + 1 + i),
  )
  return { root, tree: more.length > 0 ? tree.with(more) : tree }
}

/** @param place  index of the block in the tree @param index  of the action, in execution order */
export function proveAction({ actions, savanna }: FinalBlock, place: number, index: number, under: TreeRoot): Evidence {
  const leaves = actions.map(({ receipt, action }) => actionDigest(receipt, action))
  const { receipt, action } = itemAt(actions, index)
  const { recvSequence } = receipt
  const log = { data: action.data, recvSequence, witness: witnessHash(receipt), leaves, index }
  return {
    proof: savannaProof(log, trackedBlock(required(savanna, 'finality of the block')), pathTo(place, under)),
    root: under.root,
  }
}

/** @param policy  became pending in the block */
export function provePolicy(
  { savanna }: FinalBlock,
  place: number,
  policy: FinalizerPolicy,
  under: TreeRoot,
): PolicyEvidence {
  return {
    root: under.root,
    handoff: handoffOf({ policy }, trackedBlock(required(savanna, 'finality of the block')), pathTo(place, under)),
  }
}

const pathTo = (place: number, { tree }: TreeRoot) => ({ siblings: tree.proof(place), root: tree.root() })

function trackedBlock({ ref, data, leaf, finalityMroot, lastPending }: SavannaState): TrackedBlock {
  const { id: blockId, blockNum, timestamp, parentTimestamp, finalityDigest } = ref
  return {
    ...{ blockId, blockNum, timestamp, parentTimestamp, finalityDigest, finalityMroot, data, leaf },
    lastPendingPolicyDigest: lastPending.digest,
    lastPendingPolicyStart: lastPending.start,
  }
}
