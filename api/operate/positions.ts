// How far each chain is indexed, as the database says.
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
  /** Block from which current rows are exact; null when the start did not tell. */
  stateBlock: number | null
  /** Whether there is any current row of the exchange's contracts: a pool, a market or a route of the bridge. */
  hasState: boolean
  /** Current rows that are known to be older than the chain, because their last change could not be decoded; 10,000 at most. */
  staleRows: number
  /** The first of them: table and key. */
  stale: string[]
  updatedAt: string
  /** Since the node's head was seen last: every commit brings it. Seconds. */
  headAgeSeconds: number
  /** Blocks between the head and the last indexed block; what the clock says has come since the head was seen counts too. */
  lagBlocks: number
  /** Age of the last indexed block, seconds. */
  lagSeconds: number
}

/** A head that was seen so short ago is the head, seconds. */
const HEAD_STANDS = 3

export async function readPositions(pool: Pool): Promise<ChainPosition[]> {
  const { rows } = await pool.query(POSITIONS)
  return rows.map(({ age, headAge, blockSeconds, ...row }) => {
    const [firstBlock, block, lib, head] = [row.firstBlock, row.block, row.lib, row.head].map(Number) as number[]
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
      lagBlocks: Math.max(0, head! - block!) + blocksSince(headAge, blockSeconds),
      lagSeconds: Math.max(0, Math.round(age * 10) / 10),
    } as ChainPosition
  })
}

/** Blocks that have come since the head was seen, as far as the clock can tell. */
function blocksSince(seconds: number, blockSeconds: number): number {
  return seconds < HEAD_STANDS ? 0 : Math.floor(seconds / Math.max(blockSeconds, 0.1))
}
