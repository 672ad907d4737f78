// Digests that finalizers sign and that proofs lead to: level 3, level 2, finality digest, leaf of the finality tree.
// Source: Spring 1.x, protocol version 1.0; checked against chains of real nodes in `test/core/antelope`.

import { hashOf, preimage } from '../antelope/preimage.ts'
import type { Writer } from '../antelope/writer.ts'
import { perObject } from '../cache.ts'
import type { FinalityCore } from './finality-core.ts'
import { type FinalizerPolicy, packFinalizerPolicy } from './finalizer-policy.ts'

export const FINALITY_MAJOR = 1
export const FINALITY_MINOR = 0

/** Content of `base_digest` besides the core. */
export interface BaseContent {
  packedHeader: Uint8Array
  core: FinalityCore
  /** Policies that are proposed and not yet pending, each with its proposing block's number. */
  proposed: readonly (readonly [blockNum: number, policy: FinalizerPolicy])[]
  /** The pending policy with the number of the block in which it became pending. */
  pending: readonly [blockNum: number, policy: FinalizerPolicy] | null
  /** Packed `proposer_policy`: active, latest proposed, latest pending. */
  activeProposers: Uint8Array
  proposedProposers: Uint8Array | null
  pendingProposers: Uint8Array | null
  /** Digests of the activated protocol features, ascending. */
  protocolFeatures: readonly Uint8Array[]
}

/** Cached: policies are immutable and shared by blocks. */
const packed = perObject((policy: FinalizerPolicy) => packFinalizerPolicy(policy))

function writeNumbered(writer: Writer, [blockNum, policy]: readonly [number, FinalizerPolicy]): void {
  writer.u32(blockNum)
  writer.u8(1)
  writer.bytes(packed(policy))
}

function writeOptional(writer: Writer, bytes: Uint8Array | null): void {
  writer.u8(bytes ? 1 : 0)
  if (bytes) writer.bytes(bytes)
}

function writeCore(writer: Writer, core: FinalityCore): void {
  writer.varuint32(core.links.length)
  writer.bytes(core.packedLinks)
  writer.varuint32(core.refs.length)
  writer.bytes(core.packedRefs)
  writer.u32(core.genesisTimestamp)
}

export function baseDigest(content: BaseContent): Uint8Array {
  const writer = preimage()
  writer.bytes(content.packedHeader)
  writeCore(writer, content.core)
  writer.varuint32(content.proposed.length)
  for (const proposal of content.proposed) writeNumbered(writer, proposal)
  writer.u8(content.pending ? 1 : 0)
  if (content.pending) writeNumbered(writer, content.pending)
  writer.bytes(content.activeProposers)
  writeOptional(writer, content.proposedProposers)
  writeOptional(writer, content.pendingProposers)
  writer.varuint32(content.protocolFeatures.length)
  for (const digest of content.protocolFeatures) writer.bytes(digest)
  return hashOf(writer)
}

export interface Level3 {
  reversibleBlocksMroot: Uint8Array
  /** The block whose certificate is the latest claim. */
  claimBlockNum: number
  /** Zeros in the genesis block. */
  claimFinalityDigest: Uint8Array
  /** Slots. */
  claimTimestamp: number
  timestamp: number
  baseDigest: Uint8Array
}

export function level3Digest(level3: Level3): Uint8Array {
  const writer = preimage()
  writer.bytes(level3.reversibleBlocksMroot)
  writer.u32(level3.claimBlockNum)
  writer.bytes(level3.claimFinalityDigest)
  writer.u32(level3.claimTimestamp)
  writer.u32(level3.timestamp)
  writer.bytes(level3.baseDigest)
  return hashOf(writer)
}

export interface Level2 {
  lastPendingPolicyDigest: Uint8Array
  /** Slot of the block in which that policy became pending; for the first policy, of the genesis block. */
  lastPendingPolicyStart: number
  level3Digest: Uint8Array
}

export function level2Digest(level2: Level2): Uint8Array {
  const writer = preimage()
  writer.bytes(level2.lastPendingPolicyDigest)
  writer.u32(level2.lastPendingPolicyStart)
  writer.bytes(level2.level3Digest)
  return hashOf(writer)
}

export interface FinalityCommitment {
  major: number
  minor: number
  activeGeneration: number
  /** Equals `activeGeneration` when no policy is pending. */
  lastPendingGeneration: number
  /** The header's `action_mroot` in a proper Savanna block; zeros before. */
  finalityMroot: Uint8Array
  level2Digest: Uint8Array
}

/** The message that strong votes sign. */
export function finalityDigest(commitment: FinalityCommitment): Uint8Array {
  const writer = preimage()
  writer.u32(commitment.major)
  writer.u32(commitment.minor)
  writer.u32(commitment.activeGeneration)
  writer.u32(commitment.lastPendingGeneration)
  writer.bytes(commitment.finalityMroot)
  writer.bytes(commitment.level2Digest)
  return hashOf(writer)
}

export interface FinalityLeaf {
  major: number
  minor: number
  blockNum: number
  /** Slots; `parentTimestamp` is 0 for the genesis block. */
  timestamp: number
  parentTimestamp: number
  finalityDigest: Uint8Array
  /** Savanna root of the block's own actions. */
  actionMroot: Uint8Array
}

/** Leaf of the finality tree, whose leaf 0 is the Savanna genesis block. */
export function finalityLeaf(leaf: FinalityLeaf): Uint8Array {
  const writer = preimage()
  writer.u32(leaf.major)
  writer.u32(leaf.minor)
  writer.u32(leaf.blockNum)
  writer.u32(leaf.timestamp)
  writer.u32(leaf.parentTimestamp)
  writer.bytes(leaf.finalityDigest)
  writer.bytes(leaf.actionMroot)
  return hashOf(writer)
}
