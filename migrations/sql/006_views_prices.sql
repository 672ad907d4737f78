-- Prices for SQL.
select meta.create_view('usd_prices', 'USD price of the system token by which trades were valued: a row for each change.',
  'select u.chain, u.block_num, u.block_time, u.usd, u.source from @usd_prices u', array[]::text[]);

-- Rates are in raw units: the decimals of both tokens convert them to a price of whole tokens.
select meta.create_view('token_prices', 'Price of every priced token at the last minute boundary of chain time.',
  'select p.chain, p.token_id, p.decimals, p.pool_id, x.price as system_price, x.price * u.usd as usd_price
    from @token_prices p
    join @token_prices s on s.chain = p.chain and s.pool_id is null
    cross join lateral (select p.rate_x192 * power(10::numeric, 30 + p.decimals - s.decimals) / 6277101735386680763835789423207666416102355444464034512896
      * 1e-30 as price) x
    left join lateral (select h.usd from @usd_prices h where h.chain = p.chain order by h.block_num desc limit 1) u on true',
  array['system_price', 'System tokens for one token.', 'usd_price', 'USD for one token; null while the system token has no USD price.']);
