// Reads the position and lag of each chain from the database.
import type { Pool } from 'pg'
import { POSITIONS } from './sql.ts'

export interface ChainPosition {
  chain: string
  chainId: string | null
  firstBlock: number
  block: number
  blockId: string
  /** ISO 8601, UTC. */
  blockTime: string
  lib: number
  head: number
  /** Whether the secondary indexes are built: false while a backfill runs. */
  indexed: boolean
  /** Block from which current rows are exact; null if unknown at the start of indexing. */
  stateBlock: number | null
  /** Whether there is a pool, a market or a route of the bridge. */
  hasState: boolean
  /** Current rows that are outdated because their last change could not be decoded; counted up to 10,000. */
  staleRows: number
  /** Table and key of the first five stale rows. */
  stale: string[]
  updatedAt: string
  /** Seconds since the node's head was last stored; every commit stores it. */
  headAgeSeconds: number
  /** Blocks from the last indexed block to the head, plus the estimated blocks since the head was stored. */
  lagBlocks: number
  /** Age of the last indexed block, seconds. */
  lagSeconds: number
}

/** A stored head of less than this age counts as current, seconds. */
const HEAD_IS_CURRENT = 3

export async function readPositions(pool: Pool): Promise<ChainPosition[]> {
  const { rows } = await pool.query(POSITIONS)
  return rows.map(({ age, headAge, blockSeconds, ...row }) => {
    const [firstBlock, block] = [Number(row.firstBlock), Number(row.block)]
    const [lib, head] = [Number(row.lib), Number(row.head)]
    return {
      ...row,
      firstBlock,
      block,
      lib,
      head,
      stateBlock: row.stateBlock === null ? null : Number(row.stateBlock),
      blockTime: row.blockTime.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      headAgeSeconds: Math.max(0, headAge),
      lagBlocks: Math.max(0, head - block) + blocksSince(headAge, blockSeconds),
      lagSeconds: Math.max(0, Math.round(age * 10) / 10),
    } as ChainPosition
  })
}

/** Estimated number of blocks since the head was stored, from the chain's block interval. */
function blocksSince(seconds: number, blockSeconds: number): number {
  return seconds < HEAD_IS_CURRENT ? 0 : Math.floor(seconds / Math.max(blockSeconds, 0.1))
}
