// The tables with a chain's rows, from the database's catalog.
import type { ClientBase } from 'pg'
import { TABLES } from './sql.ts'

export interface VerifiedTable {
  schema: string
  name: string
  columns: string[]
  /** Columns that the blocks determine. */
  digested: string[]
  /** PostgreSQL type of each column. */
  types: string[]
  /** Columns of the primary key, in key order. */
  key: string[]
}

/** Ledger first, then state, then derived tables, each by name. */
export async function readTables(client: ClientBase): Promise<VerifiedTable[]> {
  const { rows } = await client.query<VerifiedTable>(TABLES)
  return rows
}
