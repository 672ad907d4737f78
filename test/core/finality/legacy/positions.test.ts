// Paths from stored full nodes equal those from all leaves, for every leaf of trees of every size up to a limit.
import t from 'tap'
import { legacyMerkleRoot } from '../../../../core/antelope/merkle.ts'
import { BlockRootTree, climbSides, pathInLeaves } from '../../../../core/finality/legacy/block-root.ts'
import { idPathOf, idPathPositions, idRootOf } from '../../../../core/finality/legacy/positions.ts'
import { type NodePosition, rootPositions } from '../../../../core/finality/positions.ts'
import { toHex } from '../../../../core/hex.ts'
import { sha256 } from '../../../../core/sha256.ts'

const leaves = Array.from({ length: 70 }, (_, i) => sha256(Uint8Array.of(i)))
const key = ({ level, at }: NodePosition) => `${level}/${at}`
/** Full nodes as rows: bytes, and the leaf that completes the node. */
const stored = new Map<string, Uint8Array>()
const trees = [BlockRootTree.empty]
for (const [index, leaf] of leaves.entries()) {
  const nodes = trees[index]!.completed(leaf)
  for (const [level, node] of nodes.entries())
    stored.set(key({ level, at: (index + 1) / 2 ** level - 1 }), Buffer.from(node))
  trees.push(trees[index]!.append(leaf, nodes))
}

t.test('root and path of every leaf', async (t) => {
  for (let count = 1; count <= leaves.length; count++) {
    const asked = new Set<string>()
    const read = (position: NodePosition) => {
      asked.add(key(position))
      return stored.get(key(position))!
    }
    const first = leaves.slice(0, count)
    const root = toHex(idRootOf(count, read))
    if (root !== toHex(legacyMerkleRoot(first)) || root !== toHex(trees[count]!.root())) t.fail(`root of ${count}`)
    const known = new Set(rootPositions(count).map(key))
    if ([...asked].some((one) => !known.has(one))) t.fail(`other nodes than those of the root of ${count}`)
    for (let index = 0; index < count; index++) {
      asked.clear()
      const path = idPathOf(index, count, read)
      const needed = new Set(idPathPositions(index, count).map(key))
      if ([...asked].some((one) => !needed.has(one))) t.fail(`other nodes than those of leaf ${index} of ${count}`)
      if (path.map(toHex).join() !== pathInLeaves(first, index).map(toHex).join()) t.fail(`way of ${index} of ${count}`)
      if (toHex(climbSides(leaves[index]!, path)) !== root) t.fail(`leaf ${index} of ${count}`)
    }
  }
  t.throws(() => idPathOf(3, 3, () => leaves[0]!), RangeError)
  t.same(toHex(idRootOf(0, () => leaves[0]!)), '00'.repeat(32))
})

t.test('a tree continues from its peaks, and hashing does not change its input', async (t) => {
  const tree = BlockRootTree.fromPeaks(37, trees[37]!.peaks)
  t.same(tree.append(leaves[37]!).active().map(toHex), trees[38]!.active().map(toHex))
  t.equal(toHex(stored.get('0/12')!), toHex(leaves[12]!))
  t.equal(toHex(legacyMerkleRoot(leaves.map((leaf) => Buffer.from(leaf)))), toHex(trees[70]!.root()))
})
