// Every statement of the export.
import { UserError } from '../../core/errors.ts'
import type { View, ViewColumn } from './view.ts'

export const SETTINGS = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'`

export const VIEW_COLUMNS = `
  select a.attname as name, t.typname as type,
    case when t.typname = 'numeric' and a.atttypmod > 0 then (a.atttypmod - 4) >> 16 end as precision,
    case when t.typname = 'numeric' and a.atttypmod > 0 then (a.atttypmod - 4) & 65535 end as scale
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
  join pg_type t on t.oid = a.atttypid
  where n.nspname = $1 and c.relname = $2 and n.nspname in ('head', 'final') and c.relkind = 'v'
  order by a.attnum`

export const VIEW_NAMES = `
  select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'final' and c.relkind = 'v' order by 1`

/** Which rows of a view. Blocks are inclusive; times are from inclusive to exclusive. */
export interface Selection {
  chain?: string
  fromBlock?: number
  toBlock?: number
  from?: Date
  to?: Date
}

/** Columns by which rows can be selected in time, the first that a view has. */
const TIME_COLUMNS = ['block_time', 'bucket_time', 'src_time']
/** Rows come in the order of the chain, or else by the first columns, which are a view's key. */
const ORDER = ['chain', 'block_num', 'global_seq', 'row_index', 'point_id']
const KEY_COLUMNS = 5

export interface Statement {
  text: string
  values: unknown[]
}

/**
 * @param expression  SQL for a column's value
 * @throws UserError NO_SUCH_COLUMN when the view cannot be selected that way
 */
export function selectRows(view: View, selection: Selection, expression: (column: ViewColumn) => string): Statement {
  const { chain, fromBlock, toBlock, from, to } = selection
  const values: unknown[] = []
  const conditions: string[] = []
  const where = (column: string, operator: string, value: unknown) => {
    if (value === undefined) return
    values.push(value)
    conditions.push(`"${column}" ${operator} $${values.length}`)
  }
  where('chain', '=', chain)
  if (fromBlock !== undefined || toBlock !== undefined) needed(view, ['block_num'], 'blocks')
  where('block_num', '>=', fromBlock)
  where('block_num', '<=', toBlock)
  if (from || to) {
    const column = needed(view, TIME_COLUMNS, 'time')
    where(column, '>=', from)
    where(column, '<', to)
  }
  const list = view.columns.map((column) => `${expression(column)} as "${column.name}"`).join(', ')
  const condition = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''
  return { text: `select ${list} from ${view.name} v${condition} order by ${orderOf(view).join(', ')}`, values }
}

function needed(view: View, names: string[], what: string): string {
  const found = names.find((name) => view.columns.some((column) => column.name === name))
  if (found) return found
  throw new UserError('NO_SUCH_COLUMN', `${view.name} cannot be selected by ${what}: it has no ${names.join(' or ')}`, {
    hint: 'current rows are exported whole',
  })
}

function orderOf({ columns }: View): string[] {
  const names = columns.map(({ name }) => name)
  const known = names.includes('block_num') ? ORDER.filter((name) => names.includes(name)) : names.slice(0, KEY_COLUMNS)
  return known.map((name) => `v."${name}"`)
}
