// Paths in the tree of block ids before Savanna, from stored full nodes; the counterpart of
// `core/finality/positions.ts` for finality trees. An odd last node of a level is its own sibling.

import { asLeft, asRight, EMPTY_ROOT, hashSides } from '../../antelope/merkle.ts'
import { fullNodes, type NodePosition, type NodeReader, width } from '../positions.ts'

/** Levels on the path of a leaf: at each, the node's index and its sibling's. */
function levels(index: number, count: number): { level: number; at: number; sibling: number }[] {
  if (!(index >= 0 && index < count)) throw new RangeError(`no leaf ${index} among ${count}`)
  const found: { level: number; at: number; sibling: number }[] = []
  for (let level = 0; width(level) < count; level++) {
    const at = Math.floor(index / width(level))
    const other = at % 2 === 1 ? at - 1 : at + 1
    found.push({ level, at, sibling: other * width(level) < count ? other : at })
  }
  return found
}

/** Full nodes that a leaf's path needs. @throws RangeError when there is no leaf at `index` */
export function idPathPositions(index: number, count: number): NodePosition[] {
  return levels(index, count).flatMap(({ level, sibling }) =>
    fullNodes(sibling * width(level), Math.min(count, (sibling + 1) * width(level))),
  )
}

/** Siblings from the leaf up, with their side bits set. @throws RangeError when there is no leaf at `index` */
export function idPathOf(index: number, count: number, node: NodeReader): Uint8Array[] {
  return levels(index, count).map(({ level, at, sibling }) => {
    const hash = nodeOf({ level, at: sibling }, count, node)
    return at % 2 === 1 ? asLeft(hash) : asRight(hash)
  })
}

/** Root of the first `count` leaves. Reads the nodes that `rootPositions` returns. */
export function idRootOf(count: number, node: NodeReader): Uint8Array {
  if (count === 0) return EMPTY_ROOT
  let level = 0
  while (width(level) < count) level++
  return nodeOf({ level, at: 0 }, count, node)
}

/** A node of a tree with `count` leaves. At least one leaf must be below it. */
function nodeOf({ level, at }: NodePosition, count: number, node: NodeReader): Uint8Array {
  if ((at + 1) * width(level) <= count) return node({ level, at })
  const left = nodeOf({ level: level - 1, at: 2 * at }, count, node)
  const hasRight = (2 * at + 1) * width(level - 1) < count
  return hashSides(left, hasRight ? nodeOf({ level: level - 1, at: 2 * at + 1 }, count, node) : left)
}
