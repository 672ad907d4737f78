-- Current rows of the contracts. Each table has a before-image table in undo, with undo_block and existed followed by
-- the same columns: the row before the reversible block undo_block changed it.

-- Creates state.NAME, undo.NAME and settled.NAME (the rows as of the last irreversible block).
create function meta.create_state_table(name text, key_columns text, columns text, key text) returns void
language plpgsql as $$
begin
  execute format('create table state.%1$I (chain text not null, %2$s, %3$s, primary key (%4$s, chain)) partition by list (chain)',
    name, key_columns, columns, key);
  perform meta.create_undo('state', name);
  execute format('comment on column state.%I.chain is ''Chain name.''', name);
end $$;

-- Creates the before-image table and the settled view of a table of current rows.
create function meta.create_undo(source text, name text) returns void
language plpgsql as $$
declare
  all_columns text;
  key_list text;
  key_match text;
begin
  execute format('create table undo.%1$I (undo_block int8 not null, existed boolean not null, like %2$I.%1$I)', name, source);
  -- A row that did not exist has only its key.
  perform meta.drop_not_null('undo', name, (select array_agg(a.attname::text) from pg_attribute a
    where a.attrelid = format('%I.%I', source, name)::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname <> all (meta.key_columns(source, name))));
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into all_columns
    from pg_attribute a where a.attrelid = format('%I.%I', source, name)::regclass and a.attnum > 0 and not a.attisdropped;
  select string_agg(quote_ident(k), ', '), string_agg(format('u.%1$I = s.%1$I', k), ' and ')
    into key_list, key_match from unnest(meta.key_columns(source, name)) k;
  execute format('create index on undo.%I (%s, undo_block)', name, key_list);
  execute format('create index on undo.%I (chain, undo_block)', name);
  execute format('create view settled.%1$I as select %2$s from %5$I.%1$I s where not exists (select from undo.%1$I u where %4$s)'
    || ' union all select %2$s from (select distinct on (%3$s) * from undo.%1$I order by %3$s, undo_block) o where o.existed',
    name, all_columns, key_list, key_match, source);
end $$;

create function meta.drop_not_null(schema_name text, name text, columns text[]) returns void
language plpgsql as $$
declare
  column_name text;
begin
  foreach column_name in array columns loop
    execute format('alter table %I.%I alter column %I drop not null', schema_name, name, column_name);
  end loop;
end $$;

-- Columns of the primary key, in key order.
create function meta.key_columns(schema_name text, name text) returns text[]
language sql stable as $$
  select array_agg(a.attname::text order by k.place)
  from pg_index i
  cross join lateral unnest(i.indkey) with ordinality k(attnum, place)
  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
  where i.indrelid = format('%I.%I', schema_name, name)::regclass and i.indisprimary
$$;

select meta.create_state_table('pools', 'pool_id int8 not null',
  'active boolean not null, contract_a text not null, symbol_a text not null, decimals_a int2 not null, reserve_a int8 not null,'
  || ' contract_b text not null, symbol_b text not null, decimals_b int2 not null, reserve_b int8 not null, fee int4 not null,'
  || ' fee_protocol int2 not null, tick_spacing int4 not null, max_liquidity_per_tick numeric(20) not null,'
  || ' sqrt_price_x64 numeric(39) not null, tick int4 not null, last_observation timestamptz not null,'
  || ' observation_num int8 not null, max_observation_num int8 not null, fee_growth_global_a_x64 numeric(39) not null,'
  || ' fee_growth_global_b_x64 numeric(39) not null, protocol_fee_a int8 not null, protocol_fee_b int8 not null,'
  || ' liquidity numeric(20) not null', 'pool_id');
comment on table state.pools is 'AMM pools as the contract''s table has them.';
comment on column state.pools.pool_id is 'Pool id on the AMM contract.';
comment on column state.pools.active is 'Whether swaps and deposits are allowed.';
comment on column state.pools.contract_a is 'Contract of token A.';
comment on column state.pools.symbol_a is 'Symbol of token A.';
comment on column state.pools.decimals_a is 'Precision of token A.';
comment on column state.pools.reserve_a is 'Raw units of token A that the pool holds, fees included.';
comment on column state.pools.contract_b is 'Contract of token B.';
comment on column state.pools.symbol_b is 'Symbol of token B.';
comment on column state.pools.decimals_b is 'Precision of token B.';
comment on column state.pools.reserve_b is 'Raw units of token B that the pool holds, fees included.';
comment on column state.pools.fee is 'Swap fee in millionths.';
comment on column state.pools.fee_protocol is 'Divisor of the fee that goes to the protocol; 0 for none.';
comment on column state.pools.tick_spacing is 'Tick spacing.';
comment on column state.pools.max_liquidity_per_tick is 'Most liquidity that one tick can hold.';
comment on column state.pools.sqrt_price_x64 is 'Square root of raw B per raw A, Q64.64.';
comment on column state.pools.tick is 'Current tick.';
comment on column state.pools.last_observation is 'Time of the last price observation.';
comment on column state.pools.observation_num is 'Number of price observations.';
comment on column state.pools.max_observation_num is 'Most price observations that are kept.';
comment on column state.pools.fee_growth_global_a_x64 is 'Fees in A per unit of liquidity since creation, Q64.64, modulo 2^128.';
comment on column state.pools.fee_growth_global_b_x64 is 'Fees in B per unit of liquidity since creation, Q64.64, modulo 2^128.';
comment on column state.pools.protocol_fee_a is 'Protocol fees in A not yet withdrawn, raw units.';
comment on column state.pools.protocol_fee_b is 'Protocol fees in B not yet withdrawn, raw units.';
comment on column state.pools.liquidity is 'Liquidity in range.';

select meta.create_state_table('ticks', 'pool_id int8 not null, tick int4 not null',
  'liquidity_gross numeric(20) not null, liquidity_net int8 not null, fee_growth_outside_a_x64 numeric(39) not null,'
  || ' fee_growth_outside_b_x64 numeric(39) not null, tick_cumulative_outside int8 not null,'
  || ' seconds_per_liquidity_outside_x64 numeric(39) not null, seconds_outside int8 not null, initialized boolean not null',
  'pool_id, tick');
comment on table state.ticks is 'Initialised ticks of AMM pools.';
comment on column state.ticks.pool_id is 'Pool id on the AMM contract.';
comment on column state.ticks.tick is 'Tick.';
comment on column state.ticks.liquidity_gross is 'Liquidity of all positions that end at the tick.';
comment on column state.ticks.liquidity_net is 'Change of liquidity when the price rises over the tick.';
comment on column state.ticks.fee_growth_outside_a_x64 is 'Fee growth in A on the other side of the tick, Q64.64, modulo 2^128.';
comment on column state.ticks.fee_growth_outside_b_x64 is 'Fee growth in B on the other side of the tick, Q64.64, modulo 2^128.';
comment on column state.ticks.tick_cumulative_outside is 'Sum of tick times seconds on the other side.';
comment on column state.ticks.seconds_per_liquidity_outside_x64 is 'Seconds per unit of liquidity on the other side, Q64.64.';
comment on column state.ticks.seconds_outside is 'Seconds on the other side.';
comment on column state.ticks.initialized is 'The contract''s own flag.';

select meta.create_state_table('positions', 'pool_id int8 not null, position_id int8 not null',
  'owner text not null, tick_lower int4 not null, tick_upper int4 not null, liquidity numeric(20) not null,'
  || ' fee_growth_inside_a_last_x64 numeric(39) not null, fee_growth_inside_b_last_x64 numeric(39) not null,'
  || ' fees_a numeric(20) not null, fees_b numeric(20) not null', 'pool_id, position_id');
comment on table state.positions is 'AMM positions as the contract''s table has them; one without liquidity stays until it is collected.';
comment on column state.positions.pool_id is 'Pool id on the AMM contract.';
comment on column state.positions.position_id is 'Position id on the AMM contract.';
comment on column state.positions.owner is 'Owner.';
comment on column state.positions.tick_lower is 'Lower tick of the range.';
comment on column state.positions.tick_upper is 'Upper tick of the range.';
comment on column state.positions.liquidity is 'Liquidity.';
comment on column state.positions.fee_growth_inside_a_last_x64 is 'Fee growth in A inside the range at the last update, Q64.64.';
comment on column state.positions.fee_growth_inside_b_last_x64 is 'Fee growth in B inside the range at the last update, Q64.64.';
comment on column state.positions.fees_a is 'Fees in A owed at the last update, raw units.';
comment on column state.positions.fees_b is 'Fees in B owed at the last update, raw units.';

select meta.create_state_table('amm_balances', 'owner text not null, row_id numeric(20) not null',
  'contract text not null, symbol text not null, decimals int2 not null, amount int8 not null', 'owner, row_id');
comment on table state.amm_balances is 'Tokens that accounts have deposited in the AMM and not yet used.';
comment on column state.amm_balances.owner is 'Account.';
comment on column state.amm_balances.row_id is 'Key of the contract''s row.';
comment on column state.amm_balances.contract is 'Token contract.';
comment on column state.amm_balances.symbol is 'Token symbol.';
comment on column state.amm_balances.decimals is 'Precision of the token.';
comment on column state.amm_balances.amount is 'Raw units.';

select meta.create_state_table('amm_settings', 'row_id numeric(20) not null',
  'active boolean not null, next_pool_id int8 not null, next_position_id int8 not null, fee_contract text not null,'
  || ' fee_symbol text not null, fee_decimals int2 not null, fee_amount int8 not null', 'row_id');
comment on table state.amm_settings is 'The AMM''s own settings: switched on, counters, activation fee.';
comment on column state.amm_settings.row_id is 'Key of the contract''s row.';
comment on column state.amm_settings.active is 'Whether the AMM is switched on.';
comment on column state.amm_settings.next_pool_id is 'Counter of pool ids.';
comment on column state.amm_settings.next_position_id is 'Counter of position ids.';
comment on column state.amm_settings.fee_contract is 'Contract of the token in which a pool''s activation is paid.';
comment on column state.amm_settings.fee_symbol is 'Symbol of that token.';
comment on column state.amm_settings.fee_decimals is 'Precision of that token.';
comment on column state.amm_settings.fee_amount is 'Activation fee in raw units.';

select meta.create_state_table('incentives', 'incentive_id int8 not null',
  'creator text not null, pool_id int8 not null, contract text not null, symbol text not null, decimals int2 not null,'
  || ' amount int8 not null, period_finish timestamptz not null, duration int8 not null, reward_rate_e18 numeric(39),'
  || ' reward_per_token_stored numeric(39), total_staking_weight numeric(20), updated timestamptz,'
  || ' stakes int8 not null', 'incentive_id');
comment on table state.incentives is 'Farms of the AMM.';
comment on column state.incentives.incentive_id is 'Incentive id on the AMM contract.';
comment on column state.incentives.creator is 'Account that created it; in the older layout the one that gets what is left.';
comment on column state.incentives.pool_id is 'Pool whose positions can be staked.';
comment on column state.incentives.contract is 'Contract of the reward token.';
comment on column state.incentives.symbol is 'Symbol of the reward token.';
comment on column state.incentives.decimals is 'Precision of the reward token.';
comment on column state.incentives.amount is 'Raw units of reward that the farm holds.';
comment on column state.incentives.period_finish is 'End of the funded period.';
comment on column state.incentives.duration is 'Length of a funding period in seconds.';
comment on column state.incentives.reward_rate_e18 is 'Raw units of reward a second, times 10^18; null in the older layout, like the next three.';
comment on column state.incentives.reward_per_token_stored is 'Reward per unit of staking weight at the last update.';
comment on column state.incentives.total_staking_weight is 'Sum of the staking weights.';
comment on column state.incentives.updated is 'Time of the last update.';
comment on column state.incentives.stakes is 'Number of stakes.';

select meta.create_state_table('stakes', 'incentive_id int8 not null, position_id int8 not null',
  'staking_weight numeric(20) not null, rewards numeric(20) not null, reward_per_token_paid numeric(39)',
  'incentive_id, position_id');
comment on table state.stakes is 'Positions staked in farms.';
comment on column state.stakes.incentive_id is 'Incentive id on the AMM contract.';
comment on column state.stakes.position_id is 'Position staked.';
comment on column state.stakes.staking_weight is 'Weight of the stake; liquidity in the older layout.';
comment on column state.stakes.rewards is 'Raw units of reward owed at the last update.';
comment on column state.stakes.reward_per_token_paid is 'Reward per unit of weight up to which it has been credited; null in the older layout.';

select meta.create_state_table('locks', 'position_id int8 not null', 'unlock_time timestamptz not null', 'position_id');
comment on table state.locks is 'Locked AMM positions; an expired lock stays until the position is closed.';
comment on column state.locks.position_id is 'Position id on the AMM contract.';
comment on column state.locks.unlock_time is 'Until when it cannot be withdrawn.';

select meta.create_state_table('bans', 'source text not null, row_id numeric(20) not null', 'accounts text[] not null', 'source, row_id');
comment on table state.bans is 'Accounts banned by the exchange''s contracts: one row for each row of theirs.';
comment on column state.bans.source is 'swap, dex or otc: whose list.';
comment on column state.bans.row_id is 'Key of the contract''s row.';
comment on column state.bans.accounts is 'Banned accounts that the row names.';

select meta.create_state_table('referral_markets', 'name text not null', 'fee int8 not null', 'name');
comment on table state.referral_markets is 'Referral markets of the AMM.';
comment on column state.referral_markets.name is 'Name in the memo.';
comment on column state.referral_markets.fee is 'Fee in millionths of the input.';

select meta.create_state_table('frozen_pools', 'pool_id int8 not null', 'unlock_a boolean not null, unlock_b boolean not null', 'pool_id');
comment on table state.frozen_pools is 'Frozen AMM pools.';
comment on column state.frozen_pools.pool_id is 'Pool id on the AMM contract.';
comment on column state.frozen_pools.unlock_a is 'Whether liquidity in token A may be taken out.';
comment on column state.frozen_pools.unlock_b is 'Whether liquidity in token B may be taken out.';

select meta.create_state_table('markets', 'market_id int8 not null',
  'base_contract text not null, base_symbol text not null, base_decimals int2 not null, target_contract text not null,'
  || ' target_symbol text not null, target_decimals int2 not null, min_buy int8 not null, min_buy_decimals int2 not null,'
  || ' min_sell int8 not null, min_sell_decimals int2 not null, frozen boolean not null, fee int2 not null', 'market_id');
comment on table state.markets is 'Order-book markets. Base and target as in tickers: the contract calls the base its quote token.';
comment on column state.markets.market_id is 'Market id on the DEX contract.';
comment on column state.markets.base_contract is 'Contract of the base token.';
comment on column state.markets.base_symbol is 'Symbol of the base token.';
comment on column state.markets.base_decimals is 'Precision of the base token.';
comment on column state.markets.target_contract is 'Contract of the target token, in which prices are.';
comment on column state.markets.target_symbol is 'Symbol of the target token.';
comment on column state.markets.target_decimals is 'Precision of the target token.';
comment on column state.markets.min_buy is 'Smallest buy order, raw units of the target token.';
comment on column state.markets.min_buy_decimals is 'Precision of min_buy.';
comment on column state.markets.min_sell is 'Smallest sell order, raw units of the base token.';
comment on column state.markets.min_sell_decimals is 'Precision of min_sell.';
comment on column state.markets.frozen is 'Whether trading is frozen.';
comment on column state.markets.fee is 'Fee in hundredths of a percent.';

select meta.create_state_table('orders', 'market_id int8 not null, side text not null, order_id numeric(20) not null',
  'account text not null, bid_amount int8 not null, bid_symbol text not null, bid_decimals int2 not null, ask_amount int8 not null,'
  || ' ask_symbol text not null, ask_decimals int2 not null, unit_price numeric(39) not null, order_time timestamptz not null',
  'market_id, side, order_id');
comment on table state.orders is 'Open orders of the order books.';
comment on column state.orders.market_id is 'Market id on the DEX contract.';
comment on column state.orders.side is 'buy (offers the target token) or sell (offers the base token).';
comment on column state.orders.order_id is 'Order id on the DEX contract.';
comment on column state.orders.account is 'Owner.';
comment on column state.orders.bid_amount is 'Raw units offered.';
comment on column state.orders.bid_symbol is 'Symbol offered.';
comment on column state.orders.bid_decimals is 'Precision of the token offered.';
comment on column state.orders.ask_amount is 'Raw units wanted.';
comment on column state.orders.ask_symbol is 'Symbol wanted.';
comment on column state.orders.ask_decimals is 'Precision of the token wanted.';
comment on column state.orders.unit_price is 'Target per base times 10^8.';
comment on column state.orders.order_time is 'Time of the order.';

select meta.create_state_table('balances', 'contract text not null, symbol text not null, account text not null',
  'decimals int2 not null, amount int8 not null', 'contract, symbol, account');
comment on table state.balances is 'Balances of watched tokens, and of the exchange''s contracts in any token.';
comment on column state.balances.contract is 'Token contract.';
comment on column state.balances.symbol is 'Token symbol.';
comment on column state.balances.account is 'Account.';
comment on column state.balances.decimals is 'Precision of the token.';
comment on column state.balances.amount is 'Raw units.';

select meta.create_state_table('supplies', 'contract text not null, symbol text not null',
  'decimals int2 not null, supply int8 not null, max_supply int8 not null, issuer text not null', 'contract, symbol');
comment on table state.supplies is 'Supply of watched tokens.';
comment on column state.supplies.contract is 'Token contract.';
comment on column state.supplies.symbol is 'Token symbol.';
comment on column state.supplies.decimals is 'Precision of the token.';
comment on column state.supplies.supply is 'Raw units in circulation.';
comment on column state.supplies.max_supply is 'Most raw units that there can be.';
comment on column state.supplies.issuer is 'Account that may issue.';

select meta.create_state_table('registry_tokens', 'row_id numeric(20) not null', 'data jsonb not null', 'row_id');
comment on table state.registry_tokens is 'Rows of the on-chain token registry (logos), as the contract has them.';
comment on column state.registry_tokens.row_id is 'Key of the contract''s row.';
comment on column state.registry_tokens.data is 'The row.';

select meta.create_state_table('bridge_routes', 'id numeric(20) not null',
  'domain numeric(20) not null, vault bytea not null, token bytea not null, wrapped_contract text not null,'
  || ' wrapped_symbol text not null, wrapped_decimals int2 not null, scale numeric(20) not null, min numeric(20) not null,'
  || ' max numeric(20) not null, backing numeric(20) not null, deposits_open boolean not null, withdrawals_open boolean not null', 'id');
comment on table state.bridge_routes is 'Routes of the bridge: limits and backing.';
comment on column state.bridge_routes.id is 'Route id.';
comment on column state.bridge_routes.domain is 'Domain at the other end.';
comment on column state.bridge_routes.vault is 'Vault at the other end.';
comment on column state.bridge_routes.token is 'Token at the other end: 20 bytes, or the text of a contract.';
comment on column state.bridge_routes.wrapped_contract is 'Contract of the token on the ledger''s chain.';
comment on column state.bridge_routes.wrapped_symbol is 'Symbol of the token on the ledger''s chain.';
comment on column state.bridge_routes.wrapped_decimals is 'Precision of the token on the ledger''s chain.';
comment on column state.bridge_routes.scale is 'Raw units at the other end per ledger unit.';
comment on column state.bridge_routes.min is 'Least amount, ledger units.';
comment on column state.bridge_routes.max is 'Greatest amount, ledger units.';
comment on column state.bridge_routes.backing is 'What the vault holds for it, ledger units.';
comment on column state.bridge_routes.deposits_open is 'Whether deposits are accepted.';
comment on column state.bridge_routes.withdrawals_open is 'Whether withdrawals are accepted.';

select meta.create_state_table('claims', 'owner text not null, symbol text not null', 'decimals int2 not null, amount int8 not null', 'owner, symbol');
comment on table state.claims is 'Credited deposits that their owners have not collected.';
comment on column state.claims.owner is 'Account that may collect.';
comment on column state.claims.symbol is 'Symbol of the wrapped token.';
comment on column state.claims.decimals is 'Precision of the wrapped token.';
comment on column state.claims.amount is 'Raw units.';

select meta.create_state_table('wdraws', 'id numeric(20) not null',
  'domain numeric(20) not null, owner text not null, amount int8 not null, symbol text not null, decimals int2 not null,'
  || ' recipient bytea not null, deadline numeric(20) not null, fee numeric(20) not null, status int2 not null', 'id');
comment on table state.wdraws is 'Withdrawals as the bridge''s table has them.';
comment on column state.wdraws.id is 'Withdrawal id.';
comment on column state.wdraws.domain is 'Destination domain.';
comment on column state.wdraws.owner is 'Account that withdraws.';
comment on column state.wdraws.amount is 'Raw units.';
comment on column state.wdraws.symbol is 'Symbol of the wrapped token.';
comment on column state.wdraws.decimals is 'Precision of the wrapped token.';
comment on column state.wdraws.recipient is 'Recipient on the destination.';
comment on column state.wdraws.deadline is 'Unix seconds after which it expires.';
comment on column state.wdraws.fee is 'Part of the amount for whoever sends the release.';
comment on column state.wdraws.status is '0 open, 1 settled, 2 expired, 3 refunded.';

select meta.create_state_table('hop_rows', 'id numeric(20) not null',
  'src_domain numeric(20) not null, src_nonce numeric(20) not null, dst_domain numeric(20) not null, recipient text not null,'
  || ' back_domain numeric(20) not null, back text not null, amount int8 not null, symbol text not null, decimals int2 not null,'
  || ' withdrawal_id numeric(20) not null, status int2 not null', 'id');
comment on table state.hop_rows is 'Hops as the hop contract''s table has them.';
comment on column state.hop_rows.id is 'Hop id.';
comment on column state.hop_rows.src_domain is 'Domain of the deposit.';
comment on column state.hop_rows.src_nonce is 'Nonce of the deposit.';
comment on column state.hop_rows.dst_domain is 'Domain of the destination.';
comment on column state.hop_rows.recipient is 'Recipient on the destination.';
comment on column state.hop_rows.back_domain is 'Domain to which it returns when not delivered.';
comment on column state.hop_rows.back is 'Address to which it returns when not delivered.';
comment on column state.hop_rows.amount is 'Raw units sent on.';
comment on column state.hop_rows.symbol is 'Symbol sent on.';
comment on column state.hop_rows.decimals is 'Precision of the token sent on.';
comment on column state.hop_rows.withdrawal_id is 'Withdrawal of the second leg.';
comment on column state.hop_rows.status is '0 open, 1 delivered, 2 expired, 3 returned.';

insert into meta.secondary_indexes (relation, name, definition) values
  ('state.positions', 'owner', '(owner)'),
  ('state.balances', 'account', '(account)'),
  ('state.orders', 'account', '(account)'),
  ('state.wdraws', 'open', '(id) where status in (0, 2)');
