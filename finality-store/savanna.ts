// The state of a chain's finality under Savanna, as rows store it: the imported start, and the blocks and policies from
// which a follower continues.

import { IncrementalMerkle } from '../core/antelope/merkle.ts'
import type { Followed, FollowedSoFar } from '../core/finality/follower.ts'
import { rootPositions } from '../core/finality/positions.ts'
import { blockOf, policyOf, type StoredBlock, type StoredPolicy } from '../core/finality/rows.ts'
import { type FinalityStart, type StoredStart, startOf, storedStart } from '../core/finality/start.ts'
import type { PendingSince } from '../core/finality/track.ts'
import { itemAt, required } from '../core/required.ts'
import { type Queryable, readNodes } from './nodes.ts'
import { FIRST, FOLLOWED, KEEP_START, POLICIES, START, USED_START } from './sql.ts'

/** The imported start; null without one. */
export function readStart(db: Queryable, chain: string): Promise<FinalityStart | null> {
  return queryStart(db, START, chain)
}

/** The imported start; null without one, and when the chain is followed from before it. */
export function readUsedStart(db: Queryable, chain: string): Promise<FinalityStart | null> {
  return queryStart(db, USED_START, chain)
}

async function queryStart(db: Queryable, statement: string, chain: string): Promise<FinalityStart | null> {
  const { rows } = await db.query<StoredStart>(statement, [chain])
  return rows[0] ? startOf(rows[0]) : null
}

/** Stores a start, replacing the previous one. */
export async function keepStart(db: Queryable, chain: string, start: FinalityStart): Promise<void> {
  const { genesis, blockNum, blockId, slot, policyDigest, policyStart, policies, peaks } = storedStart(start)
  await db.query(KEEP_START, [chain, genesis, blockNum, blockId, slot, policyDigest, policyStart, policies, peaks])
}

/** Number of the block of leaf 0; null before the first. */
export async function readGenesis(db: Queryable, chain: string, used: FinalityStart | null): Promise<number | null> {
  if (used) return used.lineage.genesis
  const { rows } = await db.query<{ first: string | null }>(FIRST, [chain])
  return rows[0]?.first == null ? null : Number(rows[0].first)
}

/** Policies that became pending, and the start's policies, ascending by generation. */
export async function readPolicies(db: Queryable, chain: string, used: FinalityStart | null): Promise<PendingSince[]> {
  const { rows } = await db.query<StoredPolicy>(POLICIES, [chain])
  return [...(used?.policies ?? []), ...rows.map(policyOf)]
}

/**
 * State from which a follower continues after block `at.num`; empty when that block is not followed.
 *
 * @param at  the indexed position: last block, last irreversible block
 * @throws BugError NODE_NOT_STORED
 */
export async function readFollowed(
  db: Queryable,
  chain: string,
  at: { num: number; lib: number },
): Promise<FollowedSoFar> {
  const { rows } = await db.query<StoredBlock & { covered: string }>(FOLLOWED, [chain, at.lib, at.num])
  if (Number(rows.at(-1)?.blockNum) !== at.num) return { blocks: [], policies: [], floor: 0 }
  // After a gap in the finality rows, only the last consecutive blocks count.
  const blocks = rows.map(blockOf)
  const from = blocks.findLastIndex(({ blockNum }, i) => blocks[i - 1]?.blockNum !== blockNum - 1)
  const used = await readUsedStart(db, chain)
  const genesis = required(await readGenesis(db, chain, used), 'Savanna genesis')
  const count = itemAt(blocks, from).blockNum - genesis + 1
  const place = { chain, tree: 'finality', first: genesis, start: used?.lineage.tree } as const
  let tree = new IncrementalMerkle(count, await readNodes(db, place, rootPositions(count)))
  const followed: Followed[] = []
  for (const [i, block] of blocks.slice(from).entries()) {
    const { blockNum, timestamp, leaf, lastPendingPolicyDigest: digest, lastPendingPolicyStart: since } = block
    if (i > 0) tree = tree.append(leaf)
    const lineage = { genesis, tree, blockNum, timestamp, lastPending: { digest, start: since } }
    followed.push({ block, lineage, covered: Number(itemAt(rows, from + i).covered) })
  }
  const policies = await readPolicies(db, chain, used)
  return { blocks: followed, policies, floor: used?.lineage.blockNum ?? 0 }
}
