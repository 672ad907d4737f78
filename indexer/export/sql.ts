// Every statement of the export. COPY knows no parameters, so values stand in the text, as quoted literals.
import pg from 'pg'
import { UserError } from '../../core/errors.ts'
import type { View, ViewColumn } from './view.ts'

/** An export may take longer than a reader's statement usually may. One snapshot: the file is of one moment. */
export const SETTINGS = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set bytea_output = 'hex'; set statement_timeout = 0;
  begin transaction isolation level repeatable read, read only`

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

/** Where the chains begin and end, in the views of a side. */
export const CHAINS = (side: string) =>
  `select chain, first_block::float8 as "firstBlock", block_num::float8 as "lastBlock" from ${side}.position order by chain`

/** Number of the first block of the chain $1 at the time $2 or behind it; null when there is none yet. */
export const BLOCK_AT = (side: string) =>
  `select min(block_num)::float8 as num from ${side}.blocks where chain = $1 and block_time >= $2`

/** Ids of the blocks $2 of the chain $1, as far as they are kept. */
export const BLOCK_IDS = `
  select block_num::float8 as num, block_id as id from final.blocks where chain = $1 and block_num = any($2::int8[])`

/** Which rows of a view. Blocks are inclusive; times are from inclusive to exclusive. */
export interface Selection {
  chain?: string
  fromBlock?: number
  toBlock?: number
  from?: Date
  to?: Date
}

/** Expressions by which rows can be selected in time, with the columns that they need; the first that a view has. */
const BLOCK_TIME = 'v.block_time'
const TIMES: readonly (readonly [needs: readonly string[], expression: string])[] = [
  [['start_time'], 'v.start_time'],
  // What the hour was like is told by the first block behind it.
  [['hour', 'block_time'], 'v.hour'],
  [['block_time'], BLOCK_TIME],
  [['bucket_time'], 'v.bucket_time'],
  [['src_time', 'arrival_time', 'dst_time'], 'coalesce(v.src_time, v.arrival_time, v.dst_time)'],
  ...['src_time', 'hour', 'day', 'valid_from', 'quoted_at', 'counted_at', 'starts', 'order_time'].map(
    (name) => [[name], `v.${name}`] as const,
  ),
]
/** Rows come in the order of the chain, or else by the first columns, which are a view's key. */
const ORDER = ['chain', 'block_num', 'global_seq', 'row_index', 'action_index', 'point_id']
/** Tell rows of one block apart where they have no place in it. */
const BESIDE = ['hour', 'token_id', 'market_id', 'pair']
const KEY_COLUMNS = 5

/**
 * The rows of a view as text for COPY.
 *
 * @param expression  SQL for a column's value
 * @throws UserError NO_SUCH_COLUMN when the view cannot be selected that way
 */
export function selectRows(view: View, selection: Selection, expression: (column: ViewColumn) => string): string {
  const list = view.columns.map((column) => `${expression(column)} as "${column.name}"`).join(', ')
  const all = conditions(view, selection)
  const where = all.length > 0 ? ` where ${all.join(' and ')}` : ''
  return `select ${list} from ${view.name} v${where} order by ${orderOf(view).join(', ')}`
}

function conditions(view: View, { chain, fromBlock, toBlock, from, to }: Selection): string[] {
  const found: string[] = []
  if (chain !== undefined) found.push(`v.chain = ${pg.escapeLiteral(chain)}`)
  if ((fromBlock !== undefined || toBlock !== undefined) && !has(view, 'block_num')) throw noColumn(view, 'blocks')
  if (fromBlock !== undefined) found.push(`v.block_num >= ${fromBlock}`)
  if (toBlock !== undefined) found.push(`v.block_num <= ${toBlock}`)
  const time = timeOf(view)
  for (const [at, operator] of [[from, '>='] as const, [to, '<'] as const]) {
    if (at === undefined) continue
    const literal = `timestamptz ${pg.escapeLiteral(at.toISOString())}`
    if (time !== undefined) found.push(`${time} ${operator} ${literal}`)
    else if (has(view, 'block_num')) found.push(`v.block_num ${operator} ${firstBlockFrom(view, literal)}`)
    else throw noColumn(view, 'time')
  }
  return found
}

/** Number of the first block of a row's chain at a time or behind it. */
function firstBlockFrom({ name }: View, time: string): string {
  return `coalesce((select min(b.block_num) from ${name.split('.')[0]}.blocks b where b.chain = v.chain and b.block_time >= ${time}),
    9223372036854775807)`
}

/** Whether rows are selected in time by the time of their block: then a range of times is one of blocks. */
export function isByBlockTime(view: View): boolean {
  return timeOf(view) === BLOCK_TIME
}

function timeOf(view: View): string | undefined {
  return TIMES.find(([needs]) => needs.every((name) => has(view, name)))?.[1]
}

function has({ columns }: View, name: string): boolean {
  return columns.some((column) => column.name === name)
}

function noColumn(view: View, what: 'blocks' | 'time'): UserError {
  const other =
    what === 'blocks' && timeOf(view) !== undefined
      ? 'select by time: --from and --to'
      : 'it holds current rows: export it whole'
  return new UserError('NO_SUCH_COLUMN', `${view.name} cannot be selected by ${what}`, { hint: other })
}

function orderOf(view: View): string[] {
  const names = view.columns.map(({ name }) => name)
  const order = has(view, 'global_seq') ? ORDER : [...ORDER, ...BESIDE]
  const known = has(view, 'block_num') ? order.filter((name) => names.includes(name)) : names.slice(0, KEY_COLUMNS)
  return known.map((name) => `v."${name}"`)
}
