// Positions of the finality tree's nodes that proofs need. A full node of level k covers 2^k leaves; node `at` of level
// k covers leaves [at · 2^k, (at + 1) · 2^k). Full nodes never change while the tree grows, so each is stored once.
// Incomplete nodes at the right edge are computed from them.

import { EMPTY_ROOT, merkleRoot, type Sibling } from '../antelope/merkle.ts'
import { itemAt, required } from '../required.ts'

/** A full node. */
export interface NodePosition {
  level: number
  at: number
}

/** A tree by its count of leaves and its peaks, largest first. */
export interface Peaks {
  count: number
  peaks: readonly Uint8Array[]
}

/** Text that identifies a node. */
export const nodeKey = ({ level, at }: NodePosition): string => `${level}/${at}`

/** Returns the hash of a full node; must know the nodes that `pathPositions` or `rootPositions` return. */
export type NodeReader = (position: NodePosition) => Uint8Array

export const width = (level: number): number => 2 ** level

/** Full nodes that make up the leaves [first, last), left to right. `first` must be the start of a node. */
export function fullNodes(first: number, last: number): NodePosition[] {
  const positions: NodePosition[] = []
  for (let from = first; from < last; ) {
    let level = 0
    while (from % width(level + 1) === 0 && from + width(level + 1) <= last) level++
    positions.push({ level, at: from / width(level) })
    from += width(level)
  }
  return positions
}

/** The tree's peaks: its full nodes, largest first. */
export function rootPositions(count: number): NodePosition[] {
  return fullNodes(0, count)
}

/** The peaks of a tree by their keys; none without a tree. */
export function peaksByKey(tree: Peaks | null | undefined): Map<string, Uint8Array> {
  return new Map(tree ? rootPositions(tree.count).map((position, i) => [nodeKey(position), itemAt(tree.peaks, i)]) : [])
}

/** A reader of the nodes at `positions`, from their hashes in the same order. */
export function nodeReader(positions: readonly NodePosition[], hashes: readonly Uint8Array[]): NodeReader {
  const known = new Map(positions.map((position, i) => [nodeKey(position), itemAt(hashes, i)]))
  return (position) => required(known.get(nodeKey(position)), 'node of the tree')
}

/** The siblings on a leaf's path: the side of each, and the full nodes that make it up. */
function siblings(index: number, count: number): { left: boolean; parts: NodePosition[] }[] {
  if (!(index >= 0 && index < count)) throw new RangeError(`no leaf ${index} among ${count}`)
  const found: { left: boolean; parts: NodePosition[] }[] = []
  for (let level = 0; width(level) < count; level++) {
    const at = Math.floor(index / width(level))
    const other = at % 2 === 1 ? at - 1 : at + 1
    const from = other * width(level)
    if (from < count) found.push({ left: at % 2 === 1, parts: fullNodes(from, Math.min(count, from + width(level))) })
  }
  return found
}

/** Full nodes that the proof of a leaf needs. @throws RangeError when there is no leaf at `index` */
export function pathPositions(index: number, count: number): NodePosition[] {
  return siblings(index, count).flatMap(({ parts }) => parts)
}

const folded = (nodes: readonly Uint8Array[]): Uint8Array =>
  nodes.reduceRight((right, left) => merkleRoot([left, right]))

/** Equals `merkleRoot` of the first `count` leaves. */
export function rootOf(count: number, node: NodeReader): Uint8Array {
  return count === 0 ? EMPTY_ROOT : folded(rootPositions(count).map(node))
}

/** Equals `merkleProof` of the first `count` leaves. @throws RangeError when there is no leaf at `index` */
export function pathOf(index: number, count: number, node: NodeReader): Sibling[] {
  return siblings(index, count).map(({ left, parts }) => ({ hash: folded(parts.map(node)), left }))
}

/**
 * Full nodes that a leaf completes, from level 0 upwards. They are stored with its block: 64 bytes a block on average.
 *
 * @param index  of the leaf
 * @param left   returns a full node that ends before the leaf
 */
export function completedNodes(index: number, leaf: Uint8Array, left: NodeReader): Uint8Array[] {
  const nodes = [leaf]
  for (let level = 0, at = index; at % 2 === 1; level++, at = (at - 1) / 2) {
    nodes.push(merkleRoot([left({ level, at: at - 1 }), itemAt(nodes, level)]))
  }
  return nodes
}

/** The leaf that completes a full node; the node is stored with it. */
export const lastLeafOf = ({ level, at }: NodePosition): number => (at + 1) * width(level) - 1
