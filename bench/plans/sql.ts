// Statements that add to a synthetic exchange the rows other than trades: events of positions and orders, transfers,
// and legs of the bridge. As in ../exchange/sql.ts, everything is derived from hashes of numbers.

const FROM_BLOCKS = `
  cross join (select min(block_time) as start, max(block_num) - 1 as blocks from ledger.blocks where chain = $1) b
  cross join lateral (select i * b.blocks / $2::int8 as m) at`

/** $1: chain; $2: events; $3: positions. Each event is a transaction of its own. */
export const PUT_POSITION_EVENTS = `
  insert into ledger.position_events (chain, pool_id, block_time, global_seq, block_num, trx_id, type, position_id, owner,
    tick_lower, tick_upper, liquidity, amount_a, amount_b, decimals_a, decimals_b, usd)
  select $1, p.pool_id, b.start + m * interval '1 minute', 1000001 + i * 100, 2 + m, pg_temp.numbered(2000000000 + i, 64),
    (array['mint', 'collect', 'collect', 'burn'])[1 + i % 4], p.position_id, p.owner, p.tick_lower, p.tick_upper, 100, 100 + i % 1000,
    100 + i % 777, s.decimals_a, s.decimals_b, round((100 * pg_temp.u(i, 21))::numeric, 4)
  from generate_series(0, $2::int8 - 1) i ${FROM_BLOCKS}
  join state.positions p on p.chain = $1 and p.position_id = floor($3::int8 * pg_temp.u(i, 22) ^ 2)::int8
  join state.pools s on s.chain = $1 and s.pool_id = p.pool_id`

/** $1: chain; $2: transfers; $3: tokens. Two in each transaction of a swap. */
export const PUT_TRANSFERS = `
  insert into ledger.transfers (chain, contract, symbol, block_time, global_seq, block_num, trx_id, decimals, from_account,
    to_account, amount, memo)
  select $1, t.contract, t.symbol, b.start + m * interval '1 minute', 1000002 + i * 10, 2 + m, pg_temp.numbered(i / 2, 64), t.decimals,
    pg_temp.account(floor(20000 * pg_temp.u(i, 31) ^ 2)::int8), pg_temp.account(floor(20000 * pg_temp.u(i, 32) ^ 2)::int8),
    1 + i % 100000, 'memo ' || i % 100
  from generate_series(0, $2::int8 - 1) i ${FROM_BLOCKS}
  join made_tokens t on t.token = floor($3::int8 * pg_temp.u(i, 33) ^ 4)::int8`

/** $1: chain; $2: events; $3: markets. */
export const PUT_ORDER_EVENTS = `
  insert into ledger.order_events (chain, market_id, block_time, global_seq, block_num, trx_id, type, side, order_id, account,
    bid_amount, bid_symbol, bid_decimals, ask_amount, ask_symbol, ask_decimals, unit_price, order_time)
  select $1, market_id, b.start + m * interval '1 minute', 1000003 + i * 100, 2 + m, pg_temp.numbered(3000000000 + i, 64),
    case when i % 3 = 0 then 'cancelled' else 'placed' end, case when i % 2 = 0 then 'buy' else 'sell' end, i,
    pg_temp.account(hashint8(i) & 16383), 1000, base_symbol, base_decimals, 1000, target_symbol, target_decimals, 100000000,
    b.start + m * interval '1 minute'
  from generate_series(0, $2::int8 - 1) i ${FROM_BLOCKS}
  join state.markets s on s.chain = $1 and s.market_id = floor($3::int8 * pg_temp.u(i, 42) ^ 4)::int8`

/** $1: chain; $2: withdrawals. Nine of ten are settled. */
export const PUT_WITHDRAWALS = `
  with made as (
    select i, b.start + m * interval '1 minute' as at, 2 + m as num, pg_temp.numbered(4000000000 + i, 64) as trx
    from generate_series(0, $2::int8 - 1) i ${FROM_BLOCKS}
  ), settled as (
    insert into ledger.withdrawal_events (chain, id, block_time, global_seq, block_num, trx_id, type, released)
    select $1, i, at, 1000005 + i * 100, num, pg_temp.numbered(5000000000 + i, 64), 'settled', true from made where i % 10 <> 0
  )
  insert into ledger.withdrawals (chain, id, block_time, global_seq, block_num, trx_id, domain, vault, token, recipient, amount,
    deadline, fee, memo, sender, symbol, decimals)
  select $1, i, at, 1000004 + i * 100, num, trx, 56, '\\x11'::bytea, '\\x22'::bytea, pg_temp.numbered(i, 40), 1000, 2000000000, 1, '',
    pg_temp.account(i % 20000), 'USDT', 6 from made`

/** $1: chain; $2: deposits. */
export const PUT_DEPOSITS = `
  insert into ledger.deposit_events (chain, nonce, block_time, global_seq, block_num, trx_id, domain, type, account, amount, symbol,
    decimals)
  select $1, i, b.start + m * interval '1 minute', 1000006 + i * 100, 2 + m, pg_temp.numbered(6000000000 + i, 64), 56, 'credited',
    pg_temp.account(i % 20000), 1000, 'USDT', 6
  from generate_series(0, $2::int8 - 1) i ${FROM_BLOCKS}`

/** $1: chain. The same rate for every token of a pool. */
export const PUT_RATES = `
  insert into state.token_prices (chain, token_id, decimals, pool_id, rate_x192)
  select $1, token_id, min(decimals), case when token_id not like '%-eosio.token' then 1 end,
    6277101735386680763835789423207666416102355444464034512896
  from (
    select lower(symbol_a) || '-' || contract_a as token_id, decimals_a as decimals from state.pools where chain = $1
    union all select lower(symbol_b) || '-' || contract_b, decimals_b from state.pools where chain = $1
  ) t group by token_id`
