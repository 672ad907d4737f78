// Tracks the finality of a chain block by block: digests, leaves of the finality tree, policies, certificates. Pure; a
// lineage is immutable, so that branches of a fork can share it. Needs finality data for every block from its start on.
// Starts at the Savanna genesis block, or at any block with the tree's peaks there (`lineageAt`).

import {
  BLOCK_EXTENSION,
  type BlockHeader,
  type Extension,
  readBlockFrame,
  SAVANNA_SCHEDULE_VERSION,
} from '../antelope/block.ts'
import { EMPTY_ROOT, IncrementalMerkle } from '../antelope/merkle.ts'
import { DecodeError } from '../errors.ts'
import { finalityDigest, finalityLeaf, level2Digest, level3Digest } from './digests.ts'
import { type FinalityData, readFinalityData } from './finality-data.ts'
import { type FinalizerPolicy, finalizerPolicyDigest } from './finalizer-policy.ts'
import { type QuorumCertificate, readQuorumCertificate } from './quorum-certificate.ts'

/** A policy and the block in which it became pending; for the genesis policy, the genesis block. */
export interface PendingSince {
  policy: FinalizerPolicy
  digest: Uint8Array
  blockNum: number
  /** Slot of that block. */
  start: number
}

/** The policy of a generation, from the list of policies that became pending. */
export function findPolicy(policies: readonly PendingSince[], generation: number): PendingSince | undefined {
  return policies.findLast(({ policy }) => policy.generation === generation)
}

/** Data about a block that tracking its child needs. */
export interface Lineage {
  /** Number of the block of leaf 0. */
  genesis: number
  /** Tree up to and including the block's own leaf. */
  tree: IncrementalMerkle
  blockNum: number
  /** Slot. */
  timestamp: number
  lastPending: Pick<PendingSince, 'digest' | 'start'>
}

/** A block with all data that proofs need. */
export interface TrackedBlock {
  blockNum: number
  blockId: string
  /** Slots. */
  timestamp: number
  parentTimestamp: number
  /** Root of the finality tree up to the claimed block; zeros before the first. */
  finalityMroot: Uint8Array
  lastPendingPolicyDigest: Uint8Array
  lastPendingPolicyStart: number
  data: Omit<FinalityData, 'pendingPolicy'>
  finalityDigest: Uint8Array
  leaf: Uint8Array
}

export interface Tracked {
  block: TrackedBlock
  lineage: Lineage
  /** Full nodes of the finality tree that the block's leaf completes, from the leaf upwards. */
  nodes: readonly Uint8Array[]
  /** The policy that becomes pending in this block. */
  policy: PendingSince | null
  /** The certificate on an earlier block that this block contains. Not verified. */
  certificate: QuorumCertificate | null
}

/** A block from its source. */
export interface SourceBlock {
  num: number
  id: string
  /** Packed `signed_block`. */
  block: Uint8Array
  /** Packed `finality_data`. */
  finality: Uint8Array | null
}

/** Whether a block can start a lineage: it has finality data and claims itself. */
export function isGenesis({ num, finality }: SourceBlock): boolean {
  return finality !== null && readFinalityData(finality).claimBlockNum === num
}

/** Peaks of a tree from all its leaves, from the Savanna genesis block on. */
export function peaksOf(leaves: readonly Uint8Array[]): readonly Uint8Array[] {
  return leaves.reduce((tree, leaf) => tree.append(leaf), IncrementalMerkle.empty).peaks
}

/** Continues from a block whose tree peaks are known, from a snapshot or an untrusted source. */
export function lineageAt(start: {
  genesis: number
  blockNum: number
  timestamp: number
  peaks: readonly Uint8Array[]
  lastPending: Pick<PendingSince, 'digest' | 'start'>
}): Lineage {
  const { genesis, blockNum, timestamp, peaks, lastPending } = start
  const count = blockNum - genesis + 1
  const bits = count.toString(2).replaceAll('0', '').length
  if (!(count > 0) || peaks.length !== bits) {
    throw new DecodeError('INVALID_PEAKS', `a tree of ${count} leaves has ${bits} peaks, not ${peaks.length}`, {
      place: { block: blockNum },
    })
  }
  return { genesis, blockNum, timestamp, tree: new IncrementalMerkle(count, peaks), lastPending }
}

const mismatch = (block: number, message: string): DecodeError =>
  new DecodeError('FINALITY_MISMATCH', message, {
    hint: 'the node or the imported start is wrong: take another one',
    place: { block },
  })

/**
 * The next block of a lineage.
 *
 * @param parent  null for the genesis block
 * @throws DecodeError FINALITY_MISSING, FINALITY_MISMATCH, or for bytes that cannot be read
 */
export function track(parent: Lineage | null, source: SourceBlock): Tracked {
  const { num, id } = source
  if (source.finality === null) {
    throw new DecodeError('FINALITY_MISSING', `block ${num} has no finality data`, {
      hint: 'switch finality-data-history on in the node; it cannot be added to old blocks without a replay',
      place: { block: num },
    })
  }
  const { header, extensions, id: found } = readBlockFrame(source.block)
  if (found !== id) throw mismatch(num, `the bytes of block ${num} have another id`)
  // A copy, so that stored data do not keep the whole message in memory.
  return trackRead(parent, { num, id, header, extensions, data: readFinalityData(source.finality.slice()) })
}

/** A block whose parts are read; the caller has computed its id from the header. */
interface ReadBlock {
  num: number
  id: string
  header: BlockHeader
  /** Extensions of the block, not those of its header. */
  extensions: readonly Extension[]
  data: FinalityData
}

/** As `track`, for a block that is read already. @throws DecodeError FINALITY_MISMATCH, or for a malformed certificate */
export function trackRead(parent: Lineage | null, source: ReadBlock): Tracked {
  const { num, id, header } = source
  const { timestamp } = header
  const { pendingPolicy, data } = splitPolicy(source.data)
  if (parent ? num !== parent.blockNum + 1 : data.claimBlockNum !== num) {
    throw mismatch(num, `block ${num} does not follow ${parent?.blockNum ?? 'as a Savanna genesis block'}`)
  }
  const policy = pendingPolicy && pendingSince(pendingPolicy, data.lastPendingGeneration, num, timestamp)
  const lastPending = policy ?? parent?.lastPending
  if (!lastPending) throw mismatch(num, `block ${num} is the genesis block and has no policy`)
  const proper = header.scheduleVersion === SAVANNA_SCHEDULE_VERSION
  const finalityMroot = proper ? header.actionMroot.slice() : EMPTY_ROOT
  const { major, minor, activeGeneration, lastPendingGeneration, actionMroot } = data
  const { reversibleBlocksMroot, claimBlockNum, claimFinalityDigest, claimTimestamp, baseDigest } = data
  const claim = { claimBlockNum, claimFinalityDigest, claimTimestamp, timestamp }
  const level2 = level2Digest({
    lastPendingPolicyDigest: lastPending.digest,
    lastPendingPolicyStart: lastPending.start,
    level3Digest: level3Digest({ reversibleBlocksMroot, baseDigest, ...claim }),
  })
  const generations = { activeGeneration, lastPendingGeneration }
  const digest = finalityDigest({ major, minor, ...generations, finalityMroot, level2Digest: level2 })
  const parentTimestamp = parent?.timestamp ?? 0
  const place = { blockNum: num, timestamp, parentTimestamp }
  const leaf = finalityLeaf({ major, minor, ...place, finalityDigest: digest, actionMroot })
  const before = parent?.tree ?? IncrementalMerkle.empty
  const nodes = before.completed(leaf)
  return {
    block: {
      blockNum: num,
      blockId: id,
      timestamp,
      parentTimestamp,
      finalityMroot,
      lastPendingPolicyDigest: lastPending.digest,
      lastPendingPolicyStart: lastPending.start,
      data,
      finalityDigest: digest,
      leaf,
    },
    lineage: {
      genesis: parent?.genesis ?? num,
      tree: before.append(leaf, nodes),
      blockNum: num,
      timestamp,
      lastPending: { digest: lastPending.digest, start: lastPending.start },
    },
    nodes,
    policy,
    certificate: certificateOf(source),
  }
}

/**
 * Separates the policy from the other data. Written out member by member: it runs for every block, and an object rest
 * costs a microsecond.
 */
function splitPolicy(all: FinalityData): { pendingPolicy: FinalizerPolicy | null; data: TrackedBlock['data'] } {
  const data = {
    major: all.major,
    minor: all.minor,
    activeGeneration: all.activeGeneration,
    actionMroot: all.actionMroot,
    reversibleBlocksMroot: all.reversibleBlocksMroot,
    claimBlockNum: all.claimBlockNum,
    claimFinalityDigest: all.claimFinalityDigest,
    claimTimestamp: all.claimTimestamp,
    baseDigest: all.baseDigest,
    lastPendingGeneration: all.lastPendingGeneration,
  }
  return { pendingPolicy: all.pendingPolicy, data }
}

function pendingSince(policy: FinalizerPolicy, generation: number, blockNum: number, start: number): PendingSince {
  if (policy.generation !== generation) {
    throw mismatch(
      blockNum,
      `generation ${policy.generation} becomes pending where ${generation} is the last pending one`,
    )
  }
  return { policy, digest: finalizerPolicyDigest(policy), blockNum, start }
}

function certificateOf({ extensions }: { extensions: readonly Extension[] }): QuorumCertificate | null {
  const extension = extensions.find(({ id }) => id === BLOCK_EXTENSION.quorumCertificate)
  return extension ? readQuorumCertificate(extension.data) : null
}

/** Data about a block that another block claims. */
export interface ClaimedBlock {
  timestamp: number
  /** Null when only the tree is known: the last block before a start from peaks. */
  finalityDigest: Uint8Array | null
  /** Root of the finality tree up to it. */
  root: Uint8Array
}

/**
 * Checks a block's claims about an earlier block. Finalizers sign these claims, so this proves a start, its peaks and
 * all later digests.
 *
 * @throws DecodeError FINALITY_MISMATCH
 */
export function checkClaim(block: TrackedBlock, claimed: ClaimedBlock): void {
  const { blockNum, data, finalityMroot } = block
  const at = `block ${data.claimBlockNum}, which block ${blockNum} claims,`
  const { finalityDigest, timestamp, root } = claimed
  if (finalityDigest && Buffer.compare(data.claimFinalityDigest, finalityDigest) !== 0) {
    throw mismatch(blockNum, `${at} has another finality digest`)
  }
  if (data.claimTimestamp !== timestamp) throw mismatch(blockNum, `${at} has another time`)
  if (Buffer.compare(finalityMroot, root) !== 0) throw mismatch(blockNum, `${at} has another finality tree`)
}
