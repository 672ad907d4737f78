-- The ledger: one row for each fact, as logged. The writer may only insert. Every table has chain, block_num and
-- block_time; all but those of blocks and rows also have global_seq and trx_id.

-- Creates a table with the columns that every action's row has, and their comments. Primary keys end with the chain,
-- which is constant in a partition: a text as the first column would make every comparison slower.
--
-- clustered: the primary key starts with the entity (pool, market), which candles need while blocks are indexed.
-- Otherwise it ascends along the chain, which is cheaper to fill, and the entity gets an index after the backfill.
create function meta.create_ledger_table(name text, entity_columns text, columns text, entity text, clustered boolean) returns void
language plpgsql as $$
begin
  execute format(
    'create table ledger.%1$I (chain text not null, %2$s, block_time timestamptz not null, global_seq int8 not null,'
    || ' block_num int8 not null, trx_id bytea not null, %3$s, primary key (%4$s)) partition by list (chain)',
    name, entity_columns, columns,
    case when clustered then entity || ', block_time, global_seq, chain' else 'global_seq, ' || entity || ', chain' end);
  if not clustered then
    insert into meta.secondary_indexes (relation, name, definition)
      values ('ledger.' || name, 'entity', format('(%s, block_time, global_seq)', entity));
  end if;
  execute format('create index %1$s_block on ledger.%1$I using brin (block_num) with (pages_per_range = 32, autosummarize = on)', name);
  execute format('comment on column ledger.%I.chain is ''Chain name.''', name);
  execute format('comment on column ledger.%I.block_time is ''Time of the block, UTC.''', name);
  execute format('comment on column ledger.%I.global_seq is ''Global sequence of the action: its place in the order of the chain.''', name);
  execute format('comment on column ledger.%I.block_num is ''Number of the block.''', name);
  execute format('comment on column ledger.%I.trx_id is ''Id of the transaction.''', name);
end $$;

create table ledger.blocks (
  chain text not null,
  block_num int8 not null,
  block_id bytea not null,
  prev_id bytea not null,
  block_time timestamptz not null,
  producer text not null,
  primary key (block_num, chain)
) partition by list (chain);
create index blocks_time on ledger.blocks using brin (block_time) with (pages_per_range = 32, autosummarize = on);
comment on table ledger.blocks is 'Block headers of the followed branch.';
comment on column ledger.blocks.chain is 'Chain name.';
comment on column ledger.blocks.block_num is 'Number of the block.';
comment on column ledger.blocks.block_id is 'Id of the block.';
comment on column ledger.blocks.prev_id is 'Id of its parent.';
comment on column ledger.blocks.block_time is 'Time of the block, UTC.';
comment on column ledger.blocks.producer is 'Account that produced the block.';

create table ledger.orphaned_blocks (
  chain text not null,
  block_num int8 not null,
  block_id bytea not null,
  prev_id bytea not null,
  block_time timestamptz not null,
  producer text not null,
  replaced_at timestamptz not null default clock_timestamp(),
  primary key (block_num, block_id, chain)
) partition by list (chain);
comment on table ledger.orphaned_blocks is 'Headers of indexed blocks that a fork replaced.';
comment on column ledger.orphaned_blocks.chain is 'Chain name.';
comment on column ledger.orphaned_blocks.block_num is 'Number of the block.';
comment on column ledger.orphaned_blocks.block_id is 'Id of the block.';
comment on column ledger.orphaned_blocks.prev_id is 'Id of its parent.';
comment on column ledger.orphaned_blocks.block_time is 'Time of the block, UTC.';
comment on column ledger.orphaned_blocks.producer is 'Account that produced the block.';
comment on column ledger.orphaned_blocks.replaced_at is 'When the rewind took place, by the clock of the database.';

create table ledger.abis (
  chain text not null,
  account text not null,
  block_num int8 not null,
  global_seq int8 not null,
  abi bytea not null,
  primary key (account, block_num, global_seq, chain)
) partition by list (chain);
create index abis_block on ledger.abis using brin (block_num) with (pages_per_range = 32, autosummarize = on);
comment on table ledger.abis is 'Every ABI of the watched contracts, from the action that set it.';
comment on column ledger.abis.chain is 'Chain name.';
comment on column ledger.abis.account is 'Contract account.';
comment on column ledger.abis.block_num is 'Block from which the ABI is valid.';
comment on column ledger.abis.global_seq is 'Global sequence of the setabi action; 0 when only the account row is known.';
comment on column ledger.abis.abi is 'Packed ABI; empty when the contract removed it.';

create table ledger.undecoded_actions (
  chain text not null,
  account text not null,
  global_seq int8 not null,
  block_num int8 not null,
  block_time timestamptz not null,
  trx_id bytea not null,
  name text not null,
  data bytea not null,
  reason_code text not null,
  reason text not null,
  primary key (global_seq, account, chain)
) partition by list (chain);
create index undecoded_actions_block on ledger.undecoded_actions using brin (block_num) with (pages_per_range = 32, autosummarize = on);
comment on table ledger.undecoded_actions is 'Actions of watched contracts that could not be decoded, as bytes.';
comment on column ledger.undecoded_actions.chain is 'Chain name.';
comment on column ledger.undecoded_actions.account is 'Contract account.';
comment on column ledger.undecoded_actions.global_seq is 'Global sequence of the action.';
comment on column ledger.undecoded_actions.block_num is 'Number of the block.';
comment on column ledger.undecoded_actions.block_time is 'Time of the block, UTC.';
comment on column ledger.undecoded_actions.trx_id is 'Id of the transaction.';
comment on column ledger.undecoded_actions.name is 'Action name.';
comment on column ledger.undecoded_actions.data is 'Packed data of the action.';
comment on column ledger.undecoded_actions.reason_code is 'Stable code of the reason.';
comment on column ledger.undecoded_actions.reason is 'Why it could not be decoded.';

create table ledger.undecoded_rows (
  chain text not null,
  code text not null,
  block_num int8 not null,
  row_index int4 not null,
  block_time timestamptz not null,
  scope text not null,
  table_name text not null,
  primary_key numeric(20) not null,
  present boolean not null,
  data bytea not null,
  reason_code text not null,
  reason text not null,
  primary key (block_num, row_index, chain)
) partition by list (chain);
create index undecoded_rows_block on ledger.undecoded_rows using brin (block_num) with (pages_per_range = 32, autosummarize = on);
comment on table ledger.undecoded_rows is 'Table rows of watched contracts that could not be decoded, as bytes.';
comment on column ledger.undecoded_rows.chain is 'Chain name.';
comment on column ledger.undecoded_rows.code is 'Contract account.';
comment on column ledger.undecoded_rows.block_num is 'Number of the block.';
comment on column ledger.undecoded_rows.row_index is 'Place among the undecoded rows of the block.';
comment on column ledger.undecoded_rows.block_time is 'Time of the block, UTC.';
comment on column ledger.undecoded_rows.scope is 'Scope of the table.';
comment on column ledger.undecoded_rows.table_name is 'Table of the contract.';
comment on column ledger.undecoded_rows.primary_key is 'Primary key of the row.';
comment on column ledger.undecoded_rows.present is 'False when the block erased the row.';
comment on column ledger.undecoded_rows.data is 'Packed row.';
comment on column ledger.undecoded_rows.reason_code is 'Stable code of the reason.';
comment on column ledger.undecoded_rows.reason is 'Why it could not be decoded.';

select meta.create_ledger_table('transfers', 'contract text not null, symbol text not null',
  'decimals int2 not null, from_account text not null, to_account text not null, amount int8 not null, memo text not null',
  'contract, symbol', false);
comment on table ledger.transfers is 'Transfers of watched tokens: one row for each transfer action.';
comment on column ledger.transfers.contract is 'Token contract.';
comment on column ledger.transfers.symbol is 'Token symbol.';
comment on column ledger.transfers.decimals is 'Precision of the token.';
comment on column ledger.transfers.from_account is 'Account that sent.';
comment on column ledger.transfers.to_account is 'Account that received.';
comment on column ledger.transfers.amount is 'Raw units.';
comment on column ledger.transfers.memo is 'Memo of the transfer; a NUL byte, which PostgreSQL cannot hold, stands as U+FFFD.';

select meta.create_ledger_table('pool_creations', 'pool_id int8 not null',
  'contract_a text not null, symbol_a text not null, decimals_a int2 not null, contract_b text not null,'
  || ' symbol_b text not null, decimals_b int2 not null, fee int4 not null, fee_protocol int2 not null,'
  || ' tick_spacing int4 not null, sqrt_price_x64 numeric(39) not null, tick int4 not null', 'pool_id', false);
comment on table ledger.pool_creations is 'AMM pools created (logpool).';
comment on column ledger.pool_creations.pool_id is 'Pool id on the AMM contract.';
comment on column ledger.pool_creations.contract_a is 'Contract of token A.';
comment on column ledger.pool_creations.symbol_a is 'Symbol of token A.';
comment on column ledger.pool_creations.decimals_a is 'Precision of token A.';
comment on column ledger.pool_creations.contract_b is 'Contract of token B.';
comment on column ledger.pool_creations.symbol_b is 'Symbol of token B.';
comment on column ledger.pool_creations.decimals_b is 'Precision of token B.';
comment on column ledger.pool_creations.fee is 'Swap fee in millionths.';
comment on column ledger.pool_creations.fee_protocol is 'Divisor of the fee that goes to the protocol; 0 for none.';
comment on column ledger.pool_creations.tick_spacing is 'Tick spacing.';
comment on column ledger.pool_creations.sqrt_price_x64 is 'Square root of raw B per raw A, Q64.64, at creation.';
comment on column ledger.pool_creations.tick is 'Tick at creation.';

select meta.create_ledger_table('swaps', 'pool_id int8 not null',
  'sender text not null, recipient text not null, amount_a int8 not null, amount_b int8 not null, decimals_a int2 not null,'
  || ' decimals_b int2 not null, sqrt_price_x64 numeric(39) not null, liquidity numeric(20) not null, tick int4 not null,'
  || ' reserve_a int8 not null, reserve_b int8 not null, usd numeric', 'pool_id', true);
comment on table ledger.swaps is 'AMM swaps: one row for each logswap, so a swap over several pools has one for each.';
comment on column ledger.swaps.pool_id is 'Pool id on the AMM contract.';
comment on column ledger.swaps.sender is 'Account that paid, for every pool of a path.';
comment on column ledger.swaps.recipient is 'Account that received; the AMM itself between the pools of a path.';
comment on column ledger.swaps.amount_a is 'Raw units of token A from the pool''s side: positive entered, negative left it.';
comment on column ledger.swaps.amount_b is 'Raw units of token B from the pool''s side: positive entered, negative left it.';
comment on column ledger.swaps.decimals_a is 'Precision of token A.';
comment on column ledger.swaps.decimals_b is 'Precision of token B.';
comment on column ledger.swaps.sqrt_price_x64 is 'Square root of raw B per raw A after the swap, Q64.64.';
comment on column ledger.swaps.liquidity is 'Liquidity in range after the swap.';
comment on column ledger.swaps.tick is 'Tick after the swap.';
comment on column ledger.swaps.reserve_a is 'Reserve of A as logged: in an exact-output swap it still holds what is then paid back.';
comment on column ledger.swaps.reserve_b is 'Reserve of B as logged: in an exact-output swap it still holds what is then paid back.';
comment on column ledger.swaps.usd is 'Value in USD at the block; null when it is not known: neither token is trusted and priced, or the system token has no USD price.';

select meta.create_ledger_table('position_events', 'pool_id int8 not null',
  'type text not null, position_id int8 not null, owner text not null, recipient text, tick_lower int4, tick_upper int4,'
  || ' liquidity numeric(20), amount_a int8, amount_b int8, decimals_a int2, decimals_b int2, reserve_a int8, reserve_b int8,'
  || ' sqrt_price_x64 numeric(39), tick int4, to_position_id int8, to_liquidity numeric(20), merged boolean,'
  || ' unlock_time timestamptz, usd numeric, usd_price_a numeric, usd_price_b numeric', 'pool_id', false);
comment on table ledger.position_events is 'What happened to AMM positions: mint, burn, collect, transfer, lock.';
comment on column ledger.position_events.pool_id is 'Pool id on the AMM contract.';
comment on column ledger.position_events.type is 'mint, burn, collect, transfer or lock.';
comment on column ledger.position_events.position_id is 'Position id on the AMM contract.';
comment on column ledger.position_events.owner is 'Owner of the position; who gives it in a transfer.';
comment on column ledger.position_events.recipient is 'Who gets the fees (collect) or the position (transfer).';
comment on column ledger.position_events.tick_lower is 'Lower tick of the range.';
comment on column ledger.position_events.tick_upper is 'Upper tick of the range.';
comment on column ledger.position_events.liquidity is 'Liquidity added, removed or moved; the position''s own in a collect.';
comment on column ledger.position_events.amount_a is 'Raw units of token A added, removed or collected.';
comment on column ledger.position_events.amount_b is 'Raw units of token B added, removed or collected.';
comment on column ledger.position_events.decimals_a is 'Precision of token A.';
comment on column ledger.position_events.decimals_b is 'Precision of token B.';
comment on column ledger.position_events.reserve_a is 'Reserve of A after the event, as logged.';
comment on column ledger.position_events.reserve_b is 'Reserve of B after the event, as logged.';
comment on column ledger.position_events.sqrt_price_x64 is 'Square-root price, Q64.64; null in the older layout.';
comment on column ledger.position_events.tick is 'Tick of the pool; null in the older layout.';
comment on column ledger.position_events.to_position_id is 'Position that received the liquidity of a transfer.';
comment on column ledger.position_events.to_liquidity is 'Liquidity of the receiving position after a transfer.';
comment on column ledger.position_events.merged is 'Whether a transfer merged into a position that was there before.';
comment on column ledger.position_events.unlock_time is 'Until when a lock holds.';
comment on column ledger.position_events.usd is 'Value in USD at the block of what was added, removed or collected; null when it is not known: one of the tokens moved has no price. Null for other types.';
comment on column ledger.position_events.usd_price_a is 'USD for one token A at the block; null when it had no price, or nothing was moved.';
comment on column ledger.position_events.usd_price_b is 'USD for one token B at the block; null when it had no price, or nothing was moved.';

select meta.create_ledger_table('protocol_fees', 'pool_id int8 not null',
  'type text not null, fee_protocol_old int2, fee_protocol_new int2, recipient text, amount_a int8, amount_b int8,'
  || ' decimals_a int2, decimals_b int2', 'pool_id', false);
comment on table ledger.protocol_fees is 'Protocol fee of pools: changed (set) and paid out (withdrawn).';
comment on column ledger.protocol_fees.pool_id is 'Pool id on the AMM contract.';
comment on column ledger.protocol_fees.type is 'set or withdrawn.';
comment on column ledger.protocol_fees.fee_protocol_old is 'Divisor before the change.';
comment on column ledger.protocol_fees.fee_protocol_new is 'Divisor after the change.';
comment on column ledger.protocol_fees.recipient is 'Account paid.';
comment on column ledger.protocol_fees.amount_a is 'Raw units of token A paid out.';
comment on column ledger.protocol_fees.amount_b is 'Raw units of token B paid out.';
comment on column ledger.protocol_fees.decimals_a is 'Precision of token A.';
comment on column ledger.protocol_fees.decimals_b is 'Precision of token B.';

select meta.create_ledger_table('incentive_events', 'incentive_id int8 not null',
  'type text not null, account text, pool_id int8, position_id int8, contract text, symbol text, decimals int2, amount int8,'
  || ' duration int8, staking_weight numeric(20)', 'incentive_id', false);
comment on table ledger.incentive_events is 'Farms of the AMM: created, funded, staked, unstaked, paid.';
comment on column ledger.incentive_events.incentive_id is 'Incentive id on the AMM contract.';
comment on column ledger.incentive_events.type is 'created, funded, staked, unstaked or paid.';
comment on column ledger.incentive_events.account is 'Creator or owner of the position.';
comment on column ledger.incentive_events.pool_id is 'Pool of the farm, when it is created.';
comment on column ledger.incentive_events.position_id is 'Position staked or unstaked.';
comment on column ledger.incentive_events.contract is 'Contract of the reward token.';
comment on column ledger.incentive_events.symbol is 'Symbol of the reward token.';
comment on column ledger.incentive_events.decimals is 'Precision of the reward token.';
comment on column ledger.incentive_events.amount is 'Raw units of the reward token funded or paid.';
comment on column ledger.incentive_events.duration is 'Length of a funding period in seconds.';
comment on column ledger.incentive_events.staking_weight is 'Staking weight; liquidity in the older layout.';

select meta.create_ledger_table('deals', 'market_id int8 not null',
  'type text not null, bidder text not null, asker text not null, amount_base int8 not null, amount_target int8 not null,'
  || ' decimals_base int2 not null, decimals_target int2 not null, unit_price numeric(39) not null, fee_amount int8,'
  || ' fee_symbol text, fee_decimals int2, usd numeric', 'market_id', true);
comment on table ledger.deals is 'Order-book trades: one row for each resting order that a taker met.';
comment on column ledger.deals.market_id is 'Market id on the DEX contract.';
comment on column ledger.deals.type is 'buymatch: a buy order took; sellmatch: a sell order took.';
comment on column ledger.deals.bidder is 'Account of the taking order.';
comment on column ledger.deals.asker is 'Account of the resting order.';
comment on column ledger.deals.amount_base is 'Raw units of the base token (the contract''s quote token).';
comment on column ledger.deals.amount_target is 'Raw units of the target token (the contract''s base token).';
comment on column ledger.deals.decimals_base is 'Precision of the base token.';
comment on column ledger.deals.decimals_target is 'Precision of the target token.';
comment on column ledger.deals.unit_price is 'Target per base times 10^8, as logged.';
comment on column ledger.deals.fee_amount is 'Raw units of the fee, where the ABI logs it.';
comment on column ledger.deals.fee_symbol is 'Symbol of the fee.';
comment on column ledger.deals.fee_decimals is 'Precision of the fee.';
comment on column ledger.deals.usd is 'Value in USD at the block; null when it is not known: neither token is trusted and priced, or the system token has no USD price.';

select meta.create_ledger_table('order_events', 'market_id int8 not null',
  'type text not null, side text not null, order_id numeric(20) not null, account text not null, bid_amount int8, bid_symbol text,'
  || ' bid_decimals int2, ask_amount int8, ask_symbol text, ask_decimals int2, unit_price numeric(39), order_time timestamptz',
  'market_id', false);
comment on table ledger.order_events is 'Orders placed on the book and cancelled.';
comment on column ledger.order_events.market_id is 'Market id on the DEX contract.';
comment on column ledger.order_events.type is 'placed or cancelled.';
comment on column ledger.order_events.side is 'buy or sell.';
comment on column ledger.order_events.order_id is 'Order id on the DEX contract.';
comment on column ledger.order_events.account is 'Owner of the order; who cancelled it.';
comment on column ledger.order_events.bid_amount is 'Raw units offered.';
comment on column ledger.order_events.bid_symbol is 'Symbol offered.';
comment on column ledger.order_events.bid_decimals is 'Precision of the token offered.';
comment on column ledger.order_events.ask_amount is 'Raw units wanted.';
comment on column ledger.order_events.ask_symbol is 'Symbol wanted.';
comment on column ledger.order_events.ask_decimals is 'Precision of the token wanted.';
comment on column ledger.order_events.unit_price is 'Target per base times 10^8.';
comment on column ledger.order_events.order_time is 'Time of the order by the contract.';

-- A market's rate is a current row of the contract and may change or be removed. The fee of a past trade depends on the
-- rate at its time, and its tokens must be known after the market is closed.
create table ledger.market_fees (
  chain text not null,
  market_id int8 not null,
  block_num int8 not null,
  block_time timestamptz not null,
  fee int4 not null,
  base_contract text not null,
  base_symbol text not null,
  base_decimals int2 not null,
  target_contract text not null,
  target_symbol text not null,
  target_decimals int2 not null,
  primary key (market_id, block_num, chain)
) partition by list (chain);
create index market_fees_block on ledger.market_fees using brin (block_num) with (pages_per_range = 32, autosummarize = on);
comment on table ledger.market_fees is 'Fees and tokens of order-book markets as their table got them: when a market was opened, and whenever its row changed. They hold from that block on, also when the market is closed.';
comment on column ledger.market_fees.chain is 'Chain name.';
comment on column ledger.market_fees.market_id is 'Market id on the DEX contract.';
comment on column ledger.market_fees.block_num is 'Number of the block.';
comment on column ledger.market_fees.block_time is 'Time of the block, UTC.';
comment on column ledger.market_fees.fee is 'Fee in hundredths of a percent.';
comment on column ledger.market_fees.base_contract is 'Contract of the base token: the one that the contract calls quote.';
comment on column ledger.market_fees.base_symbol is 'Symbol of the base token.';
comment on column ledger.market_fees.base_decimals is 'Precision of the base token.';
comment on column ledger.market_fees.target_contract is 'Contract of the target token.';
comment on column ledger.market_fees.target_symbol is 'Symbol of the target token.';
comment on column ledger.market_fees.target_decimals is 'Precision of the target token.';

create table ledger.oracle_points (
  chain text not null,
  pair text not null,
  block_num int8 not null,
  point_id numeric(20) not null,
  block_time timestamptz not null,
  contract text not null,
  owner text not null,
  value numeric(20) not null,
  median numeric(20) not null,
  point_time timestamptz not null,
  primary key (block_num, pair, point_id, chain)
) partition by list (chain);
create index oracle_points_block on ledger.oracle_points using brin (block_num) with (pages_per_range = 32, autosummarize = on);
comment on table ledger.oracle_points is 'Data points of the on-chain price oracle, as its table got them.';
comment on column ledger.oracle_points.chain is 'Chain name.';
comment on column ledger.oracle_points.pair is 'Pair: the scope of the oracle''s table.';
comment on column ledger.oracle_points.block_num is 'Number of the block.';
comment on column ledger.oracle_points.point_id is 'Key of the row in the oracle''s table; the oracle uses keys again.';
comment on column ledger.oracle_points.block_time is 'Time of the block, UTC.';
comment on column ledger.oracle_points.contract is 'Oracle contract.';
comment on column ledger.oracle_points.owner is 'Account that wrote the point.';
comment on column ledger.oracle_points.value is 'Value as written.';
comment on column ledger.oracle_points.median is 'Median as the oracle computed it.';
comment on column ledger.oracle_points.point_time is 'Time by the oracle.';

insert into meta.secondary_indexes (relation, name, definition) values
  ('ledger.transfers', 'from_account', '(from_account, block_time, global_seq)'),
  ('ledger.transfers', 'to_account', '(to_account, block_time, global_seq)'),
  ('ledger.swaps', 'sender', '(sender, block_time, global_seq)'),
  ('ledger.swaps', 'recipient', '(recipient, block_time, global_seq)'),
  ('ledger.position_events', 'owner', '(owner, block_time, global_seq)'),
  ('ledger.position_events', 'position', '(position_id, block_time, global_seq)'),
  ('ledger.position_events', 'merged', '(to_position_id) where merged'),
  ('ledger.deals', 'bidder', '(bidder, block_time, global_seq)'),
  ('ledger.deals', 'asker', '(asker, block_time, global_seq)'),
  ('ledger.order_events', 'account', '(account, block_time, global_seq)');
