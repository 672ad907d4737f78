-- Boards. Their last hour is in meta.board_refreshes. A board that grows with the days is a table (period day or month),
-- to which a refresh adds; the others are materialized views.

select meta.create_board('pool_days', 'Pools by day: a row for each day with a swap.', 'day', 'chain, day, pool_id',
  $query$
  with shares as (
    -- Parts of the fees that are not the protocol's, and the times and swaps from which they hold: at the creation, then from
    -- each change on. Arrays, because a join of the days to them would be one of ranges, which takes every pair of a day and
    -- a part.
    select pool_id, array_agg(since order by since, global_seq) as since, array_agg(global_seq order by since, global_seq) as since_seq,
      array_agg(case fee_protocol when 0 then 1 else 1 - 1.0 / fee_protocol end order by since, global_seq) as parts from (
      select c.pool_id, c.fee_protocol, '-infinity'::timestamptz as since, 0::int8 as global_seq from ledger.pool_creations c where c.chain = @chain
      union all
      select p.pool_id, coalesce((select f.fee_protocol_old from ledger.protocol_fees f where f.chain = p.chain
          and f.pool_id = p.pool_id and f.type = 'set' order by f.block_time, f.global_seq limit 1), p.fee_protocol), '-infinity', 0
        from state.pools p where p.chain = @chain and not exists (select from ledger.pool_creations c where c.chain = p.chain and c.pool_id = p.pool_id)
      union all
      select f.pool_id, f.fee_protocol_new, f.block_time, f.global_seq from ledger.protocol_fees f where f.chain = @chain and f.type = 'set'
    ) known group by pool_id
  ), pools as (
    select p.*, s.since, s.since_seq, s.parts from (
      select p.pool_id, p.contract_a, p.symbol_a, p.decimals_a, p.contract_b, p.symbol_b, p.decimals_b, p.fee from state.pools p
        where p.chain = @chain
      union
      select c.pool_id, c.contract_a, c.symbol_a, c.decimals_a, c.contract_b, c.symbol_b, c.decimals_b, c.fee from ledger.pool_creations c
        where c.chain = @chain
    ) p join shares s on s.pool_id = p.pool_id
  ), days as (
    select p.pool_id, c.day, p.symbol_a, p.contract_a, p.decimals_a, p.symbol_b, p.contract_b, p.decimals_b, p.fee, u.until,
      p.since_seq, p.parts, width_bucket(c.day - interval '1 microsecond', p.since) as first_part,
      width_bucket(u.until - interval '1 microsecond', p.since) as last_part,
      extract(epoch from u.until - greatest(c.day, (select min(h.hour) from derive.hour_totals h where h.chain = @chain))) / 3600 as hours,
      c.open, c.high, c.low, c.close, c.base, c.target, c.usd, c.trades, c.unknown
    from pools p
    cross join lateral (
      -- Days that are over.
      select d.bucket_time as day, d.open, d.high, d.low, d.close, d.volume_base as base, d.volume_target as target, d.volume_usd as usd,
        d.trades, d.trades_without_usd as unknown
      from derive.candles d
      where d.chain = @chain and d.market_id = p.pool_id and d.resolution = '1D' and d.market_kind = 'amm' and d.bucket_time >= @from
        and d.bucket_time < date_trunc('day', @to, 'UTC')
      union all
      -- Counted hours of the last day.
      select date_trunc('day', @to, 'UTC'), (array_agg(h.open order by h.bucket_time))[1], max(h.high), min(h.low),
        (array_agg(h.close order by h.bucket_time desc))[1], sum(h.volume_base), sum(h.volume_target), sum(h.volume_usd), sum(h.trades)::int8,
        sum(h.trades_without_usd)::int8
      from derive.candles h
      where h.chain = @chain and h.market_id = p.pool_id and h.resolution = '60' and h.market_kind = 'amm'
        and h.bucket_time >= date_trunc('day', @to, 'UTC') and h.bucket_time < @to
      having count(*) > 0
    ) c
    cross join lateral (select least(c.day + interval '24 hours', @to) as until) u
  )
  select @chain as chain, d.day, d.pool_id, lower(d.symbol_a) || '-' || d.contract_a as token_a, lower(d.symbol_b) || '-' || d.contract_b as token_b,
    d.hours::int4 as hours, meta.pool_price(d.open, d.decimals_a, d.decimals_b) as open,
    meta.pool_price(d.high, d.decimals_a, d.decimals_b) as high, meta.pool_price(d.low, d.decimals_a, d.decimals_b) as low,
    meta.pool_price(d.close, d.decimals_a, d.decimals_b) as close, d.trades as swaps, meta.quantity(d.base, d.decimals_a) as volume_a,
    meta.quantity(d.target, d.decimals_b) as volume_b, d.usd as volume_usd, d.unknown as swaps_without_usd, f.fees as fees_usd,
    f.earned as earned_usd, l.usd as liquidity_usd,
    round(f.earned * 365 * 24 / nullif(d.hours * l.usd, 0), 6) as yearly_yield
  from days d
  left join ledger.pool_hours l on l.chain = @chain and l.pool_id = d.pool_id and l.hour = d.until - interval '1 hour'
  -- Of a pool and a day in which the divisor changed, single swaps are read: an hour does not say which of its swaps were
  -- before the change.
  cross join lateral (select case
    when d.first_part = d.last_part then d.usd * d.parts[d.last_part]
    else (select sum(s.usd * d.parts[width_bucket(s.global_seq, d.since_seq)]) from ledger.swaps s
      where s.chain = @chain and s.pool_id = d.pool_id and s.block_time >= d.day and s.block_time < d.until)
    end as usd) e
  cross join lateral (select d.usd * d.fee * 0.000001 as fees, e.usd * d.fee * 0.000001 as earned) f
  $query$,
  array['chain', 'Chain name.', 'day', 'Start of the day, UTC.', 'pool_id', 'Pool id on the AMM contract.', 'token_a', 'Token id of A.',
    'token_b', 'Token id of B.', 'hours', 'Number of hours of the day that are counted: 24 for a whole day, fewer for the last day and for the day in which the history begins.', 'open', 'B per one A at the first swap, in tokens.',
    'high', 'Greatest price.', 'low', 'Least price.', 'close', 'Price at the last swap.', 'swaps', 'Number of swaps.',
    'volume_a', 'Tokens A that entered or left.', 'volume_b', 'Tokens B that entered or left.',
    'volume_usd', 'USD of the swaps of a known value; null when the value of none is known.',
    'swaps_without_usd', 'Swaps whose USD value is not known: they are not in volume_usd.',
    'fees_usd', 'USD of the fees of these swaps, the share of the protocol included; null as volume_usd.',
    'earned_usd', 'The same without the share of the protocol, by its divisor at each swap.',
    'liquidity_usd', 'USD that the pool held at the end of the last of the hours; null when final.pool_hours has no row of it there.',
    'yearly_yield', 'earned_usd of 365 days at the rate of these hours, divided by liquidity_usd; null when one of the two is not known.']);

select meta.create_board('token_days', 'Tokens by day: prices at the ends of hours, trades, holders.', 'day', 'chain, day, token_id',
  $query$
  select t.chain, t.day, t.token_id,
    (extract(epoch from least(t.day + interval '24 hours', @to) - greatest(t.day, (select min(h.hour) from derive.hour_totals h where h.chain = @chain)))
      / 3600)::int4 as hours, t.priced_hours,
    t.usd_open, t.usd_high, t.usd_low, t.usd_close, t.system_open, t.system_high, t.system_low, t.system_close, t.trades, t.volume_usd,
    t.trades_without_usd, t.holders
  from derive.token_days t where t.chain = @chain and t.day >= @from
  $query$,
  array['chain', 'Chain name.', 'day', 'Start of the day, UTC.', 'token_id', 'Lower-case symbol, hyphen, contract.',
    'hours', 'Number of hours of the day that are counted: 24 for a whole day, fewer for the last day and for the day in which the history begins.', 'priced_hours', 'Hours at whose end the token had a price.',
    'usd_open', 'USD for one token at the end of the first hour that has a price in USD; null when none has.',
    'usd_high', 'Greatest of the prices at the ends of hours.', 'usd_low', 'Least of the prices at the ends of hours.',
    'usd_close', 'Price at the end of the last hour that has one.', 'system_open', 'System tokens for one token, as usd_open.',
    'system_high', 'System tokens for one token, as usd_high.', 'system_low', 'System tokens for one token, as usd_low.',
    'system_close', 'System tokens for one token, as usd_close.', 'trades', 'Swaps and deals in pools and markets of the token.',
    'volume_usd', 'USD of the trades of a known value; null when there are none, or the value of none is known.',
    'trades_without_usd', 'Trades whose USD value is not known: they are not in volume_usd.',
    'holders', 'Accounts with a balance above zero at the end of the last of the hours; null when they were not counted, or when there may be more because balances from before the indexed history are not known.']);

select meta.create_board('account_days', 'Traders by day: their number, the number of new ones, and their trades.', 'day', 'chain, day',
  $query$
  select a.chain, a.day,
    (extract(epoch from least(a.day + interval '24 hours', @to) - greatest(a.day, (select min(h.hour) from derive.hour_totals h where h.chain = @chain)))
      / 3600)::int4 as hours,
    count(*) as accounts, count(*) filter (where a.day = t.first_day) as new_accounts, sum(a.swaps)::int8 as swaps, sum(a.deals)::int8 as deal_sides,
    sum(a.volume_usd) as volume_usd, sum(a.trades_without_usd)::int8 as trades_without_usd
  from derive.account_days a join derive.traders t on t.chain = @chain and t.account = a.account
  where a.chain = @chain and a.day >= @from group by 1, 2
  $query$,
  array['chain', 'Chain name.', 'day', 'Start of the day, UTC.', 'hours', 'Number of hours of the day that are counted: 24 for a whole day, fewer for the last day and for the day in which the history begins.',
    'accounts', 'Accounts that sent swaps or were a side of deals, without the contracts of the exchange.',
    'new_accounts', 'Accounts whose first such day in the indexed history is this day.', 'swaps', 'Swaps that they sent.',
    'deal_sides', 'Sides of deals that they were: a deal between two accounts counts twice.',
    'volume_usd', 'USD of these swaps and sides, those of a known value; null when the value of none is known.',
    'trades_without_usd', 'Swaps and sides whose USD value is not known: they are not in volume_usd.']);

select meta.create_board('leaders', 'The 1000 accounts with the greatest volume in the last 7, 30 and 90 days, and in all.', null, 'chain, days, place',
  $query$
  select t.chain, t.days, t.place, t.account, t.volume_usd, t.swaps, t.deals, t.trades_without_usd, t.active_days, t.share
  from (
    select w.*, row_number() over (partition by w.chain, w.days order by w.volume_usd desc, w.account collate "C")::int4 as place,
      w.volume_usd / nullif(sum(w.volume_usd) over (partition by w.chain, w.days), 0) as share
    from (
      -- Each day is summed once, in the smallest window that has it. All days are in derive.traders.
      select a.chain, l.days, a.account, sum(a.volume_usd) as volume_usd, sum(a.swaps)::int8 as swaps, sum(a.deals)::int8 as deals,
        sum(a.trades_without_usd)::int8 as trades_without_usd, sum(a.active_days)::int4 as active_days
      from (
        select d.chain, d.account,
          case when d.day >= e.last_day - 6 * interval '24 hours' then 7 when d.day >= e.last_day - 29 * interval '24 hours' then 30 else 90 end as within,
          sum(d.volume_usd) as volume_usd, sum(d.swaps) as swaps, sum(d.deals) as deals, sum(d.trades_without_usd) as trades_without_usd,
          count(*) as active_days
        from meta.board_refreshes r
        cross join lateral (select date_trunc('day', r.counted_to - interval '1 hour', 'UTC') as last_day) e
        join derive.account_days d on d.chain = r.chain and d.day >= e.last_day - 89 * interval '24 hours'
        where r.board = 'leaders' group by 1, 2, 3
      ) a join (values (7), (30), (90)) l(days) on l.days >= a.within
      group by 1, 2, 3
      union all
      select t.chain, 0, t.account, t.volume_usd, t.swaps, t.deals, t.trades_without_usd, t.active_days
      from meta.board_refreshes r join derive.traders t on t.chain = r.chain where r.board = 'leaders'
    ) w where w.volume_usd is not null
  ) t where t.place <= 1000
  $query$,
  array['chain', 'Chain name.', 'days', 'Number of UTC days up to the present one, which is included; 0: all of the indexed history.', 'place', 'Place by volume, from 1.',
    'account', 'Account.', 'volume_usd', 'USD of its swaps and its sides of deals, those of a known value. A path over three pools counts three times.',
    'swaps', 'Swaps that it sent.', 'deals', 'Sides of deals.', 'trades_without_usd', 'Trades whose USD value is not known: they are not in volume_usd.',
    'active_days', 'Days on which it traded.', 'share', 'Part of the volume of all accounts in this time.']);

select meta.create_board('bridge_days', 'Deposits and withdrawals of the bridge by day, domain at the other end and token.', null, 'chain, day, direction, domain, symbol',
  $query$
  select b.chain, b.day, b.direction, b.domain, b.symbol,
    (select d.chain from meta.domains d where d.domain = b.domain order by d.chain limit 1) as other_chain, sum(b.legs)::int8 as legs,
    sum(b.amount) as amount, meta.quantity(sum(b.amount), max(b.decimals)) as quantity
  from (
    select b.chain, b.day, b.direction, b.domain, coalesce(nullif(b.symbol, ''), w.wrapped_symbol, '') as symbol, b.legs, b.amount,
      coalesce(b.decimals, w.wrapped_decimals) as decimals
    from meta.board_refreshes r join derive.bridge_days b on b.chain = r.chain
    -- An Antelope token is named by its contract alone, which may have several.
    left join lateral (select min(x.wrapped_symbol) as wrapped_symbol, min(x.wrapped_decimals) as wrapped_decimals from settled.bridge_routes x
      where b.symbol = '' and x.chain = b.chain and x.domain = b.domain and meta.address(x.token) = b.token
      having count(distinct x.wrapped_symbol) = 1) w on true
    where r.board = 'bridge_days'
  ) b group by 1, 2, 3, 4, 5
  $query$,
  array['chain', 'Chain of the ledger.', 'day', 'Start of the day, UTC.',
    'direction', 'in: deposits credited or parked; out: withdrawals burned, those of bounced deposits included.',
    'domain', 'Domain at the other end.', 'other_chain', 'Name of the chain of that domain; null when it has none here.',
    'symbol', 'Symbol of the wrapped token: of the log, else of the only route to the token; empty when neither is there.', 'legs', 'Number of deposits or withdrawals.',
    'amount', 'Ledger units, fees of withdrawals included.', 'quantity', 'The same in tokens; null when the precision is not known.']);

select meta.create_board('trader_months', 'Cohorts of traders: accounts by the month of their first trade, and how many of them traded in each later month.',
  'month', 'chain, month, cohort',
  $query$
  select @chain as chain, s.cohort, m.month,
    ((extract(year from m.month at time zone 'UTC') - extract(year from s.cohort at time zone 'UTC')) * 12
      + extract(month from m.month at time zone 'UTC') - extract(month from s.cohort at time zone 'UTC'))::int4 as months,
    count(*) as accounts, s.size, count(*)::numeric / s.size as share, sum(m.usd) as volume_usd
  from (
    select date_trunc('month', a.day, 'UTC') as month, a.account, sum(a.volume_usd) as usd
    from derive.account_days a where a.chain = @chain and a.day >= @from group by 1, 2
  ) m
  join derive.traders t on t.chain = @chain and t.account = m.account
  join (select date_trunc('month', x.first_day, 'UTC') as cohort, count(*) as size from derive.traders x where x.chain = @chain group by 1) s
    on s.cohort = date_trunc('month', t.first_day, 'UTC')
  group by 2, 3, s.size
  $query$,
  array['chain', 'Chain name.', 'cohort', 'Month of the first trade in the indexed history, UTC.', 'month', 'Month, UTC.',
    'months', 'Months between the two: 0 in the first.', 'accounts', 'Accounts of the cohort that traded in the month.',
    'size', 'Accounts of the cohort.', 'share', 'accounts as a part of size.',
    'volume_usd', 'USD of their trades of a known value; null when the value of none is known.']);

create or replace view board.freshness as
  select r.board, r.chain, r.block_num, r.block_time, r.counted_to, r.refreshed_at from meta.board_refreshes r
  where r.counted_to > '-infinity';
comment on view board.freshness is 'Last block and time of each board. A chain whose rows were removed has no row until the next refresh of the board.';
comment on column board.freshness.board is 'Name of the board.';
comment on column board.freshness.chain is 'Chain name.';
comment on column board.freshness.block_num is 'Last block that is in it.';
comment on column board.freshness.block_time is 'Time of that block, UTC.';
comment on column board.freshness.counted_to is 'End of the last hour that is in it, UTC.';
comment on column board.freshness.refreshed_at is 'When it was refreshed, by the clock of the database.';

select meta.create_view('account_days', 'Trades of each account and day, in hours that are irreversible and counted.',
  $view$select a.chain, a.day, a.account, a.swaps, a.deals, a.volume_usd, a.trades_without_usd from @account_days a$view$,
  array[]::text[]);

select meta.create_view('token_days', 'Prices, trades and holders of each token and day, in hours that are irreversible and counted.',
  $view$select t.chain, t.day, t.token_id, t.usd_open, t.usd_high, t.usd_low, t.usd_close, t.system_open, t.system_high, t.system_low,
    t.system_close, t.priced_hours, t.trades, t.volume_usd, t.trades_without_usd, t.holders from @token_days t$view$,
  array[]::text[]);

select meta.create_view('bridge_days', 'Deposits and withdrawals of the bridge by day, domain at the other end and token, in hours that are irreversible and counted.',
  $view$select b.chain, b.day, b.direction, b.domain, b.symbol, b.token, b.decimals, b.legs, b.amount,
    meta.quantity(b.amount, b.decimals) as quantity from @bridge_days b$view$,
  array['quantity', 'The same in tokens; null when the logs do not have the precision.']);
