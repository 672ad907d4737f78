-- The AMM: its log actions, then the rows of its tables.

select meta.register_dataset('ledger.pool_creations', 'AMM pools created (logpool).', array[
    ['pool_id', 'int8 not null', 'Pool id on the AMM contract.'],
    ['contract_a', 'text not null', 'Contract of token A.'],
    ['symbol_a', 'text not null', 'Symbol of token A.'],
    ['decimals_a', 'int2 not null', 'Precision of token A.'],
    ['contract_b', 'text not null', 'Contract of token B.'],
    ['symbol_b', 'text not null', 'Symbol of token B.'],
    ['decimals_b', 'int2 not null', 'Precision of token B.'],
    ['fee', 'int4 not null', 'Swap fee in millionths.'],
    ['fee_protocol', 'int2 not null', 'Divisor of the fee that goes to the protocol; 0 for none.'],
    ['tick_spacing', 'int4 not null', 'Tick spacing.'],
    ['sqrt_price_x64', 'numeric(39) not null', 'Square root of raw B per raw A, Q64.64, at creation.'],
    ['tick', 'int4 not null', 'Tick at creation.']],
  key => 'pool_id', token_ids => array[['token_a', 'symbol_a', 'contract_a'], ['token_b', 'symbol_b', 'contract_b']]);

select meta.register_dataset('ledger.swaps', 'AMM swaps: one row for each logswap, so a swap over several pools has one for each.', array[
    ['pool_id', 'int8 not null', 'Pool id on the AMM contract.'],
    ['sender', 'text not null', 'Account that paid, for every pool of a path.'],
    ['recipient', 'text not null', 'Account that received; the AMM itself between the pools of a path.'],
    ['amount_a', 'int8 not null', 'Raw units of token A from the pool''s side: positive entered, negative left it.'],
    ['amount_b', 'int8 not null', 'Raw units of token B from the pool''s side: positive entered, negative left it.'],
    ['decimals_a', 'int2 not null', 'Precision of token A.'],
    ['decimals_b', 'int2 not null', 'Precision of token B.'],
    ['sqrt_price_x64', 'numeric(39) not null', 'Square root of raw B per raw A after the swap, Q64.64.'],
    ['liquidity', 'numeric(20) not null', 'Liquidity in range after the swap.'],
    ['tick', 'int4 not null', 'Tick after the swap.'],
    ['reserve_a', 'int8 not null', 'Reserve of A as logged: in an exact-output swap it still includes the input that is then paid back.'],
    ['reserve_b', 'int8 not null', 'Reserve of B as logged: in an exact-output swap it still includes the input that is then paid back.'],
    ['usd', 'numeric', 'Value in USD at the block; null when it is not known: neither token is trusted and priced, or the system token has no USD price.'],
    ['pool_fee', 'int4', 'Swap fee of the pool in millionths, which never changes; null when the row of the pool was not known, as in the first block of a history that begins in the middle of the chain.'],
    ['path', 'int2', 'Number of the path in the transaction, from 0: the swaps of one path have the same.']],
  key => 'pool_id', kind => 'clustered action', indexes => array[
    ['large_100', '(block_time, global_seq) where usd >= 100'],
    ['large_1000', '(block_time, global_seq) where usd >= 1000'],
    ['large_10000', '(block_time, global_seq) where usd >= 10000'],
    ['recipient', '(recipient, block_time, global_seq)'],
    ['sender', '(sender, block_time, global_seq)']]);

select meta.register_dataset('ledger.position_events', 'What happened to AMM positions: mint, burn, collect, transfer, lock.', array[
    ['pool_id', 'int8 not null', 'Pool id on the AMM contract.'],
    ['type', 'text not null', 'mint, burn, collect, transfer or lock.'],
    ['position_id', 'int8 not null', 'Position id on the AMM contract.'],
    ['owner', 'text not null', 'Owner of the position; in a transfer the previous owner.'],
    ['recipient', 'text', 'Who gets the fees (collect) or the position (transfer).'],
    ['tick_lower', 'int4', 'Lower tick of the range.'],
    ['tick_upper', 'int4', 'Upper tick of the range.'],
    ['liquidity', 'numeric(20)', 'Liquidity added, removed or moved; the position''s own in a collect.'],
    ['amount_a', 'int8', 'Raw units of token A added, removed or collected.'],
    ['amount_b', 'int8', 'Raw units of token B added, removed or collected.'],
    ['decimals_a', 'int2', 'Precision of token A.'],
    ['decimals_b', 'int2', 'Precision of token B.'],
    ['reserve_a', 'int8', 'Reserve of A after the event, as logged.'],
    ['reserve_b', 'int8', 'Reserve of B after the event, as logged.'],
    ['sqrt_price_x64', 'numeric(39)', 'Square-root price, Q64.64; null in the older layout.'],
    ['tick', 'int4', 'Tick of the pool; null in the older layout.'],
    ['to_position_id', 'int8', 'Position that received the liquidity of a transfer.'],
    ['to_liquidity', 'numeric(20)', 'Liquidity of the receiving position after a transfer.'],
    ['merged', 'boolean', 'Whether a transfer merged into a position that was there before.'],
    ['unlock_time', 'timestamptz', 'Until when a lock holds.'],
    ['usd', 'numeric', 'Value in USD, at the block, of the tokens added, removed or collected; null when it is not known: one of the tokens moved has no price. Null for other types.'],
    ['usd_price_a', 'numeric', 'USD for one token A at the block; null when it had no price, or nothing was moved.'],
    ['usd_price_b', 'numeric', 'USD for one token B at the block; null when it had no price, or nothing was moved.']],
  key => 'pool_id', indexes => array[
    ['merged', '(to_position_id) where merged'],
    ['owner', '(owner, block_time, global_seq)'],
    ['position', '(position_id, block_time, global_seq)']]);

select meta.register_dataset('ledger.protocol_fees', 'Protocol fee of pools: changed (set) and paid out (withdrawn).', array[
    ['pool_id', 'int8 not null', 'Pool id on the AMM contract.'],
    ['type', 'text not null', 'set or withdrawn.'],
    ['fee_protocol_old', 'int2', 'Divisor before the change.'],
    ['fee_protocol_new', 'int2', 'Divisor after the change.'],
    ['recipient', 'text', 'Account paid.'],
    ['amount_a', 'int8', 'Raw units of token A paid out.'],
    ['amount_b', 'int8', 'Raw units of token B paid out.'],
    ['decimals_a', 'int2', 'Precision of token A.'],
    ['decimals_b', 'int2', 'Precision of token B.']],
  key => 'pool_id');

select meta.register_dataset('ledger.incentive_events', 'Farms of the AMM: created, funded, staked, unstaked, paid.', array[
    ['incentive_id', 'int8 not null', 'Incentive id on the AMM contract.'],
    ['type', 'text not null', 'created, funded, staked, unstaked or paid.'],
    ['account', 'text', 'Creator or owner of the position.'],
    ['pool_id', 'int8', 'Pool of the farm, when it is created.'],
    ['position_id', 'int8', 'Position staked or unstaked.'],
    ['contract', 'text', 'Contract of the reward token.'],
    ['symbol', 'text', 'Symbol of the reward token.'],
    ['decimals', 'int2', 'Precision of the reward token.'],
    ['amount', 'int8', 'Raw units of the reward token funded or paid.'],
    ['duration', 'int8', 'Length of a funding period in seconds.'],
    ['staking_weight', 'numeric(20)', 'Staking weight; liquidity in the older layout.']],
  key => 'incentive_id', indexes => array[
    ['account', '(account, block_time, global_seq)']], token_ids => array[['token_id', 'symbol', 'contract']]);

select meta.register_dataset('state.pools', 'AMM pools as the contract''s table has them.', array[
    ['pool_id', 'int8 not null', 'Pool id on the AMM contract.'],
    ['active', 'boolean not null', 'Whether swaps and deposits are allowed.'],
    ['contract_a', 'text not null', 'Contract of token A.'],
    ['symbol_a', 'text not null', 'Symbol of token A.'],
    ['decimals_a', 'int2 not null', 'Precision of token A.'],
    ['reserve_a', 'int8 not null', 'Raw units of token A that the pool holds, fees included.'],
    ['contract_b', 'text not null', 'Contract of token B.'],
    ['symbol_b', 'text not null', 'Symbol of token B.'],
    ['decimals_b', 'int2 not null', 'Precision of token B.'],
    ['reserve_b', 'int8 not null', 'Raw units of token B that the pool holds, fees included.'],
    ['fee', 'int4 not null', 'Swap fee in millionths.'],
    ['fee_protocol', 'int2 not null', 'Divisor of the fee that goes to the protocol; 0 for none.'],
    ['tick_spacing', 'int4 not null', 'Tick spacing.'],
    ['max_liquidity_per_tick', 'numeric(20) not null', 'Most liquidity that one tick can hold.'],
    ['sqrt_price_x64', 'numeric(39) not null', 'Square root of raw B per raw A, Q64.64.'],
    ['tick', 'int4 not null', 'Current tick.'],
    ['last_observation', 'timestamptz not null', 'Time of the last price observation.'],
    ['observation_num', 'int8 not null', 'Number of price observations.'],
    ['max_observation_num', 'int8 not null', 'Maximum number of price observations that the pool stores.'],
    ['fee_growth_global_a_x64', 'numeric(39) not null', 'Fees in A per unit of liquidity since creation, Q64.64, modulo 2^128.'],
    ['fee_growth_global_b_x64', 'numeric(39) not null', 'Fees in B per unit of liquidity since creation, Q64.64, modulo 2^128.'],
    ['protocol_fee_a', 'int8 not null', 'Protocol fees in A not yet withdrawn, raw units.'],
    ['protocol_fee_b', 'int8 not null', 'Protocol fees in B not yet withdrawn, raw units.'],
    ['liquidity', 'numeric(20) not null', 'Liquidity in range.']],
  key => 'pool_id', token_ids => array[['token_a', 'symbol_a', 'contract_a'], ['token_b', 'symbol_b', 'contract_b']],
  replicated => array['chain', 'pool_id', 'contract_a', 'symbol_a', 'decimals_a', 'contract_b', 'symbol_b', 'decimals_b', 'fee', 'tick_spacing', 'max_liquidity_per_tick']);

select meta.register_dataset('state.ticks', 'Initialised ticks of AMM pools.', array[
    ['pool_id', 'int8 not null', 'Pool id on the AMM contract.'],
    ['tick', 'int4 not null', 'Tick.'],
    ['liquidity_gross', 'numeric(20) not null', 'Liquidity of all positions that end at the tick.'],
    ['liquidity_net', 'int8 not null', 'Change of liquidity when the price rises over the tick.'],
    ['fee_growth_outside_a_x64', 'numeric(39) not null', 'Fee growth in A on the other side of the tick, Q64.64, modulo 2^128.'],
    ['fee_growth_outside_b_x64', 'numeric(39) not null', 'Fee growth in B on the other side of the tick, Q64.64, modulo 2^128.'],
    ['tick_cumulative_outside', 'int8 not null', 'Sum of tick times seconds on the other side.'],
    ['seconds_per_liquidity_outside_x64', 'numeric(39) not null', 'Seconds per unit of liquidity on the other side, Q64.64.'],
    ['seconds_outside', 'int8 not null', 'Seconds on the other side.'],
    ['initialized', 'boolean not null', 'The contract''s own flag.']],
  key => 'pool_id, tick');

select meta.register_dataset('state.positions', 'AMM positions as the contract''s table has them; one without liquidity stays until it is collected.', array[
    ['pool_id', 'int8 not null', 'Pool id on the AMM contract.'],
    ['position_id', 'int8 not null', 'Position id on the AMM contract.'],
    ['owner', 'text not null', 'Owner.'],
    ['tick_lower', 'int4 not null', 'Lower tick of the range.'],
    ['tick_upper', 'int4 not null', 'Upper tick of the range.'],
    ['liquidity', 'numeric(20) not null', 'Liquidity.'],
    ['fee_growth_inside_a_last_x64', 'numeric(39) not null', 'Fee growth in A inside the range at the last update, Q64.64.'],
    ['fee_growth_inside_b_last_x64', 'numeric(39) not null', 'Fee growth in B inside the range at the last update, Q64.64.'],
    ['fees_a', 'numeric(20) not null', 'Fees in A owed at the last update, raw units.'],
    ['fees_b', 'numeric(20) not null', 'Fees in B owed at the last update, raw units.']],
  key => 'pool_id, position_id', indexes => array[
    ['owner', '(owner)'],
    ['liquidity', '(pool_id, liquidity, position_id) where liquidity > 0']]);

select meta.register_dataset('state.locks', 'Locked AMM positions; an expired lock stays until the position is closed.', array[
    ['position_id', 'int8 not null', 'Position id on the AMM contract.'],
    ['unlock_time', 'timestamptz not null', 'Until when it cannot be withdrawn.']],
  key => 'position_id');

select meta.register_dataset('state.amm_balances', 'Tokens that accounts have deposited in the AMM and not yet used.', array[
    ['owner', 'text not null', 'Account.'],
    ['row_id', 'numeric(20) not null', 'Key of the contract''s row.'],
    ['contract', 'text not null', 'Token contract.'],
    ['symbol', 'text not null', 'Token symbol.'],
    ['decimals', 'int2 not null', 'Precision of the token.'],
    ['amount', 'int8 not null', 'Raw units.']],
  key => 'owner, row_id', token_ids => array[['token_id', 'symbol', 'contract']]);

select meta.register_dataset('state.amm_settings', 'The AMM''s own settings: switched on, counters, activation fee.', array[
    ['row_id', 'numeric(20) not null', 'Key of the contract''s row.'],
    ['active', 'boolean not null', 'Whether the AMM is switched on.'],
    ['next_pool_id', 'int8 not null', 'Counter of pool ids.'],
    ['next_position_id', 'int8 not null', 'Counter of position ids.'],
    ['fee_contract', 'text not null', 'Contract of the token in which a pool''s activation is paid.'],
    ['fee_symbol', 'text not null', 'Symbol of that token.'],
    ['fee_decimals', 'int2 not null', 'Precision of that token.'],
    ['fee_amount', 'int8 not null', 'Activation fee in raw units.']],
  key => 'row_id', replicated => array['*']);

select meta.register_dataset('state.incentives', 'Farms of the AMM.', array[
    ['incentive_id', 'int8 not null', 'Incentive id on the AMM contract.'],
    ['creator', 'text not null', 'Account that created it; in the older layout the one that gets the remainder.'],
    ['pool_id', 'int8 not null', 'Pool whose positions can be staked.'],
    ['contract', 'text not null', 'Contract of the reward token.'],
    ['symbol', 'text not null', 'Symbol of the reward token.'],
    ['decimals', 'int2 not null', 'Precision of the reward token.'],
    ['amount', 'int8 not null', 'Raw units of reward that the farm holds.'],
    ['period_finish', 'timestamptz not null', 'End of the funded period.'],
    ['duration', 'int8 not null', 'Length of a funding period in seconds.'],
    ['reward_rate_e18', 'numeric(39)', 'Raw units of reward a second, times 10^18; null in the older layout, like the next three.'],
    ['reward_per_token_stored', 'numeric(39)', 'Reward per unit of staking weight at the last update.'],
    ['total_staking_weight', 'numeric(20)', 'Sum of the staking weights.'],
    ['updated', 'timestamptz', 'Time of the last update.'],
    ['stakes', 'int8 not null', 'Number of stakes.']],
  key => 'incentive_id', token_ids => array[['token_id', 'symbol', 'contract']]);

select meta.register_dataset('state.stakes', 'Positions staked in farms.', array[
    ['incentive_id', 'int8 not null', 'Incentive id on the AMM contract.'],
    ['position_id', 'int8 not null', 'Position staked.'],
    ['staking_weight', 'numeric(20) not null', 'Weight of the stake; liquidity in the older layout.'],
    ['rewards', 'numeric(20) not null', 'Raw units of reward owed at the last update.'],
    ['reward_per_token_paid', 'numeric(39)', 'Reward per unit of weight up to which it has been credited; null in the older layout.']],
  key => 'incentive_id, position_id');

select meta.register_dataset('state.bans', 'Accounts banned by the exchange''s contracts: one row for each row of theirs.', array[
    ['source', 'text not null', 'swap, dex or otc: whose list.'],
    ['row_id', 'numeric(20) not null', 'Key of the contract''s row.'],
    ['accounts', 'text[] not null', 'Banned accounts that the row names.']],
  key => 'source, row_id', replicated => array['*']);

select meta.register_dataset('state.referral_markets', 'Referral markets of the AMM.', array[
    ['name', 'text not null', 'Name in the memo.'],
    ['fee', 'int8 not null', 'Fee in millionths of the input.']],
  key => 'name', replicated => array['*']);

select meta.register_dataset('state.frozen_pools', 'Frozen AMM pools.', array[
    ['pool_id', 'int8 not null', 'Pool id on the AMM contract.'],
    ['unlock_a', 'boolean not null', 'Whether liquidity in token A may be taken out.'],
    ['unlock_b', 'boolean not null', 'Whether liquidity in token B may be taken out.']],
  key => 'pool_id', replicated => array['*']);
