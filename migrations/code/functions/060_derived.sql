-- Functions that recompute derived data.

-- Recomputes the candles of trades at the given minutes: the minute candles from the ledger, then each higher
-- resolution from the next lower one. With undo_at, the previous candles are stored as before-images. kinds, ids and
-- minutes are parallel arrays. Plans do not depend on the arrays: planning at every block would take longer than the
-- work. Runs with the writer's rights, which suffice: a block's transaction calls no function of the owner.
create or replace function meta.refresh_candles(chain_name text, kinds text[], ids int8[], minutes timestamptz[], undo_at int8) returns void
language plpgsql set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set jit = off as $$
declare
  step record;
begin
  if undo_at is not null then
    insert into undo.candles
      select undo_at, chain_name, k.kind, k.id, k.minute, array_agg(c) filter (where c.chain is not null)
      from (select distinct t.kind, t.id, t.minute from unnest(kinds, ids, minutes) t(kind, id, minute)) k
      cross join meta.resolutions r
      left join derive.candles c on c.chain = chain_name and c.market_kind = k.kind and c.market_id = k.id and c.resolution = r.resolution
        and c.bucket_time = meta.bucket_start(r.resolution, k.minute)
      group by k.kind, k.id, k.minute;
  end if;
  for step in select resolution, source from meta.resolutions order by place loop
    if step.source is null then
      insert into derive.candles as c (chain, market_kind, market_id, resolution, bucket_time, open, high, low, close,
          volume_base, volume_target, volume_usd, trades, trades_without_usd)
        select chain_name, 'amm', k.id, step.resolution, k.bucket, (array_agg(s.sqrt_price_x64 order by s.block_time, s.global_seq))[1],
          max(s.sqrt_price_x64), min(s.sqrt_price_x64), (array_agg(s.sqrt_price_x64 order by s.block_time, s.global_seq))[count(*)],
          sum(abs(s.amount_a)), sum(abs(s.amount_b)), sum(s.usd), count(*), count(*) - count(s.usd)
        from (select distinct id, minute as bucket from unnest(kinds, ids, minutes) u(kind, id, minute) where kind = 'amm') k
        join ledger.swaps s on s.chain = chain_name and s.pool_id = k.id
          and s.block_time >= k.bucket and s.block_time < k.bucket + interval '1 minute'
        group by k.id, k.bucket
        union all
        select chain_name, 'spot', k.id, step.resolution, k.bucket, (array_agg(d.unit_price order by d.block_time, d.global_seq))[1],
          max(d.unit_price), min(d.unit_price), (array_agg(d.unit_price order by d.block_time, d.global_seq))[count(*)],
          sum(d.amount_base), sum(d.amount_target), sum(d.usd), count(*), count(*) - count(d.usd)
        from (select distinct id, minute as bucket from unnest(kinds, ids, minutes) u(kind, id, minute) where kind = 'spot') k
        join ledger.deals d on d.chain = chain_name and d.market_id = k.id
          and d.block_time >= k.bucket and d.block_time < k.bucket + interval '1 minute'
        group by k.id, k.bucket
      on conflict (market_id, resolution, bucket_time, market_kind, chain) do update set open = excluded.open, high = excluded.high,
        low = excluded.low, close = excluded.close, volume_base = excluded.volume_base, volume_target = excluded.volume_target,
        volume_usd = excluded.volume_usd, trades = excluded.trades, trades_without_usd = excluded.trades_without_usd;
    else
      insert into derive.candles as c (chain, market_kind, market_id, resolution, bucket_time, open, high, low, close,
          volume_base, volume_target, volume_usd, trades, trades_without_usd)
        select chain_name, k.kind, k.id, step.resolution, k.bucket, (array_agg(l.open order by l.bucket_time))[1], max(l.high), min(l.low),
          (array_agg(l.close order by l.bucket_time))[count(*)], sum(l.volume_base), sum(l.volume_target), sum(l.volume_usd),
          sum(l.trades)::int8, sum(l.trades_without_usd)::int8
        from (select distinct u.kind, u.id, meta.bucket_start(step.resolution, u.minute) as bucket
          from unnest(kinds, ids, minutes) u(kind, id, minute)) k
        join derive.candles l on l.chain = chain_name and l.market_kind = k.kind and l.market_id = k.id and l.resolution = step.source
          and l.bucket_time >= k.bucket and l.bucket_time < meta.bucket_end(step.resolution, k.bucket)
        group by k.kind, k.id, k.bucket
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

-- Tokens of the trades of blocks from_block to to_block, summed by day: each trade counts for both of its tokens. A
-- market's tokens are those at the time of the trade; before the first known ones, those.
create or replace function meta.token_trades(chain_name text, from_block int8, to_block int8)
returns table (day timestamptz, token_id text, trades int8, usd numeric, unknown int8)
language sql stable parallel safe as $$
  select t.day, x.token_id, sum(t.trades)::int8, sum(t.usd), sum(t.unknown)::int8
  from (
    select s.day, p.a, p.b, s.trades, s.usd, s.unknown
    from (select date_trunc('day', block_time, 'UTC') as day, pool_id, count(*) as trades, sum(usd) as usd, count(*) - count(usd) as unknown
      from ledger.swaps where chain = chain_name and block_num between from_block and to_block group by 1, 2) s
    cross join lateral (
      select lower(symbol_a) || '-' || contract_a as a, lower(symbol_b) || '-' || contract_b as b
        from state.pools where chain = chain_name and pool_id = s.pool_id
      union all select lower(symbol_a) || '-' || contract_a, lower(symbol_b) || '-' || contract_b
        from ledger.pool_creations where chain = chain_name and pool_id = s.pool_id limit 1
    ) p
    union all
    select d.day, lower(m.base_symbol) || '-' || m.base_contract, lower(m.target_symbol) || '-' || m.target_contract, d.trades, d.usd, d.unknown
    from (select date_trunc('day', l.block_time, 'UTC') as day, l.market_id, r.since, count(*) as trades, sum(l.usd) as usd,
        count(*) - count(l.usd) as unknown
      from ledger.deals l left join (
        select f.market_id, f.block_num as since, case when row_number() over known = 1 then 0 else f.block_num end as first,
          lead(f.block_num) over known as until
        from ledger.market_fees f where f.chain = chain_name window known as (partition by f.market_id order by f.block_num)
      ) r on r.market_id = l.market_id and l.block_num >= r.first and (r.until is null or l.block_num < r.until)
      where l.chain = chain_name and l.block_num between from_block and to_block group by 1, 2, 3) d
    cross join lateral (
      select base_symbol, base_contract, target_symbol, target_contract from ledger.market_fees
        where chain = chain_name and market_id = d.market_id and block_num = d.since
      union all select base_symbol, base_contract, target_symbol, target_contract from state.markets
        where d.since is null and chain = chain_name and market_id = d.market_id limit 1
    ) m
  ) t cross join lateral (values (t.a), (t.b)) x(token_id) group by 1, 2
$$;

-- Trades of accounts in blocks from_block to to_block, summed by day: senders of swaps, bidders and askers, without the
-- exchange's own contracts.
create or replace function meta.account_trades(chain_name text, from_block int8, to_block int8)
returns table (day timestamptz, account text, swaps int8, deals int8, usd numeric, unknown int8)
language sql stable parallel safe as $$
  select t.day, t.account, sum(t.swaps)::int8, sum(t.deals)::int8, sum(t.usd), sum(t.unknown)::int8 from (
    select date_trunc('day', block_time, 'UTC') as day, sender as account, count(*) as swaps, 0 as deals, sum(usd) as usd,
      count(*) - count(usd) as unknown
      from ledger.swaps where chain = chain_name and block_num between from_block and to_block group by 1, 2
    union all
    select date_trunc('day', l.block_time, 'UTC'), a.account, 0, count(*), sum(l.usd), count(*) - count(l.usd)
      from ledger.deals l cross join lateral (values (l.bidder), (l.asker)) a(account)
      where l.chain = chain_name and l.block_num between from_block and to_block group by 1, 2
  ) t where not exists (select from meta.accounts c
    where c.chain = chain_name and c.role in ('amm', 'spot', 'otc') and c.account = t.account)
  group by 1, 2
$$;

-- Adds hours first_hour to last_hour, of blocks first_num to last_num, to the days of accounts, tokens and the bridge. The
-- first hour is the one after the last hour that was added.
create or replace function meta.count_days(chain_name text, first_num int8, last_num int8, first_hour timestamptz, last_hour timestamptz) returns void
language plpgsql as $$
begin
  -- Before the days, which say whether a day is a new one of the account. Each reads the trades itself, because no statement
  -- of the writer changes two tables (docs/operate/scale.md, Citus).
  insert into derive.traders as d (chain, account, first_day, active_days, swaps, deals, volume_usd, trades_without_usd)
    select chain_name, t.account, min(t.day), count(*) filter (where e.day is null), sum(t.swaps), sum(t.deals), sum(t.usd), sum(t.unknown)
    from meta.account_trades(chain_name, first_num, last_num) t
    left join derive.account_days e on e.chain = chain_name and e.day = t.day and e.account = t.account group by 2
    on conflict (account, chain) do update set active_days = d.active_days + excluded.active_days, swaps = d.swaps + excluded.swaps,
      deals = d.deals + excluded.deals, volume_usd = coalesce(d.volume_usd + excluded.volume_usd, d.volume_usd, excluded.volume_usd),
      trades_without_usd = d.trades_without_usd + excluded.trades_without_usd;
  insert into derive.account_days as d (chain, day, account, swaps, deals, volume_usd, trades_without_usd)
    select chain_name, t.day, t.account, t.swaps, t.deals, t.usd, t.unknown from meta.account_trades(chain_name, first_num, last_num) t
    on conflict (day, account, chain) do update set swaps = d.swaps + excluded.swaps, deals = d.deals + excluded.deals,
      volume_usd = coalesce(d.volume_usd + excluded.volume_usd, d.volume_usd, excluded.volume_usd),
      trades_without_usd = d.trades_without_usd + excluded.trades_without_usd;
  insert into derive.token_days as d (chain, day, token_id, trades, volume_usd, trades_without_usd)
    select chain_name, t.day, t.token_id, t.trades, t.usd, t.unknown from meta.token_trades(chain_name, first_num, last_num) t
    on conflict (day, token_id, chain) do update set trades = d.trades + excluded.trades,
      volume_usd = coalesce(d.volume_usd + excluded.volume_usd, d.volume_usd, excluded.volume_usd),
      trades_without_usd = d.trades_without_usd + excluded.trades_without_usd;
  insert into derive.token_days as d (chain, day, token_id, usd_open, usd_high, usd_low, usd_close, system_open, system_high, system_low,
      system_close, priced_hours)
    select chain_name, date_trunc('day', p.hour, 'UTC'), p.token_id,
      (array_agg(p.usd_price order by p.hour) filter (where p.usd_price is not null))[1], max(p.usd_price), min(p.usd_price),
      (array_agg(p.usd_price order by p.hour desc) filter (where p.usd_price is not null))[1],
      (array_agg(p.system_price order by p.hour))[1], max(p.system_price), min(p.system_price),
      (array_agg(p.system_price order by p.hour desc))[1], count(*)
    from ledger.price_hours p where p.chain = chain_name and p.hour between first_hour and last_hour group by 2, 3
    on conflict (day, token_id, chain) do update set usd_open = coalesce(d.usd_open, excluded.usd_open),
      usd_high = greatest(d.usd_high, excluded.usd_high), usd_low = least(d.usd_low, excluded.usd_low),
      usd_close = coalesce(excluded.usd_close, d.usd_close), system_open = coalesce(d.system_open, excluded.system_open),
      system_high = greatest(d.system_high, excluded.system_high), system_low = least(d.system_low, excluded.system_low),
      system_close = excluded.system_close, priced_hours = d.priced_hours + excluded.priced_hours;
  -- Holders at the end of an hour are counted at the start of the next. A number that may be too low is left out.
  insert into derive.token_days as d (chain, day, token_id, holders)
    select distinct on (2, 3) chain_name, date_trunc('day', s.hour - interval '1 hour', 'UTC'), s.token_id,
      case when s.truncated then null else s.holders end
    from derive.holder_samples s where s.chain = chain_name and s.hour > first_hour and s.hour <= last_hour + interval '1 hour'
    order by 2, 3, s.hour desc
    on conflict (day, token_id, chain) do update set holders = excluded.holders;
  insert into derive.bridge_days as d (chain, day, direction, domain, symbol, token, decimals, legs, amount)
    select chain_name, t.day, t.direction, t.domain, coalesce(t.symbol, ''), t.token, max(t.decimals), count(*), sum(t.amount) from (
      -- A deposit that was parked may be credited later.
      select date_trunc('day', e.block_time, 'UTC') as day, 'in' as direction, e.domain, e.symbol, '' as token, e.decimals, e.amount
        from ledger.deposit_events e where e.chain = chain_name and e.block_num between first_num and last_num
          and e.type in ('credited', 'parked') and not exists (select from ledger.deposit_events f where f.chain = chain_name
            and f.nonce = e.nonce and f.domain = e.domain and f.type in ('credited', 'parked') and f.global_seq < e.global_seq)
      union all
      -- The burn of a journey has its symbol in the log of the hop, that of a bounced deposit in the log of its arrival.
      select date_trunc('day', w.block_time, 'UTC'), 'out', w.domain, coalesce(w.symbol, h.symbol), meta.address(w.token),
          coalesce(w.decimals, h.decimals), w.amount
        from ledger.withdrawals w left join lateral (
          select x.symbol, x.decimals from ledger.hops x
            where x.chain = chain_name and x.withdrawal_id = w.id and x.block_num = w.block_num
          union all
          select a.symbol, a.decimals from ledger.deposit_events x join ledger.deposit_events a on a.chain = chain_name
              and a.nonce = x.nonce and a.domain = x.domain and a.type in ('credited', 'parked') and a.symbol is not null
            where x.chain = chain_name and x.withdrawal_id = w.id and x.block_num = w.block_num and x.type = 'bounced'
          limit 1) h on w.symbol is null
        where w.chain = chain_name and w.block_num between first_num and last_num
    ) t group by 2, 3, 4, 5, 6
    on conflict (day, direction, domain, symbol, token, chain) do update set legs = d.legs + excluded.legs, amount = d.amount + excluded.amount,
      decimals = greatest(d.decimals, excluded.decimals);
end $$;

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
  perform meta.count_days(chain_name, first_num, last_num, first_hour, last_hour);
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
