// Expected candles, computed from trades and PostgreSQL's calendar functions without reading stored candles.
import { Decimal } from 'decimal.js'
import type { Pool } from 'pg'

const Wide = Decimal.clone({ precision: 150, toExpNeg: -1000, toExpPos: 1000 })

/** Start of a bucket and of the next one, by date functions only. */
const BUCKETS: Record<string, string> = {
  '1D': `date_trunc('day', $2::timestamptz, 'UTC')|'1 day'`,
  '1W': `date_trunc('week', $2::timestamptz, 'UTC')|'7 days'`,
  '1M': `date_trunc('month', $2::timestamptz, 'UTC')|'1 month'`,
}

interface RawCandle {
  /** Unix milliseconds. */
  time: number
  open: string
  high: string
  low: string
  close: string
  base: string
  target: string
  usd: string
}

/**
 * All buckets between those of `from` and `to` that have a price.
 *
 * @param to  at most the time of the last block
 */
export async function rawCandles(
  database: Pool,
  kind: 'amm' | 'spot',
  market: number,
  { resolution, from, to }: { resolution: string; from: number; to: number },
): Promise<RawCandle[]> {
  const minutes = Number(resolution)
  const [start, step] = (
    BUCKETS[resolution] ??
    `to_timestamp(floor(date_part('epoch', $2::timestamptz) / ${60 * minutes}) * ${60 * minutes})|'${minutes} minutes'`
  ).split('|')
  const trades =
    kind === 'amm'
      ? `select block_time, global_seq, sqrt_price_x64 as price, abs(amount_a) as base, abs(amount_b) as target, usd from ledger.swaps where pool_id = $1
         union all select block_time, -1, sqrt_price_x64, 0, 0, 0 from ledger.pool_creations where pool_id = $1`
      : `select block_time, global_seq, unit_price as price, amount_base as base, amount_target as target, usd from ledger.deals where market_id = $1`
  // The creation has a price but is no trade, so it does not count for high and low.
  const { rows } = await database.query(
    `with trades as materialized (${trades}), buckets as (
       select b at time zone 'UTC' as start, (b + ${step}::interval) at time zone 'UTC' as stop
       from generate_series((${start}) at time zone 'UTC', $3::timestamptz at time zone 'UTC', ${step}::interval) b)
     select date_part('epoch', start) * 1000 as time, coalesce(own.open, before.price)::text as open,
       coalesce(own.high, before.price)::text as high, coalesce(own.low, before.price)::text as low,
       coalesce(own.close, before.price)::text as close, coalesce(own.base, 0)::text as base, coalesce(own.target, 0)::text as target,
       coalesce(own.usd, 0)::text as usd
     from buckets
     left join lateral (
       select (array_agg(price order by global_seq))[1] as open, max(price) as high, min(price) as low,
         (array_agg(price order by global_seq desc))[1] as close, sum(base) as base, sum(target) as target, sum(usd) as usd
       from trades where block_time >= start and block_time < stop and global_seq >= 0
     ) own on true
     left join lateral (
       select price from trades where block_time < stop order by block_time desc, global_seq desc limit 1
     ) before on true
     where before.price is not null order by start`,
    [market, new Date(from), new Date(to)],
  )
  return rows
}

/** Price of A in B, or of B in A, with 16 significant digits. */
export function priceText(root: string, decimalsA: number, decimalsB: number, reverse: boolean): string {
  const price = new Wide(root)
    .pow(2)
    .mul(new Wide(10).pow(decimalsA - decimalsB))
    .div(new Wide(2).pow(128))
  return (reverse ? new Wide(1).div(price) : price).toSignificantDigits(16, Decimal.ROUND_HALF_UP).toString()
}

/** Raw units as double. */
export function toNumber(raw: string, decimals: number): number {
  return new Wide(raw).div(new Wide(10).pow(decimals)).toNumber()
}
