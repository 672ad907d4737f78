-- Views of counts and scores. Except for candles, tables of derive contain only irreversible data.

-- Counted hours, then completed hours that are not counted yet, computed from their trades.
select meta.create_view('hour_totals', 'Trades and users of each hour that is over.',
  'with since as (
    select p.chain, c.hour as counted, coalesce((select h.block_num from @hour_snapshots h where h.chain = p.chain and h.hour = c.hour),
      p.first_block) as first_num
    from meta.position p cross join lateral (select max(t.hour) as hour from @hour_totals t where t.chain = p.chain) c
  ), waiting as (
    select s.chain, s.hour from since o join @hour_snapshots s on s.chain = o.chain and (o.counted is null or s.hour > o.counted)
  ), swapped as (
    select s.chain, date_trunc(''hour'', s.block_time, ''UTC'') as hour, s.usd, s.sender, s.recipient,
      s.usd * coalesce((select p.fee from @pools p where p.chain = s.chain and p.pool_id = s.pool_id),
        (select c.fee from @pool_creations c where c.chain = s.chain and c.pool_id = s.pool_id limit 1), 0) / 1000000 as fee
    from since o join @swaps s on s.chain = o.chain and s.block_num >= o.first_num
  ), dealt as (
    select d.chain, date_trunc(''hour'', d.block_time, ''UTC'') as hour, d.usd, d.bidder, d.asker,
      d.usd * coalesce(
        (select f.fee from @market_fees f where f.chain = d.chain and f.market_id = d.market_id and f.block_num <= d.block_num order by f.block_num desc limit 1),
        (select f.fee from @market_fees f where f.chain = d.chain and f.market_id = d.market_id order by f.block_num limit 1),
        (select m.fee from @markets m where m.chain = d.chain and m.market_id = d.market_id), 0) / 10000 as fee
    from since o join @deals d on d.chain = o.chain and d.block_num >= o.first_num
  ), present as (
    select chain, hour, sender as account from swapped union select chain, hour, recipient from swapped
    union select chain, hour, bidder from dealt union select chain, hour, asker from dealt
    union select e.chain, date_trunc(''hour'', e.block_time, ''UTC''), e.owner
      from since o join @position_events e on e.chain = o.chain and e.block_num >= o.first_num
  )
  select t.chain, t.hour, t.swap_volume, t.swap_fees, t.swap_trades, t.spot_volume, t.spot_fees, t.spot_trades, t.day_users,
    t.swaps_without_usd, t.deals_without_usd
    from @hour_totals t
  union all
  select w.chain, w.hour, case when s.trades > 0 then s.volume else 0 end, case when s.trades > 0 then s.fees else 0 end, coalesce(s.trades, 0),
    case when d.trades > 0 then d.volume else 0 end, case when d.trades > 0 then d.fees else 0 end, coalesce(d.trades, 0), (select count(*) from (
      select a.account from present a where a.chain = w.chain and a.hour > w.hour - interval ''24 hours'' and a.hour <= w.hour
        and not exists (select from meta.accounts c where c.chain = a.chain and c.role in (''amm'', ''spot'', ''otc'') and c.account = a.account)
      union
      select u.account from @hour_users u where u.chain = w.chain and u.hour > w.hour - interval ''24 hours'' and u.hour <= w.hour) x),
    coalesce(s.unknown, 0), coalesce(d.unknown, 0)
    from waiting w
    left join (select chain, hour, sum(usd) as volume, sum(fee) as fees, count(*) as trades, count(*) - count(usd) as unknown
      from swapped group by 1, 2) s on s.chain = w.chain and s.hour = w.hour
    left join (select chain, hour, sum(usd) as volume, sum(fee) as fees, count(*) as trades, count(*) - count(usd) as unknown
      from dealt group by 1, 2) d on d.chain = w.chain and d.hour = w.hour', array[]::text[]);

select meta.create_view('day_totals', 'Trades, users and locked value of each UTC day of which an hour is over.',
  'select t.chain, date_trunc(''day'', t.hour, ''UTC'') as day, count(*)::int4 as hours,
    case when sum(t.swap_trades) > 0 and sum(t.swaps_without_usd) = sum(t.swap_trades) then null else sum(t.swap_volume) end as swap_volume,
    case when sum(t.swap_trades) > 0 and sum(t.swaps_without_usd) = sum(t.swap_trades) then null else sum(t.swap_fees) end as swap_fees,
    sum(t.swap_trades)::int8 as swap_trades,
    case when sum(t.spot_trades) > 0 and sum(t.deals_without_usd) = sum(t.spot_trades) then null else sum(t.spot_volume) end as spot_volume,
    case when sum(t.spot_trades) > 0 and sum(t.deals_without_usd) = sum(t.spot_trades) then null else sum(t.spot_fees) end as spot_fees,
    sum(t.spot_trades)::int8 as spot_trades,
    max(t.day_users) filter (where date_part(''hour'', t.hour at time zone ''UTC'') = 23) as users,
    (array_agg(s.swap_locked order by t.hour desc))[1] as swap_locked, (array_agg(s.spot_locked order by t.hour desc))[1] as spot_locked,
    (array_agg(s.pools order by t.hour desc))[1] as pools, (array_agg(s.markets order by t.hour desc))[1] as markets,
    sum(t.swaps_without_usd)::int8 as swaps_without_usd, sum(t.deals_without_usd)::int8 as deals_without_usd,
    (array_agg(s.pools_without_usd order by t.hour desc))[1] as pools_without_usd,
    (array_agg(s.orders_without_usd order by t.hour desc))[1] as orders_without_usd
    from $side.hour_totals t left join @hour_snapshots s on s.chain = t.chain and s.hour = t.hour group by 1, 2',
  array['chain', 'Chain name.', 'day', 'Start of the day, UTC.', 'hours', 'Hours of it that are in: 24 of a whole day.', 'swap_volume', 'USD of swaps, as they were valued; null when there are swaps and the value of none is known.',
    'swap_fees', 'USD of the fees of these swaps, the share of the protocol included; null as swap_volume.', 'swap_trades', 'Number of swaps.',
    'spot_volume', 'USD of deals; null when there are deals and the value of none is known.', 'spot_fees', 'USD of the fees of these deals; null as spot_volume.', 'spot_trades', 'Number of deals.',
    'users', 'Distinct accounts that traded or changed a position, but the contracts of the exchange; null until the day is over.',
    'swap_locked', 'USD that pools held at the end, those of a known value; null when there were pools and the value of none is known.',
    'spot_locked', 'USD that open orders offered at the end, in trusted tokens; null when there were orders and the value of none is known.', 'pools', 'Pools that there were at the end.',
    'markets', 'Order-book markets that there were at the end.',
    'swaps_without_usd', 'Swaps whose USD value is not known: they are not in swap_volume and swap_fees.',
    'deals_without_usd', 'Deals whose USD value is not known: they are not in spot_volume and spot_fees.',
    'pools_without_usd', 'Pools whose value is not known at the end: they are not in swap_locked.',
    'orders_without_usd', 'Open orders whose value is not known at the end: they are not in spot_locked.']);

select meta.create_view('hour_users', 'Who used the exchange in which of the last counted hours: a day of them.',
  'select u.chain, u.hour, u.account from @hour_users u', array[]::text[]);

select meta.create_view('token_hours', 'Trades of each token by hour, for the last 30 days.',
  'select t.chain, t.token_id, t.hour, t.trades, t.volume_usd, t.trades_without_usd from @token_hours t', array[]::text[]);

select meta.create_view('token_traders', 'Who traded a token in which hour, for the last 30 days: senders, recipients, bidders and askers but the exchange''s own contracts.',
  'select t.chain, t.token_id, t.hour, t.account from @token_trader_hours t', array[]::text[]);

select meta.create_view('token_scores', 'Token scores of each hourly refresh. In force at a time: those with the greatest valid_from up to it.',
  'select s.chain, s.valid_from, s.token_id, s.score, d.details
    from @score_snapshots s left join @token_scores d on d.chain = s.chain and d.valid_from = s.valid_from and d.token_id = s.token_id',
  array['details', 'Components, caps, metrics and trends as the API answers them; null but for the last refreshes.']);

select meta.create_view('score_progress', 'How far the trades of each chain are counted and its tokens scored.',
  'select p.* from @score_progress p', array[]::text[]);

select meta.create_view('holder_counts', 'Number of holders of every token that is traded, hour by hour. Of hours in which nobody counted, those of the last day are made up for.',
  'select h.chain, h.token_id, h.hour, h.holders, h.holders - a.holders as change_1h, h.holders - b.holders as change_24h, h.truncated, h.block_num
    from @holder_samples h
    left join @holder_samples a on a.chain = h.chain and a.token_id = h.token_id and a.hour = h.hour - interval ''1 hour''
    left join @holder_samples b on b.chain = h.chain and b.token_id = h.token_id and b.hour = h.hour - interval ''24 hours''',
  array['change_1h', 'Change since the hour before; null when that was not counted.', 'change_24h', 'Change since the same hour of the day before; null when that was not counted.']);

select meta.create_view('holders', 'Accounts that hold a watched token.',
  'select b.chain, lower(b.symbol) || ''-'' || b.contract as token_id, b.contract, b.symbol, b.decimals, b.account, b.amount,
    meta.quantity(b.amount, b.decimals) as quantity, b.amount::numeric / nullif(s.supply, 0) as share
    from @balances b left join @supplies s on s.chain = b.chain and s.contract = b.contract and s.symbol = b.symbol where b.amount > 0',
  array['token_id', 'Lower-case symbol, hyphen, contract.', 'quantity', 'Balance in tokens.', 'share', 'Part of the supply; null when that is not known.']);

select meta.create_view('usd_quotes', 'USD prices of the system token that servers have answered: facts of wall-clock time, which no fork concerns.',
  'select q.chain, q.quoted_at, q.usd, q.source from meta.usd_quotes q',
  array['chain', 'Chain name.', 'quoted_at', 'When the answer came, by the clock of the database.', 'usd', 'USD for one system token.', 'source', 'Host that answered.']);

select meta.create_view('traded_tokens', 'Tokens of which there is a pool or an order-book market, with price and score.',
  'select t.chain, t.token_id, t.contract, t.symbol, t.decimals, t.pools, t.markets, t.pooled as amount_pooled,
    meta.quantity(t.pooled, t.decimals) as quantity_pooled, t.offered as amount_offered, meta.quantity(t.offered, t.decimals) as quantity_offered,
    x.system_price, x.usd_price, s.score
    from (
      select u.chain, u.token_id, u.contract, u.symbol, u.decimals, sum(u.pools)::int8 as pools, sum(u.markets)::int8 as markets,
        sum(u.pooled) as pooled, sum(u.offered) as offered
      from (
        select p.chain, lower(p.symbol_a) || ''-'' || p.contract_a as token_id, p.contract_a as contract, p.symbol_a as symbol,
          p.decimals_a::int4 as decimals, 1 as pools, 0 as markets, p.reserve_a::numeric as pooled, 0::numeric as offered from @pools p
        union all
        select p.chain, lower(p.symbol_b) || ''-'' || p.contract_b, p.contract_b, p.symbol_b, p.decimals_b, 1, 0, p.reserve_b, 0 from @pools p
        union all
        select m.chain, lower(m.base_symbol) || ''-'' || m.base_contract, m.base_contract, m.base_symbol, m.base_decimals, 0, 1, 0,
          coalesce((select sum(o.bid_amount) from @orders o where o.chain = m.chain and o.market_id = m.market_id and o.side = ''sell''), 0) from @markets m
        union all
        select m.chain, lower(m.target_symbol) || ''-'' || m.target_contract, m.target_contract, m.target_symbol, m.target_decimals, 0, 1, 0,
          coalesce((select sum(o.bid_amount) from @orders o where o.chain = m.chain and o.market_id = m.market_id and o.side = ''buy''), 0) from @markets m
      ) u group by 1, 2, 3, 4, 5
    ) t
    left join $side.token_prices x on x.chain = t.chain and x.token_id = t.token_id
    left join @score_snapshots s on s.chain = t.chain and s.token_id = t.token_id
      and s.valid_from = (select max(l.valid_from) from @score_snapshots l where l.chain = t.chain)',
  array['chain', 'Chain name.', 'token_id', 'Lower-case symbol, hyphen, contract.', 'contract', 'Token contract.', 'symbol', 'Token symbol.', 'decimals', 'Precision of the token.',
    'pools', 'Number of its pools.', 'markets', 'Number of its order-book markets.', 'amount_pooled', 'Raw units that pools hold, fees included.',
    'quantity_pooled', 'The same in tokens.', 'amount_offered', 'Raw units that open orders offer.', 'quantity_offered', 'The same in tokens.',
    'system_price', 'System tokens for one token; null when it has no price.', 'usd_price', 'USD for one token; null when it has no price.',
    'score', 'Score by the last refresh, 0 to 100; null when it has none.']);
