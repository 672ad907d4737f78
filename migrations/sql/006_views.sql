-- The stable SQL interface: head.* up to the last indexed block, final.* up to the last irreversible block. Both are
-- made from one template in which @name is a table: current, or as of the last irreversible block.

create table meta.domains (
  chain text primary key,
  domain numeric(20) not null,
  evm boolean not null
);
comment on table meta.domains is 'Bridge domains of the chains: the EVM chain id, or the first 8 bytes of the Antelope chain id.';
comment on column meta.domains.chain is 'Chain name. A chain may have several.';
comment on column meta.domains.domain is 'Domain.';
comment on column meta.domains.evm is 'Whether addresses there are 20 bytes.';
insert into meta.domains values ('mainnet', 1, true), ('bsc', 56, true), ('polygon', 137, true),
  ('wax', 1181148696416462999, false), ('telos', 5073219243131244279, false), ('xpr', 4057084141687023600, false),
  ('proton', 4057084141687023600, false), ('vaulta', 12439917377594391589, false), ('eos', 12439917377594391589, false);

-- The first 8 bytes of an Antelope chain id of 64 hex digits, big-endian; null for null.
create function meta.id_domain(chain_id text) returns numeric
language sql immutable parallel safe as $$
  select ('x' || left(chain_id, 8))::bit(32)::int8::numeric * 4294967296 + ('x' || substr(chain_id, 9, 8))::bit(32)::int8
$$;

create view meta.chain_domains as
  select d.chain, d.domain, true as named from meta.domains d
    where d.evm and not exists (select from meta.position p where p.chain = d.chain)
  union all
  select p.chain, coalesce(case when p.chain_id like 'eip155:%' then substr(p.chain_id, 8)::numeric end, d.domain,
    meta.id_domain(p.chain_id))::numeric(20), d.chain is not null
  from meta.position p left join meta.domains d on d.chain = p.chain;
comment on view meta.chain_domains is 'Bridge domains of the EVM chains and of the indexed chains.';
comment on column meta.chain_domains.chain is 'Chain name.';
comment on column meta.chain_domains.domain is 'Domain: of an indexed EVM chain its id, else by the name of the chain, else by its id; null when neither tells.';
comment on column meta.chain_domains.named is 'Whether the name tells the domain.';

-- Raw units as an exact decimal number.
create function meta.quantity(amount numeric, decimals int4) returns numeric
language sql immutable parallel safe as $$ select amount * ('1e-' || decimals)::numeric $$;

-- An address of the bridge: an account name as text if it is one, else 0x and hex digits.
create function meta.address(raw bytea) returns text
language sql immutable parallel safe as $$
  select case when length(raw) <> 20 and encode(raw, 'escape') ~ '^[a-z1-5.]{1,13}$' then encode(raw, 'escape') else '0x' || encode(raw, 'hex') end
$$;

-- Price of A in B from a square-root price.
create function meta.pool_price(sqrt_price_x64 numeric, decimals_a int4, decimals_b int4) returns numeric
language sql immutable parallel safe as $$
  select (sqrt_price_x64 * sqrt_price_x64 * power(10::numeric, 20 + decimals_a) / 340282366920938463463374607431768211456)
    * ('1e-' || (20 + decimals_b))::numeric
$$;

-- Square-root price Q64.64 of a tick, with the contract's rounding (docs/develop/amm.md, "Ticks").
create function meta.tick_price(tick int4) returns numeric
language plpgsql immutable strict parallel safe as $$
declare
  -- 1.0001^(-2^i / 2) in Q128, for the bits i = 0..18.
  ratios constant numeric[] := array[340265354078544963557816517032075149313, 340248342086729790484326174814286782778, 340214320654664324051920982716015181260,
    340146287995602323631171512101879684304, 340010263488231146823593991679159461444, 339738377640345403697157401104375502016,
    339195258003219555707034227454543997025, 338111622100601834656805679988414885971, 335954724994790223023589805789778977700,
    331682121138379247127172139078559817300, 323299236684853023288211250268160618739, 307163716377032989948697243942600083929,
    277268403626896220162999269216087595045, 225923453940442621947126027127485391333, 149997214084966997727330242082538205943,
    66119101136024775622716233608466517926, 12847376061809297530290974190478138313, 485053260817066172746253684029974020,
    691415978906521570653435304214168];
  one constant numeric := 340282366920938463463374607431768211456;
  ratio numeric := one;
begin
  for i in 0..18 loop
    if abs(tick) & (1 << i) <> 0 then
      ratio := div(ratio * ratios[i + 1], one);
    end if;
  end loop;
  if tick > 0 then
    ratio := div(one * one - 1, ratio);
  end if;
  return div(ratio + 18446744073709551615, 18446744073709551616);
end $$;

do $$
declare
  parent record;
begin
  for parent in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'p' and n.nspname = 'ledger' and c.relname <> 'orphaned_blocks'
  loop
    execute format('create view settled.%1$I as select l.* from ledger.%1$I l join meta.position p on p.chain = l.chain'
      || ' and l.block_num <= p.lib_num', parent.relname);
  end loop;
end $$;

-- Creates head.NAME and final.NAME. In the template, $side is the view's schema. notes: column, comment, column,
-- comment, ...
create function meta.create_view(name text, about text, template text, notes text[]) returns void
language plpgsql as $$
declare
  side text;
  body text;
  used text;
  source text;
  i int4;
begin
  foreach side in array array['head', 'final'] loop
    body := replace(template, '$side', side);
    for used in select distinct m[1] from regexp_matches(template, '@([a-z_]+)', 'g') m loop
      -- Except for candles, tables of derive contain only irreversible data.
      select case when side = 'final' and (n.nspname <> 'derive' or c.relname = 'candles') then 'settled' else n.nspname end into source
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relname = used and c.relkind = 'p' and n.nspname in ('ledger', 'state', 'derive');
      body := regexp_replace(body, '@' || used || '\M', format('%I.%I', source, used), 'g');
    end loop;
    execute format('create view %I.%I as %s', side, name, body);
    execute format('comment on view %I.%I is %L', side, name, about);
    for i in 1 .. coalesce(array_length(notes, 1), 0) / 2 loop
      execute format('comment on column %I.%I.%I is %L', side, name, notes[2 * i - 1], notes[2 * i]);
    end loop;
    perform meta.copy_comments(side, name, template);
  end loop;
end $$;

-- Copies comments to columns that have none, from the first used table with a column of the same name.
create function meta.copy_comments(side text, name text, template text) returns void
language plpgsql as $$
declare
  missing record;
begin
  for missing in
    select a.attname, (
        select col_description(b.attrelid, b.attnum)
        from regexp_matches(template, '@([a-z_]+)', 'g') with ordinality m(found, place)
        join pg_class c on c.relname = m.found[1] and c.relkind = 'p'
        join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('ledger', 'state', 'derive')
        join pg_attribute b on b.attrelid = c.oid and b.attname = a.attname and b.attnum > 0
        order by m.place limit 1) as text
    from pg_attribute a
    where a.attrelid = format('%I.%I', side, name)::regclass and a.attnum > 0
      and col_description(a.attrelid, a.attnum) is null
  loop
    execute format('comment on column %I.%I.%I is %L', side, name, missing.attname, missing.text);
  end loop;
end $$;

select meta.create_view('blocks', 'Block headers.',
  'select b.chain, b.block_num, encode(b.block_id, ''hex'') as block_id, encode(b.prev_id, ''hex'') as prev_id, b.block_time, b.producer,
    b.block_num <= p.lib_num as irreversible from @blocks b join meta.position p on p.chain = b.chain',
  array['irreversible', 'Whether the block can no longer be replaced.']);

select meta.create_view('tokens', 'Watched tokens with their supply.',
  'select t.chain, lower(t.symbol) || ''-'' || t.contract as token_id, t.contract, t.symbol, t.decimals, t.supply,
    meta.quantity(t.supply, t.decimals) as quantity_supply, t.max_supply, meta.quantity(t.max_supply, t.decimals) as quantity_max_supply,
    t.issuer from @supplies t',
  array['token_id', 'Lower-case symbol, hyphen, contract.', 'quantity_supply', 'Supply in tokens.', 'quantity_max_supply', 'Greatest supply in tokens.']);

select meta.create_view('balances', 'Balances of watched tokens.',
  'select b.chain, lower(b.symbol) || ''-'' || b.contract as token_id, b.contract, b.symbol, b.decimals, b.account, b.amount,
    meta.quantity(b.amount, b.decimals) as quantity from @balances b',
  array['token_id', 'Lower-case symbol, hyphen, contract.', 'quantity', 'Balance in tokens.']);

select meta.create_view('transfers', 'Transfers of watched tokens.',
  'select t.chain, t.block_num, t.block_time, t.global_seq, encode(t.trx_id, ''hex'') as trx_id,
    lower(t.symbol) || ''-'' || t.contract as token_id, t.contract, t.symbol, t.decimals, t.from_account, t.to_account, t.amount,
    meta.quantity(t.amount, t.decimals) as quantity, t.memo from @transfers t',
  array['token_id', 'Lower-case symbol, hyphen, contract.', 'quantity', 'Amount in tokens.']);

select meta.create_view('pools', 'AMM pools.',
  'select p.chain, p.pool_id, p.active, lower(p.symbol_a) || ''-'' || p.contract_a as token_a, p.contract_a, p.symbol_a, p.decimals_a,
    p.reserve_a, meta.quantity(p.reserve_a, p.decimals_a) as quantity_a, lower(p.symbol_b) || ''-'' || p.contract_b as token_b,
    p.contract_b, p.symbol_b, p.decimals_b, p.reserve_b, meta.quantity(p.reserve_b, p.decimals_b) as quantity_b, p.fee,
    p.fee_protocol, p.tick_spacing, p.max_liquidity_per_tick, p.sqrt_price_x64,
    meta.pool_price(p.sqrt_price_x64, p.decimals_a, p.decimals_b) as price, p.tick, p.last_observation, p.observation_num,
    p.max_observation_num, p.fee_growth_global_a_x64, p.fee_growth_global_b_x64, p.protocol_fee_a, p.protocol_fee_b, p.liquidity,
    meta.quantity(p.protocol_fee_a, p.decimals_a) as quantity_protocol_fee_a, meta.quantity(p.protocol_fee_b, p.decimals_b) as quantity_protocol_fee_b
    from @pools p',
  array['token_a', 'Token id of A.', 'quantity_a', 'Reserve of A in tokens.', 'token_b', 'Token id of B.', 'quantity_b', 'Reserve of B in tokens.',
    'price', 'B per one A, in tokens.', 'quantity_protocol_fee_a', 'Protocol fees in A not yet withdrawn, in tokens.',
    'quantity_protocol_fee_b', 'Protocol fees in B not yet withdrawn, in tokens.']);

select meta.create_view('ticks', 'Initialised ticks of AMM pools.',
  'select t.chain, t.pool_id, t.tick, t.liquidity_gross, t.liquidity_net, t.fee_growth_outside_a_x64, t.fee_growth_outside_b_x64,
    t.tick_cumulative_outside, t.seconds_per_liquidity_outside_x64, t.seconds_outside, t.initialized from @ticks t',
  array[]::text[]);

-- A position's amounts are those of a burn: rounded down.
select meta.create_view('positions', 'AMM positions with what their liquidity is now.',
  'select s.chain, s.pool_id, s.position_id, s.owner, s.tick_lower, s.tick_upper, s.liquidity, s.fee_growth_inside_a_last_x64,
    s.fee_growth_inside_b_last_x64, s.fees_a, s.fees_b, l.unlock_time, lower(p.symbol_a) || ''-'' || p.contract_a as token_a,
    lower(p.symbol_b) || ''-'' || p.contract_b as token_b, n.a as amount_a, n.b as amount_b, meta.quantity(n.a, p.decimals_a) as quantity_a,
    meta.quantity(n.b, p.decimals_b) as quantity_b, meta.quantity(s.fees_a, p.decimals_a) as quantity_fees_a,
    meta.quantity(s.fees_b, p.decimals_b) as quantity_fees_b
    from @positions s left join @locks l on l.chain = s.chain and l.position_id = s.position_id
    left join @pools p on p.chain = s.chain and p.pool_id = s.pool_id
    cross join lateral (select meta.tick_price(s.tick_lower) as low, meta.tick_price(s.tick_upper) as high offset 0) r
    cross join lateral (select case when p.pool_id is not null then greatest(r.low, least(r.high, p.sqrt_price_x64)) end as now offset 0) at
    cross join lateral (select div(div(s.liquidity * 18446744073709551616 * (r.high - at.now), r.high), at.now) as a,
      div(s.liquidity * (at.now - r.low), 18446744073709551616) as b) n',
  array['token_a', 'Token id of A.', 'token_b', 'Token id of B.', 'amount_a', 'Raw units of A that its liquidity yields at the present price, without fees.',
    'amount_b', 'Raw units of B, likewise.', 'quantity_a', 'The same in tokens A.', 'quantity_b', 'The same in tokens B.',
    'quantity_fees_a', 'Fees in A owed at the last update, in tokens.', 'quantity_fees_b', 'Fees in B owed at the last update, in tokens.']);

select meta.create_view('swaps', 'AMM swaps, one row for each pool of a path.',
  'select s.chain, s.block_num, s.block_time, s.global_seq, encode(s.trx_id, ''hex'') as trx_id, s.pool_id, s.sender, s.recipient,
    s.amount_a, s.amount_b, meta.quantity(s.amount_a, s.decimals_a) as quantity_a, meta.quantity(s.amount_b, s.decimals_b) as quantity_b,
    s.sqrt_price_x64, meta.pool_price(s.sqrt_price_x64, s.decimals_a, s.decimals_b) as price, s.liquidity, s.tick, s.reserve_a,
    s.reserve_b, s.usd from @swaps s',
  array['quantity_a', 'Tokens A from the pool''s side.', 'quantity_b', 'Tokens B from the pool''s side.', 'price', 'B per one A after the swap, in tokens.']);

select meta.create_view('pool_creations', 'AMM pools created.',
  'select c.chain, c.block_num, c.block_time, c.global_seq, encode(c.trx_id, ''hex'') as trx_id, c.pool_id,
    lower(c.symbol_a) || ''-'' || c.contract_a as token_a, lower(c.symbol_b) || ''-'' || c.contract_b as token_b, c.decimals_a,
    c.decimals_b, c.fee, c.fee_protocol, c.tick_spacing, c.sqrt_price_x64, c.tick,
    meta.pool_price(c.sqrt_price_x64, c.decimals_a, c.decimals_b) as price from @pool_creations c',
  array['token_a', 'Token id of A.', 'token_b', 'Token id of B.', 'price', 'B per one A at the creation, in tokens.']);

select meta.create_view('position_events', 'What happened to AMM positions.',
  'select e.chain, e.block_num, e.block_time, e.global_seq, encode(e.trx_id, ''hex'') as trx_id, e.type, e.pool_id, e.position_id,
    e.owner, e.recipient, e.tick_lower, e.tick_upper, e.liquidity, e.amount_a, e.amount_b,
    meta.quantity(e.amount_a, e.decimals_a) as quantity_a, meta.quantity(e.amount_b, e.decimals_b) as quantity_b, e.reserve_a,
    e.reserve_b, e.sqrt_price_x64, e.tick, e.to_position_id, e.to_liquidity, e.merged, e.unlock_time, e.usd,
    e.usd_price_a, e.usd_price_b from @position_events e',
  array['quantity_a', 'Tokens A.', 'quantity_b', 'Tokens B.']);

select meta.create_view('protocol_fees', 'Protocol fee of pools: changes and withdrawals.',
  'select f.chain, f.block_num, f.block_time, f.global_seq, encode(f.trx_id, ''hex'') as trx_id, f.pool_id, f.type, f.fee_protocol_old,
    f.fee_protocol_new, f.recipient, f.amount_a, f.amount_b, meta.quantity(f.amount_a, f.decimals_a) as quantity_a,
    meta.quantity(f.amount_b, f.decimals_b) as quantity_b from @protocol_fees f',
  array['quantity_a', 'Tokens A paid out.', 'quantity_b', 'Tokens B paid out.']);

select meta.create_view('incentives', 'Farms of the AMM.',
  'select i.chain, i.incentive_id, i.creator, i.pool_id, lower(i.symbol) || ''-'' || i.contract as token_id, i.contract, i.symbol,
    i.decimals, i.amount, meta.quantity(i.amount, i.decimals) as quantity, i.period_finish, i.duration, i.reward_rate_e18,
    i.reward_per_token_stored, i.total_staking_weight, i.updated, i.stakes,
    meta.quantity(i.reward_rate_e18 * 86400, i.decimals + 18) as quantity_per_day from @incentives i',
  array['token_id', 'Token id of the reward.', 'quantity', 'Tokens of reward that the farm holds.',
    'quantity_per_day', 'Tokens of reward a day during the funded period; null in the older layout.']);

select meta.create_view('incentive_events', 'What happened to farms and stakes.',
  'select e.chain, e.block_num, e.block_time, e.global_seq, encode(e.trx_id, ''hex'') as trx_id, e.incentive_id, e.type, e.account,
    e.pool_id, e.position_id, lower(e.symbol) || ''-'' || e.contract as token_id, e.amount, meta.quantity(e.amount, e.decimals) as quantity,
    e.duration, e.staking_weight from @incentive_events e',
  array['token_id', 'Token id of the reward.', 'quantity', 'Tokens of reward.']);

select meta.create_view('stakes', 'Positions staked in farms.',
  'select s.chain, s.incentive_id, s.position_id, s.staking_weight, s.rewards, meta.quantity(s.rewards, i.decimals) as quantity_rewards,
    s.reward_per_token_paid from @stakes s left join @incentives i on i.chain = s.chain and i.incentive_id = s.incentive_id',
  array['quantity_rewards', 'The same in tokens.']);

select meta.create_view('locks', 'Locked AMM positions.', 'select l.chain, l.position_id, l.unlock_time from @locks l', array[]::text[]);

select meta.create_view('amm_balances', 'Tokens deposited in the AMM and not yet used.',
  'select b.chain, b.owner, lower(b.symbol) || ''-'' || b.contract as token_id, b.amount, meta.quantity(b.amount, b.decimals) as quantity
    from @amm_balances b', array['token_id', 'Lower-case symbol, hyphen, contract.', 'quantity', 'Amount in tokens.']);

select meta.create_view('amm_settings', 'Settings of the AMM.',
  'select s.chain, s.row_id, s.active, s.next_pool_id, s.next_position_id, lower(s.fee_symbol) || ''-'' || s.fee_contract as fee_token,
    s.fee_contract, s.fee_symbol, s.fee_decimals, s.fee_amount, meta.quantity(s.fee_amount, s.fee_decimals) as quantity_fee
    from @amm_settings s', array['fee_token', 'Token id of the fee.', 'quantity_fee', 'Fee in tokens.']);

select meta.create_view('referral_markets', 'Marketplaces that take a share of the AMM''s swaps.',
  'select r.chain, r.name, r.fee from @referral_markets r', array[]::text[]);

select meta.create_view('frozen_pools', 'Frozen pools of the AMM.',
  'select f.chain, f.pool_id, f.unlock_a, f.unlock_b from @frozen_pools f', array[]::text[]);

select meta.create_view('bans', 'Accounts banned by the exchange''s contracts.',
  'select b.chain, b.source, unnest(b.accounts) as account from @bans b', array['account', 'Banned account.']);

select meta.create_view('markets', 'Order-book markets. Base and target as in tickers.',
  'select m.chain, m.market_id, lower(m.base_symbol) || ''-'' || m.base_contract as base, m.base_contract, m.base_symbol, m.base_decimals,
    lower(m.target_symbol) || ''-'' || m.target_contract as target, m.target_contract, m.target_symbol, m.target_decimals, m.min_buy,
    meta.quantity(m.min_buy, m.min_buy_decimals) as quantity_min_buy, m.min_sell,
    meta.quantity(m.min_sell, m.min_sell_decimals) as quantity_min_sell, m.frozen, m.fee from @markets m',
  array['base', 'Token id of the base.', 'target', 'Token id of the target.', 'quantity_min_buy', 'Smallest buy order in target tokens.',
    'quantity_min_sell', 'Smallest sell order in base tokens.']);

select meta.create_view('market_fees', 'Fees and tokens of order-book markets, also of closed ones: each row holds from its block on.',
  'select f.chain, f.block_num, f.block_time, f.market_id, f.fee, lower(f.base_symbol) || ''-'' || f.base_contract as base, f.base_contract,
    f.base_symbol, f.base_decimals, lower(f.target_symbol) || ''-'' || f.target_contract as target, f.target_contract, f.target_symbol,
    f.target_decimals from @market_fees f',
  array['base', 'Token id of the base.', 'target', 'Token id of the target.']);

select meta.create_view('orders', 'Open orders of the order books.',
  'select o.chain, o.market_id, o.side, o.order_id, o.account, o.bid_amount as bid, meta.quantity(o.bid_amount, o.bid_decimals) as quantity_bid,
    o.bid_symbol, o.ask_amount as ask, meta.quantity(o.ask_amount, o.ask_decimals) as quantity_ask, o.ask_symbol, o.unit_price,
    meta.quantity(o.unit_price, 8) as price, o.order_time from @orders o',
  array['bid', 'Raw units offered.', 'quantity_bid', 'Tokens offered.', 'ask', 'Raw units wanted.', 'quantity_ask', 'Tokens wanted.', 'price', 'Target per base, in tokens.']);

select meta.create_view('order_events', 'Orders placed on the book and cancelled.',
  'select o.chain, o.block_num, o.block_time, o.global_seq, encode(o.trx_id, ''hex'') as trx_id, o.market_id, o.type, o.side, o.order_id,
    o.account, o.bid_amount as bid, meta.quantity(o.bid_amount, o.bid_decimals) as quantity_bid, o.bid_symbol, o.ask_amount as ask,
    meta.quantity(o.ask_amount, o.ask_decimals) as quantity_ask, o.ask_symbol, o.unit_price, meta.quantity(o.unit_price, 8) as price,
    o.order_time from @order_events o',
  array['bid', 'Raw units offered.', 'quantity_bid', 'Tokens offered.', 'ask', 'Raw units wanted.', 'quantity_ask', 'Tokens wanted.', 'price', 'Target per base, in tokens.']);

select meta.create_view('deals', 'Order-book trades.',
  'select d.chain, d.block_num, d.block_time, d.global_seq, encode(d.trx_id, ''hex'') as trx_id, d.market_id, d.type, d.bidder, d.asker,
    d.amount_base, d.amount_target, meta.quantity(d.amount_base, d.decimals_base) as quantity_base,
    meta.quantity(d.amount_target, d.decimals_target) as quantity_target, d.unit_price, meta.quantity(d.unit_price, 8) as price,
    d.fee_amount, d.fee_symbol, meta.quantity(d.fee_amount, d.fee_decimals) as quantity_fee, d.usd from @deals d',
  array['quantity_base', 'Base tokens.', 'quantity_target', 'Target tokens.', 'price', 'Target per base, in tokens.', 'quantity_fee', 'Fee in tokens, where the ABI logs it.']);

-- The decimals of a removed pool or market come from its trades.
select meta.create_view('candles', 'Candles of pools (B per A) and of order-book markets (target per base). No row where nothing traded.',
  'select c.chain, c.market_kind, c.market_id, c.resolution, c.bucket_time,
    case c.market_kind when ''amm'' then meta.pool_price(c.open, n.base, n.target) else meta.quantity(c.open, 8) end as open,
    case c.market_kind when ''amm'' then meta.pool_price(c.high, n.base, n.target) else meta.quantity(c.high, 8) end as high,
    case c.market_kind when ''amm'' then meta.pool_price(c.low, n.base, n.target) else meta.quantity(c.low, 8) end as low,
    case c.market_kind when ''amm'' then meta.pool_price(c.close, n.base, n.target) else meta.quantity(c.close, 8) end as close,
    meta.quantity(c.volume_base, n.base) as volume_base, meta.quantity(c.volume_target, n.target) as volume_target, c.volume_usd, c.trades,
    c.trades_without_usd
    from @candles c
    left join @pools p on c.market_kind = ''amm'' and p.chain = c.chain and p.pool_id = c.market_id
    left join @markets m on c.market_kind = ''spot'' and m.chain = c.chain and m.market_id = c.market_id
    left join lateral (
      (select s.decimals_a as base, s.decimals_b as target from @swaps s
        where c.market_kind = ''amm'' and p.pool_id is null and s.chain = c.chain and s.pool_id = c.market_id
        order by s.block_time desc, s.global_seq desc limit 1)
      union all
      (select d.decimals_base, d.decimals_target from @deals d
        where c.market_kind = ''spot'' and m.market_id is null and d.chain = c.chain and d.market_id = c.market_id
        order by d.block_time desc, d.global_seq desc limit 1)
    ) gone on true
    cross join lateral (select coalesce(p.decimals_a, m.base_decimals, gone.base)::int4 as base,
      coalesce(p.decimals_b, m.target_decimals, gone.target)::int4 as target) n',
  array['open', 'First trade of the candle, in tokens.', 'high', 'Highest trade, in tokens.', 'low', 'Lowest trade, in tokens.',
    'close', 'Last trade, in tokens.', 'volume_base', 'Tokens A, or base tokens.', 'volume_target', 'Tokens B, or target tokens.']);

select meta.create_view('oracle_points', 'Data points of the on-chain price oracle.',
  'select o.chain, o.block_num, o.block_time, o.contract, o.pair, o.point_id, o.owner, o.value, o.median, o.point_time from @oracle_points o',
  array[]::text[]);

select meta.create_view('registry_tokens', 'Rows of the on-chain token registry.', 'select r.chain, r.row_id, r.data from @registry_tokens r', array[]::text[]);

select meta.create_view('contracts', 'Contracts of the exchange on each chain, as its indexer was configured when it last started.',
  'select a.chain, a.role, a.account, a.domain from meta.accounts a',
  array['chain', 'Chain name.', 'role', 'amm, spot, otc, bridge, hop, wrap, gateway, liquid, oracle or registry.', 'account', 'Account of the contract.',
    'domain', 'Of a gateway: the domain whose deposits it credits. Null for other roles.']);

select meta.create_view('undecoded_actions', 'Actions of watched contracts that could not be decoded.',
  'select u.chain, u.block_num, u.block_time, u.global_seq, encode(u.trx_id, ''hex'') as trx_id, u.account, u.name, u.data, u.reason_code,
    u.reason from @undecoded_actions u', array[]::text[]);

select meta.create_view('undecoded_rows', 'Table rows of watched contracts that could not be decoded.',
  'select u.chain, u.block_num, u.block_time, u.row_index, u.code, u.scope, u.table_name, u.primary_key, u.present, u.data, u.reason_code,
    u.reason from @undecoded_rows u', array[]::text[]);

select meta.create_view('abis', 'Every ABI of the watched contracts.',
  'select a.chain, a.account, a.block_num, a.global_seq, a.abi from @abis a', array[]::text[]);

create view head.orphaned_blocks as select chain, block_num, encode(block_id, 'hex') as block_id, encode(prev_id, 'hex') as prev_id,
  block_time, producer, replaced_at from ledger.orphaned_blocks o
  where not exists (select from ledger.blocks b where b.chain = o.chain and b.block_num = o.block_num and b.block_id = o.block_id);
comment on view head.orphaned_blocks is 'Headers of indexed blocks that a fork replaced, and that were not indexed again since.';
select meta.copy_comments('head', 'orphaned_blocks', '@orphaned_blocks');

create view head.position as select chain, first_block, block_num, block_id, block_time, lib_num, head_num, updated_at from meta.position;
comment on view head.position is 'How far each chain is indexed.';
do $$
declare
  c record;
begin
  for c in select a.attname, col_description(b.attrelid, b.attnum) as text from pg_attribute a
    join pg_attribute b on b.attrelid = 'meta.position'::regclass and b.attname = a.attname
    where a.attrelid = 'head.position'::regclass and a.attnum > 0
  loop
    execute format('comment on column head.position.%I is %L', c.attname, c.text);
  end loop;
end $$;
