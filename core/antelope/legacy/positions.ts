// Ways in the tree of all block ids before Savanna from stored full nodes, as `core/finality/positions.ts` has them for
// finality trees: where a level ends with an odd node, that node stands on both sides.
import { fullNodes, type NodePosition, type NodeReader, width } from '../../finality/positions.ts'
import { EMPTY_ROOT } from '../merkle.ts'
import { asLeft, asRight, hashSides } from './block-root.ts'

/** Levels on the way up from a leaf: at each its own place and that of the node beside it. */
function levels(index: number, count: number): { level: number; at: number; beside: number }[] {
  if (!(index >= 0 && index < count)) throw new RangeError(`no leaf ${index} among ${count}`)
  const found: { level: number; at: number; beside: number }[] = []
  for (let level = 0; width(level) < count; level++) {
    const at = Math.floor(index / width(level))
    const other = at % 2 === 1 ? at - 1 : at + 1
    found.push({ level, at, beside: other * width(level) < count ? other : at })
  }
  return found
}

/** Full nodes that the way of a leaf needs. @throws RangeError when there is no leaf at `index` */
export function idPathPositions(index: number, count: number): NodePosition[] {
  return levels(index, count).flatMap(({ level, beside }) =>
    fullNodes(beside * width(level), Math.min(count, (beside + 1) * width(level))),
  )
}

/** Siblings upwards, with their sides set. @throws RangeError when there is no leaf at `index` */
export function idPathOf(index: number, count: number, node: NodeReader): Uint8Array[] {
  return levels(index, count).map(({ level, at, beside }) => {
    const sibling = nodeOf({ level, at: beside }, count, node)
    return at % 2 === 1 ? asLeft(sibling) : asRight(sibling)
  })
}

/** Root of the first `count` leaves. Needs the nodes that `rootPositions` of finality trees names. */
export function idRootOf(count: number, node: NodeReader): Uint8Array {
  if (count === 0) return EMPTY_ROOT
  let level = 0
  while (width(level) < count) level++
  return nodeOf({ level, at: 0 }, count, node)
}

/** A node of a tree of so many leaves, of which at least one is under it. */
function nodeOf({ level, at }: NodePosition, count: number, node: NodeReader): Uint8Array {
  if ((at + 1) * width(level) <= count) return node({ level, at })
  const left = nodeOf({ level: level - 1, at: 2 * at }, count, node)
  const hasRight = (2 * at + 1) * width(level - 1) < count
  return hashSides(left, hasRight ? nodeOf({ level: level - 1, at: 2 * at + 1 }, count, node) : left)
}
