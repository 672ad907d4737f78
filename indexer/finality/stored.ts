// The database's state of following a chain's finality, and its imported start.

import type pg from 'pg'
import { IncrementalMerkle } from '../../core/antelope/merkle.ts'
import { BugError } from '../../core/errors.ts'
import { lastLeafOf, rootPositions } from '../../core/finality/positions.ts'
import { blockOf, policyOf } from '../../core/finality/rows.ts'
import { type FinalityStart, type StoredStart, startOf, storedStart } from '../../core/finality/start.ts'
import type { Followed, FollowedSoFar } from './follower.ts'
import { BLOCK_FOLLOWED, FIRST, FOLLOWED, KEEP_START, NODES, POLICIES, START } from './sql.ts'

type Queryable = Pick<pg.ClientBase, 'query'>

/** The indexed position of the chain. */
interface At {
  num: number
  lib: number
}

export async function readStart(client: Queryable, chain: string): Promise<FinalityStart | null> {
  const { rows } = await client.query<StoredStart>(START, [chain])
  return rows[0] ? startOf(rows[0]) : null
}

/** Stores a start, replacing the previous one. */
export async function keepStart(client: Queryable, chain: string, start: FinalityStart): Promise<void> {
  const { genesis, blockNum, blockId, slot, policyDigest, policyStart, policies, peaks } = storedStart(start)
  await client.query(KEEP_START, [chain, genesis, blockNum, blockId, slot, policyDigest, policyStart, policies, peaks])
}

/** Blocks up to `at.num`; none when block `at.num` is not followed. */
export async function readFollowed(
  client: Queryable,
  chain: string,
  start: FinalityStart | null,
  at: At,
): Promise<FollowedSoFar> {
  type Row = Parameters<typeof blockOf>[0] & { covered: string }
  const { rows } = await client.query<Row>(FOLLOWED, [chain, at.lib, at.num])
  if (Number(rows.at(-1)?.blockNum) !== at.num) return { blocks: [], policies: [], floor: 0 }
  // After a gap in the finality rows, only the last consecutive blocks count.
  const blocks = rows.map(blockOf)
  const from = blocks.findLastIndex(({ blockNum }, i) => blocks[i - 1]?.blockNum !== blockNum - 1)
  const used = await usedStart(client, chain, start)
  const genesis = used?.lineage.genesis ?? (await firstBlock(client, chain))
  const followed: Followed[] = []
  let tree = await treeAt(client, chain, used, blocks[from]!.blockNum, genesis)
  for (const [i, block] of blocks.slice(from).entries()) {
    const { blockNum, timestamp, leaf, lastPendingPolicyDigest: digest, lastPendingPolicyStart: since } = block
    if (i > 0) tree = tree.append(leaf)
    const lineage = { genesis, tree, blockNum, timestamp, lastPending: { digest, start: since } }
    const { covered } = rows[from + i]!
    followed.push({ block, lineage, covered: Number(covered) })
  }
  const policies = await client.query<Parameters<typeof policyOf>[0]>(POLICIES, [chain])
  const all = [...(used?.policies ?? []), ...policies.rows.map(policyOf)]
  return { blocks: followed, policies: all, floor: used?.lineage.blockNum ?? 0 }
}

/** The start, unless blocks before it were followed. */
async function usedStart(client: Queryable, chain: string, start: FinalityStart | null): Promise<FinalityStart | null> {
  if (!start) return null
  const { rows } = await client.query(BLOCK_FOLLOWED, [chain, start.lineage.blockNum])
  return rows.length > 0 ? null : start
}

async function firstBlock(client: Queryable, chain: string): Promise<number> {
  const { rows } = await client.query<{ first: string }>(FIRST, [chain])
  return Number(rows[0]!.first)
}

/** The finality tree up to a block, from stored nodes. */
async function treeAt(
  client: Queryable,
  chain: string,
  start: FinalityStart | null,
  blockNum: number,
  genesis: number,
): Promise<IncrementalMerkle> {
  const count = blockNum - genesis + 1
  const positions = rootPositions(count)
  const imported = start ? rootPositions(start.lineage.tree.count) : []
  const peaks = positions.map(({ level, at }) => {
    const i = imported.findIndex((position) => position.level === level && position.at === at)
    return start?.lineage.tree.peaks[i]
  })
  const blocks = positions.map((position) => lastLeafOf(position) + genesis)
  const levels = positions.map(({ level }) => level)
  const { rows } = await client.query<{ place: number; hash: Uint8Array }>(NODES, [chain, blocks, levels])
  for (const { place, hash } of rows) peaks[place - 1] ??= hash
  return new IncrementalMerkle(
    count,
    peaks.map((peak, i) => {
      if (peak && peak.length === 32) return peak
      const { level, at } = positions[i]!
      throw new BugError('NODE_NOT_STORED', `no node ${level}/${at} in the finality tree of ${chain}`, {
        place: { chain, block: blockNum },
      })
    }),
  )
}
