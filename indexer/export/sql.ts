// SQL of the export. COPY takes no parameters, so values are quoted literals in the text.
import pg from 'pg'
import { UserError } from '../../core/errors.ts'
import type { View, ViewColumn } from './view.ts'

/** No statement timeout, because exports take long; one snapshot for the whole file. */
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
  where n.nspname = $1 and c.relname = $2 and n.nspname in ('head', 'final', 'board') and c.relkind in ('v', 'm', 'r')
  order by a.attnum`

export const VIEW_NAMES = `
  select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'final' and c.relkind = 'v' order by 1`

/** First and last block of each chain in the views of a schema: `head`, `final` or `board`. */
export const CHAINS = (schema: string) =>
  `select chain, first_block::float8 as "firstBlock", block_num::float8 as "lastBlock" from ${blocksOf(schema)}.position order by chain`

/** First block of chain $1 at or after time $2; null when there is none. */
export const BLOCK_AT = (schema: string) =>
  `select min(block_num)::float8 as num from ${blocksOf(schema)}.blocks where chain = $1 and block_time >= $2`

/** Ids of the blocks $2 of chain $1 that the database has. */
export const BLOCK_IDS = `
  select block_num::float8 as num, block_id as id from final.blocks where chain = $1 and block_num = any($2::int8[])`

/** Selects rows of a view. Blocks are inclusive; times are [from, to). */
export interface Selection {
  chain?: string
  fromBlock?: number
  toBlock?: number
  from?: Date
  to?: Date
}

const BLOCK_TIME = 'v.block_time'
/** Time of a row by which a time range selects, with the columns that it needs. Of those whose columns a view has, the first. */
const TIMES: readonly (readonly [needs: readonly string[], expression: string])[] = [
  [['start_time'], 'v.start_time'],
  // The first block after an hour makes the hour's row, so its block time is not in the hour.
  [['hour', 'block_time'], 'v.hour'],
  [['block_time'], BLOCK_TIME],
  [['bucket_time'], 'v.bucket_time'],
  [['src_time', 'arrival_time', 'dst_time'], 'coalesce(v.src_time, v.arrival_time, v.dst_time)'],
  ...['src_time', 'hour', 'day', 'valid_from', 'quoted_at', 'counted_at', 'starts', 'order_time'].map(
    (name) => [[name], `v.${name}`] as const,
  ),
]
/** Order of rows of a view with `block_num`: their place in the chain. Other views are ordered by their first columns, the key. */
const ORDER = ['chain', 'block_num', 'global_seq', 'row_index', 'action_index', 'point_id']
/** Order within a block, for views without `global_seq`. */
const WITHIN_BLOCK = ['hour', 'token_id', 'market_id', 'pool_id', 'pair']
/** Number of first columns that contain the key of every view without `block_num`. */
const KEY_COLUMNS = 5

/**
 * SQL of the rows of a view, as text for COPY.
 *
 * @param expression  SQL of a column's value
 * @param columns     default: all columns of the view
 * @param clusterBy   column of the view by which rows are ordered first, so that rows of one market are together
 * @throws UserError NO_SUCH_COLUMN when the view lacks the columns to select by
 */
export function selectRows(
  view: View,
  selection: Selection,
  expression: (column: ViewColumn) => string,
  columns: readonly ViewColumn[] = view.columns,
  clusterBy?: string,
): string {
  const list = columns.map((column) => `${expression(column)} as "${column.name}"`).join(', ')
  const all = conditions(view, selection)
  const where = all.length > 0 ? ` where ${all.join(' and ')}` : ''
  return `select ${list} from ${view.name} v${where} order by ${orderOf(view, clusterBy).join(', ')}`
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

/** SQL of the first block of a row's chain at or after a time; above all blocks when there is none. */
function firstBlockFrom({ name }: View, time: string): string {
  return `coalesce((select min(b.block_num) from ${blocksOf(name.split('.')[0] as string)}.blocks b where b.chain = v.chain and b.block_time >= ${time}),
    9223372036854775807)`
}

/** Schema whose `blocks` and `position` belong to the views of a schema. Boards have irreversible rows only. */
function blocksOf(schema: string): string {
  return schema === 'board' ? 'final' : schema
}

/** Whether a time range selects rows by the time of their block, so that it is a range of blocks. */
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

function orderOf(view: View, clusterBy?: string): string[] {
  const first = clusterBy === undefined ? [] : [clusterBy]
  return [...first, ...orderColumns(view)].map((name) => `v."${name}"`)
}

/** Names of the columns by which rows are ordered. */
export function orderColumns(view: View): string[] {
  const names = view.columns.map(({ name }) => name)
  const order = has(view, 'global_seq') ? ORDER : [...ORDER, ...WITHIN_BLOCK]
  return has(view, 'block_num') ? order.filter((name) => names.includes(name)) : names.slice(0, KEY_COLUMNS)
}
