-- The order books: log actions, fees of the markets, then current markets and orders.

select meta.register_dataset('ledger.deals', 'Order-book trades: one row for each resting order that a taker met.', array[
    ['market_id', 'int8 not null', 'Market id on the DEX contract.'],
    ['type', 'text not null', 'buymatch: a buy order took; sellmatch: a sell order took.'],
    ['bidder', 'text not null', 'Account of the taking order.'],
    ['asker', 'text not null', 'Account of the resting order.'],
    ['amount_base', 'int8 not null', 'Raw units of the base token (the contract''s quote token).'],
    ['amount_target', 'int8 not null', 'Raw units of the target token (the contract''s base token).'],
    ['decimals_base', 'int2 not null', 'Precision of the base token.'],
    ['decimals_target', 'int2 not null', 'Precision of the target token.'],
    ['unit_price', 'numeric(39) not null', 'Target per base times 10^8, as logged.'],
    ['fee_amount', 'int8', 'Raw units of the fee, where the ABI logs it.'],
    ['fee_symbol', 'text', 'Symbol of the fee.'],
    ['fee_decimals', 'int2', 'Precision of the fee.'],
    ['order_id', 'numeric(20)', 'Id of the resting order on the DEX contract; null when the block changed several orders of the asker at this price, or has an order that could not be decoded.'],
    ['usd', 'numeric', 'Value in USD at the block; null when it is not known: neither token is trusted and priced, or the system token has no USD price.']],
  key => 'market_id', kind => 'clustered action', indexes => array[
    ['asker', '(asker, block_time, global_seq)'],
    ['bidder', '(bidder, block_time, global_seq)'],
    ['large_100', '(block_time, global_seq) where usd >= 100'],
    ['large_1000', '(block_time, global_seq) where usd >= 1000'],
    ['large_10000', '(block_time, global_seq) where usd >= 10000']]);

select meta.register_dataset('ledger.order_events', 'Orders placed on the book and cancelled.', array[
    ['market_id', 'int8 not null', 'Market id on the DEX contract.'],
    ['type', 'text not null', 'placed or cancelled.'],
    ['side', 'text not null', 'buy or sell.'],
    ['order_id', 'numeric(20) not null', 'Order id on the DEX contract.'],
    ['account', 'text not null', 'Owner of the order; of a cancellation the account that cancelled.'],
    ['bid_amount', 'int8', 'Raw units offered.'],
    ['bid_symbol', 'text', 'Symbol offered.'],
    ['bid_decimals', 'int2', 'Precision of the token offered.'],
    ['ask_amount', 'int8', 'Raw units wanted.'],
    ['ask_symbol', 'text', 'Symbol wanted.'],
    ['ask_decimals', 'int2', 'Precision of the token wanted.'],
    ['unit_price', 'numeric(39)', 'Target per base times 10^8.'],
    ['order_time', 'timestamptz', 'Time of the order by the contract.']],
  key => 'market_id', indexes => array[
    ['account', '(account, block_time, global_seq)']]);

-- A market's rate is a current row of the contract and may change or be removed. The fee of a past trade depends on the
-- rate at its time, and its tokens must be known after the market is closed.
select meta.register_dataset('ledger.market_fees', 'Fees and tokens of order-book markets as their table got them: when a market was opened, and whenever its row changed. They hold from that block on, also when the market is closed.', array[
    ['market_id', 'int8 not null', 'Market id on the DEX contract.'],
    ['block_num', 'int8 not null', 'Number of the block.'],
    ['block_time', 'timestamptz not null', 'Time of the block, UTC.'],
    ['fee', 'int4 not null', 'Fee in hundredths of a percent.'],
    ['base_contract', 'text not null', 'Contract of the base token: the one that the contract calls quote.'],
    ['base_symbol', 'text not null', 'Symbol of the base token.'],
    ['base_decimals', 'int2 not null', 'Precision of the base token.'],
    ['target_contract', 'text not null', 'Contract of the target token.'],
    ['target_symbol', 'text not null', 'Symbol of the target token.'],
    ['target_decimals', 'int2 not null', 'Precision of the target token.']],
  key => 'market_id, block_num', kind => 'block',
  at_once => array[['block', 'using brin (block_num) with (pages_per_range = 32, autosummarize = on)']],
  token_ids => array[['base', 'base_symbol', 'base_contract'], ['target', 'target_symbol', 'target_contract']]);

select meta.register_dataset('state.markets', 'Order-book markets. Base and target as in tickers: the contract calls the base its quote token.', array[
    ['market_id', 'int8 not null', 'Market id on the DEX contract.'],
    ['base_contract', 'text not null', 'Contract of the base token.'],
    ['base_symbol', 'text not null', 'Symbol of the base token.'],
    ['base_decimals', 'int2 not null', 'Precision of the base token.'],
    ['target_contract', 'text not null', 'Contract of the target token, in which prices are.'],
    ['target_symbol', 'text not null', 'Symbol of the target token.'],
    ['target_decimals', 'int2 not null', 'Precision of the target token.'],
    ['min_buy', 'int8 not null', 'Smallest buy order, raw units of the target token.'],
    ['min_buy_decimals', 'int2 not null', 'Precision of min_buy.'],
    ['min_sell', 'int8 not null', 'Smallest sell order, raw units of the base token.'],
    ['min_sell_decimals', 'int2 not null', 'Precision of min_sell.'],
    ['frozen', 'boolean not null', 'Whether trading is frozen.'],
    ['fee', 'int2 not null', 'Fee in hundredths of a percent.']],
  key => 'market_id', token_ids => array[['base', 'base_symbol', 'base_contract'], ['target', 'target_symbol', 'target_contract']],
  replicated => array['*']);

select meta.register_dataset('state.orders', 'Open orders of the order books.', array[
    ['market_id', 'int8 not null', 'Market id on the DEX contract.'],
    ['side', 'text not null', 'buy (offers the target token) or sell (offers the base token).'],
    ['order_id', 'numeric(20) not null', 'Order id on the DEX contract.'],
    ['account', 'text not null', 'Owner.'],
    ['bid_amount', 'int8 not null', 'Raw units offered.'],
    ['bid_symbol', 'text not null', 'Symbol offered.'],
    ['bid_decimals', 'int2 not null', 'Precision of the token offered.'],
    ['ask_amount', 'int8 not null', 'Raw units wanted.'],
    ['ask_symbol', 'text not null', 'Symbol wanted.'],
    ['ask_decimals', 'int2 not null', 'Precision of the token wanted.'],
    ['unit_price', 'numeric(39) not null', 'Target per base times 10^8.'],
    ['order_time', 'timestamptz not null', 'Time of the order.']],
  key => 'market_id, side, order_id', indexes => array[
    ['account', '(account)']]);
