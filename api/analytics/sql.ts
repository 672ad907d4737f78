// SQL of the analytics by hours. Every statement is of one snapshot and says of which block.
import { AT, markColumns } from '../exchange/snapshot.ts'

/**
 * Hours from $2 to before $3: what is counted already, and since then the trades themselves, the hour in progress
 * included. `hours` has each hour that is over or has trades.
 */
const HOURS = `${AT}, counted as materialized (
    select max(hour) as hour from derive.hour_totals where chain = $1
  ), open as materialized (
    select coalesce((select s.block_num from ledger.hour_snapshots s, counted c where s.chain = $1 and s.hour = c.hour),
      (select first_block from meta.position where chain = $1)) as first
  ), snapshots as materialized (
    select hour, swap_locked, spot_locked, pools, markets from ledger.hour_snapshots where chain = $1 and hour >= $2 and hour < $3
  ), totals as materialized (
    select hour, swap_volume, swap_fees, swap_trades, spot_volume, spot_fees, spot_trades from derive.hour_totals
    where chain = $1 and hour >= $2 and hour < $3
    union all
    select s.* from open, at, meta.hour_sums($1, open.first, at.block_num) s where s.hour >= $2 and s.hour < $3
  ), hours as materialized (
    select coalesce(s.hour, t.hour) as hour, s.hour is not null as over, s.swap_locked, s.spot_locked, s.pools, s.markets,
      coalesce(t.swap_volume, 0) as swap_volume, coalesce(t.swap_fees, 0) as swap_fees, coalesce(t.swap_trades, 0) as swap_trades,
      coalesce(t.spot_volume, 0) as spot_volume, coalesce(t.spot_fees, 0) as spot_fees, coalesce(t.spot_trades, 0) as spot_trades
    from snapshots s full join totals t on t.hour = s.hour
  )`

/** Distinct accounts of the 24 hours that end with each hour that is over: as counted, else as the trades say. */
const USERS = `, lately as materialized (
    select a.hour, a.account from open, at, meta.hour_accounts($1, open.first, at.block_num) a
  ), users as materialized (
    select h.hour, coalesce(t.day_users, (select count(*) from (
      select account from derive.hour_users where chain = $1 and hour > h.hour - interval '24 hours' and hour <= h.hour
      union select account from lately where hour > h.hour - interval '24 hours' and hour <= h.hour) u)) as users
    from snapshots h left join derive.hour_totals t on t.chain = $1 and t.hour = h.hour
  )`

const SUMS = `coalesce(sum(swap_volume), 0)::float8 as "swapVolume", coalesce(sum(spot_volume), 0)::float8 as "spotVolume",
  coalesce(sum(swap_volume + spot_volume), 0)::float8 as volume, coalesce(sum(swap_fees), 0)::float8 as "swapFees",
  coalesce(sum(spot_fees), 0)::float8 as "spotFees", coalesce(sum(swap_fees + spot_fees), 0)::float8 as fees,
  coalesce(sum(swap_trades), 0)::float8 as "swapTrades", coalesce(sum(spot_trades), 0)::float8 as "spotTrades"`

/** What the last of some hours leaves behind. */
const LAST = `(array_agg(swap_locked order by hour desc) filter (where swap_locked is not null))[1]::float8 as "swapLocked",
  (array_agg(spot_locked order by hour desc) filter (where spot_locked is not null))[1]::float8 as "spotLocked",
  (array_agg(swap_locked + spot_locked order by hour desc) filter (where swap_locked is not null))[1]::float8 as locked,
  (array_agg(pools order by hour desc) filter (where over))[1]::float8 as pools,
  (array_agg(markets order by hour desc) filter (where over))[1]::float8 as markets`

/** Sums of the hours that are over, and the average of their daily users. */
export const PERIOD = `${HOURS}${USERS}
  select ${markColumns('at')}, x.* from at cross join lateral (
    select count(*)::float8 as buckets, ${SUMS}, ${LAST}, coalesce((select avg(users) from users), 0)::float8 as users
    from hours where over
  ) x`

/** Each hour that is over. $4: how they are put together, such as `1 hour` or `24 hours`. */
export const POINTS = `${HOURS}${USERS}
  select ${markColumns('at')}, x.* from at left join lateral (
    select date_part('epoch', date_bin($4::interval, h.hour, timestamptz '1970-01-05 00:00:00+00')) * 1000 as t, ${SUMS}, ${LAST},
      avg(u.users)::float8 as users
    from (select * from hours where over) h join users u using (hour) group by 1
  ) x on true order by x.t`

/**
 * Buckets of $4, the one in progress included; and beside each row what the last hour before $2 left behind, from which a
 * quiet bucket has its value.
 */
export const BUCKETS = `${HOURS}, before as materialized (
    select (swap_locked + spot_locked)::float8 as locked from ledger.hour_snapshots
    where chain = $1 and hour < $2 and swap_locked is not null order by hour desc limit 1
  )
  select ${markColumns('at')}, (select locked from before) as "lockedBefore", x.* from at left join lateral (
    select date_part('epoch', date_bin($4::interval, hour, timestamptz '1970-01-05 00:00:00+00')) * 1000 as t, ${SUMS}, ${LAST}
    from hours group by 1
  ) x on true order by x.t`
