// Reads the tables from the database's catalog: only the migrations describe the schema.
import type { ClientBase } from 'pg'
import { CATALOG } from './sql.ts'

export interface Column {
  /** Name in SQL, snake_case. */
  name: string
  /** Name in rows, camelCase. */
  property: string
  /** PostgreSQL type name: int8, text, numeric, ... */
  type: string
  nullable: boolean
}

export interface Table {
  /** `ledger.swaps` */
  id: string
  schema: string
  name: string
  columns: Column[]
  /** Columns of the primary key, in key order. */
  key: string[]
}

/** Tables of ledger and state, by `schema.name`. */
export type Catalog = Map<string, Table>

interface CatalogRow {
  schema: string
  name: string
  columns: { name: string; type: string; nullable: boolean }[]
  key: string[]
}

export async function readCatalog(client: ClientBase): Promise<Catalog> {
  const { rows } = await client.query<CatalogRow>(CATALOG)
  return new Map(
    rows.map((row) => {
      const id = `${row.schema}.${row.name}`
      const columns = row.columns.map((column) => ({ ...column, property: camelCase(column.name) }))
      return [id, { id, schema: row.schema, name: row.name, columns, key: row.key }]
    }),
  )
}

/** `fee_growth_global_a_x64` -> `feeGrowthGlobalAX64` */
function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
