-- Tokens: balances, transfers, holders, scores.

select meta.create_view('tokens', 'Watched tokens with their supply.',
  $view$select t.chain, lower(t.symbol) || '-' || t.contract as token_id, t.contract, t.symbol, t.decimals, t.supply,
    meta.quantity(t.supply, t.decimals) as quantity_supply, t.max_supply, meta.quantity(t.max_supply, t.decimals) as quantity_max_supply,
    t.issuer from @supplies t$view$,
  array['token_id', 'Lower-case symbol, hyphen, contract.', 'quantity_supply', 'Supply in tokens.', 'quantity_max_supply', 'Greatest supply in tokens.']);

select meta.create_view('balances', 'Balances of watched tokens.',
  $view$select b.chain, lower(b.symbol) || '-' || b.contract as token_id, b.contract, b.symbol, b.decimals, b.account, b.amount,
    meta.quantity(b.amount, b.decimals) as quantity from @balances b$view$,
  array['token_id', 'Lower-case symbol, hyphen, contract.', 'quantity', 'Balance in tokens.']);

select meta.create_view('balance_hours', 'Balances of watched tokens at the end of each hour in which they changed.',
  $view$select h.chain, lower(h.symbol) || '-' || h.contract as token_id, h.contract, h.symbol, h.decimals, h.account, h.hour, h.amount,
    meta.quantity(h.amount, h.decimals) as quantity from @balance_hours h$view$,
  array['token_id', 'Lower-case symbol, hyphen, contract.', 'quantity', 'Balance in tokens.']);

select meta.create_view('transfers', 'Transfers of watched tokens.',
  $view$select t.chain, t.block_num, t.block_time, t.global_seq, encode(t.trx_id, 'hex') as trx_id,
    lower(t.symbol) || '-' || t.contract as token_id, t.contract, t.symbol, t.decimals, t.from_account, t.to_account, t.amount,
    meta.quantity(t.amount, t.decimals) as quantity, t.memo from @transfers t$view$,
  array['token_id', 'Lower-case symbol, hyphen, contract.', 'quantity', 'Amount in tokens.']);

select meta.create_view('registry_tokens', 'Rows of the on-chain token registry.',
  $view$select r.chain, r.row_id, r.data from @registry_tokens r$view$,
  array[]::text[]);

select meta.create_view('token_hours', 'Trades of each token by hour, for the last 30 days.',
  $view$select t.chain, t.token_id, t.hour, t.trades, t.volume_usd, t.trades_without_usd from @token_hours t$view$,
  array[]::text[]);

select meta.create_view('token_traders', 'Accounts that traded each token, by hour, for the last 30 days: senders, recipients, bidders and askers, except the exchange''s own contracts.',
  $view$select t.chain, t.token_id, t.hour, t.account from @token_trader_hours t$view$,
  array[]::text[]);

select meta.create_view('token_scores', 'Token scores of each hour of chain time. In force at a time: those with the greatest valid_from up to it.',
  $view$select s.chain, s.valid_from, s.token_id, s.score, d.details
    from @score_snapshots s left join @token_scores d on d.chain = s.chain and d.valid_from = s.valid_from and d.token_id = s.token_id$view$,
  array['details', 'Components, caps, metrics and trends as the API answers them; null except in the last three hours.']);

select meta.create_view('score_progress', 'The last hour at which the tokens of each chain were scored.',
  $view$select p.chain, s.hour as counted_to, s.hour as scored_hour, s.hour as valid_from
    from meta.position p cross join lateral (select max(t.valid_from) as hour from @score_snapshots t where t.chain = p.chain) s where s.hour is not null$view$,
  array['chain', 'Chain name.', 'counted_to', 'Trades before this hour are counted.', 'scored_hour', 'Hour at which the windows of the last scores end.',
    'valid_from', 'From when they hold: the same hour.']);

select meta.create_view('holder_counts', 'Number of holders of every token that is traded, hour by hour.',
  $view$select h.chain, h.token_id, h.hour, h.holders, h.holders - a.holders as change_1h, h.holders - b.holders as change_24h, h.truncated, h.block_num
    from @holder_samples h
    left join @holder_samples a on a.chain = h.chain and a.token_id = h.token_id and a.hour = h.hour - interval '1 hour'
    left join @holder_samples b on b.chain = h.chain and b.token_id = h.token_id and b.hour = h.hour - interval '24 hours'$view$,
  array['change_1h', 'Change since the hour before; null when that was not counted.', 'change_24h', 'Change since the same hour of the day before; null when that was not counted.']);

select meta.create_view('holders', 'Accounts that hold a watched token.',
  $view$select b.chain, lower(b.symbol) || '-' || b.contract as token_id, b.contract, b.symbol, b.decimals, b.account, b.amount,
    meta.quantity(b.amount, b.decimals) as quantity, b.amount::numeric / nullif(s.supply, 0) as share
    from @balances b left join @supplies s on s.chain = b.chain and s.contract = b.contract and s.symbol = b.symbol where b.amount > 0$view$,
  array['token_id', 'Lower-case symbol, hyphen, contract.', 'quantity', 'Balance in tokens.', 'share', 'Part of the supply; null when that is not known.']);

select meta.create_view('traded_tokens', 'Tokens of which there is a pool or an order-book market, with price and score.',
  $view$select t.chain, t.token_id, t.contract, t.symbol, t.decimals, t.pools, t.markets, t.pooled as amount_pooled,
    meta.quantity(t.pooled, t.decimals) as quantity_pooled, t.offered as amount_offered, meta.quantity(t.offered, t.decimals) as quantity_offered,
    x.system_price, x.usd_price, s.score
    from (
      select u.chain, u.token_id, u.contract, u.symbol, u.decimals, sum(u.pools)::int8 as pools, sum(u.markets)::int8 as markets,
        sum(u.pooled) as pooled, sum(u.offered) as offered
      from (
        select p.chain, lower(p.symbol_a) || '-' || p.contract_a as token_id, p.contract_a as contract, p.symbol_a as symbol,
          p.decimals_a::int4 as decimals, 1 as pools, 0 as markets, p.reserve_a::numeric as pooled, 0::numeric as offered from @pools p
        union all
        select p.chain, lower(p.symbol_b) || '-' || p.contract_b, p.contract_b, p.symbol_b, p.decimals_b, 1, 0, p.reserve_b, 0 from @pools p
        union all
        select m.chain, lower(m.base_symbol) || '-' || m.base_contract, m.base_contract, m.base_symbol, m.base_decimals, 0, 1, 0,
          coalesce((select sum(o.bid_amount) from @orders o where o.chain = m.chain and o.market_id = m.market_id and o.side = 'sell'), 0) from @markets m
        union all
        select m.chain, lower(m.target_symbol) || '-' || m.target_contract, m.target_contract, m.target_symbol, m.target_decimals, 0, 1, 0,
          coalesce((select sum(o.bid_amount) from @orders o where o.chain = m.chain and o.market_id = m.market_id and o.side = 'buy'), 0) from @markets m
      ) u group by 1, 2, 3, 4, 5
    ) t
    left join $side.token_prices x on x.chain = t.chain and x.token_id = t.token_id
    left join @score_snapshots s on s.chain = t.chain and s.token_id = t.token_id
      and s.valid_from = (select max(l.valid_from) from @score_snapshots l where l.chain = t.chain)$view$,
  array['chain', 'Chain name.', 'token_id', 'Lower-case symbol, hyphen, contract.', 'contract', 'Token contract.', 'symbol', 'Token symbol.', 'decimals', 'Precision of the token.',
    'pools', 'Number of its pools.', 'markets', 'Number of its order-book markets.', 'amount_pooled', 'Raw units that pools hold, fees included.',
    'quantity_pooled', 'The same in tokens.', 'amount_offered', 'Raw units that open orders offer.', 'quantity_offered', 'The same in tokens.',
    'system_price', 'System tokens for one token; null when it has no price.', 'usd_price', 'USD for one token; null when it has no price.',
    'score', 'Score of the last hour, 0 to 100; null when it has none.']);
