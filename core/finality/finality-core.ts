// The finality core of a Savanna block: which certificates its ancestors claim (links), and which ancestors are not
// final yet (refs). Immutable; `nextCore` makes a child's core. Two-chain rule: if B claims a certificate on C, a
// strong certificate on B makes C final.

import { IncrementalMerkle } from '../antelope/merkle.ts'
import { hashOf, preimage } from '../antelope/preimage.ts'
import { Writer } from '../antelope/writer.ts'
import { fromHex } from '../hex.ts'
import { itemAt } from '../required.ts'

/** A certificate on an earlier block, claimed by a header. */
export interface QcClaim {
  blockNum: number
  strong: boolean
}

/** Block `source` claims a certificate on block `target`. */
interface QcLink {
  source: number
  target: number
  strong: boolean
}

export interface BlockRef {
  id: string
  blockNum: number
  /** Slot. */
  timestamp: number
  finalityDigest: Uint8Array
  /** Slot of the parent, 0 for the genesis block. */
  parentTimestamp: number
}

/** `R` may have more fields in `refs` than digests need. */
export interface FinalityCore<R extends BlockRef = BlockRef> {
  /** One link per block, from the block whose claim made the last block final up to the current block. */
  readonly links: readonly QcLink[]
  /** The last final block and its descendants, without the current block; empty at genesis. */
  readonly refs: readonly R[]
  /** Links and refs as digests cover them, concatenated: long when certificates are rare. */
  readonly packedLinks: Uint8Array
  readonly packedRefs: Uint8Array
  /** Tree over all `refs` but the first; its root is `reversible_blocks_mroot`. */
  readonly reversible: IncrementalMerkle
  /** Slot of the genesis block in its own core; 0 in all others. */
  readonly genesisTimestamp: number
}

const LINK_SIZE = 9
const REF_SIZE = 68

function packLink({ source, target, strong }: QcLink): Uint8Array {
  const writer = new Writer(LINK_SIZE)
  writer.u32(source)
  writer.u32(target)
  writer.u8(strong ? 1 : 0)
  return writer.data
}

function packRef({ id, timestamp, finalityDigest }: BlockRef): Uint8Array {
  const writer = new Writer(REF_SIZE)
  writer.bytes(fromHex(id))
  writer.u32(timestamp)
  writer.bytes(finalityDigest)
  return writer.data
}

/** Bytes used in each buffer of `joined`. */
const filled = new WeakMap<ArrayBufferLike, number>()

/**
 * Concatenates two parts. Repeated calls extend one buffer, so that a long run without certificates does not copy
 * everything at each block. A second branch from the same head gets its own buffer.
 */
function joined(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const end = head.byteOffset + head.length
  const length = head.length + tail.length
  if (filled.get(head.buffer) === end && end + tail.length <= head.buffer.byteLength) {
    new Uint8Array(head.buffer).set(tail, end)
    filled.set(head.buffer, end + tail.length)
    return new Uint8Array(head.buffer, head.byteOffset, length)
  }
  const all = new Uint8Array(Math.max(256, length * 2))
  all.set(head)
  all.set(tail, head.length)
  filled.set(all.buffer, length)
  return all.subarray(0, length)
}

export function genesisCore<R extends BlockRef = BlockRef>(blockNum: number, timestamp: number): FinalityCore<R> {
  const link = { source: blockNum, target: blockNum, strong: false }
  return {
    links: [link],
    refs: [],
    packedLinks: packLink(link),
    packedRefs: new Uint8Array(),
    reversible: IncrementalMerkle.empty,
    genesisTimestamp: timestamp,
  }
}

/** A core has at least one link. */
export const lastFinalOf = (core: FinalityCore): number => itemAt(core.links, 0).target

export function latestClaimOf(core: FinalityCore): QcClaim {
  const { target, strong } = itemAt(core.links, -1)
  return { blockNum: target, strong }
}

/** The ref of a block; undefined when it has none (as in the genesis core). */
export function refOf<R extends BlockRef>(core: FinalityCore<R>, blockNum: number): R | undefined {
  const [first] = core.refs
  return first && core.refs[blockNum - first.blockNum]
}

/** Leaf of a block in the tree of blocks that are not final. */
export function reversibleLeaf(ref: Omit<BlockRef, 'id'>): Uint8Array {
  const writer = preimage()
  writer.u32(ref.blockNum)
  writer.u32(ref.timestamp)
  writer.bytes(ref.finalityDigest)
  writer.u32(ref.parentTimestamp)
  return hashOf(writer)
}

/**
 * The core of a block's child.
 *
 * @param parent  the block that `core` belongs to
 * @param claim   the child's claim; never older than the parent's claim
 * @throws RangeError for a claim on a block that is not reversible
 */
export function nextCore<R extends BlockRef>(core: FinalityCore<R>, parent: R, claim: QcClaim): FinalityCore<R> {
  const first = itemAt(core.links, 0)
  const latest = latestClaimOf(core)
  if (claim.blockNum < latest.blockNum || claim.blockNum > parent.blockNum) {
    throw new RangeError(`block ${parent.blockNum + 1} cannot claim a certificate on block ${claim.blockNum}`)
  }
  const kept = (claim.strong ? core.links[claim.blockNum - first.source] : undefined) ?? first
  const dropped = kept.source - first.source
  const link = { source: parent.blockNum + 1, target: claim.blockNum, strong: claim.strong }
  const advance = kept.target - first.target
  const refs = [...core.refs.slice(advance), parent]
  return {
    links: [...core.links.slice(dropped), link],
    refs,
    packedLinks: joined(core.packedLinks.subarray(dropped * LINK_SIZE), packLink(link)),
    packedRefs: joined(core.packedRefs.subarray(advance * REF_SIZE), packRef(parent)),
    reversible: advance > 0 ? reversibleTree(refs) : withLastRef(core.reversible, refs),
    genesisTimestamp: 0,
  }
}

/** Builds the tree over all refs but the first. */
function reversibleTree(refs: readonly BlockRef[]): IncrementalMerkle {
  return refs.slice(1).reduce((tree, ref) => tree.append(reversibleLeaf(ref)), IncrementalMerkle.empty)
}

/** The parent core's tree with the last ref appended. */
function withLastRef(tree: IncrementalMerkle, refs: readonly BlockRef[]): IncrementalMerkle {
  return refs.length === 1 ? tree : tree.append(reversibleLeaf(itemAt(refs, -1)))
}
