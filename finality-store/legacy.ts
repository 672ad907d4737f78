// The state of a chain's finality before Savanna, as rows store it: the imported start, and the rows from which a
// follower continues and from which proofs of deposits are made.

import { BlockRootTree } from '../core/finality/legacy/block-root.ts'
import { type LegacyBlock, signaturesOf } from '../core/finality/legacy/rows.ts'
import { type ProducerSchedule, readSchedule } from '../core/finality/legacy/schedule.ts'
import {
  type LegacyStart,
  legacyStartOf,
  type StoredLegacyStart,
  storedLegacyStart,
} from '../core/finality/legacy/start.ts'
import type { LegacyLineage } from '../core/finality/legacy/track.ts'
import { type NodePosition, rootPositions } from '../core/finality/positions.ts'
import { toHex } from '../core/hex.ts'
import { itemAt } from '../core/required.ts'
import { type Queryable, readNodes } from './nodes.ts'
import {
  KEEP_LEGACY_START,
  LEGACY_FOLLOWED,
  LEGACY_IDS,
  LEGACY_KEPT,
  LEGACY_START,
  LEGACY_VERSION,
  SCHEDULES,
} from './sql.ts'

export async function readLegacyStart(db: Queryable, chain: string): Promise<LegacyStart | null> {
  const { rows } = await db.query<StoredLegacyStart>(LEGACY_START, [chain])
  return rows[0] ? legacyStartOf(rows[0]) : null
}

/** Stores a start, replacing the previous one. */
export async function keepLegacyStart(db: Queryable, chain: string, start: LegacyStart): Promise<void> {
  const { blockNum, blockId, peaks, schedules } = storedLegacyStart(start)
  await db.query(KEEP_LEGACY_START, [chain, blockNum, blockId, peaks, schedules])
}

/** Lineages from the last irreversible block to `at.num`; none when block `at.num` is not followed. */
export async function readLegacyLineages(
  db: Queryable,
  chain: string,
  start: LegacyStart | null,
  at: { num: number; lib: number },
): Promise<LegacyLineage[]> {
  type Row = { blockNum: string; id: Uint8Array; producer: string; version: string }
  const { rows } = await db.query<Row>(LEGACY_FOLLOWED, [chain, at.lib, at.num])
  if (Number(rows.at(-1)?.blockNum) !== at.num) return []
  const from = rows.findLastIndex(({ blockNum }, i) => Number(rows[i - 1]?.blockNum) !== Number(blockNum) - 1)
  let tree = await readIdTree(db, chain, start, Number(itemAt(rows, from).blockNum))
  return rows.slice(from).map(({ blockNum, id, producer, version }, i) => {
    if (i > 0) tree = tree.append(id)
    return { blockNum: Number(blockNum), blockId: toHex(id), tree, producer, scheduleVersion: Number(version) }
  })
}

/** Full nodes of the tree of block ids; leaf i is the id of block i + 1. @throws BugError NODE_NOT_STORED */
export function readIdNodes(
  db: Queryable,
  chain: string,
  start: LegacyStart | null,
  positions: readonly NodePosition[],
): Promise<Uint8Array[]> {
  return readNodes(db, { chain, tree: 'ids', first: 1, start: start?.lineage.tree }, positions)
}

/** The tree of the ids of the first `count` blocks. @throws BugError NODE_NOT_STORED */
export async function readIdTree(
  db: Queryable,
  chain: string,
  start: LegacyStart | null,
  count: number,
): Promise<BlockRootTree> {
  return BlockRootTree.fromPeaks(count, await readIdNodes(db, chain, start, rootPositions(count)))
}

/** Ids of blocks, ascending, both ends included. */
export async function readIds(db: Queryable, chain: string, from: number, to: number): Promise<Uint8Array[]> {
  const { rows } = await db.query<{ id: Uint8Array }>(LEGACY_IDS, [chain, from, to])
  return rows.map(({ id }) => id)
}

/** Blocks with stored headers, ascending, both ends included. */
export async function readSignedHeaders(
  db: Queryable,
  chain: string,
  from: number,
  to: number,
): Promise<LegacyBlock[]> {
  type Row = Omit<LegacyBlock, 'signatures'> & { signatures: Uint8Array }
  const { rows } = await db.query<Row>(LEGACY_KEPT, [chain, from, to])
  return rows.map(({ signatures, ...block }) => ({ ...block, signatures: signaturesOf(signatures) }))
}

/** Schedules with the block whose header proposes them, ascending; 0 for the start's schedules. */
export async function readSchedules(
  db: Queryable,
  chain: string,
  start: LegacyStart | null,
): Promise<{ blockNum: number; schedule: ProducerSchedule }[]> {
  const { rows } = await db.query<{ blockNum: number; schedule: Uint8Array }>(SCHEDULES, [chain])
  const proposed = rows.map(({ blockNum, schedule }) => ({ blockNum, schedule: readSchedule(schedule) }))
  const versions = new Set(proposed.map(({ schedule }) => schedule.version))
  const before = start?.schedules.filter(({ version }) => !versions.has(version)) ?? []
  return [...before.map((schedule) => ({ blockNum: 0, schedule })), ...proposed]
}

/** Version of the producer schedule of a block before Savanna; null for other blocks. */
export async function readScheduleVersion(db: Queryable, chain: string, blockNum: number): Promise<number | null> {
  const { rows } = await db.query<{ version: number }>(LEGACY_VERSION, [chain, blockNum])
  return rows[0]?.version ?? null
}
