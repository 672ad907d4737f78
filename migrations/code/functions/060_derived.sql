-- Functions that recompute derived data.

-- Recomputes the candles of trades at the given minutes: the minute candles from the ledger, then each higher
-- resolution from the next lower one. With undo_at, the previous candles are stored as before-images. kinds, ids and
-- minutes are parallel arrays. Plans do not depend on the arrays: planning at every block would take longer than the
-- work.
create or replace function meta.refresh_candles(chain_name text, kinds text[], ids int8[], minutes timestamptz[], undo_at int8) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  step record;
begin
  if undo_at is not null then
    insert into undo.candles
      select undo_at, chain_name, k.kind, k.id, k.minute, (
        select array_agg(c) from meta.resolutions r join derive.candles c on c.chain = chain_name and c.market_kind = k.kind
          and c.market_id = k.id and c.resolution = r.resolution and c.bucket_time = meta.bucket_start(r.resolution, k.minute))
      from (select distinct t.kind, t.id, t.minute from unnest(kinds, ids, minutes) t(kind, id, minute)) k;
  end if;
  for step in select resolution, source from meta.resolutions order by place loop
    if step.source is null then
      insert into derive.candles as c (chain, market_kind, market_id, resolution, bucket_time, open, high, low, close,
          volume_base, volume_target, volume_usd, trades, trades_without_usd)
        select chain_name, 'amm', k.id, step.resolution, k.bucket, t.open, t.high, t.low, t.close, t.base, t.target, t.usd, t.trades, t.unknown
        from (select distinct id, minute as bucket from unnest(kinds, ids, minutes) u(kind, id, minute) where kind = 'amm') k
        cross join lateral (
          select (array_agg(s.sqrt_price_x64 order by s.block_time, s.global_seq))[1] as open, max(s.sqrt_price_x64) as high,
            min(s.sqrt_price_x64) as low, (array_agg(s.sqrt_price_x64 order by s.block_time desc, s.global_seq desc))[1] as close,
            sum(abs(s.amount_a)) as base, sum(abs(s.amount_b)) as target, sum(s.usd) as usd, count(*) as trades,
            count(*) - count(s.usd) as unknown
          from ledger.swaps s
          where s.chain = chain_name and s.pool_id = k.id and s.block_time >= k.bucket and s.block_time < k.bucket + interval '1 minute'
        ) t where t.trades > 0
        union all
        select chain_name, 'spot', k.id, step.resolution, k.bucket, t.open, t.high, t.low, t.close, t.base, t.target, t.usd, t.trades, t.unknown
        from (select distinct id, minute as bucket from unnest(kinds, ids, minutes) u(kind, id, minute) where kind = 'spot') k
        cross join lateral (
          select (array_agg(d.unit_price order by d.block_time, d.global_seq))[1] as open, max(d.unit_price) as high,
            min(d.unit_price) as low, (array_agg(d.unit_price order by d.block_time desc, d.global_seq desc))[1] as close,
            sum(d.amount_base) as base, sum(d.amount_target) as target, sum(d.usd) as usd, count(*) as trades,
            count(*) - count(d.usd) as unknown
          from ledger.deals d
          where d.chain = chain_name and d.market_id = k.id and d.block_time >= k.bucket and d.block_time < k.bucket + interval '1 minute'
        ) t where t.trades > 0
      on conflict (market_id, resolution, bucket_time, market_kind, chain) do update set open = excluded.open, high = excluded.high,
        low = excluded.low, close = excluded.close, volume_base = excluded.volume_base, volume_target = excluded.volume_target,
        volume_usd = excluded.volume_usd, trades = excluded.trades, trades_without_usd = excluded.trades_without_usd;
    else
      insert into derive.candles as c (chain, market_kind, market_id, resolution, bucket_time, open, high, low, close,
          volume_base, volume_target, volume_usd, trades, trades_without_usd)
        select chain_name, k.kind, k.id, step.resolution, k.bucket, t.open, t.high, t.low, t.close, t.base, t.target, t.usd, t.trades, t.unknown
        from (select distinct u.kind, u.id, meta.bucket_start(step.resolution, u.minute) as bucket
          from unnest(kinds, ids, minutes) u(kind, id, minute)) k
        cross join lateral (
          select (array_agg(l.open order by l.bucket_time))[1] as open, max(l.high) as high, min(l.low) as low,
            (array_agg(l.close order by l.bucket_time desc))[1] as close, sum(l.volume_base) as base, sum(l.volume_target) as target,
            sum(l.volume_usd) as usd, sum(l.trades)::int8 as trades, sum(l.trades_without_usd)::int8 as unknown
          from derive.candles l
          where l.chain = chain_name and l.market_kind = k.kind and l.market_id = k.id and l.resolution = step.source
            and l.bucket_time >= k.bucket and l.bucket_time < meta.bucket_end(step.resolution, k.bucket)
        ) t where t.trades > 0
      on conflict (market_id, resolution, bucket_time, market_kind, chain) do update set open = excluded.open, high = excluded.high,
        low = excluded.low, close = excluded.close, volume_base = excluded.volume_base, volume_target = excluded.volume_target,
        volume_usd = excluded.volume_usd, trades = excluded.trades, trades_without_usd = excluded.trades_without_usd;
    end if;
  end loop;
end $$;

-- Sums over trades of blocks from_block to to_block, by hour. The cost is proportional to the number of trades, which
-- are found by block. Fees use the rate of the pool, which never changes, and of the market at the time of the trade;
-- before the first known rate, that rate. Fees are exact, without division. A sum is null when there are trades without
-- any known value, and 0 without trades.
create or replace function meta.hour_sums(chain_name text, from_block int8, to_block int8)
returns table (hour timestamptz, swap_volume numeric, swap_fees numeric, swap_trades int8, swaps_without_usd int8,
  spot_volume numeric, spot_fees numeric, spot_trades int8, deals_without_usd int8)
language sql stable parallel safe as $$
  select t.hour, case when sum(t.swap_trades) = 0 then 0 else sum(t.swap_volume) end,
    case when sum(t.swap_trades) = 0 then 0 else sum(t.swap_fees) end, sum(t.swap_trades)::int8, sum(t.swaps_without_usd)::int8,
    case when sum(t.spot_trades) = 0 then 0 else sum(t.spot_volume) end,
    case when sum(t.spot_trades) = 0 then 0 else sum(t.spot_fees) end, sum(t.spot_trades)::int8, sum(t.deals_without_usd)::int8
  from (
    select s.hour, s.usd as swap_volume, s.usd * coalesce(p.fee, 0) * 0.000001 as swap_fees, s.trades as swap_trades,
      s.unknown as swaps_without_usd, null::numeric as spot_volume, null::numeric as spot_fees, 0::int8 as spot_trades, 0::int8 as deals_without_usd
    from (select date_trunc('hour', block_time, 'UTC') as hour, pool_id, sum(usd) as usd, count(*) as trades, count(*) - count(usd) as unknown
      from ledger.swaps where chain = chain_name and block_num between from_block and to_block group by 1, 2) s
    left join lateral (
      select fee from state.pools where chain = chain_name and pool_id = s.pool_id
      union all select fee from ledger.pool_creations where chain = chain_name and pool_id = s.pool_id limit 1
    ) p on true
    union all
    select d.hour, null, null, 0, 0, d.usd, d.usd * coalesce(d.fee, (select fee from state.markets where chain = chain_name and market_id = d.market_id), 0) * 0.0001,
      d.trades, d.unknown
    from (select date_trunc('hour', l.block_time, 'UTC') as hour, l.market_id, r.fee, sum(l.usd) as usd, count(*) as trades,
        count(*) - count(l.usd) as unknown
      from ledger.deals l left join (
        select f.market_id, f.fee, case when row_number() over known = 1 then 0 else f.block_num end as since,
          lead(f.block_num) over known as until
        from ledger.market_fees f where f.chain = chain_name window known as (partition by f.market_id order by f.block_num)
      ) r on r.market_id = l.market_id and l.block_num >= r.since and (r.until is null or l.block_num < r.until)
      where l.chain = chain_name and l.block_num between from_block and to_block group by 1, 2, 3) d
  ) t group by t.hour
$$;

-- Accounts that used the exchange in blocks from_block to to_block, by hour: senders, recipients, bidders, askers and
-- owners of positions, without the exchange's own contracts.
create or replace function meta.hour_accounts(chain_name text, from_block int8, to_block int8) returns table (hour timestamptz, account text)
language sql stable parallel safe as $$
  select distinct date_trunc('hour', t.block_time, 'UTC'), a.account from (
    select block_time, sender as x, recipient as y from ledger.swaps where chain = chain_name and block_num between from_block and to_block
    union all
    select block_time, bidder, asker from ledger.deals where chain = chain_name and block_num between from_block and to_block
    union all
    select block_time, owner, owner from ledger.position_events where chain = chain_name and block_num between from_block and to_block
  ) t cross join lateral (values (t.x), (t.y)) a(account)
  where a.account is not null and not exists (select from meta.accounts c
    where c.chain = chain_name and c.role in ('amm', 'spot', 'otc') and c.account = a.account)
$$;

-- Counts the oldest irreversible hours that are not counted yet. Returns their number.
create or replace function meta.count_hours(chain_name text, most int4) returns int4
language plpgsql as $$
declare
  lib int8;
  counted timestamptz;
  first_num int8;
  last_num int8;
  first_hour timestamptz;
  last_hour timestamptz;
begin
  select lib_num, first_block into lib, first_num from meta.position where chain = chain_name;
  select max(t.hour) into counted from derive.hour_totals t where t.chain = chain_name;
  if counted is not null then
    select block_num into first_num from ledger.hour_snapshots where chain = chain_name and hour = counted;
  end if;
  select min(h.hour), max(h.hour), max(h.block_num) - 1 into first_hour, last_hour, last_num from (
    select s.hour, s.block_num from ledger.hour_snapshots s
    where s.chain = chain_name and (counted is null or s.hour > counted) and s.block_num <= lib order by s.hour limit most) h;
  if last_hour is null then
    return 0;
  end if;
  insert into derive.hour_users (chain, hour, account) select chain_name, a.hour, a.account from meta.hour_accounts(chain_name, first_num, last_num) a;
  insert into derive.hour_totals (chain, hour, swap_volume, swap_fees, swap_trades, swaps_without_usd, spot_volume, spot_fees,
      spot_trades, deals_without_usd, day_users)
    select chain_name, h.hour, case when t.swap_trades > 0 then t.swap_volume else 0 end,
      case when t.swap_trades > 0 then t.swap_fees else 0 end, coalesce(t.swap_trades, 0), coalesce(t.swaps_without_usd, 0),
      case when t.spot_trades > 0 then t.spot_volume else 0 end, case when t.spot_trades > 0 then t.spot_fees else 0 end,
      coalesce(t.spot_trades, 0), coalesce(t.deals_without_usd, 0), (select count(distinct u.account) from derive.hour_users u
        where u.chain = chain_name and u.hour > h.hour - interval '24 hours' and u.hour <= h.hour)
    from ledger.hour_snapshots h
    left join meta.hour_sums(chain_name, first_num, last_num) t on t.hour = h.hour
    where h.chain = chain_name and h.hour between first_hour and last_hour;
  -- The next hour needs users of the preceding 23 hours.
  delete from derive.hour_users u where u.chain = chain_name and u.hour <= last_hour - interval '24 hours';
  return (select count(*) from ledger.hour_snapshots h where h.chain = chain_name and h.hour between first_hour and last_hour);
end $$;

-- Removes scores valid from a time on, holders counted since, and trades of the hour that ended then.
create or replace function meta.forget_scores(chain_name text, since timestamptz) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  delete from derive.score_snapshots where chain = chain_name and valid_from >= since;
  delete from derive.token_scores where chain = chain_name and valid_from >= since;
  delete from derive.holder_samples where chain = chain_name and hour >= since;
  delete from derive.token_hours where chain = chain_name and hour >= since - interval '1 hour';
  delete from derive.token_trader_hours where chain = chain_name and hour >= since - interval '1 hour';
end $$;
