// Marks of contracts' rows whose last change could not be decoded, as the database has them.
import type { ClientBase } from 'pg'
import { STALE_MARKS } from './sql.ts'

/** Which row of a contract is marked. */
export interface StoredMark {
  contract: string
  scope: string
  tableName: string
  primaryKey: bigint
}

/** Rows of a chain that are marked, or that a rewind may mark again. */
export async function readStaleMarks(client: ClientBase, chain: string): Promise<StoredMark[]> {
  const { rows } = await client.query(STALE_MARKS, [chain])
  return rows.map((row) => ({ ...row, primaryKey: BigInt(row.primaryKey) }))
}
