create table if not exists candle_states (chain LowCardinality(String), market_kind LowCardinality(String),
  market_id Int64, resolution LowCardinality(String), bucket_time DateTime('UTC'),
  open AggregateFunction(argMin, Float64, Tuple(DateTime64(6, 'UTC'), Int64)), high SimpleAggregateFunction(max, Float64), low SimpleAggregateFunction(min, Float64),
  close AggregateFunction(argMax, Float64, Tuple(DateTime64(6, 'UTC'), Int64)), volume_base SimpleAggregateFunction(sum, Decimal(38, 18)),
  volume_target SimpleAggregateFunction(sum, Decimal(38, 18)), volume_usd SimpleAggregateFunction(sum, Nullable(Decimal(38, 8))),
  trades SimpleAggregateFunction(sum, UInt64), trades_without_usd SimpleAggregateFunction(sum, UInt64))
  engine = AggregatingMergeTree partition by (chain, toYear(bucket_time))
  order by (chain, market_kind, market_id, resolution, bucket_time) settings non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

create view if not exists candles as
  select chain, market_kind, market_id, resolution, bucket_time, argMinMerge(s.open) as open, max(s.high) as high, min(s.low) as low,
    argMaxMerge(s.close) as close, sum(s.volume_base) as volume_base, sum(s.volume_target) as volume_target, sum(s.volume_usd) as volume_usd,
    sum(s.trades) as trades, sum(s.trades_without_usd) as trades_without_usd
  from candle_states s group by chain, market_kind, market_id, resolution, bucket_time;

create materialized view if not exists candles_of_swaps to candle_states as
    with assumeNotNull(price) as paid
    select chain, 'amm' as market_kind, pool_id as market_id, arrayJoin(['1', '5', '15', '30', '60', '240', '1D', '1W', '1M']) as resolution, toDateTime(multiIf(resolution = '1D', toUnixTimestamp(toStartOfDay(block_time, 'UTC')),
  resolution = '1W', toUnixTimestamp(toDateTime(toMonday(block_time, 'UTC'), 'UTC')),
  resolution = '1M', toUnixTimestamp(toDateTime(toStartOfMonth(block_time, 'UTC'), 'UTC')),
  toUInt32(intDiv(toUnixTimestamp(block_time), greatest(60 * toUInt32OrZero(resolution), 1)) * greatest(60 * toUInt32OrZero(resolution), 1))), 'UTC') as bucket_time,
      argMinState(paid, (block_time, global_seq)) as open, max(paid) as high, min(paid) as low, argMaxState(paid, (block_time, global_seq)) as close,
      sum(abs(ifNull(quantity_a, 0))) as volume_base, sum(abs(ifNull(quantity_b, 0))) as volume_target, sum(usd) as volume_usd,
      count() as trades, countIf(usd is null) as trades_without_usd
    from swaps where price is not null group by chain, market_kind, market_id, resolution, bucket_time;

create materialized view if not exists candles_of_deals to candle_states as
    with assumeNotNull(price) as paid
    select chain, 'spot' as market_kind, market_id as market_id, arrayJoin(['1', '5', '15', '30', '60', '240', '1D', '1W', '1M']) as resolution, toDateTime(multiIf(resolution = '1D', toUnixTimestamp(toStartOfDay(block_time, 'UTC')),
  resolution = '1W', toUnixTimestamp(toDateTime(toMonday(block_time, 'UTC'), 'UTC')),
  resolution = '1M', toUnixTimestamp(toDateTime(toStartOfMonth(block_time, 'UTC'), 'UTC')),
  toUInt32(intDiv(toUnixTimestamp(block_time), greatest(60 * toUInt32OrZero(resolution), 1)) * greatest(60 * toUInt32OrZero(resolution), 1))), 'UTC') as bucket_time,
      argMinState(paid, (block_time, global_seq)) as open, max(paid) as high, min(paid) as low, argMaxState(paid, (block_time, global_seq)) as close,
      sum(abs(ifNull(quantity_base, 0))) as volume_base, sum(abs(ifNull(quantity_target, 0))) as volume_target, sum(usd) as volume_usd,
      count() as trades, countIf(usd is null) as trades_without_usd
    from deals where price is not null group by chain, market_kind, market_id, resolution, bucket_time;

create table if not exists pool_days_states (chain LowCardinality(String), day Date, pool_id Int64,
      swaps SimpleAggregateFunction(sum, UInt64), volume_a SimpleAggregateFunction(sum, Decimal(38, 18)),
      volume_b SimpleAggregateFunction(sum, Decimal(38, 18)), volume_usd SimpleAggregateFunction(sum, Nullable(Decimal(38, 8))),
      without_usd SimpleAggregateFunction(sum, UInt64))
      engine = AggregatingMergeTree partition by (chain, toYear(day)) order by (chain, day, pool_id) settings non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

create materialized view if not exists days_of_swaps to pool_days_states as
      select chain, toDate(block_time, 'UTC') as day, pool_id, count() as swaps, sum(abs(ifNull(quantity_a, 0))) as volume_a,
        sum(abs(ifNull(quantity_b, 0))) as volume_b, sum(usd) as volume_usd, countIf(usd is null) as without_usd
      from swaps group by chain, day, pool_id;

create view if not exists pool_days as
      select chain, day, pool_id, sum(s.swaps) as swaps, sum(s.volume_a) as volume_a, sum(s.volume_b) as volume_b,
        sum(s.volume_usd) as volume_usd, sum(s.without_usd) as without_usd
      from pool_days_states s group by chain, day, pool_id;

create table if not exists market_days_states (chain LowCardinality(String), day Date, market_id Int64,
      trades SimpleAggregateFunction(sum, UInt64), volume_base SimpleAggregateFunction(sum, Decimal(38, 18)),
      volume_target SimpleAggregateFunction(sum, Decimal(38, 18)), volume_usd SimpleAggregateFunction(sum, Nullable(Decimal(38, 8))),
      without_usd SimpleAggregateFunction(sum, UInt64))
      engine = AggregatingMergeTree partition by (chain, toYear(day)) order by (chain, day, market_id) settings non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

create materialized view if not exists days_of_deals to market_days_states as
      select chain, toDate(block_time, 'UTC') as day, market_id, count() as trades, sum(abs(ifNull(quantity_base, 0))) as volume_base,
        sum(abs(ifNull(quantity_target, 0))) as volume_target, sum(usd) as volume_usd, countIf(usd is null) as without_usd
      from deals group by chain, day, market_id;

create view if not exists market_days as
      select chain, day, market_id, sum(s.trades) as trades, sum(s.volume_base) as volume_base, sum(s.volume_target) as volume_target,
        sum(s.volume_usd) as volume_usd, sum(s.without_usd) as without_usd
      from market_days_states s group by chain, day, market_id;
