// The views that can be exported: every one of head and final, with its columns.
import type { ClientBase } from 'pg'
import { UserError } from '../../core/errors.ts'
import { VIEW_COLUMNS, VIEW_NAMES } from './sql.ts'

export interface ViewColumn {
  name: string
  /** PostgreSQL type: int8, text, numeric, timestamptz, ... */
  type: string
  /** Of a numeric with fixed digits; else null. */
  precision: number | null
  scale: number | null
}

export interface View {
  /** `final.swaps` */
  name: string
  columns: ViewColumn[]
}

/**
 * @param name  `head.swaps`, `final.swaps`, or `swaps` for the final one
 * @throws UserError UNKNOWN_VIEW
 */
export async function findView(client: ClientBase, name: string): Promise<View> {
  const full = name.includes('.') ? name : `final.${name}`
  const [schema, view] = full.split('.')
  const { rows } = await client.query<ViewColumn>(VIEW_COLUMNS, [schema, view])
  if (rows.length > 0) return { name: full, columns: rows }
  const { rows: known } = await client.query<{ name: string }>(VIEW_NAMES)
  throw new UserError('UNKNOWN_VIEW', `there is no view ${full}`, {
    hint: `one of: ${known.map((row) => row.name).join(', ')}; each also with \`head.\` before it`,
  })
}
