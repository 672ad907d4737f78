-- Order books.

select meta.create_view('markets', 'Order-book markets. Base and target as in tickers.',
  $view$select m.chain, m.market_id, lower(m.base_symbol) || '-' || m.base_contract as base, m.base_contract, m.base_symbol, m.base_decimals,
    lower(m.target_symbol) || '-' || m.target_contract as target, m.target_contract, m.target_symbol, m.target_decimals, m.min_buy,
    meta.quantity(m.min_buy, m.min_buy_decimals) as quantity_min_buy, m.min_sell,
    meta.quantity(m.min_sell, m.min_sell_decimals) as quantity_min_sell, m.frozen, m.fee from @markets m$view$,
  array['base', 'Token id of the base.', 'target', 'Token id of the target.', 'quantity_min_buy', 'Smallest buy order in target tokens.',
    'quantity_min_sell', 'Smallest sell order in base tokens.']);

select meta.create_view('market_fees', 'Fees and tokens of order-book markets, also of closed ones: each row holds from its block on.',
  $view$select f.chain, f.block_num, f.block_time, f.market_id, f.fee, lower(f.base_symbol) || '-' || f.base_contract as base, f.base_contract,
    f.base_symbol, f.base_decimals, lower(f.target_symbol) || '-' || f.target_contract as target, f.target_contract, f.target_symbol,
    f.target_decimals from @market_fees f$view$,
  array['base', 'Token id of the base.', 'target', 'Token id of the target.']);

select meta.create_view('orders', 'Open orders of the order books.',
  $view$select o.chain, o.market_id, o.side, o.order_id, o.account, o.bid_amount as bid, meta.quantity(o.bid_amount, o.bid_decimals) as quantity_bid,
    o.bid_symbol, o.ask_amount as ask, meta.quantity(o.ask_amount, o.ask_decimals) as quantity_ask, o.ask_symbol, o.unit_price,
    meta.quantity(o.unit_price, 8) as price, o.order_time from @orders o$view$,
  array['bid', 'Raw units offered.', 'quantity_bid', 'Tokens offered.', 'ask', 'Raw units wanted.', 'quantity_ask', 'Tokens wanted.', 'price', 'Target per base, in tokens.']);

select meta.create_view('order_events', 'Orders placed on the book and cancelled.',
  $view$select o.chain, o.block_num, o.block_time, o.global_seq, encode(o.trx_id, 'hex') as trx_id, o.market_id, o.type, o.side, o.order_id,
    o.account, o.bid_amount as bid, meta.quantity(o.bid_amount, o.bid_decimals) as quantity_bid, o.bid_symbol, o.ask_amount as ask,
    meta.quantity(o.ask_amount, o.ask_decimals) as quantity_ask, o.ask_symbol, o.unit_price, meta.quantity(o.unit_price, 8) as price,
    o.order_time from @order_events o$view$,
  array['bid', 'Raw units offered.', 'quantity_bid', 'Tokens offered.', 'ask', 'Raw units wanted.', 'quantity_ask', 'Tokens wanted.', 'price', 'Target per base, in tokens.']);

select meta.create_view('deals', 'Order-book trades.',
  $view$select d.chain, d.block_num, d.block_time, d.global_seq, encode(d.trx_id, 'hex') as trx_id, d.market_id, d.type, d.bidder, d.asker,
    d.amount_base, d.amount_target, meta.quantity(d.amount_base, d.decimals_base) as quantity_base,
    meta.quantity(d.amount_target, d.decimals_target) as quantity_target, d.unit_price, meta.quantity(d.unit_price, 8) as price,
    d.fee_amount, d.fee_symbol, meta.quantity(d.fee_amount, d.fee_decimals) as quantity_fee, d.usd, d.order_id from @deals d$view$,
  array['quantity_base', 'Base tokens.', 'quantity_target', 'Target tokens.', 'price', 'Target per base, in tokens.', 'quantity_fee', 'Fee in tokens, where the ABI logs it.']);
