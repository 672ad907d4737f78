-- Pools of the AMM, their positions and farms.

select meta.create_view('pools', 'AMM pools.',
  $view$select p.chain, p.pool_id, p.active, lower(p.symbol_a) || '-' || p.contract_a as token_a, p.contract_a, p.symbol_a, p.decimals_a,
    p.reserve_a, meta.quantity(p.reserve_a, p.decimals_a) as quantity_a, lower(p.symbol_b) || '-' || p.contract_b as token_b,
    p.contract_b, p.symbol_b, p.decimals_b, p.reserve_b, meta.quantity(p.reserve_b, p.decimals_b) as quantity_b, p.fee,
    p.fee_protocol, p.tick_spacing, p.max_liquidity_per_tick, p.sqrt_price_x64,
    meta.pool_price(p.sqrt_price_x64, p.decimals_a, p.decimals_b) as price, p.tick, p.last_observation, p.observation_num,
    p.max_observation_num, p.fee_growth_global_a_x64, p.fee_growth_global_b_x64, p.protocol_fee_a, p.protocol_fee_b, p.liquidity,
    meta.quantity(p.protocol_fee_a, p.decimals_a) as quantity_protocol_fee_a, meta.quantity(p.protocol_fee_b, p.decimals_b) as quantity_protocol_fee_b
    from @pools p$view$,
  array['token_a', 'Token id of A.', 'quantity_a', 'Reserve of A in tokens.', 'token_b', 'Token id of B.', 'quantity_b', 'Reserve of B in tokens.',
    'price', 'B per one A, in tokens.', 'quantity_protocol_fee_a', 'Protocol fees in A not yet withdrawn, in tokens.',
    'quantity_protocol_fee_b', 'Protocol fees in B not yet withdrawn, in tokens.']);

select meta.create_view('ticks', 'Initialised ticks of AMM pools.',
  $view$select t.chain, t.pool_id, t.tick, t.liquidity_gross, t.liquidity_net, t.fee_growth_outside_a_x64, t.fee_growth_outside_b_x64,
    t.tick_cumulative_outside, t.seconds_per_liquidity_outside_x64, t.seconds_outside, t.initialized from @ticks t$view$,
  array[]::text[]);

-- A position's amounts are those of a burn: rounded down.
select meta.create_view('positions', 'AMM positions with the current amounts of their liquidity.',
  $view$select s.chain, s.pool_id, s.position_id, s.owner, s.tick_lower, s.tick_upper, s.liquidity, s.fee_growth_inside_a_last_x64,
    s.fee_growth_inside_b_last_x64, s.fees_a, s.fees_b, l.unlock_time, lower(p.symbol_a) || '-' || p.contract_a as token_a,
    lower(p.symbol_b) || '-' || p.contract_b as token_b, n.a as amount_a, n.b as amount_b, meta.quantity(n.a, p.decimals_a) as quantity_a,
    meta.quantity(n.b, p.decimals_b) as quantity_b, meta.quantity(s.fees_a, p.decimals_a) as quantity_fees_a,
    meta.quantity(s.fees_b, p.decimals_b) as quantity_fees_b
    from @positions s left join @locks l on l.chain = s.chain and l.position_id = s.position_id
    left join @pools p on p.chain = s.chain and p.pool_id = s.pool_id
    cross join lateral (select meta.tick_price(s.tick_lower) as low, meta.tick_price(s.tick_upper) as high offset 0) r
    cross join lateral (select case when p.pool_id is not null then greatest(r.low, least(r.high, p.sqrt_price_x64)) end as now offset 0) at
    cross join lateral (select div(div(s.liquidity * 18446744073709551616 * (r.high - at.now), r.high), at.now) as a,
      div(s.liquidity * (at.now - r.low), 18446744073709551616) as b) n$view$,
  array['token_a', 'Token id of A.', 'token_b', 'Token id of B.', 'amount_a', 'Raw units of A that its liquidity yields at the present price, without fees.',
    'amount_b', 'Raw units of B, likewise.', 'quantity_a', 'The same in tokens A.', 'quantity_b', 'The same in tokens B.',
    'quantity_fees_a', 'Fees in A owed at the last update, in tokens.', 'quantity_fees_b', 'Fees in B owed at the last update, in tokens.']);

select meta.create_view('swaps', 'AMM swaps, one row for each pool of a path.',
  $view$select s.chain, s.block_num, s.block_time, s.global_seq, encode(s.trx_id, 'hex') as trx_id, s.pool_id, s.sender, s.recipient,
    s.amount_a, s.amount_b, meta.quantity(s.amount_a, s.decimals_a) as quantity_a, meta.quantity(s.amount_b, s.decimals_b) as quantity_b,
    s.sqrt_price_x64, meta.pool_price(s.sqrt_price_x64, s.decimals_a, s.decimals_b) as price, s.liquidity, s.tick, s.reserve_a,
    s.reserve_b, s.usd, s.pool_fee, f.amount as amount_fee, meta.quantity(f.amount, case when s.amount_a > 0 then s.decimals_a else s.decimals_b end) as quantity_fee,
    s.usd * s.pool_fee * 0.000001 as usd_fee, s.path
    from @swaps s
    cross join lateral (select ceil(greatest(s.amount_a, s.amount_b, 0)::numeric * s.pool_fee * 0.000001)::int8 as amount) f$view$,
  array['quantity_a', 'Tokens A from the pool''s side.', 'quantity_b', 'Tokens B from the pool''s side.', 'price', 'B per one A after the swap, in tokens.',
    'amount_fee', 'Fee paid, raw units of the token that entered: its part of the amount, rounded up. The contract rounds in each step of the price, so its own sum can be a few raw units larger.',
    'quantity_fee', 'The same in tokens.', 'usd_fee', 'Part of usd that is fee, the share of the protocol included; null as usd or pool_fee.']);

select meta.create_view('pool_creations', 'AMM pools created.',
  $view$select c.chain, c.block_num, c.block_time, c.global_seq, encode(c.trx_id, 'hex') as trx_id, c.pool_id,
    lower(c.symbol_a) || '-' || c.contract_a as token_a, lower(c.symbol_b) || '-' || c.contract_b as token_b, c.decimals_a,
    c.decimals_b, c.fee, c.fee_protocol, c.tick_spacing, c.sqrt_price_x64, c.tick,
    meta.pool_price(c.sqrt_price_x64, c.decimals_a, c.decimals_b) as price from @pool_creations c$view$,
  array['token_a', 'Token id of A.', 'token_b', 'Token id of B.', 'price', 'B per one A at the creation, in tokens.']);

select meta.create_view('position_events', 'Events of AMM positions.',
  $view$select e.chain, e.block_num, e.block_time, e.global_seq, encode(e.trx_id, 'hex') as trx_id, e.type, e.pool_id, e.position_id,
    e.owner, e.recipient, e.tick_lower, e.tick_upper, e.liquidity, e.amount_a, e.amount_b,
    meta.quantity(e.amount_a, e.decimals_a) as quantity_a, meta.quantity(e.amount_b, e.decimals_b) as quantity_b, e.reserve_a,
    e.reserve_b, e.sqrt_price_x64, e.tick, e.to_position_id, e.to_liquidity, e.merged, e.unlock_time, e.usd,
    e.usd_price_a, e.usd_price_b from @position_events e$view$,
  array['quantity_a', 'Tokens A.', 'quantity_b', 'Tokens B.']);

select meta.create_view('protocol_fees', 'Protocol fee of pools: changes and withdrawals.',
  $view$select f.chain, f.block_num, f.block_time, f.global_seq, encode(f.trx_id, 'hex') as trx_id, f.pool_id, f.type, f.fee_protocol_old,
    f.fee_protocol_new, f.recipient, f.amount_a, f.amount_b, meta.quantity(f.amount_a, f.decimals_a) as quantity_a,
    meta.quantity(f.amount_b, f.decimals_b) as quantity_b from @protocol_fees f$view$,
  array['quantity_a', 'Tokens A paid out.', 'quantity_b', 'Tokens B paid out.']);

select meta.create_view('incentives', 'Farms of the AMM.',
  $view$select i.chain, i.incentive_id, i.creator, i.pool_id, lower(i.symbol) || '-' || i.contract as token_id, i.contract, i.symbol,
    i.decimals, i.amount, meta.quantity(i.amount, i.decimals) as quantity, i.period_finish, i.duration, i.reward_rate_e18,
    i.reward_per_token_stored, i.total_staking_weight, i.updated, i.stakes,
    meta.quantity(i.reward_rate_e18 * 86400, i.decimals + 18) as quantity_per_day from @incentives i$view$,
  array['token_id', 'Token id of the reward.', 'quantity', 'Tokens of reward that the farm holds.',
    'quantity_per_day', 'Tokens of reward a day during the funded period; null in the older layout.']);

select meta.create_view('incentive_events', 'Events of farms and stakes.',
  $view$select e.chain, e.block_num, e.block_time, e.global_seq, encode(e.trx_id, 'hex') as trx_id, e.incentive_id, e.type, e.account,
    e.pool_id, e.position_id, lower(e.symbol) || '-' || e.contract as token_id, e.amount, meta.quantity(e.amount, e.decimals) as quantity,
    e.duration, e.staking_weight from @incentive_events e$view$,
  array['token_id', 'Token id of the reward.', 'quantity', 'Tokens of reward.']);

select meta.create_view('stakes', 'Positions staked in farms.',
  $view$select s.chain, s.incentive_id, s.position_id, s.staking_weight, s.rewards, meta.quantity(s.rewards, i.decimals) as quantity_rewards,
    s.reward_per_token_paid from @stakes s left join @incentives i on i.chain = s.chain and i.incentive_id = s.incentive_id$view$,
  array['quantity_rewards', 'The same in tokens.']);

select meta.create_view('locks', 'Locked AMM positions.',
  $view$select l.chain, l.position_id, l.unlock_time from @locks l$view$,
  array[]::text[]);

select meta.create_view('amm_balances', 'Tokens deposited in the AMM and not yet used.',
  $view$select b.chain, b.owner, lower(b.symbol) || '-' || b.contract as token_id, b.amount, meta.quantity(b.amount, b.decimals) as quantity
    from @amm_balances b$view$,
  array['token_id', 'Lower-case symbol, hyphen, contract.', 'quantity', 'Amount in tokens.']);

select meta.create_view('amm_settings', 'Settings of the AMM.',
  $view$select s.chain, s.row_id, s.active, s.next_pool_id, s.next_position_id, lower(s.fee_symbol) || '-' || s.fee_contract as fee_token,
    s.fee_contract, s.fee_symbol, s.fee_decimals, s.fee_amount, meta.quantity(s.fee_amount, s.fee_decimals) as quantity_fee
    from @amm_settings s$view$,
  array['fee_token', 'Token id of the fee.', 'quantity_fee', 'Fee in tokens.']);

select meta.create_view('referral_markets', 'Marketplaces that take a share of the AMM''s swaps.',
  $view$select r.chain, r.name, r.fee from @referral_markets r$view$,
  array[]::text[]);

select meta.create_view('frozen_pools', 'Frozen pools of the AMM.',
  $view$select f.chain, f.pool_id, f.unlock_a, f.unlock_b from @frozen_pools f$view$,
  array[]::text[]);

select meta.create_view('bans', 'Accounts banned by the exchange''s contracts.',
  $view$select b.chain, b.source, unnest(b.accounts) as account from @bans b$view$,
  array['account', 'Banned account.']);
