// The database's state of following a chain before Savanna, and its imported start.
import type { ClientBase } from 'pg'
import { BlockRootTree } from '../../core/antelope/legacy/block-root.ts'
import { BugError } from '../../core/errors.ts'
import type { LegacyLineage } from '../../core/finality/legacy.ts'
import {
  type LegacyStart,
  legacyStartOf,
  type StoredLegacyStart,
  storedLegacyStart,
} from '../../core/finality/legacy-start.ts'
import { lastLeafOf, type NodePosition, rootPositions } from '../../core/finality/positions.ts'
import { KEEP_LEGACY_START, LEGACY_FOLLOWED, LEGACY_NODES, LEGACY_START } from './sql.ts'

type Queryable = Pick<ClientBase, 'query'>

const key = ({ level, at }: NodePosition): string => `${level}/${at}`

export async function readLegacyStart(client: Queryable, chain: string): Promise<LegacyStart | null> {
  const { rows } = await client.query<StoredLegacyStart>(LEGACY_START, [chain])
  return rows[0] ? legacyStartOf(rows[0]) : null
}

/** Stores a start, replacing the previous one. */
export async function keepLegacyStart(client: Queryable, chain: string, start: LegacyStart): Promise<void> {
  const { blockNum, blockId, peaks, schedules } = storedLegacyStart(start)
  await client.query(KEEP_LEGACY_START, [chain, blockNum, blockId, peaks, schedules])
}

/** Lineages from the last irreversible block to `at.num`; none when block `at.num` is not followed. */
export async function readLegacyLineages(
  client: Queryable,
  chain: string,
  start: LegacyStart | null,
  at: { num: number; lib: number },
): Promise<LegacyLineage[]> {
  type Row = { blockNum: string; id: Uint8Array; producer: string; version: string }
  const { rows } = await client.query<Row>(LEGACY_FOLLOWED, [chain, at.lib, at.num])
  if (Number(rows.at(-1)?.blockNum) !== at.num) return []
  const from = rows.findLastIndex(({ blockNum }, i) => Number(rows[i - 1]?.blockNum) !== Number(blockNum) - 1)
  let tree = await readIdTree(client, chain, start, Number(rows[from]!.blockNum))
  return rows.slice(from).map(({ blockNum, id, producer, version }, i) => {
    if (i > 0) tree = tree.append(id)
    const blockId = Buffer.from(id).toString('hex')
    return { blockNum: Number(blockNum), blockId, tree, producer, scheduleVersion: Number(version) }
  })
}

/** The tree of the first block ids, from the nodes stored with their blocks. @param count  number of blocks */
export async function readIdTree(
  client: Queryable,
  chain: string,
  start: LegacyStart | null,
  count: number,
): Promise<BlockRootTree> {
  const positions = rootPositions(count)
  const blocks = positions.map((position) => lastLeafOf(position) + 1)
  const levels = positions.map(({ level }) => level)
  const { rows } = await client.query<{ place: number; hash: Uint8Array }>(LEGACY_NODES, [chain, blocks, levels])
  const known = new Map(
    start ? rootPositions(start.lineage.tree.count).map((one, i) => [key(one), start.lineage.tree.peaks[i]!]) : [],
  )
  for (const { place, hash } of rows) known.set(key(positions[place - 1]!), hash)
  const peaks = positions.map((position) => {
    const peak = known.get(key(position))
    if (peak?.length === 32) return peak
    throw new BugError('NODE_NOT_STORED', `no node ${key(position)} in the tree of ids of ${chain}`, {
      place: { chain, block: count },
    })
  })
  return BlockRootTree.fromPeaks(count, peaks)
}
