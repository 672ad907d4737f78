// Estimated row counts of the tables, from PostgreSQL's statistics: fast for any table size.
import type { Pool } from 'pg'
import { ROW_ESTIMATES } from './sql.ts'

/** Estimated rows by table (`ledger.swaps`). */
export type RowEstimates = Record<string, number>

/** @returns by chain */
export async function readRowEstimates(pool: Pool): Promise<Map<string, RowEstimates>> {
  const { rows } = await pool.query<{ chain: string; name: string; rows: number }>(ROW_ESTIMATES)
  const chains = new Map<string, RowEstimates>()
  for (const row of rows) {
    const estimates = chains.get(row.chain) ?? {}
    estimates[row.name] = Math.round(row.rows)
    chains.set(row.chain, estimates)
  }
  return chains
}
