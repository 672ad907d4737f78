// Statements of the live market. All of one load or one step run in one snapshot.

/** A load reads far more than a request may. The limit is of the transaction, since a pooler has no limits of sessions. */
export const SNAPSHOT = `begin isolation level repeatable read, read only; set local statement_timeout = '300s'`

/** The last block of each chain; one row without chain if there is none. */
export const POLL = `
  select pg_is_in_recovery() as "isStandby", p.chain, p.block_id as id
  from (select) one left join meta.position p on true`

const POSITION_COLUMNS = `
  block_num::float8 as block, block_id as id, extract(epoch from block_time)::float8 * 1000 as time,
  lib_num::float8 as lib, first_block::float8 as "firstBlock", indexed`

export const POSITION = `select ${POSITION_COLUMNS} from meta.position where chain = $1`

/** The newest of some blocks that is on the followed branch. $2: their ids, as 64 hex digits; $3: their numbers. */
export const NEWEST_ON_BRANCH = `
  select encode(b.block_id, 'hex') as id from unnest($2::text[], $3::int8[]) k(id, num)
  join ledger.blocks b on b.chain = $1 and b.block_num = k.num and b.block_id = decode(k.id, 'hex')
  order by b.block_num desc limit 1`

const POOL_COLUMNS = `
  p.pool_id::float8 as id, p.active, p.contract_a as "contractA", p.symbol_a as "symbolA", p.decimals_a as "decimalsA",
  p.reserve_a::text as "reserveA", p.contract_b as "contractB", p.symbol_b as "symbolB", p.decimals_b as "decimalsB",
  p.reserve_b::text as "reserveB", p.fee, p.fee_protocol as "feeProtocol", p.tick_spacing as "tickSpacing",
  p.max_liquidity_per_tick::text as "maxLiquidityPerTick", p.sqrt_price_x64::text as "sqrtPriceX64", p.tick,
  p.fee_growth_global_a_x64::text as "feeGrowthGlobalAX64", p.fee_growth_global_b_x64::text as "feeGrowthGlobalBX64",
  p.protocol_fee_a::text as "protocolFeeA", p.protocol_fee_b::text as "protocolFeeB", p.liquidity::text as liquidity`

/** $2: pool ids, null for all. */
export const POOLS = `select ${POOL_COLUMNS} from state.pools p where p.chain = $1 and ($2::int8[] is null or p.pool_id = any($2))`

const CREATION_COLUMNS = `
  pool_id::float8 as id, extract(epoch from block_time)::float8 * 1000 as time, sqrt_price_x64::text as price`

/** Time and price of the creation of pools. */
export const CREATIONS = `
  select ${CREATION_COLUMNS} from ledger.pool_creations
  where chain = $1 and ($2::int8[] is null or pool_id = any($2))`

const TICK_COLUMNS = `
  pool_id::float8 as pool, tick as id, liquidity_gross::text as "liquidityGross", liquidity_net::text as "liquidityNet",
  fee_growth_outside_a_x64::text as "feeGrowthOutsideAX64", fee_growth_outside_b_x64::text as "feeGrowthOutsideBX64"`

export const TICKS = `
  select ${TICK_COLUMNS} from state.ticks
  where chain = $1 and ($2::int8[] is null or pool_id = any($2)) order by pool_id, tick`

/**
 * A digest of the rows of each key: the sum of the rows' hashes, which does not depend on their order. PostgreSQL hashes a
 * numeric by its value. `columns` names the columns that the market has in memory.
 */
const digests = (key: string, table: string, columns: string) => `
  select ${key}::float8 as id, sum(hash_record_extended(row(${columns}), 0))::text as digest from ${table}
  where chain = $1 group by ${key}`

export const TICK_DIGESTS = digests(
  'pool_id',
  'state.ticks',
  'tick, liquidity_gross, liquidity_net, fee_growth_outside_a_x64, fee_growth_outside_b_x64',
)

export const ORDER_DIGESTS = digests(
  'market_id',
  'state.orders',
  'side, order_id, account, bid_amount, ask_amount, unit_price',
)

const MARKET_COLUMNS = `
  market_id::float8 as id, base_contract as "baseContract", base_symbol as "baseSymbol", base_decimals as "baseDecimals",
  target_contract as "targetContract", target_symbol as "targetSymbol", target_decimals as "targetDecimals",
  min_buy::text as "minBuy", min_buy_decimals as "minBuyDecimals", min_sell::text as "minSell",
  min_sell_decimals as "minSellDecimals", frozen, fee`

export const MARKETS = `
  select ${MARKET_COLUMNS} from state.markets where chain = $1 and ($2::int8[] is null or market_id = any($2))`

const CLOSED_COLUMNS = `
  market_id::float8 as id, base_contract as "baseContract", base_symbol as "baseSymbol", base_decimals as "baseDecimals",
  target_contract as "targetContract", target_symbol as "targetSymbol", target_decimals as "targetDecimals"`

/** Closed markets, as they were last. */
export const CLOSED_MARKETS = `
  select distinct on (market_id) ${CLOSED_COLUMNS} from ledger.market_fees f where chain = $1
    and not exists (select from state.markets m where m.chain = f.chain and m.market_id = f.market_id)
  order by market_id, block_num desc`

/** The closed ones among the markets that a step changed, each by its key. */
const CLOSED_OF_STEP = `
  select c.* from changed_markets k
  cross join lateral (select ${CLOSED_COLUMNS} from ledger.market_fees where chain = $1 and market_id = k.market_id
    order by block_num desc limit 1) c
  where (select true from state.markets m where m.chain = $1 and m.market_id = k.market_id limit 1) is null`

const ORDER_COLUMNS = `
  market_id::float8 as market, side, order_id::text as id, account, bid_amount::text as bid, ask_amount::text as ask,
  unit_price::text as "unitPrice"`

/** Best first within a side. */
const BEST_FIRST = `market_id, side, case side when 'buy' then -unit_price else unit_price end, order_id`

export const ORDERS = `
  select ${ORDER_COLUMNS} from state.orders where chain = $1 and ($2::int8[] is null or market_id = any($2))
  order by ${BEST_FIRST}`

/** Sums over the candles `c` of the series `m`. */
const SUMS = `m.id::float8 as id, coalesce(sum(c.volume_base), 0)::text as base, coalesce(sum(c.volume_target), 0)::text as target,
    coalesce(round(sum(c.volume_usd) * 1e18), 0)::text as usd, coalesce(sum(c.trades), 0)::float8 as trades,
    coalesce(sum(c.trades_without_usd), 0)::float8 as "withoutUsd",
    max(c.high)::text as high, min(c.low)::text as low`

/** Candles of the series `m`. */
const CANDLES = (
  resolution: '1' | '60' | '1D',
) => `select volume_base, volume_target, volume_usd, trades, trades_without_usd, high, low from derive.candles
    where chain = $1 and market_kind = $2 and market_id = m.id and resolution = '${resolution}'`

/**
 * Sums of a window of every series from its candles: minutes up to the next hour, hours up to the next day, then days.
 * $2: amm or spot; $3: market ids; $4: start; $5: next full hour; $6: next full day.
 */
export const WINDOW_SUMS = `
  select ${SUMS}
  from unnest($3::int8[]) m(id)
  cross join lateral (
    ${CANDLES('1')} and bucket_time >= $4 and bucket_time < $5
    union all
    ${CANDLES('60')} and bucket_time >= $5 and bucket_time < $6
    union all
    ${CANDLES('1D')} and bucket_time >= $6
  ) c group by m.id`

/** Sums over all trades of every series, from its monthly candles. $2: amm or spot; $3: market ids. */
export const ALL_SUMS = `
  select ${SUMS}
  from unnest($3::int8[]) m(id)
  join derive.candles c on c.chain = $1 and c.market_kind = $2 and c.market_id = m.id and c.resolution = '1M'
  group by m.id`

/**
 * The last trade of every series before a moment. $2: amm or spot; $3: market ids; $4: the moment, a whole minute.
 * Reads trades, not candles: candles of a pool and of the market with the same id lie next to each other, and one of
 * them may have few among many of the other's.
 */
export const LAST_BEFORE = `
  select m.id::float8 as id, c.price::text as price from unnest($3::int8[]) m(id)
  cross join lateral (
    (select sqrt_price_x64 as price from ledger.swaps
      where $2 = 'amm' and chain = $1 and pool_id = m.id and block_time < $4 order by block_time desc, global_seq desc limit 1)
    union all
    (select unit_price from ledger.deals
      where $2 = 'spot' and chain = $1 and market_id = m.id and block_time < $4 order by block_time desc, global_seq desc limit 1)
  ) c`

/** Time of the first trade of every series, Unix milliseconds. $2: amm or spot; $3: market ids. */
export const FIRST_TRADES = `
  select m.id::float8 as id, extract(epoch from c.at)::float8 * 1000 as time from unnest($3::int8[]) m(id)
  cross join lateral (
    (select block_time as at from ledger.swaps where $2 = 'amm' and chain = $1 and pool_id = m.id order by block_time limit 1)
    union all
    (select block_time from ledger.deals where $2 = 'spot' and chain = $1 and market_id = m.id order by block_time limit 1)
  ) c`

/** The first block from number $2 on, with its time. */
export const BLOCK_FROM = `
  select block_num::float8 as block, extract(epoch from block_time)::float8 * 1000 as time from ledger.blocks
  where chain = $1 and block_num >= $2 order by block_num limit 1`

/** The first block from number $2 on whose time is at or after $3. Reads the blocks between. */
export const BLOCK_NOT_BEFORE = `
  select block_num::float8 as block from ledger.blocks
  where chain = $1 and block_num >= $2 and block_time >= $3 order by block_num limit 1`

const SWAP_SUMS = `
  pool_id::float8 as id, sum(abs(amount_a))::text as base, sum(abs(amount_b))::text as target,
  coalesce(round(sum(usd) * 1e18), 0)::text as usd, count(*)::float8 as trades,
  (count(*) - count(usd))::float8 as "withoutUsd", max(sqrt_price_x64)::text as high,
  min(sqrt_price_x64)::text as low, (array_agg(sqrt_price_x64 order by global_seq desc))[1]::text as last,
  extract(epoch from min(block_time))::float8 * 1000 as first`

/** The rate of a deal's market at the deal's time. Deals before the first known rate use that one. */
const RATE = `coalesce(
    (select fee from ledger.market_fees f where f.chain = $1 and f.market_id = d.market_id and f.block_num <= d.block_num
      order by f.block_num desc limit 1),
    (select fee from ledger.market_fees f where f.chain = $1 and f.market_id = d.market_id order by f.block_num limit 1),
    (select fee from state.markets m where m.chain = $1 and m.market_id = d.market_id), 0)`

const DEAL_SUMS = `
  market_id::float8 as id, sum(amount_base)::text as base, sum(amount_target)::text as target,
  coalesce(round(sum(usd) * 1e18), 0)::text as usd, coalesce(round(sum(usd * ${RATE}) * 1e18), 0)::text as fees, count(*)::float8 as trades,
  (count(*) - count(usd))::float8 as "withoutUsd", max(unit_price)::text as high,
  min(unit_price)::text as low, (array_agg(unit_price order by global_seq desc))[1]::text as last,
  extract(epoch from min(block_time))::float8 * 1000 as first`

/** Swaps of blocks $2 to $3 (both included) by pool. */
export const SWAPS_BETWEEN = `
  select ${SWAP_SUMS} from ledger.swaps where chain = $1 and block_num between $2 and $3 group by pool_id`

/** Deals of blocks $2 to $3 (both included) by market. */
export const DEALS_BETWEEN = `
  select ${DEAL_SUMS} from ledger.deals d where chain = $1 and block_num between $2 and $3 group by market_id`

/**
 * The rates of the markets $2, and the correction for earlier rates: the sum over deals since $3, a whole minute, of
 * USD times 10^18 times (the rate then less the rate now). Reads only the time before a rate's last change: whole days
 * from candles, partial days at both ends from deals.
 */
export const RATES = `
  with rates as (
    select market_id, fee, case when row_number() over known = 1 then '-infinity' else block_time end as since,
      lead(block_time) over known as until, first_value(fee) over (partition by market_id order by block_num desc) as last
    from ledger.market_fees where chain = $1 and market_id = any ($2::int8[])
    window known as (partition by market_id order by block_num)
  ), spans as (
    select market_id, fee - last as more, greatest(since, $3) as since, until,
      date_trunc('day', greatest(since, $3) + interval '1 day', 'UTC') as day, date_trunc('day', until, 'UTC') as last_day
    from rates where fee <> last and until > $3
  ), other as (
    select s.market_id, round(sum(s.more * t.usd) * 1e18) as fees from spans s cross join lateral (
      select volume_usd as usd from derive.candles where chain = $1 and market_kind = 'spot' and market_id = s.market_id
        and resolution = '1D' and bucket_time >= s.day and bucket_time < s.last_day
      union all
      select usd from ledger.deals where chain = $1 and market_id = s.market_id
        and block_time >= s.since and block_time < least(s.day, s.until)
      union all
      select usd from ledger.deals where chain = $1 and market_id = s.market_id
        and block_time >= greatest(s.day, s.last_day) and block_time < s.until
    ) t group by s.market_id
  )
  select m.id::float8 as id, coalesce((select last from rates r where r.market_id = m.id limit 1), s.fee, 0) as fee,
    coalesce(o.fees, 0)::text as other
  from unnest($2::int8[]) m(id)
  left join state.markets s on s.chain = $1 and s.market_id = m.id
  left join other o on o.market_id = m.id`

/** USD price of the system token as of the snapshot. */
export const USD_PRICE = `select usd::text as usd from ledger.usd_prices where chain = $1 order by block_num desc limit 1`

/** The scores in force at the moment $2; if none are in force yet, the newest ones. */
export const SCORES_FROM = `
  select extract(epoch from coalesce(
    (select max(valid_from) from derive.score_snapshots where chain = $1 and valid_from <= $2),
    (select max(valid_from) from derive.score_snapshots where chain = $1)))::float8 * 1000 as "validFrom"`

/**
 * The row of each changed item by its key. The limit keeps the planner from reading the whole table: it takes a few
 * blocks for a part of the ledger.
 */
const changedRow = (columns: string, changed: string, table: string, key: string) => `
  select ${columns} from (select ${key} as changed from ${changed}) c
  cross join lateral (select * from ${table} where chain = $1 and ${key} = c.changed limit 1) p`

/** Rows of a statement as a JSON array, `[]` without rows. */
const asJson = (statement: string) => `(select coalesce(json_agg(r), '[]') from (${statement}) r)`

/** Numbers and ids of the newest blocks after block $2. */
const NEW_BLOCKS = `
  select block_num::float8 as block, encode(block_id, 'hex') as id from ledger.blocks where chain = $1 and block_num > $2
  order by block_num desc limit 64`

/**
 * The chain's position, and the changes of the blocks after block $2 with id $3 (64 hex digits). Changes are found from
 * logged actions and from before-images of rows. One statement, because in a busy process each answer of the database
 * waits for other work. No row when the chain is beyond block $4.
 */
export const STEP = `
  with at as materialized (select * from meta.position where chain = $1),
  swaps as materialized (
    select ${SWAP_SUMS}, pool_id from ledger.swaps where chain = $1 and block_num > $2 group by pool_id
  ),
  deals as materialized (
    select ${DEAL_SUMS}, market_id from ledger.deals d where chain = $1 and block_num > $2 group by market_id
  ),
  changed_pools as materialized (
    select pool_id from swaps
    union select pool_id from ledger.position_events where chain = $1 and block_num > $2
    union select pool_id from ledger.pool_creations where chain = $1 and block_num > $2
    union select pool_id from ledger.protocol_fees where chain = $1 and block_num > $2
    union select pool_id from undo.pools where chain = $1 and undo_block > $2
    union select pool_id from undo.ticks where chain = $1 and undo_block > $2
  ),
  changed_markets as materialized (
    select market_id from deals
    union select market_id from ledger.order_events where chain = $1 and block_num > $2
    union select market_id from undo.markets where chain = $1 and undo_block > $2
    union select market_id from undo.orders where chain = $1 and undo_block > $2
  )
  select ${POSITION_COLUMNS},
    exists (select from ledger.blocks where chain = $1 and block_num = $2 and block_id = decode($3, 'hex')) as follows,
    ${asJson(NEW_BLOCKS)} as blocks,
    (select coalesce(json_agg(pool_id::float8), '[]') from changed_pools) as "poolKeys",
    (select coalesce(json_agg(market_id::float8), '[]') from changed_markets) as "bookKeys",
    ${asJson('select * from swaps')} as swaps,
    ${asJson('select * from deals')} as deals,
    ${asJson(changedRow(POOL_COLUMNS, 'changed_pools', 'state.pools', 'pool_id'))} as pools,
    ${asJson(`select ${CREATION_COLUMNS} from ledger.pool_creations where chain = $1 and block_num > $2`)} as creations,
    ${asJson(`select ${TICK_COLUMNS} from changed_pools join state.ticks using (pool_id) where chain = $1 order by pool_id, tick`)} as ticks,
    ${asJson(changedRow(MARKET_COLUMNS, 'changed_markets', 'state.markets', 'market_id'))} as books,
    ${asJson(CLOSED_OF_STEP)} as closed,
    ${asJson(`select ${ORDER_COLUMNS} from changed_markets join state.orders using (market_id) where chain = $1 order by ${BEST_FIRST}`)} as orders,
    extract(epoch from coalesce(
      (select valid_from from derive.score_snapshots where chain = $1 and valid_from <= (select block_time from at)
        order by valid_from desc limit 1),
      (select valid_from from derive.score_snapshots where chain = $1 order by valid_from desc limit 1)))::float8 * 1000 as "scoresFrom",
    exists (select from undo.incentives where chain = $1 and undo_block > $2) as farms,
    (${USD_PRICE}) as usd
  from at where block_num <= $4`

export const SCORES = `select token_id as token, score from derive.score_snapshots where chain = $1 and valid_from = $2`
