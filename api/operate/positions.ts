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
  updatedAt: string
  lagBlocks: number
  /** Age of the last indexed block, seconds. */
  lagSeconds: number
}

export async function readPositions(pool: Pool): Promise<ChainPosition[]> {
  const { rows } = await pool.query(POSITIONS)
  return rows.map(({ age, ...row }) => {
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
      lagBlocks: Math.max(0, head! - block!),
      lagSeconds: Math.max(0, Math.round(age * 10) / 10),
    } as ChainPosition
  })
}
