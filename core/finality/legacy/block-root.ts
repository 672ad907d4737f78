// The tree of all block ids that blocks before Savanna commit to: leaf i is the id of block i + 1. An odd level repeats
// its last node. Before two nodes are hashed, bit 7 of byte 0 is cleared in the left one and set in the right one.

import { asLeft, asRight, EMPTY_ROOT, hashSides, legacyParents } from '../../antelope/merkle.ts'
import { itemAt } from '../../required.ts'

/** The root of a leaf and its path. @param path  siblings upwards, with their side bits set */
export function climbSides(leaf: Uint8Array, path: readonly Uint8Array[]): Uint8Array {
  const step = (node: Uint8Array, sibling: Uint8Array) =>
    ((sibling[0] ?? 0) & 0x80) === 0 ? hashSides(sibling, node) : hashSides(node, sibling)
  return path.reduce(step, leaf)
}

/** Siblings of a leaf upwards, with their side bits set. @throws RangeError when there is no leaf at `index` */
export function pathInLeaves(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  if (!(index >= 0 && index < leaves.length)) throw new RangeError(`no leaf ${index} among ${leaves.length}`)
  return pathFrom(leaves, 0, index)
}

/**
 * Grows block by block; stores only its full subtrees: O(log n) memory. Immutable.
 */
export class BlockRootTree {
  static readonly empty = new BlockRootTree(0, [])
  readonly count: number
  /** Full subtrees by level; undefined where the bit of the leaf count is 0. */
  readonly #full: readonly (Uint8Array | undefined)[]

  private constructor(count: number, full: readonly (Uint8Array | undefined)[]) {
    this.count = count
    this.#full = full
  }

  /** @param active  nodes as a node's state and heavy proofs list them: full subtrees, smallest first, then the root */
  static fromActive(count: number, active: readonly Uint8Array[]): BlockRootTree {
    const full: (Uint8Array | undefined)[] = []
    let next = 0
    for (let level = 0, rest = count; rest > 0; level++, rest = Math.floor(rest / 2))
      if (rest % 2 === 1) full[level] = active[next++]
    return new BlockRootTree(count, full)
  }

  /** @param peaks  full subtrees, largest first: one for each bit set in `count` */
  static fromPeaks(count: number, peaks: readonly Uint8Array[]): BlockRootTree {
    return BlockRootTree.fromActive(count, peaks.toReversed())
  }

  /** Full subtrees, largest first. */
  get peaks(): Uint8Array[] {
    return this.#full.filter((node) => node !== undefined).reverse()
  }

  /** Full nodes that one more leaf completes, from the leaf upwards: two on average. */
  completed(id: Uint8Array): Uint8Array[] {
    const nodes = [id]
    let node = id
    for (const full of this.#full) {
      if (full === undefined) break
      node = hashSides(full, node)
      nodes.push(node)
    }
    return nodes
  }

  /** @param nodes  `completed(id)`, if the caller has computed it */
  append(id: Uint8Array, nodes: readonly Uint8Array[] = this.completed(id)): BlockRootTree {
    const full = [...this.#full]
    for (let level = 0; level < nodes.length - 1; level++) full[level] = undefined
    full[nodes.length - 1] = itemAt(nodes, -1)
    return new BlockRootTree(this.count + 1, full)
  }

  /** The root of all leaves; zeros when empty. */
  root(): Uint8Array {
    return this.active().at(-1) ?? EMPTY_ROOT
  }

  /** Nodes as heavy proofs list them. */
  active(): Uint8Array[] {
    const nodes = this.#full.filter((node) => node !== undefined)
    if (nodes.length < 2) return nodes
    let top: Uint8Array | undefined
    for (const full of this.#full) {
      if (top) top = hashSides(full ?? top, top)
      else if (full) top = hashSides(full, full)
    }
    return top ? [...nodes, top] : nodes
  }

  /**
   * Siblings of this tree's next leaf, in a tree with further leaves.
   *
   * @param more  ids from the next leaf on, at least one
   */
  pathOfNext(more: readonly Uint8Array[]): Uint8Array[] {
    return pathFrom(more, this.count, this.count, (level) => this.#full[level])
  }
}

/**
 * @param nodes  nodes of the lowest level, from index `start` on
 * @param left   the full subtree just before a level's nodes, where their start is odd
 */
function pathFrom(
  nodes: readonly Uint8Array[],
  start: number,
  index: number,
  left: (level: number) => Uint8Array | undefined = () => undefined,
): Uint8Array[] {
  const path: Uint8Array[] = []
  let row = [...nodes]
  let first = start
  let at = index
  for (let level = 0; first + row.length > 1; level++) {
    if (first % 2 === 1) {
      const before = left(level)
      if (!before) throw new RangeError(`no subtree of level ${level} to the left of node ${first}`)
      row.unshift(before)
      first--
    }
    const sibling = row[(at ^ 1) - first] ?? itemAt(row, -1)
    path.push(at % 2 === 1 ? asLeft(sibling) : asRight(sibling))
    row = legacyParents(row)
    first /= 2
    at = Math.floor(at / 2)
  }
  return path
}
