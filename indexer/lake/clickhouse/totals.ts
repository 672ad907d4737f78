// Candles and day totals in ClickHouse, made by materialized views: each insert into a table of facts adds its part.
// A database that an earlier version made keeps its own tables and views, because each is created only if its name is
// free. There `candle_states` has all nine resolutions, and `candles` reads them without computing any.
import { storage, WINDOW } from './tables.ts'

/** Resolutions that are stored, with their seconds. The others are computed from them in each query. */
const STORED = [
  ['1', 60],
  ['60', 3600],
  ['1D', 86_400],
] as const

/** Resolutions of `candles`: the stored one from which each is computed, and the expression of its bucket's start. */
const RESOLUTIONS: readonly (readonly [name: string, stored: (typeof STORED)[number][0], bucket: string])[] = [
  ['1', '1', 's.bucket_time'],
  ['5', '1', `toStartOfFiveMinutes(s.bucket_time, 'UTC')`],
  ['15', '1', `toStartOfFifteenMinutes(s.bucket_time, 'UTC')`],
  ['30', '1', `toStartOfInterval(s.bucket_time, interval 30 minute, 'UTC')`],
  ['60', '60', 's.bucket_time'],
  ['240', '60', `toStartOfInterval(s.bucket_time, interval 4 hour, 'UTC')`],
  ['1D', '1D', 's.bucket_time'],
  ['1W', '1D', `toDateTime(toMonday(s.bucket_time, 'UTC'), 'UTC')`],
  ['1M', '1D', `toDateTime(toStartOfMonth(s.bucket_time, 'UTC'), 'UTC')`],
]

// `open` and `close` order trades by `global_seq` alone. A tuple with the time gives the same order, and made loading
// much slower (docs/decisions/0032-lake.md).
const candleStates = (
  window: number,
) => `create table if not exists candle_states (chain LowCardinality(String), market_kind LowCardinality(String),
  market_id Int64, resolution LowCardinality(String), bucket_time DateTime('UTC'),
  open AggregateFunction(argMin, Float64, Int64), high SimpleAggregateFunction(max, Float64), low SimpleAggregateFunction(min, Float64),
  close AggregateFunction(argMax, Float64, Int64), volume_base SimpleAggregateFunction(sum, Decimal(38, 18)),
  volume_target SimpleAggregateFunction(sum, Decimal(38, 18)), volume_usd SimpleAggregateFunction(sum, Nullable(Decimal(38, 8))),
  trades SimpleAggregateFunction(sum, UInt64), trades_without_usd SimpleAggregateFunction(sum, UInt64))
  engine = AggregatingMergeTree partition by (chain, toYear(bucket_time))
  order by (chain, market_kind, market_id, resolution, bucket_time) settings ${storage(window)}`

// One branch of the union for each resolution: if a query names a resolution, ClickHouse does not read the others.
const CANDLES = `create view if not exists candles as ${RESOLUTIONS.map(
  ([name, stored, bucket]) => `
  select s.chain as chain, s.market_kind as market_kind, s.market_id as market_id, '${name}' as resolution, ${bucket} as bucket_time,
    argMinMerge(s.open) as open, max(s.high) as high, min(s.low) as low, argMaxMerge(s.close) as close, sum(s.volume_base) as volume_base,
    sum(s.volume_target) as volume_target, sum(s.volume_usd) as volume_usd, sum(s.trades) as trades,
    sum(s.trades_without_usd) as trades_without_usd
  from candle_states s where s.resolution = '${stored}' group by chain, market_kind, market_id, bucket_time`,
).join(' union all')}`

/** A table of trades, and the names of its columns and of its day totals. */
interface Trades {
  table: string
  /** Column with the id of the pool or market. */
  market: string
  /** `market_kind` of its candles. */
  kind: string
  /** Columns of the traded amounts. */
  base: string
  target: string
  /** View of the day totals; their table is `${days}_states`. */
  days: string
  /** Column of the day totals: number of trades. */
  count: string
  /** Columns of the day totals: volumes. */
  volumes: [base: string, target: string]
}

const TRADES: readonly Trades[] = [
  {
    ...{ table: 'swaps', market: 'pool_id', kind: 'amm', base: 'quantity_a', target: 'quantity_b' },
    ...{ days: 'pool_days', count: 'swaps', volumes: ['volume_a', 'volume_b'] },
  },
  {
    ...{ table: 'deals', market: 'market_id', kind: 'spot', base: 'quantity_base', target: 'quantity_target' },
    ...{ days: 'market_days', count: 'trades', volumes: ['volume_base', 'volume_target'] },
  },
]

function candlesOf({ table, market, kind, base, target }: Trades): string {
  const seconds = STORED.map(([, size]) => size).join(', ')
  const names = STORED.map(([name]) => `'${name}'`).join(', ')
  // A trade without a price counts in no candle.
  return `create materialized view if not exists candles_of_${table} to candle_states as
    with assumeNotNull(price) as paid, arrayJoin([${seconds}])::UInt32 as seconds
    select chain, '${kind}' as market_kind, ${market} as market_id,
      transform(seconds, [${seconds}]::Array(UInt32), [${names}], '') as resolution,
      toDateTime(intDiv(toUnixTimestamp(block_time), seconds) * seconds, 'UTC') as bucket_time,
      argMinState(paid, global_seq) as open, max(paid) as high, min(paid) as low, argMaxState(paid, global_seq) as close,
      sum(abs(ifNull(${base}, 0))) as volume_base, sum(abs(ifNull(${target}, 0))) as volume_target, sum(usd) as volume_usd,
      count() as trades, countIf(usd is null) as trades_without_usd
    from ${table} where price is not null group by chain, market_id, seconds, bucket_time`
}

function daysOf(
  { table, market, base, target, days, count, volumes: [first, second] }: Trades,
  window: number,
): Created[] {
  return [
    {
      name: `${days}_states`,
      sql: `create table if not exists ${days}_states (chain LowCardinality(String), day Date, ${market} Int64,
        ${count} SimpleAggregateFunction(sum, UInt64), ${first} SimpleAggregateFunction(sum, Decimal(38, 18)),
        ${second} SimpleAggregateFunction(sum, Decimal(38, 18)), volume_usd SimpleAggregateFunction(sum, Nullable(Decimal(38, 8))),
        without_usd SimpleAggregateFunction(sum, UInt64))
        engine = AggregatingMergeTree partition by (chain, toYear(day)) order by (chain, day, ${market}) settings ${storage(window)}`,
    },
    {
      name: `days_of_${table}`,
      sql: `create materialized view if not exists days_of_${table} to ${days}_states as
        select chain, toDate(block_time, 'UTC') as day, ${market}, count() as ${count}, sum(abs(ifNull(${base}, 0))) as ${first},
          sum(abs(ifNull(${target}, 0))) as ${second}, sum(usd) as volume_usd, countIf(usd is null) as without_usd
        from ${table} group by chain, day, ${market}`,
    },
    {
      name: days,
      // `final` merges the rows of one day and market. Days are inserted in the order of the key, so few parts overlap:
      // it takes a tenth of the time of `sum` with `group by`.
      sql: `create view if not exists ${days} as
        select chain, day, ${market}, ${count}, ${first}, ${second}, volume_usd, without_usd from ${days}_states final`,
    },
  ]
}

/** A table or view, and the statement that creates it. */
interface Created {
  name: string
  sql: string
}

/** Candles and day totals of the datasets that are loaded, in the order in which they are created. */
export function createTotals(datasets: ReadonlySet<string>, window = WINDOW): Created[] {
  const loaded = TRADES.filter(({ table }) => datasets.has(table))
  if (loaded.length === 0) return []
  return [
    { name: 'candle_states', sql: candleStates(window) },
    { name: 'candles', sql: CANDLES },
    ...loaded.map((trades) => ({ name: `candles_of_${trades.table}`, sql: candlesOf(trades) })),
    ...loaded.flatMap((trades) => daysOf(trades, window)),
  ]
}

/**
 * Query that counts the trades of a chain and a day: in the table (`loaded`; with a price: `priced`), in its day totals
 * (`in_days`) and in its candles (`in_candles`).
 *
 * @param date  day, UTC: `2026-03-09`
 * @returns null for a table without totals
 */
export function selectTotals(dataset: string, chain: string, date: string): string | null {
  const trades = TRADES.find(({ table }) => table === dataset)
  if (trades === undefined) return null
  const { table, kind, days, count } = trades
  return `select (select count() from ${table} where chain = '${chain}' and toDate(block_time, 'UTC') = '${date}') as loaded,
    (select sum(${count}) from ${days}_states where chain = '${chain}' and day = '${date}') as in_days,
    (select countIf(price is not null) from ${table} where chain = '${chain}' and toDate(block_time, 'UTC') = '${date}') as priced,
    (select sum(trades) from candle_states where chain = '${chain}' and market_kind = '${kind}' and resolution = '1'
      and toDate(bucket_time, 'UTC') = '${date}') as in_candles`
}
