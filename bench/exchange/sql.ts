// Statements that create the tables of a large exchange as indexing would have: trades in order of time, one block a
// minute. Everything is derived from hashes of numbers, so that runs are repeatable.

/** Returns a number in [0, 1) that depends on an index and a salt. */
export const FUNCTIONS = `
  create function pg_temp.u(i int8, salt int8) returns float8 language sql immutable parallel safe as
    $$ select ((hashint8extended(i, salt) >> 11) & 9007199254740991)::float8 / 9007199254740992 $$;
  create function pg_temp.letters(n int8) returns text language sql immutable parallel safe as
    $$ select chr(65 + (n / 17576 % 26)::int4) || chr(65 + (n / 676 % 26)::int4) || chr(65 + (n / 26 % 26)::int4)
      || chr(65 + (n % 26)::int4) $$;
  create function pg_temp.account(n int8) returns text language sql immutable parallel safe as
    $$ select 'user' || translate(lpad(n::text, 6, '0'), '0123456789', 'abcdefghij') $$;
  create function pg_temp.numbered(i int8, width int4) returns bytea language sql immutable parallel safe as
    $$ select decode(lpad(to_hex(i), width, '0'), 'hex') $$`

/** $1: tokens. Token 0 is the chain's system token, token 1 the stablecoin; the first ones are in most pools. */
export const tokens = (system: { symbol: string; decimals: number }) => `
  create temporary table made_tokens as
  select n as token,
    case n when 0 then '${system.symbol}' when 1 then 'USDT' else pg_temp.letters(n) end as symbol,
    case n when 0 then 'eosio.token' when 1 then 'usdt.svc' else 'token' || chr(97 + (n % 26)::int4) || '.svc' end as contract,
    case n when 0 then ${system.decimals} when 1 then 6 else (array[0, 2, 4, 4, 6, 8, 8])[1 + n % 7] end::int2 as decimals,
    case n when 0 then 1.0 when 1 then 20.0 else exp(10 * pg_temp.u(n, 1) - 6) end::float8 as worth
  from generate_series(0, $1::int8 - 1) n`

/** $1: pools; $2: tokens. Three of four pools trade the system token. */
export const POOLS = `
  create temporary table made_pools as
  select *, floor(ln(root * root) / ln(1.0001::float8))::int4 as tick
  from (
    select p as pool, a.token as token_a, a.contract as contract_a, a.symbol as symbol_a, a.decimals as decimals_a,
      b.token as token_b, b.contract as contract_b, b.symbol as symbol_b, b.decimals as decimals_b,
      sqrt(a.worth / b.worth * 10.0 ^ (b.decimals - a.decimals)) as root, (array[500, 3000, 3000, 10000])[1 + p % 4] as fee,
      (array[10, 60, 60, 200])[1 + p % 4] as spacing,
      greatest(200, 2000000 / (p + 1) ^ 0.7) as depth
    from generate_series(0, $1::int8 - 1) p
    cross join lateral (select 2 + (p * 7919) % ($2 - 2) as x, (p % 8) as kind) k
    join made_tokens a on a.token = k.x
    join made_tokens b on b.token = case when kind < 6 then 0 when kind = 6 then 1 else 2 + (k.x * 31 + p) % 40 end
    where a.token <> b.token
  ) m`

export const PUT_POOLS = `
  insert into state.pools (chain, pool_id, active, contract_a, symbol_a, decimals_a, reserve_a, contract_b, symbol_b, decimals_b,
    reserve_b, fee, fee_protocol, tick_spacing, max_liquidity_per_tick, sqrt_price_x64, tick, last_observation, observation_num,
    max_observation_num, fee_growth_global_a_x64, fee_growth_global_b_x64, protocol_fee_a, protocol_fee_b, liquidity)
  select $1, pool, pool % 50 <> 49, contract_a, symbol_a, decimals_a, 1 + (depth / a.worth * 10.0 ^ decimals_a)::int8, contract_b,
    symbol_b, decimals_b, 1 + (depth / b.worth * 10.0 ^ decimals_b)::int8, fee, 6, spacing, 1844674407370955161, trunc((root * 2.0 ^ 64)::numeric),
    tick, now(), 1, 1, 12345678901234567890, 98765432109876543210, 17, 23,
    trunc(5 * liquidity)
  from made_pools p
  join made_tokens a on a.token = token_a join made_tokens b on b.token = token_b
  cross join lateral (select (1 + depth / a.worth * 10.0 ^ decimals_a * root)::numeric as liquidity) l`

/** Five ranges around the price of each pool, each held by two positions. */
export const PUT_POSITIONS = `
  insert into state.positions (chain, pool_id, position_id, owner, tick_lower, tick_upper, liquidity, fee_growth_inside_a_last_x64,
    fee_growth_inside_b_last_x64, fees_a, fees_b)
  select $1, pool, pool * 10 + k, pg_temp.account((pool * 31 + k * 7) % 20000), (m.tick / spacing - w) * spacing, (m.tick / spacing + w) * spacing,
    1 + trunc(s.liquidity / 10), 0, 0, 5, 7
  from made_pools m join state.pools s on s.chain = $1 and s.pool_id = pool
  cross join generate_series(0, 9) k cross join lateral (select (array[1, 4, 20, 90, 400])[1 + k % 5] as w) r`

export const PUT_TICKS = `
  insert into state.ticks (chain, pool_id, tick, liquidity_gross, liquidity_net, fee_growth_outside_a_x64, fee_growth_outside_b_x64,
    tick_cumulative_outside, seconds_per_liquidity_outside_x64, seconds_outside, initialized)
  select $1, pool_id, tick, sum(liquidity), sum(net), 1234567, 7654321, 0, 0, 0, true
  from (select pool_id, tick_lower as tick, liquidity, liquidity as net from state.positions where chain = $1
    union all select pool_id, tick_upper, liquidity, -liquidity from state.positions where chain = $1) e
  group by pool_id, tick`

export const PUT_CREATIONS = `
  insert into ledger.pool_creations (chain, pool_id, block_time, global_seq, block_num, trx_id, contract_a, symbol_a, decimals_a,
    contract_b, symbol_b, decimals_b, fee, fee_protocol, tick_spacing, sqrt_price_x64, tick)
  select $1, pool, $2::timestamptz, pool, 2, pg_temp.numbered(pool, 64), contract_a, symbol_a, decimals_a, contract_b, symbol_b,
    decimals_b, fee, 6, spacing, trunc((root * 2.0 ^ 64)::numeric), tick from made_pools`

/** $1: chain; $2: markets; $3: tokens. */
export const PUT_MARKETS = `
  insert into state.markets (chain, market_id, base_contract, base_symbol, base_decimals, target_contract, target_symbol,
    target_decimals, min_buy, min_buy_decimals, min_sell, min_sell_decimals, frozen, fee)
  select $1, m, b.contract, b.symbol, b.decimals, t.contract, t.symbol, t.decimals, 100, t.decimals, 1, b.decimals, m % 40 = 39, 20
  from generate_series(0, $2::int8 - 1) m
  join made_tokens b on b.token = 2 + (m * 104729) % ($3::int8 - 2) join made_tokens t on t.token = 0`

/** Twenty orders a side; the first market has 5,000. */
export const PUT_ORDERS = `
  insert into state.orders (chain, market_id, side, order_id, account, bid_amount, bid_symbol, bid_decimals, ask_amount, ask_symbol,
    ask_decimals, unit_price, order_time)
  select $1, market_id, side, market_id * 100000 + k, pg_temp.account(k % 20000),
    case when side = 'buy' then target else base end, case when side = 'buy' then target_symbol else base_symbol end,
    case when side = 'buy' then target_decimals else base_decimals end, case when side = 'buy' then base else target end,
    case when side = 'buy' then base_symbol else target_symbol end, case when side = 'buy' then base_decimals else target_decimals end,
    greatest(1, (1e8 * price)::int8), now()
  from state.markets m join made_tokens b on b.contract = base_contract and b.symbol = base_symbol
  cross join (values ('buy', -1), ('sell', 1)) s(side, sign)
  cross join lateral generate_series(1, case when market_id = 0 then 5000 else 20 end) k
  cross join lateral (select b.worth * (1 + sign * 0.0005 * k / case when market_id = 0 then 10 else 1 end) as price) p
  cross join lateral (select 1 + (10 / price * 10.0 ^ base_decimals)::int8 as base, 1 + (10 * 10.0 ^ target_decimals)::int8 as target) q
  where m.chain = $1`

/** $1: chain; $2: time of the first block; $3: blocks, one a minute. */
export const PUT_BLOCKS = `
  insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
  select $1, 2 + m, pg_temp.numbered(2 + m, 64), pg_temp.numbered(1 + m, 64), $2::timestamptz + m * interval '1 minute', 'producer1'
  from generate_series(0, $3::int8 - 1) m`

/** $1: chain; $2: time of the first block; $3: blocks; $4: swaps; $5: pools. A few pools have most of them. */
export const putSwaps = (chain: string) => `
  insert into ledger.swaps__${chain} (chain, pool_id, block_time, global_seq, block_num, trx_id, sender, recipient, amount_a, amount_b,
    decimals_a, decimals_b, sqrt_price_x64, liquidity, tick, reserve_a, reserve_b, usd)
  select $1, pool, $2::timestamptz + m * interval '1 minute', 1000000 + i * 10, 2 + m, pg_temp.numbered(i, 64), account, account,
    sign * amount_a, -sign * greatest(1, (amount_a * now_root * now_root)::int8), decimals_a, decimals_b, trunc((now_root * 2.0 ^ 64)::numeric),
    1000000000, tick, 5000000000, 7000000000, round((1 + 999 * pg_temp.u(i, 4))::numeric, 6)
  from generate_series(0, $4::int8 - 1) i
  cross join lateral (select i * $3::int8 / $4::int8 as m, floor($5::int8 * pg_temp.u(i, 2) ^ 4)::int8 as of_pool,
    pg_temp.account(floor(20000 * pg_temp.u(i, 3) ^ 2)::int8) as account, case when hashint8(i) & 1 = 0 then 1 else -1 end as sign) k
  join made_pools on pool = of_pool
  cross join lateral (select root * exp(0.1 * sin(m / 20000.0 + pool) + 0.03 * sin(m / 300.0 + pool * 7) + 0.004 * (pg_temp.u(i, 5) - 0.5)) as now_root,
    (1000 + 1e6 * pg_temp.u(i, 6))::int8 as amount_a) r`

/** Detaches the partition of a chain's swaps from its key, and attaches it again. */
export const loosen = (chain: string) => `
  alter table ledger.swaps detach partition ledger.swaps__${chain};
  drop table ledger.swaps__${chain};
  create table ledger.swaps__${chain} (like ledger.swaps including defaults including comments);`
export const fasten = (chain: string) => `
  alter table ledger.swaps__${chain} add primary key (pool_id, block_time, global_seq, chain);
  create index on ledger.swaps__${chain} using brin (block_num) with (pages_per_range = 32, autosummarize = on);
  alter table ledger.swaps attach partition ledger.swaps__${chain} for values in ('${chain}');
  analyze ledger.swaps__${chain};`

/** $1: chain; $2: time of the first block; $3: blocks; $4: deals; $5: markets. */
export const PUT_DEALS = `
  insert into ledger.deals (chain, market_id, block_time, global_seq, block_num, trx_id, type, bidder, asker, amount_base, amount_target,
    decimals_base, decimals_target, unit_price, usd)
  select $1, market_id, $2::timestamptz + m * interval '1 minute', 1000005 + i * 100, 2 + m, pg_temp.numbered(i, 64),
    case when hashint8(i) & 1 = 0 then 'buymatch' else 'sellmatch' end, pg_temp.account(hashint8(i) & 16383),
    pg_temp.account(hashint8(i + 1) & 16383), amount, greatest(1, (amount * price * 10.0 ^ (target_decimals - base_decimals))::int8),
    base_decimals, target_decimals, greatest(1, (1e8 * price)::int8), round((1 + 99 * pg_temp.u(i, 4))::numeric, 6)
  from generate_series(0, $4::int8 - 1) i
  cross join lateral (select i * $3::int8 / $4::int8 as m, floor($5::int8 * pg_temp.u(i, 12) ^ 4)::int8 as of_market) k
  join state.markets s on s.chain = $1 and s.market_id = of_market
  join made_tokens b on b.contract = base_contract and b.symbol = base_symbol
  cross join lateral (select b.worth * exp(0.1 * sin(m / 20000.0 + of_market) + 0.01 * (pg_temp.u(i, 15) - 0.5)) as price,
    (1000 + 1e6 * pg_temp.u(i, 16))::int8 as amount) r`

/** Candles of a length, from all trades since $2 at once. $1: chain. `order`: their order in the table. */
export const putCandles = (resolution: string, length: string, order = 'kind, id, bucket') => `
  insert into derive.candles (chain, market_kind, market_id, resolution, bucket_time, open, high, low, close, volume_base, volume_target,
    volume_usd, trades, trades_without_usd)
  select $1, kind, id, '${resolution}', bucket, (array_agg(price order by global_seq))[1], max(price), min(price),
    (array_agg(price order by global_seq desc))[1], sum(base), sum(target), sum(usd), count(*), count(*) - count(usd)
  from (
    select 'amm' as kind, pool_id as id, date_bin('${length}', block_time, timestamptz '1970-01-01 00:00:00+00') as bucket, sqrt_price_x64 as price,
      abs(amount_a) as base, abs(amount_b) as target, usd, global_seq from ledger.swaps where chain = $1
    union all
    select 'spot', market_id, date_bin('${length}', block_time, timestamptz '1970-01-01 00:00:00+00'), unit_price, amount_base, amount_target, usd,
      global_seq from ledger.deals where chain = $1
  ) t where bucket >= $2::timestamptz group by kind, id, bucket order by ${order}`

/** $1: chain; $2: resolution; $3: the lower resolution from which it is rolled up. */
export const ROLL_UP = `
  insert into derive.candles (chain, market_kind, market_id, resolution, bucket_time, open, high, low, close, volume_base, volume_target,
    volume_usd, trades, trades_without_usd)
  select $1, market_kind, market_id, $2, bucket, (array_agg(open order by bucket_time))[1], max(high), min(low),
    (array_agg(close order by bucket_time desc))[1], sum(volume_base), sum(volume_target), sum(volume_usd), sum(trades), sum(trades_without_usd)
  from (select *, meta.bucket_start($2, bucket_time) as bucket from derive.candles where chain = $1 and resolution = $3) c
  group by market_kind, market_id, bucket`

/** Scores and liquidity that make every token trusted, and the USD price of the system token. */
export const PUT_PRICES = `
  with scores as (
    insert into derive.score_snapshots (chain, valid_from, token_id, score)
    select $1, $2::timestamptz, lower(symbol) || '-' || contract, (100 * pg_temp.u(token, 9))::int2 from made_tokens
  ), balances as (
    insert into state.balances (chain, contract, symbol, account, decimals, amount)
    select $1, contract, symbol, pg_temp.account((token * 13 + k) % 20000), decimals, 1 + k from made_tokens cross join generate_series(1, 40) k
  )
  insert into ledger.usd_prices (chain, block_num, block_time, usd, source) values ($1, 2, $2, 0.05, 'fixed')`

/** $1: chain; $2: blocks; $3: time of the last one. */
export const PUT_POSITION = `
  insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer)
  values ($1, null, 2, 1 + $2::int8, lpad(to_hex(1 + $2::int8), 64, '0'), $3, 1 + $2::int8, 1 + $2::int8, gen_random_uuid())`
