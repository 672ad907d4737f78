-- Prices: candles, oracle points, USD prices, prices of tokens.

-- The decimals of a removed pool or market come from its trades.
select meta.create_view('candles', 'Candles of pools (B per A) and of order-book markets (target per base). No row where nothing traded.',
  $view$select c.chain, c.market_kind, c.market_id, c.resolution, c.bucket_time,
    case c.market_kind when 'amm' then meta.pool_price(c.open, n.base, n.target) else meta.quantity(c.open, 8) end as open,
    case c.market_kind when 'amm' then meta.pool_price(c.high, n.base, n.target) else meta.quantity(c.high, 8) end as high,
    case c.market_kind when 'amm' then meta.pool_price(c.low, n.base, n.target) else meta.quantity(c.low, 8) end as low,
    case c.market_kind when 'amm' then meta.pool_price(c.close, n.base, n.target) else meta.quantity(c.close, 8) end as close,
    meta.quantity(c.volume_base, n.base) as volume_base, meta.quantity(c.volume_target, n.target) as volume_target, c.volume_usd, c.trades,
    c.trades_without_usd
    from @candles c
    left join @pools p on c.market_kind = 'amm' and p.chain = c.chain and p.pool_id = c.market_id
    left join @markets m on c.market_kind = 'spot' and m.chain = c.chain and m.market_id = c.market_id
    left join lateral (
      (select s.decimals_a as base, s.decimals_b as target from @swaps s
        where c.market_kind = 'amm' and p.pool_id is null and s.chain = c.chain and s.pool_id = c.market_id
        order by s.block_time desc, s.global_seq desc limit 1)
      union all
      (select d.decimals_base, d.decimals_target from @deals d
        where c.market_kind = 'spot' and m.market_id is null and d.chain = c.chain and d.market_id = c.market_id
        order by d.block_time desc, d.global_seq desc limit 1)
    ) gone on true
    cross join lateral (select coalesce(p.decimals_a, m.base_decimals, gone.base)::int4 as base,
      coalesce(p.decimals_b, m.target_decimals, gone.target)::int4 as target) n$view$,
  array['open', 'First trade of the candle, in tokens.', 'high', 'Highest trade, in tokens.', 'low', 'Lowest trade, in tokens.',
    'close', 'Last trade, in tokens.', 'volume_base', 'Tokens A, or base tokens.', 'volume_target', 'Tokens B, or target tokens.']);

select meta.create_view('oracle_points', 'Data points of the on-chain price oracle.',
  $view$select o.chain, o.block_num, o.block_time, o.contract, o.pair, o.point_id, o.owner, o.value, o.median, o.point_time from @oracle_points o$view$,
  array[]::text[]);

select meta.create_view('usd_prices', 'USD price of the system token by which trades were valued: a row for each change.',
  $view$select u.chain, u.block_num, u.block_time, u.usd, u.source from @usd_prices u$view$,
  array[]::text[]);

select meta.create_view('usd_quotes', 'USD prices of the system token that servers have answered, by wall-clock time. A fork changes none of them.',
  $view$select q.chain, q.quoted_at, q.usd, q.source from meta.usd_quotes q$view$,
  array['chain', 'Chain name.', 'quoted_at', 'When the answer came, by the clock of the database.', 'usd', 'USD for one system token.', 'source', 'Host that answered.']);

-- The chain's system token is looked up, not joined: there is only one.
select meta.create_view('token_prices', 'Price of every priced token at the last minute boundary of chain time.',
  $view$select p.chain, p.token_id, p.decimals, p.pool_id, x.price as system_price, x.price * u.usd as usd_price
    from @token_prices p
    cross join lateral (select t.decimals from @token_prices t where t.chain = p.chain and t.pool_id is null limit 1) s
    cross join lateral (select p.rate_x192 * power(10::numeric, 30 + p.decimals - s.decimals) / 6277101735386680763835789423207666416102355444464034512896
      * 1e-30 as price) x
    left join lateral (select h.usd from @usd_prices h where h.chain = p.chain order by h.block_num desc limit 1) u on true$view$,
  array['system_price', 'System tokens for one token.', 'usd_price', 'USD for one token; null while the system token has no USD price.']);
