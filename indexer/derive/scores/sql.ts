// SQL of the scores of an hour. $1 is the chain. All statements except the count of trades read rows as of the last
// indexed block.

/** The last indexed block, locked until the transaction ends. */
export const STANDING = `
  select p.first_block::float8 as "firstBlock", p.state_block is not null as "hasState", p.block_num::float8 as num, p.block_id as id,
    p.block_time as time, start.block_time as "firstTime"
  from meta.position p
  cross join lateral (select block_time from ledger.blocks where chain = $1 and block_num >= p.first_block
    order by block_num limit 1) start
  where p.chain = $1 for share of p`

/**
 * Tokens of each market for the block range [since, until). Includes closed markets, because their deals count and a
 * new market may reuse their id.
 */
const MARKETS = `
  select market_id, base_contract, base_symbol, base_decimals, target_contract, target_symbol, target_decimals,
    case when row_number() over known = 1 then 0 else block_num end as since,
    coalesce(lead(block_num) over known, 9223372036854775807) as until
  from (
    select f.*, n.tokens is distinct from lag(n.tokens) over (partition by market_id order by block_num) as others
    from ledger.market_fees f cross join lateral (select concat_ws(' ', base_contract, base_symbol, base_decimals,
      target_contract, target_symbol, target_decimals) as tokens) n where chain = $1
  ) f where others window known as (partition by market_id order by block_num)
  union all
  select market_id, base_contract, base_symbol, base_decimals, target_contract, target_symbol, target_decimals, 0, 9223372036854775807
  from state.markets m where chain = $1
    and not exists (select from ledger.market_fees f where f.chain = m.chain and f.market_id = m.market_id)`

/**
 * Counts the trades of the whole hours [$2, $3), by token and hour. $4: accounts that do not count as traders. Looks up
 * each pool and market by its key, so the cost depends on the trades, not on the history. Trades of the same accounts are
 * summed before they are counted for both tokens.
 */
export const COUNT_TRADES = `
  with pools as materialized (
    select pool_id, lower(symbol_a) || '-' || contract_a as a, lower(symbol_b) || '-' || contract_b as b
    from state.pools where chain = $1
    union select pool_id, lower(symbol_a) || '-' || contract_a, lower(symbol_b) || '-' || contract_b
    from ledger.pool_creations where chain = $1
  ), trades as materialized (
    select token, s.*
    from pools p
    cross join lateral (
      select date_trunc('hour', block_time, 'UTC') as hour, sender as x, recipient as y, count(*) as trades, sum(usd) as usd,
        count(*) - count(usd) as unknown
      from ledger.swaps where chain = $1 and pool_id = p.pool_id and block_time >= $2 and block_time < $3 group by 1, 2, 3) s
    cross join lateral (values (p.a), (p.b)) t(token)
    union all
    select token, d.*
    from (${MARKETS}) m
    cross join lateral (
      select date_trunc('hour', block_time, 'UTC'), bidder, asker, count(*), sum(usd), count(*) - count(usd)
      from ledger.deals where chain = $1 and market_id = m.market_id and block_time >= $2 and block_time < $3
        and block_num >= m.since and block_num < m.until group by 1, 2, 3) d
    cross join lateral (values (lower(m.base_symbol) || '-' || m.base_contract),
      (lower(m.target_symbol) || '-' || m.target_contract)) t(token)
  ), counted as (
    insert into derive.token_hours (chain, token_id, hour, trades, volume_usd, trades_without_usd)
    select $1, token, hour, sum(trades), sum(usd), sum(unknown) from trades group by token, hour
  )
  insert into derive.token_trader_hours (chain, token_id, hour, account)
  select distinct $1, token, hour, account from trades cross join lateral (values (x), (y)) a(account)
  where account <> all ($4::text[])`

/** The last counted hour. A fork may have replaced its end after the count. */
export const LAST_COUNTED = `select max(hour) as hour from derive.token_hours where chain = $1`

/** Deletes the hours from $2 on, to count them again. */
export const RECOUNT_HOURS = `delete from derive.token_hours where chain = $1 and hour >= $2`
export const RECOUNT_TRADERS = `delete from derive.token_trader_hours where chain = $1 and hour >= $2`

/** Deletes the hours before $2. */
export const FORGET_HOURS = `delete from derive.token_hours where chain = $1 and hour < $2`
export const FORGET_TRADERS = `delete from derive.token_trader_hours where chain = $1 and hour < $2`

export const POOLS = `
  select pool_id as "poolId", active, contract_a as "contractA", symbol_a as "symbolA", decimals_a as "decimalsA",
    reserve_a as "reserveA", contract_b as "contractB", symbol_b as "symbolB", decimals_b as "decimalsB", reserve_b as "reserveB",
    sqrt_price_x64 as "sqrtPriceX64", liquidity
  from state.pools where chain = $1 order by pool_id`

/** Tokens of markets, each with its first deal. Includes closed markets that had deals. */
export const MARKET_TOKENS = `
  select contract, symbol, min(decimals)::int2 as decimals, min(at) as "firstDeal"
  from (${MARKETS}) m
  left join lateral (select block_time as at from ledger.deals d
    where d.chain = $1 and d.market_id = m.market_id and d.block_num <= $2 and d.block_num >= m.since and d.block_num < m.until
    order by block_time limit 1) first on true
  cross join lateral (values (m.base_contract, m.base_symbol, m.base_decimals),
    (m.target_contract, m.target_symbol, m.target_decimals)) t(contract, symbol, decimals)
  where at is not null or exists (select from state.markets o where o.chain = $1 and o.market_id = m.market_id)
  group by contract, symbol`

/** The USD price of the system token at block $2. */
export const USD_AT = `
  select usd::text from ledger.usd_prices where chain = $1 and block_num <= $2 order by block_num desc limit 1`

/** Scores valid at $2. */
export const SCORES_AT = `
  select token_id as token, score from derive.score_snapshots where chain = $1 and valid_from =
    (select max(valid_from) from derive.score_snapshots where chain = $1 and valid_from <= $2)`

/** Total holdings of the accounts $2, by token. */
export const HOLDINGS = `
  select lower(symbol) || '-' || contract as token, sum(amount)::text as amount
  from state.balances where chain = $1 and account = any ($2::text[]) group by contract, symbol`

/** Number of accounts with a balance, for each of the tokens $2 (contracts) and $3 (symbols). */
export const HOLDERS = `
  select lower(t.symbol) || '-' || t.contract as token, count(b.account)::float8 as holders
  from unnest($2::text[], $3::text[]) t(contract, symbol)
  left join state.balances b on b.chain = $1 and b.contract = t.contract and b.symbol = t.symbol and b.amount > 0
  group by t.contract, t.symbol`

/** Trades of the windows that end at $2. */
export const TRADES = `
  select token_id as token, sum(trades)::float8 as trades, coalesce(sum(volume_usd), 0)::text as "volumeUsd",
    coalesce(sum(trades) filter (where hour >= $2::timestamptz - interval '168 hours'), 0)::float8 as "trades7d",
    coalesce(sum(volume_usd) filter (where hour >= $2::timestamptz - interval '168 hours'), 0)::text as "volumeUsd7d"
  from derive.token_hours where chain = $1 and hour >= $2::timestamptz - interval '720 hours' and hour < $2 group by token_id`

/** Number of accounts that traded each of the tokens $3, in the windows that end at $2 and in the windows before those. */
export const TRADERS = `
  select token_id as token, count(*)::float8 as "uniqueTraders",
    count(*) filter (where last >= $2::timestamptz - interval '168 hours')::float8 as "uniqueTraders7d",
    count(*) filter (where last >= $2::timestamptz - interval '24 hours')::float8 as "uniqueTraders24h",
    count(*) filter (where day)::float8 as "uniqueTradersPrev24h", count(*) filter (where week)::float8 as "uniqueTradersPrev7d"
  from (
    select token_id, account, max(hour) as last,
      bool_or(hour >= $2::timestamptz - interval '48 hours' and hour < $2::timestamptz - interval '24 hours') as day,
      bool_or(hour >= $2::timestamptz - interval '336 hours' and hour < $2::timestamptz - interval '168 hours') as week
    from derive.token_trader_hours
    where chain = $1 and token_id = any ($3::text[]) and hour >= $2::timestamptz - interval '720 hours' and hour < $2
    group by token_id, account
  ) x group by token_id`

/** The numbers of TRADERS an hour before $2, from the details of that hour's scores. */
export const TRADERS_BEFORE = `
  select s.token_id as token, (s.details -> 'metrics' ->> 'uniqueTraders')::float8 as "uniqueTraders", u.*
  from derive.token_scores s
  cross join lateral jsonb_to_record(s.details) u("uniqueTraders7d" float8, "uniqueTraders24h" float8,
    "uniqueTradersPrev24h" float8, "uniqueTradersPrev7d" float8)
  where s.chain = $1 and s.valid_from = $2::timestamptz - interval '1 hour'`

/**
 * Change of the counts of TRADERS since the hour before $2. One hour enters each window and one leaves it. An account counts if it has not traded in the window's other hours.
 */
export const TRADERS_CHANGED = `
  with windows(name, enters, leaves) as (
    select name, $2::timestamptz - make_interval(hours => enters), $2::timestamptz - make_interval(hours => leaves)
    from (values ('month', 1, 721), ('week', 1, 169), ('day', 1, 25), ('weekBefore', 169, 337), ('dayBefore', 25, 49))
      w(name, enters, leaves)
  ), changes as (
    select name, token_id, 1 as change from windows
    join derive.token_trader_hours h on h.chain = $1 and h.hour = enters
    where not exists (select from derive.token_trader_hours o where o.chain = $1 and o.token_id = h.token_id
      and o.account = h.account and o.hour >= leaves and o.hour < enters)
    union all
    select name, token_id, -1 from windows
    join derive.token_trader_hours h on h.chain = $1 and h.hour = leaves
    where not exists (select from derive.token_trader_hours o where o.chain = $1 and o.token_id = h.token_id
      and o.account = h.account and o.hour > leaves and o.hour <= enters)
  )
  select token_id as token,
    coalesce(sum(change) filter (where name = 'month'), 0)::float8 as "uniqueTraders",
    coalesce(sum(change) filter (where name = 'week'), 0)::float8 as "uniqueTraders7d",
    coalesce(sum(change) filter (where name = 'day'), 0)::float8 as "uniqueTraders24h",
    coalesce(sum(change) filter (where name = 'weekBefore'), 0)::float8 as "uniqueTradersPrev7d",
    coalesce(sum(change) filter (where name = 'dayBefore'), 0)::float8 as "uniqueTradersPrev24h"
  from changes group by token_id`

/**
 * Prices of the pools $2 before the hour $3, with 30-day extremes from hourly candles at both ends and daily between.
 */
export const PRICES = `
  select m.id::float8 as id, ${closeBefore('0 hours')} as now, ${closeBefore('168 hours')} as "before7d",
    ${closeBefore('720 hours')} as "before30d", ${closeBefore('2160 hours')} as "before90d", w.high::text, w.low::text
  from unnest($2::int8[]) m(id)
  cross join lateral (select max(high) as high, min(low) as low from (
    select high, low from derive.candles where chain = $1 and market_kind = 'amm' and market_id = m.id and resolution = '60'
      and bucket_time >= $3::timestamptz - interval '720 hours'
      and bucket_time < date_trunc('day', $3::timestamptz - interval '720 hours', 'UTC') + interval '24 hours'
    union all
    select high, low from derive.candles where chain = $1 and market_kind = 'amm' and market_id = m.id and resolution = '1D'
      and bucket_time >= date_trunc('day', $3::timestamptz - interval '720 hours', 'UTC') + interval '24 hours'
      and bucket_time < date_trunc('day', $3::timestamptz, 'UTC')
    union all
    select high, low from derive.candles where chain = $1 and market_kind = 'amm' and market_id = m.id and resolution = '60'
      and bucket_time >= date_trunc('day', $3::timestamptz, 'UTC') and bucket_time < $3
  ) c) w`

function closeBefore(age: string): string {
  return `(select close::text from derive.candles where chain = $1 and market_kind = 'amm' and market_id = m.id
    and resolution = '60' and bucket_time < $3::timestamptz - interval '${age}' order by bucket_time desc limit 1)`
}

export const CREATIONS = `
  select pool_id::float8 as id, block_time as time, sqrt_price_x64::text as root from ledger.pool_creations where chain = $1`

/** Deletes the scores of hour $2 and later, which a fork or a crash between two transactions left. */
export const FORGET_SCORES = `select meta.forget_scores($1, $2)`

/** $3: tokens; $4: scores. */
export const ADD_SNAPSHOT = `
  insert into derive.score_snapshots (chain, valid_from, token_id, score)
  select $1, $2, token, score from unnest($3::text[], $4::int2[]) t(token, score)`

export const ADD_DETAILS = `
  insert into derive.token_scores (chain, valid_from, token_id, details)
  select $1, $2, token, details from unnest($3::text[], $4::jsonb[]) t(token, details)`

/** Keeps the details of the last three hours with scores. */
export const FORGET_DETAILS = `
  delete from derive.token_scores where chain = $1 and valid_from < (
    select valid_from from derive.score_snapshots where chain = $1 group by valid_from order by valid_from desc offset 2 limit 1)`

/**
 * Adds the number of holders $5 of the tokens $3 at hour $2, as of block $4. Also for the hours of the day before it
 * that had no block: nothing changed in them. $6: whether the number may be too low.
 */
export const ADD_SAMPLES = `
  insert into derive.holder_samples (chain, token_id, hour, holders, truncated, block_num)
  select $1, t.token, h.hour, t.holders, $6, $4
  from unnest($3::text[], $5::int8[]) t(token, holders)
  cross join (
    select hour from generate_series($2::timestamptz - interval '24 hours', $2, interval '1 hour') hour
    where hour = $2 or hour > (select block_time from meta.position where chain = $1)
  ) h
  on conflict (token_id, hour, chain) do update
    set holders = excluded.holders, truncated = excluded.truncated, block_num = excluded.block_num`
