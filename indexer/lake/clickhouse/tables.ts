// Tables of ClickHouse. Final rows never change, so facts are in plain MergeTree tables. Inserts carry a token, and each
// table remembers the tokens of its last inserts: a repeated insert changes nothing.
import { sourceColumn } from '../../export/parquet/schema.ts'
import { orderColumns } from '../../export/sql.ts'
import { CLUSTERS } from '../clusters.ts'
import type { Dataset } from '../target.ts'

/** Number of inserts that a table remembers, of all chains together. */
export const WINDOW = 1000

/**
 * Settings of a table: how many inserts it remembers; and that an insert is on the disk before it is answered, so before
 * the position is saved.
 */
export function storage(window: number): string {
  return `non_replicated_deduplication_window = ${window}, fsync_after_insert = 1, fsync_part_directory = 1`
}

/** Types by those of Parquet. */
const TYPES: Readonly<Record<string, string>> = {
  BOOLEAN: 'Bool',
  INT16: 'Int16',
  INT32: 'Int32',
  INT64: 'Int64',
  DOUBLE: 'Float64',
  STRING: 'String',
  JSON: 'String',
  BYTE_ARRAY: 'String',
  TIMESTAMP_MICROS_UTC: `DateTime64(6, 'UTC')`,
}

/** Statement that creates the table of a dataset. */
export function createTable({ name, view }: Dataset, window = WINDOW): string {
  const keys = keysOf({ name, view })
  const known = new Set([...keys, 'chain', 'block_num', 'block_time'])
  const columns = columnsIn({ name, view }).map(([column, type]) => {
    if (column === 'chain') return 'chain LowCardinality(String)'
    return `${column} ${known.has(column) ? type : `Nullable(${type})`}`
  })
  return `create table if not exists ${name} (${columns.join(', ')}) engine = MergeTree
    partition by (chain, toYYYYMM(block_time)) order by (${keys.join(', ')}) settings ${storage(window)}`
}

/** Statement that creates a table for current rows. */
export function createCurrentTable(dataset: Dataset, table: string): string {
  const columns = columnsIn(dataset).map(([column, type]) => `${column} Nullable(${type})`)
  return `create table if not exists ${table} (${columns.join(', ')}) engine = MergeTree order by tuple()`
}

/** Names of the columns of a table, in the order of the files. */
export function columnNames(dataset: Dataset): string[] {
  return columnsIn(dataset).map(([name]) => name)
}

function columnsIn({ view }: Dataset): [name: string, type: string][] {
  return view.columns
    .flatMap((column) => sourceColumn(column).targets)
    .map(({ name, type }) => [name, TYPES[type] ?? type.replace('DECIMAL', 'Decimal')])
}

/** Sorting key. Its columns are never null. */
function keysOf({ name, view }: Dataset): string[] {
  const entity = CLUSTERS[name]
  const order = orderColumns(view)
  const place = order.includes('global_seq') ? ['block_num', 'global_seq'] : ['block_num']
  return ['chain', ...(entity === undefined ? [] : [entity, 'block_time']), ...place]
}
