// What the indexers say of their nodes, as the database has it.
import type { Pool } from 'pg'
import { REPORTS } from './sql.ts'

export interface ChainReport {
  chain: string
  /** What went wrong last; null when nothing has. */
  fault: { code: string; text: string; ageSeconds: number } | null
  /** Whether the indexer has given the chain up for it. */
  ended: boolean
  /** Where a node last contradicted final blocks. */
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
