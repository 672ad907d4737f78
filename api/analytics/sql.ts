// SQL of the hourly analytics. Every statement reads one snapshot.
import { AT, markColumns } from '../kit/snapshot.ts'

/**
 * USD times 10^18, exact: values have 8 decimals and fees 14. A sum without a known value is 0; the count of such rows
 * is next to it.
 */
const exact = (column: string) => `coalesce(round(${column} * 1e18), 0)::text`

const SUMS = (from: string) => `
  ${exact(`${from}.swap_volume`)} as "swapVolume", ${exact(`${from}.swap_fees`)} as "swapFees", ${from}.swap_trades::float8 as "swapTrades",
  ${from}.swaps_without_usd::float8 as "swapsWithoutUsd", ${from}.deals_without_usd::float8 as "dealsWithoutUsd",
  ${exact(`${from}.spot_volume`)} as "spotVolume", ${exact(`${from}.spot_fees`)} as "spotFees", ${from}.spot_trades::float8 as "spotTrades"`

const LEFT = `s.swap_locked::float8 as "swapLocked", s.spot_locked::float8 as "spotLocked",
  coalesce(s.swap_locked + s.spot_locked, s.swap_locked, s.spot_locked)::float8 as locked, s.pools, s.markets`

/** Counted hours in the range ($2, $3]. They are irreversible. */
export const COUNTED = `
  select date_part('epoch', t.hour) * 1000 as t, true as over, ${SUMS('t')}, ${LEFT}, t.day_users::float8 as users
  from derive.hour_totals t join ledger.hour_snapshots s on s.chain = t.chain and s.hour = t.hour
  where t.chain = $1 and t.hour > $2 and t.hour <= $3 order by t.hour`

/**
 * The hours after the counted ones, computed from trades, including the hour in progress; and the last counted hour.
 * Users are those of the 24 hours that end with an ended hour.
 *
 * $2, $3: block of the known hours, 0 and '' for none; $4: the markets' fees used for them. If the fees are the same
 * and the block is on the branch, `continued` is true and the sums cover only the later blocks.
 */
export const OPEN = `${AT}, counted as materialized (
    select max(hour) as hour from derive.hour_totals where chain = $1
  ), open as materialized (
    select coalesce((select s.block_num from ledger.hour_snapshots s, counted c where s.chain = $1 and s.hour = c.hour),
      (select first_block from meta.position where chain = $1)) as first
  ), known as materialized (
    select f.fees, f.fees = $4 and exists (
      select from ledger.blocks where chain = $1 and block_num = $2 and block_id = decode($3, 'hex')
    ) as continued
    from (select coalesce(sum(hashint8(market_id * 65536 + fee)), 0)::text as fees from state.markets where chain = $1) f
  ), sums as materialized (
    select s.* from open, at, known k,
      meta.hour_sums($1, case when k.continued then greatest($2 + 1, open.first) else open.first end, at.block_num) s
  ), snapshots as materialized (
    select s.* from ledger.hour_snapshots s, counted c where s.chain = $1 and s.hour > coalesce(c.hour, '-infinity')
  ), lately as materialized (
    select a.hour, a.account from open, at, meta.hour_accounts($1, open.first, at.block_num) a where exists (select from snapshots)
  ), hours as (
    select coalesce(s.hour, t.hour) as hour, s.hour is not null as over, s.swap_locked, s.spot_locked, s.pools, s.markets,
      t.swap_volume, t.swap_fees, coalesce(t.swap_trades, 0) as swap_trades, coalesce(t.swaps_without_usd, 0) as swaps_without_usd,
      t.spot_volume, t.spot_fees, coalesce(t.spot_trades, 0) as spot_trades, coalesce(t.deals_without_usd, 0) as deals_without_usd
    from snapshots s full join sums t on t.hour = s.hour
  )
  select ${markColumns('at')}, date_part('epoch', (select hour from counted)) * 1000 as counted, k.fees, k.continued, x.*
  from at cross join known k left join lateral (
    select date_part('epoch', s.hour) * 1000 as t, s.over, ${SUMS('s')}, ${LEFT},
      case when s.over then (select count(*) from (
        select account from derive.hour_users where chain = $1 and hour > s.hour - interval '24 hours' and hour <= s.hour
        union select account from lately where hour > s.hour - interval '24 hours' and hour <= s.hour) u) end::float8 as users
    from hours s
  ) x on true order by x.t`
