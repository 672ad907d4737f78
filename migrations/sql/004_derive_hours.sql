-- Trades and users by hour. Irreversible hours are counted once and stored; later hours are counted when they are
-- queried, so that no rewind affects stored rows.
create table derive.hour_totals (
  chain text not null,
  hour timestamptz not null,
  swap_volume numeric,
  swap_fees numeric,
  swap_trades int8 not null,
  swaps_without_usd int8 not null,
  spot_volume numeric,
  spot_fees numeric,
  spot_trades int8 not null,
  deals_without_usd int8 not null,
  day_users int8 not null,
  primary key (hour, chain)
) partition by list (chain);
comment on table derive.hour_totals is 'Trades of each irreversible hour. Inserted once and never changed.';
comment on column derive.hour_totals.chain is 'Chain name.';
comment on column derive.hour_totals.hour is 'Start of the hour, UTC.';
comment on column derive.hour_totals.swap_volume is 'USD of swaps, as they were valued; null when there are swaps and the value of none is known.';
comment on column derive.hour_totals.swap_fees is 'USD of the fees of these swaps, the share of the protocol included; null as swap_volume.';
comment on column derive.hour_totals.swap_trades is 'Number of swaps.';
comment on column derive.hour_totals.swaps_without_usd is 'Swaps whose USD value is not known: they are not in swap_volume and swap_fees.';
comment on column derive.hour_totals.spot_volume is 'USD of deals; null when there are deals and the value of none is known.';
comment on column derive.hour_totals.spot_fees is 'USD of the fees of these deals; null as spot_volume.';
comment on column derive.hour_totals.spot_trades is 'Number of deals.';
comment on column derive.hour_totals.deals_without_usd is 'Deals whose USD value is not known: they are not in spot_volume and spot_fees.';
comment on column derive.hour_totals.day_users is 'Distinct accounts in the 24 hours that end with this one.';

create table derive.hour_users (
  chain text not null,
  hour timestamptz not null,
  account text not null,
  primary key (hour, account, chain)
) partition by list (chain);
comment on table derive.hour_users is 'Who traded or changed a position in each of the last irreversible hours, but the contracts of the exchange.';
comment on column derive.hour_users.chain is 'Chain name.';
comment on column derive.hour_users.hour is 'Start of the hour, UTC.';
comment on column derive.hour_users.account is 'Account.';

-- Sums over trades of blocks from_block to to_block, by hour. The cost is proportional to the number of trades, which
-- are found by block. Fees use the rate of the pool, which never changes, and of the market at the time of the trade;
-- before the first known rate, that rate. Fees are exact, without division. A sum is null when there are trades without
-- any known value, and 0 without trades.
create function meta.hour_sums(chain_name text, from_block int8, to_block int8)
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
create function meta.hour_accounts(chain_name text, from_block int8, to_block int8) returns table (hour timestamptz, account text)
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
create function meta.count_hours(chain_name text, most int4) returns int4
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
