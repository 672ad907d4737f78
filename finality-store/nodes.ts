// Full nodes of a chain's trees: the finality tree, and the tree of block ids before Savanna. A node is stored with the
// block that completes it. Nodes before an imported start are among the start's peaks.
import type { ClientBase, Pool } from 'pg'
import { BugError } from '../core/errors.ts'
import { lastLeafOf, type NodePosition, nodeKey, type Peaks, peaksByKey } from '../core/finality/positions.ts'
import { LEGACY_NODES, NODES } from './sql.ts'

export type Queryable = Pick<ClientBase | Pool, 'query'>

const TREES = {
  finality: { statement: NODES, name: 'finality tree' },
  ids: { statement: LEGACY_NODES, name: 'tree of ids' },
}

export interface TreeOf {
  chain: string
  tree: keyof typeof TREES
  /** Number of the block of leaf 0. */
  first: number
  /** The tree at an imported start. */
  start: Peaks | undefined
}

/** @returns hashes in the order of `positions` @throws BugError NODE_NOT_STORED */
export async function readNodes(
  db: Queryable,
  { chain, tree, first, start }: TreeOf,
  positions: readonly NodePosition[],
): Promise<Uint8Array[]> {
  const { statement, name } = TREES[tree]
  const blocks = positions.map((position) => lastLeafOf(position) + first)
  const levels = positions.map(({ level }) => level)
  const { rows } = await db.query<{ place: number; hash: Uint8Array }>(statement, [chain, blocks, levels])
  const stored = new Map(rows.map(({ place, hash }) => [place - 1, hash]))
  const peaks = peaksByKey(start)
  return positions.map((position, i) => {
    const hash = peaks.get(nodeKey(position)) ?? stored.get(i)
    if (hash?.length === 32) return hash
    throw new BugError('NODE_NOT_STORED', `no node ${nodeKey(position)} in the ${name} of ${chain}`, {
      place: { chain, block: blocks[i] },
    })
  })
}
