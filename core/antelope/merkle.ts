// Merkle trees of Antelope. Savanna: pairs level by level, an odd last node moves up unchanged, no side bits. Legacy
// (before Savanna): an odd level repeats its last node, and bit 7 of byte 0 distinguishes left from right.

import { itemAt } from '../required.ts'
import { hashPairs } from '../sha256-pairs.ts'

/** Root of a tree without leaves. */
export const EMPTY_ROOT: Uint8Array = new Uint8Array(32)

/** A sibling on the path from a leaf to the root. */
export interface Sibling {
  hash: Uint8Array
  /** Whether the sibling is the left input of the hash. */
  left: boolean
}

const pair = new Uint8Array(64)

function hashPair(left: Uint8Array, right: Uint8Array): Uint8Array {
  const hash = new Uint8Array(32)
  hashPairInto(left, right, hash)
  return hash
}

/** Writes the hash of a pair to `target`, which may be one of the two. */
function hashPairInto(left: Uint8Array, right: Uint8Array, target: Uint8Array): void {
  pair.set(left, 0)
  pair.set(right, 32)
  hashPairs(pair, target)
}

/** The level above `nodes`: half as many nodes, rounded up. */
function parents(nodes: readonly Uint8Array[]): Uint8Array[] {
  const above: Uint8Array[] = []
  for (let i = 0; i < nodes.length; i += 2) {
    const [left, right] = [itemAt(nodes, i), nodes[i + 1]]
    above.push(right ? hashPair(left, right) : left)
  }
  return above
}

/** Savanna root of 32-byte leaves; zeros without leaves, the leaf itself if there is one. */
export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  return packedMerkleRoot(concatenated(leaves), leaves.length)
}

/** As `merkleRoot`, of `count` leaves that follow each other in `leaves`. */
export function packedMerkleRoot(leaves: Uint8Array, count: number): Uint8Array {
  let level = leaves
  for (let nodes = count; nodes > 1; nodes = Math.ceil(nodes / 2)) {
    const above = levelAbove(level, nodes)
    if (nodes % 2 === 1) copyNode(level, nodes - 1, above, (nodes - 1) / 2)
    level = above
  }
  // `slice` of a Buffer would share its memory.
  return count === 0 ? EMPTY_ROOT : Uint8Array.from(level.subarray(0, SIZE))
}

/** Root in the legacy format; zeros without leaves. */
export function legacyMerkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  return packedLegacyMerkleRoot(concatenated(leaves), leaves.length)
}

/** As `legacyMerkleRoot`, of `count` leaves that follow each other in `leaves`. */
export function packedLegacyMerkleRoot(leaves: Uint8Array, count: number): Uint8Array {
  if (count === 0) return EMPTY_ROOT
  let level: Uint8Array = new Uint8Array(SIZE * (count + 1))
  level.set(leaves.subarray(0, SIZE * count))
  for (let nodes = count; nodes > 1; nodes /= 2) {
    if (nodes % 2 === 1) copyNode(level, nodes - 1, level, nodes++)
    for (let at = 0; at < SIZE * nodes; at += 2 * SIZE) {
      level[at] = (level[at] ?? 0) & 0x7f
      level[at + SIZE] = (level[at + SIZE] ?? 0) | 0x80
    }
    level = levelAbove(level, nodes)
  }
  return level.slice(0, SIZE)
}

/** Bytes of a node. */
const SIZE = 32

function concatenated(leaves: readonly Uint8Array[]): Uint8Array {
  const packed = new Uint8Array(SIZE * leaves.length)
  for (const [i, leaf] of leaves.entries()) packed.set(leaf, SIZE * i)
  return packed
}

/** Hashes of the pairs of a level, with room for two more nodes. */
function levelAbove(level: Uint8Array, nodes: number): Uint8Array {
  const pairs = Math.floor(nodes / 2)
  const above = new Uint8Array(SIZE * (pairs + 2))
  hashPairs(level.subarray(0, 2 * SIZE * pairs), above.subarray(0, SIZE * pairs))
  return above
}

function copyNode(source: Uint8Array, from: number, target: Uint8Array, to: number): void {
  target.set(source.subarray(SIZE * from, SIZE * from + SIZE), SIZE * to)
}

/**
 * Siblings from the leaf upwards; levels without a sibling are omitted.
 *
 * @throws RangeError when there is no leaf at `index`
 */
export function merkleProof(leaves: readonly Uint8Array[], index: number): Sibling[] {
  if (!(index >= 0 && index < leaves.length)) throw new RangeError(`no leaf ${index} among ${leaves.length}`)
  const siblings: Sibling[] = []
  let level = leaves
  for (let at = index; level.length > 1; at >>= 1) {
    const hash = level[at ^ 1]
    if (hash) siblings.push({ hash, left: at % 2 === 1 })
    level = parents(level)
  }
  return siblings
}

/** The root of a leaf and its siblings. */
export function climb(leaf: Uint8Array, siblings: readonly Sibling[]): Uint8Array {
  return siblings.reduce((node, { hash, left }) => (left ? hashPair(hash, node) : hashPair(node, hash)), leaf)
}

/** The level above `nodes` in the legacy format. */
export function legacyParents(nodes: readonly Uint8Array[]): Uint8Array[] {
  const above: Uint8Array[] = []
  for (let i = 0; i < nodes.length; i += 2) {
    const left = itemAt(nodes, i)
    above.push(hashSides(left, nodes[i + 1] ?? left))
  }
  return above
}

/** Hash of two nodes in the legacy format: with their side bits set. */
export function hashSides(left: Uint8Array, right: Uint8Array): Uint8Array {
  return hashPair(asLeft(left), asRight(right))
}

/** A copy of a node as the left input of a hash: bit 7 of byte 0 is cleared. */
export function asLeft(node: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(node) // `slice` of a Buffer would share its memory
  copy[0] = (copy[0] ?? 0) & 0x7f
  return copy
}

/** A copy of a node as the right input of a hash: bit 7 of byte 0 is set. */
export function asRight(node: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(node) // `slice` of a Buffer would share its memory
  copy[0] = (copy[0] ?? 0) | 0x80
  return copy
}

/**
 * An append-only Savanna tree, stored as the roots of its full subtrees (peaks, largest first): O(log n) memory.
 * Immutable, so that branches of a fork can share it.
 */
export class IncrementalMerkle {
  static readonly empty = new IncrementalMerkle(0, [])
  readonly count: number
  readonly peaks: readonly Uint8Array[]

  /** @param count number of leaves, below 2^53; `peaks` has one hash for each bit set in it */
  constructor(count: number, peaks: readonly Uint8Array[]) {
    this.count = count
    this.peaks = peaks
  }

  /** Full nodes that one more leaf completes, from the leaf upwards: two on average. */
  completed(leaf: Uint8Array): Uint8Array[] {
    const nodes = [leaf]
    let node = leaf
    let at = this.peaks.length
    for (let rest = this.count; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      node = hashPair(itemAt(this.peaks, --at), node)
      nodes.push(node)
    }
    return nodes
  }

  /** @param nodes  `completed(leaf)`, if the caller has computed it */
  append(leaf: Uint8Array, nodes: readonly Uint8Array[] = this.completed(leaf)): IncrementalMerkle {
    const peaks = this.peaks.slice(0, this.peaks.length + 1 - nodes.length)
    peaks.push(itemAt(nodes, -1))
    return new IncrementalMerkle(this.count + 1, peaks)
  }

  /** Equals `merkleRoot` of all leaves. */
  root(): Uint8Array {
    if (this.peaks.length === 0) return EMPTY_ROOT
    const root = new Uint8Array(itemAt(this.peaks, -1))
    for (let at = this.peaks.length - 2; at >= 0; at--) hashPairInto(itemAt(this.peaks, at), root, root)
    return root
  }
}
