// Reads the indexers' reports of faults of their nodes from the database.
import type { Pool } from 'pg'
import { REPORTS } from './sql.ts'

export interface ChainReport {
  chain: string
  /** The last fault; null if there was none. */
  fault: { code: string; text: string; ageSeconds: number } | null
  /** Whether the indexer has stopped because of the fault. */
  ended: boolean
  /** The last contradiction of final blocks by a node; null if there was none. */
  contradiction: { text: string; ageSeconds: number } | null
}

interface Row {
  chain: string
  code: string | null
  fault: string | null
  faultAge: number | null
  ended: boolean
  contradiction: string | null
  contradictionAge: number | null
}

export async function readReports(pool: Pool): Promise<ChainReport[]> {
  const { rows } = await pool.query<Row>(REPORTS)
  return rows.map(({ chain, code, fault, faultAge, ended, contradiction, contradictionAge }) => ({
    chain,
    fault: code === null ? null : { code, text: fault ?? code, ageSeconds: faultAge ?? 0 },
    ended,
    contradiction: contradiction === null ? null : { text: contradiction, ageSeconds: contradictionAge ?? 0 },
  }))
}
