// Reads the marks of contract rows whose last change could not be decoded.
import type { ClientBase } from 'pg'
import { STALE_MARKS } from './sql.ts'

/** Key of a marked row. */
export interface StoredMark {
  contract: string
  scope: string
  tableName: string
  primaryKey: bigint
}

/** Marked rows of a chain, and rows whose mark a rewind may restore. */
export async function readStaleMarks(client: ClientBase, chain: string): Promise<StoredMark[]> {
  const { rows } = await client.query(STALE_MARKS, [chain])
  return rows.map((row) => ({ ...row, primaryKey: BigInt(row.primaryKey) }))
}
