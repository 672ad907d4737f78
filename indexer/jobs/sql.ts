// SQL of the backfill by workers. Names of staged tables contain only generated ids and catalog names.
import type { Table } from '../store/catalog.ts'
import { columnList } from '../store/ledger.ts'

/** The login, and the owner of the queue's schema; null when the schema does not exist. */
export const QUEUE_OWNER = `
  select current_user as login, current_database() as database,
    (select pg_get_userbyid(nspowner) from pg_namespace where nspname = 'pgboss') as owner`

/** Allows one planner at a time, until its transaction ends, without blocking workers. Only the writer may take it. */
export const LOCK_PLAN = `lock table meta.backfill_ranges in share update exclusive mode`

/** Deletes the ranges of a removed chain, which have no start to follow. */
export const FORGET_ORPHANED_RANGES = `
  delete from meta.backfill_ranges where chain = $1
    and not exists (select from meta.position where chain = $1)
    and not exists (select from meta.backfill_ranges where chain = $1 and starts_chain)`

/**
 * Adds the ranges that are not planned yet. $4 is the chain's first block, if nothing is planned or indexed; $5 the
 * block of its full state. @returns the added ranges
 */
export const PLAN_RANGES = `
  insert into meta.backfill_ranges (chain, first_block, last_block, starts_chain, state_block)
  select $1, f, l, coalesce(f = $4::int8, false), case when f = $4::int8 then $5::int8 end
  from unnest($2::int8[], $3::int8[]) r(f, l)
  on conflict do nothing returning first_block as "firstBlock", last_block as "lastBlock"`

/** Last planned block; null when there is none. */
export const PLANNED_TO = `select max(last_block) as "to" from meta.backfill_ranges where chain = $1`

export const RANGE = `
  select first_block as "firstBlock", last_block as "lastBlock", starts_chain as "startsChain", state_block as "stateBlock",
    attempts, set_id as "setId",
    prev_id as "prevId", last_id as "lastId", last_time as "lastTime", lib_num as lib, head_num as head, used_abis as "usedAbis"
  from meta.backfill_ranges where chain = $1 and first_block = $2`

/** First block of the next range to take over. */
export const NEXT_RANGE = `select min(first_block) as "firstBlock" from meta.backfill_ranges where chain = $1`

/** Hands over the first piece of a finished range, unless another worker was first. */
export const FINISH_RANGE = `
  update meta.backfill_ranges set last_block = $3, set_id = $4, prev_id = $5, last_id = $6, last_time = $7, lib_num = $8, head_num = $9,
    used_abis = $10, finished_at = clock_timestamp()
  where chain = $1 and first_block = $2 and set_id is null`

/** Hands over a further piece as a range of its own. */
export const FINISH_PIECE = `
  insert into meta.backfill_ranges (chain, first_block, last_block, set_id, prev_id, last_id, last_time, lib_num, head_num, used_abis,
    finished_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp())
  on conflict do nothing`

export const REOPEN_RANGE = `
  update meta.backfill_ranges set set_id = null, used_abis = null, finished_at = null, attempts = attempts + 1
  where chain = $1 and first_block = $2`

export const DROP_RANGE = `delete from meta.backfill_ranges where chain = $1 and first_block = $2`

export const NEW_SET = `insert into meta.staging_sets (chain, first_block) values ($1, $2) returning id`
export const SETS_OF_RANGE = `select id from meta.staging_sets where chain = $1 and first_block = $2`
export const SET = `select id from meta.staging_sets where id = $1`
export const FORGET_SETS = `delete from meta.staging_sets where id = any ($1)`

/** Sets of ranges that no longer exist, older than $1 seconds. */
export const STALE_SETS = `
  select s.id from meta.staging_sets s
  where s.created_at < clock_timestamp() - make_interval(secs => $1)
    and not exists (select from meta.backfill_ranges r where r.chain = s.chain and r.first_block = s.first_block)`

/** Names of the tables of a set. */
export const TABLES_OF_SET = `
  select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'staging' and c.relkind = 'r' and c.relname like 'r' || $1 || '\\_%'`

export const LAST_ABIS = `
  select distinct on (account) account, block_num as "blockNum", global_seq as "globalSeq", abi
  from ledger.abis where chain = $1 and block_num < $2 order by account, block_num desc, global_seq desc`

export const HAS_POSITIONS = `select to_regclass('meta.position') is not null as "isThere"`

export const POSITION = `select block_num as num, lib_num as lib from meta.position where chain = $1`

export function stagedName(setId: string, { schema, name }: Pick<Table, 'schema' | 'name'>): string {
  return `r${setId}_${schema}_${name}`
}

/** Staged rows are read once, whole, and dropped: the server need not vacuum or analyze them. */
const READ_ONCE = 'with (autovacuum_enabled = off)'

export function createStaged(setId: string, table: Table): string {
  const staged = `staging.${stagedName(setId, table)}`
  if (table.schema === 'ledger') return `create unlogged table if not exists ${staged} (like ${table.id}) ${READ_ONCE}`
  return `create unlogged table if not exists ${staged} ${READ_ONCE} as select *, true as present, 0::int8 as version from ${table.id} with no data`
}

/** Moves the rows of a ledger table. */
export function moveLedger(setId: string, table: Table): string {
  const columns = columnList(table)
  return `insert into ${table.id} (${columns}) select ${columns} from staging.${stagedName(setId, table)}`
}

/** Columns of valued tables that are set when a range is taken over; a worker stages them without value. */
export const VALUES = new Set(['usd', 'usd_price_a', 'usd_price_b', 'pool_fee'])

/** Table of a set's rows by minute (minute-rows.ts). */
export function minutesName(setId: string): string {
  return `r${setId}_minutes`
}

/** The bytes are stored as they are: compressing them would take longer than writing them. */
export function createMinutes(setId: string): string {
  const name = `staging.${minutesName(setId)}`
  return (
    `create unlogged table if not exists ${name} (place int4, minute int8, source text, rows bytea) ${READ_ONCE};` +
    ` alter table ${name} alter column rows set storage external`
  )
}

/** Pieces of the minutes from `from` to `to`, in Unix milliseconds, as bytes of binary COPY. */
export function stagedPieces(setId: string, from: number, to: number): string {
  return (
    `copy (select minute, source, rows from staging.${minutesName(setId)}` +
    ` where minute between ${from} and ${to} order by place) to stdout (format binary)`
  )
}

/** Table of a range's candles that may have trades of earlier ranges. */
export function candlesName(setId: string): string {
  return `r${setId}_candles`
}

export const CANDLE_COLUMNS =
  'chain, market_kind, market_id, resolution, bucket_time, open, high, low, close, volume_base, volume_target, volume_usd, trades, trades_without_usd'

export function createCandles(setId: string): string {
  return `create unlogged table staging.${candlesName(setId)} (like derive.candles) ${READ_ONCE}`
}

/** Adds the trades of a range to candles that began before it. */
export function mergeCandles(setId: string): string {
  return `
    insert into derive.candles as c (${CANDLE_COLUMNS}) select ${CANDLE_COLUMNS} from staging.${candlesName(setId)}
    on conflict (market_id, resolution, bucket_time, market_kind, chain) do update set
      high = greatest(c.high, excluded.high), low = least(c.low, excluded.low), close = excluded.close,
      volume_base = c.volume_base + excluded.volume_base, volume_target = c.volume_target + excluded.volume_target,
      volume_usd = coalesce(c.volume_usd + excluded.volume_usd, c.volume_usd, excluded.volume_usd),
      trades = c.trades + excluded.trades, trades_without_usd = c.trades_without_usd + excluded.trades_without_usd`
}

/** Start of a time's minute, Unix milliseconds. As a number, because dates take long to parse. */
const minuteOf = (column: string) => `(extract(epoch from date_trunc('minute', ${column})) * 1000)::float8`

/** The minutes of a range, each with its first block. */
export function stagedMinutes(setId: string): string {
  return `
    select ${minuteOf('block_time')} as minute, min(block_num) as num, min(block_time) as time
    from staging.${stagedName(setId, { schema: 'ledger', name: 'blocks' })} group by 1 order by 1`
}

/** Time of the first block of a range. */
export function stagedStart(setId: string): string {
  return `select min(block_time) as time from staging.${stagedName(setId, { schema: 'ledger', name: 'blocks' })}`
}

export function stagedPoints(setId: string): string {
  return `
    select ${minuteOf('block_time')} as minute, contract, pair, block_num as "blockNum", block_time as "blockTime",
      point_id as "pointId", point_time as "pointTime", median
    from staging.${stagedName(setId, { schema: 'ledger', name: 'oracle_points' })} order by 1`
}

/** Tables whose rows get USD values. */
export const VALUED_TABLES = ['swaps', 'deals', 'position_events'] as const
export type ValuedTable = (typeof VALUED_TABLES)[number]

export function isValuedTable({ schema, name }: Pick<Table, 'schema' | 'name'>): boolean {
  return schema === 'ledger' && VALUED_TABLES.some((valued) => valued === name)
}

/** Whether a table is one of a set that an earlier version has staged. Such a set cannot be taken over. */
export function isOfEarlierVersion(setId: string, name: string): boolean {
  const valued = VALUED_TABLES.map((table) => stagedName(setId, { schema: 'ledger', name: table }))
  return valued.includes(name) || name.startsWith(`r${setId}_journal_`)
}

/** Applies the last version of each current row. */
export function mergeState(setId: string, table: Table): string {
  const columns = columnList(table)
  const key = table.key.map((name) => `"${name}"`).join(', ')
  const match = table.key.map((name) => `s."${name}" = k."${name}"`).join(' and ')
  const plain = table.columns.filter((column) => !table.key.includes(column.name))
  const update = plain.map((column) => `"${column.name}" = excluded."${column.name}"`).join(', ')
  const last = `(select distinct on (${key}) * from staging.${stagedName(setId, table)} order by ${key}, version desc)`
  return (
    `delete from ${table.id} s using ${last} k where ${match} and not k.present;` +
    `insert into ${table.id} (${columns}) select ${columns} from ${last} k where present on conflict (${key}) do update set ${update}`
  )
}

/** Tables that have current rows marked as stale. */
export const MARKED_TABLES = `select distinct current_table as "table" from state.stale_rows where chain = $1`

/** Removes the stale marks of current rows that a set contains. */
export function clearMarked(setId: string, table: Table): string {
  const key = table.key.filter((name) => name !== 'chain').map((name) => `k."${name}"::text`)
  return (
    `delete from state.stale_rows s using staging.${stagedName(setId, table)} k` +
    ` where s.chain = $1 and s.current_table = '${table.name}' and s.current_key = array[${key.join(', ')}]`
  )
}

/** Partitioned tables that have a partition with newer statistics. */
export const STALE_STATISTICS = `select stale as name from meta.stale_statistics() stale`

export const GATHER_STATISTICS = `select meta.gather_statistics($1::text::regclass)`

/** Bytes of a chain's tables of history, with their indexes. */
export const CHAIN_BYTES = `
  select coalesce(sum(pg_total_relation_size(c.oid)), 0) as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('ledger', 'derive') and c.relkind = 'r' and c.relispartition
    and pg_get_expr(c.relpartbound, c.oid) = format('FOR VALUES IN (%L)', $1::text)`

/** $1 board. Needs a transaction of one snapshot. */
export const REFRESH_BOARD = `select meta.refresh_board($1) as "isRefreshed"`

/** Stores digests of ranges that have become final. $1 chain, $2 the maximum number of ranges. */
export const DIGEST_LEAVES = `select meta.digest_leaves($1, $2) as count`
