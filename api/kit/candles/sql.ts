// SQL of candles. An answer takes one statement, so that all of it is of one block. The result is one row.
//
// Parameters: $1 chain, $2 pool or market, $3 resolution, $4 from (null: no lower end), $5 to (null: the block), $6
// limit of buckets minus one, $7 length of a bucket as an interval, $8 and $9 the part of the span to read, as
// fractions from 0 to 1.

import { markColumns } from '../snapshot.ts'

/** Times as Unix seconds. A double is faster than a numeric, and holds whole seconds exactly. */
const seconds = (column: string) => `date_part('epoch', ${column})`

const SPAN = `
  with at as materialized (
    select block_num, block_id, block_time, meta.bucket_start($3, least(block_time, coalesce($5::timestamptz, block_time))) as last
    from meta.position where chain = $1
  ), whole as (
    select at.*, greatest(coalesce(meta.bucket_start($3, $4::timestamptz), '-infinity'),
      ((last at time zone 'UTC') - $6::float8 * $7::interval) at time zone 'UTC') as first from at
  ), span as materialized (
    select whole.*, first + (last - first) * $8::float8 as since,
      case $9::float8 when 1 then last + interval '1 second' else first + (last - first) * $9::float8 end as until from whole
  )`

/** Candles of the span as one text: time, open, high, low, close and volume of each, separated by spaces. */
const bars = (kind: string, volume: string) => `
  (select string_agg(concat_ws(' ', ${seconds('b.bucket_time')}, b.open, b.high, b.low, b.close, b.volume), ' ') from (
    select c.bucket_time, c.open, c.high, c.low, c.close, ${volume} as volume from derive.candles c
    where c.chain = $1 and c.market_kind = '${kind}' and c.market_id = $2 and c.resolution = $3
      and c.bucket_time >= span.since and c.bucket_time < span.until order by c.bucket_time) b) as bars`

/**
 * $10: volumeA, volumeB or volumeUSD. `carry` is the square-root price before the span. No row: the chain is not
 * indexed.
 */
export const POOL_CANDLES = `${SPAN}
  select ${markColumns('span')},
    ${seconds('span.first')} as first, ${seconds('span.last')} as last,
    coalesce(p.decimals_a, created.decimals_a) as "decimalsA", coalesce(p.decimals_b, created.decimals_b) as "decimalsB",
    ${seconds('created.block_time')} as created, created.sqrt_price_x64 as "createdPrice",
    (select s.sqrt_price_x64 from ledger.swaps s where s.chain = $1 and s.pool_id = $2 and s.block_time < span.first
      order by s.block_time desc, s.global_seq desc limit 1) as carry,
    ${bars('amm', `case $10 when 'volumeA' then c.volume_base when 'volumeB' then c.volume_target else coalesce(c.volume_usd, 0) end`)}
  from span
  left join state.pools p on p.chain = $1 and p.pool_id = $2
  left join lateral (select c.block_time, c.sqrt_price_x64, c.decimals_a, c.decimals_b from ledger.pool_creations c
    where c.chain = $1 and c.pool_id = $2 order by c.block_time, c.global_seq limit 1) created on true`

/** `carry` is the unit price before the span. */
export const SPOT_CANDLES = `${SPAN}
  select ${markColumns('span')},
    ${seconds('span.first')} as first, ${seconds('span.last')} as last,
    (select d.unit_price from ledger.deals d where d.chain = $1 and d.market_id = $2 and d.block_time < span.first
      order by d.block_time desc, d.global_seq desc limit 1) as carry,
    ${bars('spot', 'c.volume_target')}
  from span`
