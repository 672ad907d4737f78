// Paths in the finality tree, from a source's stored nodes.

import type { Sibling } from '../core/antelope/merkle.ts'
import { nodeReader, pathOf, pathPositions, rootOf, rootPositions } from '../core/finality/positions.ts'
import type { ProofSource } from '../core/finality/proof-source.ts'
import { required } from '../core/required.ts'

/** Merkle path of a block's leaf to a root of the finality tree. */
export interface TreePath {
  siblings: readonly Sibling[]
  root: Uint8Array
}

/** The path of a block's leaf to the root of the tree up to `lastBlock`. */
export async function treePath(
  source: Pick<ProofSource, 'genesis' | 'nodes'>,
  blockNum: number,
  lastBlock: number,
): Promise<TreePath> {
  const genesis = required(await source.genesis(), 'Savanna genesis')
  const [index, count] = [blockNum - genesis, lastBlock - genesis + 1]
  const positions = [...pathPositions(index, count), ...rootPositions(count)]
  const read = nodeReader(positions, await source.nodes(positions))
  return { siblings: pathOf(index, count, read), root: rootOf(count, read) }
}
