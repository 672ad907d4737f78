// Members of the actions of a gateway for an Antelope chain (abis/gateway.antelope.abi.json), from stored block data.
// Pure; does not check its results.

import { merkleProof, type Sibling } from '../../../core/antelope/merkle.ts'
import { packBits } from '../../../core/bits.ts'
import type { BridgeLog } from '../../../core/finality/bridge-log.ts'
import { level3Digest } from '../../../core/finality/digests.ts'
import { packFinalizerPolicy } from '../../../core/finality/finalizer-policy.ts'
import type { CertifiedRoot, Handoff, SavannaProof } from '../../../core/finality/light-client.ts'
import type { QuorumSignature } from '../../../core/finality/quorum-certificate.ts'
import type { PendingSince, TrackedBlock } from '../../../core/finality/track.ts'
import { toHex } from '../../../core/hex.ts'
import type { CertifiedBlock } from '../../build.ts'
import type { TreePath } from '../../tree-path.ts'

/** The struct `savanna_proof`. @param block  of the log action @param path  of that block's leaf */
export function savannaProof(
  log: Pick<BridgeLog, 'data' | 'recvSequence' | 'witness' | 'leaves' | 'index'>,
  block: TrackedBlock,
  path: TreePath,
): SavannaProof {
  const actions = merkleProof(log.leaves, log.index)
  return {
    data: log.data,
    recvSequence: log.recvSequence,
    witness: toHex(log.witness),
    actionSiblings: hashes(actions),
    actionPath: sides(actions),
    ...leafMembers(block),
    finalityDigest: toHex(block.finalityDigest),
    treeSiblings: hashes(path.siblings),
    treePath: sides(path.siblings),
    finalityMroot: toHex(path.root),
  }
}

/** The struct `handoff`. @param block  in which the policy became pending */
export function handoffOf(since: Pick<PendingSince, 'policy'>, block: TrackedBlock, path: TreePath): Handoff {
  const { data } = block
  return {
    ...leafMembers(block),
    activeGeneration: data.activeGeneration,
    lastPendingGeneration: data.lastPendingGeneration,
    blockFinalityMroot: toHex(block.finalityMroot),
    lastPendingPolicyStart: block.lastPendingPolicyStart,
    level3Digest: toHex(level3Digest({ ...data, timestamp: block.timestamp })),
    treeSiblings: hashes(path.siblings),
    treePath: sides(path.siblings),
    finalityMroot: toHex(path.root),
    policy: packFinalizerPolicy(since.policy),
  }
}

function leafMembers({ data, blockNum, timestamp, parentTimestamp }: TrackedBlock) {
  const actionMroot = toHex(data.actionMroot)
  return { majorVersion: data.major, minorVersion: data.minor, blockNum, timestamp, parentTimestamp, actionMroot }
}

/** A certified block with its certificate. */
export type Certified = Pick<CertifiedBlock, 'block' | 'certificate'> & {
  /** Null when the active policy is the last one that became pending. */
  pending: Pick<PendingSince, 'policy'> | null
}

/** The struct `certified_root`. */
export function certifiedRootOf({ block, certificate, pending }: Certified): CertifiedRoot {
  const { data } = block
  return {
    finality: {
      majorVersion: data.major,
      minorVersion: data.minor,
      activeGeneration: data.activeGeneration,
      lastPendingGeneration: data.lastPendingGeneration,
      finalityMroot: toHex(block.finalityMroot),
      lastPendingPolicyDigest: toHex(block.lastPendingPolicyDigest),
      lastPendingPolicyStart: block.lastPendingPolicyStart,
      reversibleBlocksMroot: toHex(data.reversibleBlocksMroot),
      qcClaimBlockNum: data.claimBlockNum,
      qcClaimFinalityDigest: toHex(data.claimFinalityDigest),
      qcClaimTimestamp: data.claimTimestamp,
      timestamp: block.timestamp,
      baseDigest: toHex(data.baseDigest),
    },
    active: votes(certificate.active),
    pending:
      pending && certificate.pending
        ? { policy: packFinalizerPolicy(pending.policy), ...votes(certificate.pending) }
        : null,
  }
}

/** Finalizer i is bit i & 7 of byte i >> 3. */
function votes({ strong, signature }: QuorumSignature): { bits: Uint8Array; signature: Uint8Array } {
  return { bits: packBits(strong ?? []), signature }
}

const hashes = (siblings: readonly Sibling[]): string[] => siblings.map(({ hash }) => toHex(hash))

/** Bit k is set when sibling k is the left one. */
const sides = (siblings: readonly Sibling[]): bigint =>
  siblings.reduce((bits, { left }, k) => (left ? bits | (1n << BigInt(k)) : bits), 0n)
