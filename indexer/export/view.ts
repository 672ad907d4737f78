// The views that can be exported: all of head and final, with their columns.
import type { ClientBase } from 'pg'
import { UserError } from '../../core/errors.ts'
import { VIEW_COLUMNS, VIEW_NAMES } from './sql.ts'

export interface ViewColumn {
  name: string
  /** PostgreSQL type: int8, text, numeric, timestamptz, ... */
  type: string
  /** For a numeric with fixed precision; else null. */
  precision: number | null
  scale: number | null
}

export interface View {
  /** `final.swaps` */
  name: string
  columns: ViewColumn[]
}

/**
 * @param name  `head.swaps`, `final.swaps`, or `swaps`, which means the final one
 * @throws UserError UNKNOWN_VIEW
 */
export async function findView(client: ClientBase, name: string): Promise<View> {
  const full = name.includes('.') ? name : `final.${name}`
  const [schema, view] = full.split('.')
  const { rows } = await client.query<ViewColumn>(VIEW_COLUMNS, [schema, view])
  if (rows.length > 0) return { name: full, columns: rows }
  const { rows: known } = await client.query<{ name: string }>(VIEW_NAMES)
  throw new UserError('UNKNOWN_VIEW', `there is no view ${full}`, {
    hint:
      known.length === 0
        ? 'this database has no schema of ours: see `headwater migrate`'
        : `one of: ${known.map((row) => row.name).join(', ')}; each also with \`head.\` before it`,
  })
}

/** Columns that only views have whose rows change after their block, or that have one row for each chain. */
const CHANGING = ['status', 'lib_num', 'scored_hour', 'refreshed_at']

/** Whether each row belongs to one block and never changes, so that the view can be divided by blocks. */
export function isFacts({ columns }: View): boolean {
  const names = new Set(columns.map(({ name }) => name))
  return (
    names.has('chain') && names.has('block_num') && names.has('block_time') && !CHANGING.some((name) => names.has(name))
  )
}
