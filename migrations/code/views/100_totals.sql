-- Trades, users and holdings by hour and day.

select meta.create_view('hour_snapshots', 'Value that the exchange held at the end of each hour.',
  $view$select s.chain, s.hour, s.block_num, s.block_time, s.swap_locked, s.spot_locked, s.pools, s.markets,
    s.pools_without_usd, s.orders_without_usd from @hour_snapshots s$view$,
  array[]::text[]);

select meta.create_view('price_hours', 'Price of each priced token at the end of each hour. No row: the token had no price.',
  $view$select h.chain, h.token_id, h.hour, h.block_num, h.block_time, h.system_price, h.usd_price from @price_hours h$view$,
  array[]::text[]);

select meta.create_view('pool_hours', 'Value of pools at the end of hours. At the end of a UTC day, each pool with a known value above zero has a row. At the end of other hours, only pools that hold at least the price threshold (100 USD by default) have one.',
  $view$select h.chain, h.pool_id, h.hour, h.block_num, h.block_time, h.usd from @pool_hours h$view$,
  array[]::text[]);

select meta.create_view('hour_totals', 'Trades and users of each hour that is over.',
  $view$with since as (
    select p.chain, c.hour as counted, coalesce((select h.block_num from @hour_snapshots h where h.chain = p.chain and h.hour = c.hour),
      p.first_block) as first_num
    from meta.position p cross join lateral (select max(t.hour) as hour from @hour_totals t where t.chain = p.chain) c
  ), waiting as (
    select s.chain, s.hour from since o join @hour_snapshots s on s.chain = o.chain and (o.counted is null or s.hour > o.counted)
  ), swapped as (
    select s.chain, date_trunc('hour', s.block_time, 'UTC') as hour, s.usd, s.sender, s.recipient,
      s.usd * coalesce((select p.fee from @pools p where p.chain = s.chain and p.pool_id = s.pool_id),
        (select c.fee from @pool_creations c where c.chain = s.chain and c.pool_id = s.pool_id limit 1), 0) / 1000000 as fee
    from since o join @swaps s on s.chain = o.chain and s.block_num >= o.first_num
  ), dealt as (
    select d.chain, date_trunc('hour', d.block_time, 'UTC') as hour, d.usd, d.bidder, d.asker,
      d.usd * coalesce(
        (select f.fee from @market_fees f where f.chain = d.chain and f.market_id = d.market_id and f.block_num <= d.block_num order by f.block_num desc limit 1),
        (select f.fee from @market_fees f where f.chain = d.chain and f.market_id = d.market_id order by f.block_num limit 1),
        (select m.fee from @markets m where m.chain = d.chain and m.market_id = d.market_id), 0) / 10000 as fee
    from since o join @deals d on d.chain = o.chain and d.block_num >= o.first_num
  ), present as (
    select chain, hour, sender as account from swapped union select chain, hour, recipient from swapped
    union select chain, hour, bidder from dealt union select chain, hour, asker from dealt
    union select e.chain, date_trunc('hour', e.block_time, 'UTC'), e.owner
      from since o join @position_events e on e.chain = o.chain and e.block_num >= o.first_num
  )
  select t.chain, t.hour, t.swap_volume, t.swap_fees, t.swap_trades, t.spot_volume, t.spot_fees, t.spot_trades, t.day_users,
    t.swaps_without_usd, t.deals_without_usd
    from @hour_totals t
  union all
  select w.chain, w.hour, case when s.trades > 0 then s.volume else 0 end, case when s.trades > 0 then s.fees else 0 end, coalesce(s.trades, 0),
    case when d.trades > 0 then d.volume else 0 end, case when d.trades > 0 then d.fees else 0 end, coalesce(d.trades, 0), (select count(*) from (
      select a.account from present a where a.chain = w.chain and a.hour > w.hour - interval '24 hours' and a.hour <= w.hour
        and not exists (select from meta.accounts c where c.chain = a.chain and c.role in ('amm', 'spot', 'otc') and c.account = a.account)
      union
      select u.account from @hour_users u where u.chain = w.chain and u.hour > w.hour - interval '24 hours' and u.hour <= w.hour) x),
    coalesce(s.unknown, 0), coalesce(d.unknown, 0)
    from waiting w
    left join (select chain, hour, sum(usd) as volume, sum(fee) as fees, count(*) as trades, count(*) - count(usd) as unknown
      from swapped group by 1, 2) s on s.chain = w.chain and s.hour = w.hour
    left join (select chain, hour, sum(usd) as volume, sum(fee) as fees, count(*) as trades, count(*) - count(usd) as unknown
      from dealt group by 1, 2) d on d.chain = w.chain and d.hour = w.hour$view$,
  array[]::text[]);

select meta.create_view('day_totals', 'Trades, users and locked value of each UTC day of which an hour is over.',
  $view$select t.chain, date_trunc('day', t.hour, 'UTC') as day, count(*)::int4 as hours,
    case when sum(t.swap_trades) > 0 and sum(t.swaps_without_usd) = sum(t.swap_trades) then null else sum(t.swap_volume) end as swap_volume,
    case when sum(t.swap_trades) > 0 and sum(t.swaps_without_usd) = sum(t.swap_trades) then null else sum(t.swap_fees) end as swap_fees,
    sum(t.swap_trades)::int8 as swap_trades,
    case when sum(t.spot_trades) > 0 and sum(t.deals_without_usd) = sum(t.spot_trades) then null else sum(t.spot_volume) end as spot_volume,
    case when sum(t.spot_trades) > 0 and sum(t.deals_without_usd) = sum(t.spot_trades) then null else sum(t.spot_fees) end as spot_fees,
    sum(t.spot_trades)::int8 as spot_trades,
    max(t.day_users) filter (where date_part('hour', t.hour at time zone 'UTC') = 23) as users,
    (array_agg(s.swap_locked order by t.hour desc))[1] as swap_locked, (array_agg(s.spot_locked order by t.hour desc))[1] as spot_locked,
    (array_agg(s.pools order by t.hour desc))[1] as pools, (array_agg(s.markets order by t.hour desc))[1] as markets,
    sum(t.swaps_without_usd)::int8 as swaps_without_usd, sum(t.deals_without_usd)::int8 as deals_without_usd,
    (array_agg(s.pools_without_usd order by t.hour desc))[1] as pools_without_usd,
    (array_agg(s.orders_without_usd order by t.hour desc))[1] as orders_without_usd
    from $side.hour_totals t left join @hour_snapshots s on s.chain = t.chain and s.hour = t.hour group by 1, 2$view$,
  array['chain', 'Chain name.', 'day', 'Start of the day, UTC.', 'hours', 'Number of hours of the day that are counted: 24 for a whole day.', 'swap_volume', 'USD of swaps, as they were valued; null when there are swaps and the value of none is known.',
    'swap_fees', 'USD of the fees of these swaps, the share of the protocol included; null as swap_volume.', 'swap_trades', 'Number of swaps.',
    'spot_volume', 'USD of deals; null when there are deals and the value of none is known.', 'spot_fees', 'USD of the fees of these deals; null as spot_volume.', 'spot_trades', 'Number of deals.',
    'users', 'Distinct accounts that traded or changed a position, without the contracts of the exchange; null until the day is over.',
    'swap_locked', 'USD that pools held at the end, those of a known value; null when there were pools and the value of none is known.',
    'spot_locked', 'USD that open orders offered at the end, in trusted tokens; null when there were orders and the value of none is known.', 'pools', 'Number of pools at the end.',
    'markets', 'Number of order-book markets at the end.',
    'swaps_without_usd', 'Swaps whose USD value is not known: they are not in swap_volume and swap_fees.',
    'deals_without_usd', 'Deals whose USD value is not known: they are not in spot_volume and spot_fees.',
    'pools_without_usd', 'Pools whose value is not known at the end: they are not in swap_locked.',
    'orders_without_usd', 'Open orders whose value is not known at the end: they are not in spot_locked.']);

select meta.create_view('hour_users', 'Accounts that used the exchange, by hour, in the last 24 counted hours.',
  $view$select u.chain, u.hour, u.account from @hour_users u$view$,
  array[]::text[]);
