// Builds the arguments of contract calls from stored block data. Pure. `check.ts` checks the results independently.

import { merkleProof, type Sibling } from '../core/antelope/merkle.ts'
import { packBits } from '../core/bits.ts'
import { BugError } from '../core/errors.ts'
import type { Burn } from '../core/finality/burn.ts'
import { level3Digest } from '../core/finality/digests.ts'
import { packFinalizerPolicy } from '../core/finality/finalizer-policy.ts'
import { isStrong, type QuorumCertificate, type QuorumSignature } from '../core/finality/quorum-certificate.ts'
import type { FinalityMembers } from '../core/finality/recompute.ts'
import type { PendingSince, TrackedBlock } from '../core/finality/track.ts'
import { toHex } from '../core/hex.ts'
import { toEip2537 } from './eip2537.ts'
import type { LearnArguments, PendingArguments, ReleaseArguments, SubmitRootArguments } from './json.ts'
import type { TreePath } from './tree-path.ts'

const hex = (bytes: Uint8Array): string => `0x${toHex(bytes)}`
const hashes = (siblings: readonly Sibling[]): string[] => siblings.map(({ hash }) => hex(hash))
/** Bit k is set when sibling k is the left one. */
const sides = (siblings: readonly Sibling[]): string =>
  siblings.reduce((bits, { left }, k) => (left ? bits | (1n << BigInt(k)) : bits), 0n).toString()

/** @param block  the block with the burn */
export function releaseArguments(burn: Burn, block: TrackedBlock, path: TreePath): ReleaseArguments {
  const actions = merkleProof(burn.leaves, burn.index)
  return {
    id: burn.id.toString(),
    domain: burn.domain.toString(),
    token: hex(burn.token),
    recipient: hex(burn.recipient),
    amount: burn.amount.toString(),
    deadline: burn.deadline.toString(),
    fee: burn.fee.toString(),
    memo: hex(burn.memo),
    recvSequence: burn.recvSequence.toString(),
    witness: hex(burn.witness),
    actionSiblings: hashes(actions),
    actionPath: sides(actions),
    actionMroot: hex(block.data.actionMroot),
    majorVersion: block.data.major,
    minorVersion: block.data.minor,
    blockNum: block.blockNum,
    timestamp: block.timestamp,
    parentTimestamp: block.parentTimestamp,
    finalityDigest: hex(block.finalityDigest),
    treeSiblings: hashes(path.siblings),
    treePath: sides(path.siblings),
    finalityMroot: hex(path.root),
  }
}

function finalityArguments(block: TrackedBlock): FinalityMembers {
  const { data } = block
  return {
    majorVersion: data.major,
    minorVersion: data.minor,
    activeGeneration: data.activeGeneration,
    lastPendingGeneration: data.lastPendingGeneration,
    finalityMroot: hex(block.finalityMroot),
    lastPendingPolicyDigest: hex(block.lastPendingPolicyDigest),
    lastPendingPolicyStart: block.lastPendingPolicyStart,
    reversibleBlocksMroot: hex(data.reversibleBlocksMroot),
    qcClaimBlockNum: data.claimBlockNum,
    qcClaimFinalityDigest: hex(data.claimFinalityDigest),
    qcClaimTimestamp: data.claimTimestamp,
    timestamp: block.timestamp,
    baseDigest: hex(data.baseDigest),
  }
}

function policyKeys({ policy }: PendingSince): string[] {
  return policy.finalizers.flatMap(({ publicKey }) => {
    const point = toEip2537(publicKey)
    return [0, 32, 64, 96].map((from) => hex(point.subarray(from, from + 32)))
  })
}

const votes = ({ strong, signature }: QuorumSignature) => ({
  bits: hex(packBits(strong ?? [])),
  signature: hex(toEip2537(signature)),
})

/** A certified block, with its certificate and the policies that vote on it. */
export interface CertifiedBlock {
  block: TrackedBlock
  certificate: QuorumCertificate
  active: PendingSince
  /** Null when the active policy is the last one that became pending. */
  pending: PendingSince | null
}

/**
 * Makes `block.finalityMroot` a trusted root.
 *
 * @throws BugError WEAK_CERTIFICATE: a weak certificate makes nothing final
 */
export function submitRootArguments({ block, certificate, active, pending }: CertifiedBlock): SubmitRootArguments {
  if (!isStrong(certificate)) {
    throw new BugError('WEAK_CERTIFICATE', `the certificate on block ${block.blockNum} is weak`, {
      place: { block: block.blockNum },
    })
  }
  const none: PendingArguments = { policy: '0x', bits: '0x', signature: '0x' }
  return {
    finality: finalityArguments(block),
    ...votes(certificate.active),
    policyKeys: policyKeys(active),
    pending:
      pending && certificate.pending
        ? { policy: hex(packFinalizerPolicy(pending.policy)), ...votes(certificate.pending) }
        : none,
  }
}

/**
 * Arguments with which a light client learns a policy.
 *
 * @param block   the block in which the policy became pending, or a later one while it is the last pending policy
 * @param path    of that block's leaf
 */
export function learnArguments(since: PendingSince, block: TrackedBlock, path: TreePath): LearnArguments {
  const { data } = block
  return {
    majorVersion: data.major,
    minorVersion: data.minor,
    blockNum: block.blockNum,
    timestamp: block.timestamp,
    parentTimestamp: block.parentTimestamp,
    activeGeneration: data.activeGeneration,
    lastPendingGeneration: data.lastPendingGeneration,
    blockFinalityMroot: hex(block.finalityMroot),
    lastPendingPolicyStart: block.lastPendingPolicyStart,
    level3Digest: hex(level3Digest({ ...data, timestamp: block.timestamp })),
    actionMroot: hex(data.actionMroot),
    treeSiblings: hashes(path.siblings),
    treePath: sides(path.siblings),
    finalityMroot: hex(path.root),
    policy: hex(packFinalizerPolicy(since.policy)),
  }
}
