// SQL of the verification. $1 is the chain. All statements run in one snapshot.

/** Makes results independent of the settings of a server or role. */
export const SETTINGS = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set bytea_output = 'hex'; set intervalstyle = 'postgres'`
export const SNAPSHOT = 'begin isolation level repeatable read read only'
/** Exports the snapshot, for a second session. */
export const EXPORT_SNAPSHOT = 'select pg_export_snapshot() as id'

export const POSITION = `
  select first_block as "firstBlock", block_num as block, block_id as id, lib_num as lib from meta.position where chain = $1`

/** Blocks that do not follow the block before them. */
export const BROKEN_LINKS = `
  select block_num as num, prev_id as "prevId", expected_num as "expectedNum", expected_id as "expectedId"
  from (
    select block_num, encode(prev_id, 'hex') as prev_id, 1 + lag(block_num) over numbers as expected_num,
      encode(lag(block_id) over numbers, 'hex') as expected_id
    from ledger.blocks where chain = $1 window numbers as (order by block_num)
  ) linked
  where expected_num is not null and (block_num <> expected_num or prev_id <> expected_id)
    and not exists (select from ledger.quiet_ranges q
      where q.chain = $1 and q.block_num = linked.block_num and q.first_num = linked.expected_num and q.first_num < q.block_num)
  order by block_num`

/** Whether the chain is an EVM chain, and the number of deposits in its vaults. */
export const VAULT_COUNT = `
  select p.chain_id like 'eip155:%' as "isEvm", (select count(*)::int8 from ledger.vault_deposits where chain = $1) as count
  from meta.position p where p.chain = $1`

/** Deposits whose nonce does not follow the previous deposit of the same vault. */
export const NONCE_GAPS = `
  select meta.address(contract) as contract, expected, nonce as found, block_num as block
  from (
    select contract, nonce, block_num, global_seq,
      1 + lag(nonce) over (partition by contract order by global_seq) as expected
    from ledger.vault_deposits where chain = $1
  ) numbered
  where expected <> nonce
  order by global_seq`

/**
 * Deposits that a gateway credited or parked, but that are missing here, although the chain is final beyond that time.
 */
export const UNSEEN_DEPOSITS = `
  select distinct on (e.nonce) e.nonce, e.chain, e.block_num as block
  from meta.position p
  join ledger.deposit_events e on e.domain = substring(p.chain_id from 8)::numeric
  where p.chain = $1 and p.chain_id like 'eip155:%'
    and e.block_time <= (select max(block_time) from ledger.blocks b where b.chain = $1 and b.block_num <= p.lib_num)
    and e.nonce >= (select min(nonce) from ledger.vault_deposits where chain = $1)
    and not exists (select from ledger.vault_deposits v where v.chain = $1 and v.nonce = e.nonce)
  order by e.nonce, e.block_num`

export const BLOCK_RANGE = `
  select count(*)::int8 as count, min(block_num) as first, max(block_num) as last,
    (array_agg(encode(block_id, 'hex') order by block_num desc))[1] as "lastId"
  from (
    (select block_num, block_id from ledger.blocks where chain = $1 order by block_num limit 1)
    union all (select block_num, block_id from ledger.blocks where chain = $1 order by block_num desc limit 1)
  ) ends`

/** Tables with rows of a chain, and their key. */
export const TABLES = `
  select n.nspname as schema, c.relname as name, meta.key_columns(n.nspname, c.relname) as key,
    array_agg(a.attname::text order by a.attnum) as columns,
    array_remove(array_remove(meta.digested_columns(n.nspname, c.relname), 'undo_block'), 'existed') as digested, array_agg(t.typname::text order by a.attnum) as types
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and not (n.nspname = 'state' and a.atthasdef)
  join pg_type t on t.oid = a.atttypid
  where c.relkind = 'p' and n.nspname in ('ledger', 'state', 'derive')
  group by n.nspname, c.relname
  order by array_position(array['ledger', 'state', 'derive'], n.nspname::text), c.relname`

/** Tables that may have rows of the block before the first one, from a start with a node's tables. */
const READ_AT_START = new Set(['market_fees', 'oracle_points', 'undecoded_rows'])

/** Rows of a ledger table without a block, or with another time than their block's. */
export function strayRows(table: string): string {
  const noBlock = READ_AT_START.has(table)
    ? 'b.block_num is null and r.block_num <> (select first_block - 1 from meta.position where chain = $1)'
    : 'b.block_num is null'
  return `
    select r.block_num as num, count(*)::int8 as count, b.block_num is null as "noBlock"
    from ledger.${table} r left join ledger.blocks b on b.chain = r.chain and b.block_num = r.block_num
    where r.chain = $1 and (${noBlock} or b.block_time <> r.block_time)
    group by 1, 3 order by 1`
}

/** Start of a candle, computed independently of meta.bucket_start. @param resolution  minutes, or a name */
function bucket(resolution: string): string {
  const epoch = 'extract(epoch from block_time)'
  if (resolution === '1D') return `date_trunc('day', block_time at time zone 'UTC') at time zone 'UTC'`
  if (resolution === '1M') return `date_trunc('month', block_time at time zone 'UTC') at time zone 'UTC'`
  // The first Monday of Unix time was January 5th, 1970.
  if (resolution === '1W') return `to_timestamp(floor((${epoch} - 345600) / 604800) * 604800 + 345600)`
  const seconds = Number(resolution) * 60
  return `to_timestamp(floor(${epoch} / ${seconds}) * ${seconds})`
}

/**
 * Candles of a resolution that differ between a computation from the trades and the stored ones: one row for each, with
 * both versions.
 */
export function differingCandles(resolution: string): string {
  return `
    with trades as (
      select 'amm' as kind, pool_id as id, ${bucket(resolution)} as bucket, global_seq, sqrt_price_x64 as price,
        abs(amount_a::numeric) as base, abs(amount_b::numeric) as target, usd
      from ledger.swaps where chain = $1
      union all
      select 'spot', market_id, ${bucket(resolution)}, global_seq, unit_price, amount_base, amount_target, usd
      from ledger.deals where chain = $1
    ), numbered as (
      select *, row_number() over (partition by kind, id, bucket order by global_seq) as place,
        count(*) over (partition by kind, id, bucket) as total
      from trades
    ), expected as (
      select kind, id, bucket, max(price) filter (where place = 1) as open, max(price) as high, min(price) as low,
        max(price) filter (where place = total) as close, sum(base) as volume_base, sum(target) as volume_target,
        sum(usd) as volume_usd, count(*) as trades,
        count(*) filter (where usd is null) as trades_without_usd
      from numbered group by kind, id, bucket
    ), stored as (
      select market_kind as kind, market_id as id, bucket_time as bucket, open, high, low, close, volume_base, volume_target,
        volume_usd, trades, trades_without_usd
      from derive.candles where chain = $1 and resolution = '${resolution}'
    )
    select coalesce(e.kind, s.kind) as kind, coalesce(e.id, s.id) as id, coalesce(e.bucket, s.bucket) as bucket,
      case when e.kind is not null then to_jsonb(e) - '{kind,id,bucket}'::text[] end as expected,
      case when s.kind is not null then to_jsonb(s) - '{kind,id,bucket}'::text[] end as found
    from (select * from expected except select * from stored) e
    full join (select * from stored except select * from expected) s on s.kind = e.kind and s.id = e.id and s.bucket = e.bucket
    order by 1, 2, 3`
}

export const CANDLE_COUNT = `select count(*)::int8 as count from derive.candles where chain = $1`

/** All events of pools, pool by pool, each in chain order. */
export const POOL_EVENTS = `
  select pool_id as "poolId", global_seq as "globalSeq", 'created' as type, null::int8 as "positionId", null as owner,
    null as recipient, null::int4 as "tickLower", null::int4 as "tickUpper", null::numeric as liquidity, null::int8 as "amountA",
    null::int8 as "amountB", sqrt_price_x64 as "sqrtPriceX64", tick, fee, fee_protocol as "feeProtocol",
    tick_spacing as "tickSpacing", null::int8 as "toPositionId", null::numeric as "toLiquidity"
  from ledger.pool_creations where chain = $1
  union all
  select pool_id, global_seq, 'swap', null, null, null, null, null, liquidity, amount_a, amount_b, sqrt_price_x64, tick, null,
    null, null, null, null
  from ledger.swaps where chain = $1
  union all
  select pool_id, global_seq, type, position_id, owner, recipient, tick_lower, tick_upper, liquidity, amount_a, amount_b, null,
    null, null, null, null, to_position_id, to_liquidity
  from ledger.position_events where chain = $1 and type <> 'lock'
  union all
  select pool_id, global_seq, 'fee ' || type, null, null, null, null, null, null, amount_a, amount_b, null, null, null,
    fee_protocol_new, null, null, null
  from ledger.protocol_fees where chain = $1
  order by 1, 2`

export const POOL = `
  select reserve_a as "reserveA", reserve_b as "reserveB", fee, fee_protocol as "feeProtocol", tick_spacing as "tickSpacing",
    sqrt_price_x64 as "sqrtPriceX64", tick, liquidity, fee_growth_global_a_x64 as "feeGrowthGlobalAX64",
    fee_growth_global_b_x64 as "feeGrowthGlobalBX64", protocol_fee_a as "protocolFeeA", protocol_fee_b as "protocolFeeB"
  from state.pools where chain = $1 and pool_id = $2`

export const POOL_IDS = `select pool_id as id from state.pools where chain = $1 order by 1`

export const POSITIONS = `
  select position_id as id, owner, tick_lower as "tickLower", tick_upper as "tickUpper", liquidity,
    fee_growth_inside_a_last_x64 as "feeGrowthInsideALastX64", fee_growth_inside_b_last_x64 as "feeGrowthInsideBLastX64",
    fees_a as "feesA", fees_b as "feesB"
  from state.positions where chain = $1 and pool_id = $2 order by 1`

export const TICKS = `
  select tick as id, liquidity_gross as "liquidityGross", liquidity_net as "liquidityNet",
    fee_growth_outside_a_x64 as "feeGrowthOutsideAX64", fee_growth_outside_b_x64 as "feeGrowthOutsideBX64"
  from state.ticks where chain = $1 and pool_id = $2 order by 1`

/** Tokens whose known balances do not add up to their supply. */
export const UNEVEN_SUPPLIES = `
  select s.contract, s.symbol, s.supply, coalesce(sum(b.amount), 0) as balances
  from state.supplies s
  left join state.balances b on b.chain = s.chain and b.contract = s.contract and b.symbol = s.symbol
  where s.chain = $1
  group by s.contract, s.symbol, s.supply
  having coalesce(sum(b.amount), 0) <> s.supply
  order by 1, 2`

export const SUPPLY_COUNT = `select count(*)::int8 as count from state.supplies where chain = $1`

/**
 * Balances that differ from the net transfers of their account. Only for a complete history, and for tokens whose whole
 * supply was issued to the issuer: his balance and what he sent, less what he received, are the supply.
 */
export const UNMOVED_BALANCES = `
  with differing as (
    select contract, symbol, account, sum(amount) as amount from (
      select contract, symbol, account, amount::numeric from state.balances where chain = $1
      union all select contract, symbol, to_account, -amount::numeric from ledger.transfers where chain = $1
      union all select contract, symbol, from_account, amount from ledger.transfers where chain = $1
    ) moves
    group by 1, 2, 3 having sum(amount) <> 0
  )
  select d.contract, d.symbol, d.account, coalesce(b.amount, 0) as found, coalesce(b.amount, 0) - d.amount as expected
  from state.supplies s
  join differing i on i.contract = s.contract and i.symbol = s.symbol and i.account = s.issuer and i.amount = s.supply
  join differing d on d.contract = s.contract and d.symbol = s.symbol and d.account <> s.issuer
  left join state.balances b on b.chain = $1 and b.contract = d.contract and b.symbol = d.symbol and b.account = d.account
  where s.chain = $1
  order by 1, 2, 3`

/**
 * Open orders that contradict the ledger. What is left of an order is what was placed without its deals, where each deal
 * of the account at the price is known to be of one order. How the contract rounds a deal, and whether its amounts
 * include the fee, is not published: a difference of a unit a deal and of the fee is allowed.
 */
export const DOUBTFUL_ORDERS = `
  with placed as (
    select distinct on (market_id, side, order_id) * from ledger.order_events
    where chain = $1 and type = 'placed' order by market_id, side, order_id, global_seq desc
  ), dealt as (
    select o.market_id, o.side, o.order_id, bool_or(d.order_id is null) as unclear,
      sum(case o.side when 'sell' then d.amount_base else d.amount_target end) filter (where d.order_id = o.order_id) as amount,
      count(*) filter (where d.order_id = o.order_id) as deals
    from state.orders o
    join placed p using (market_id, side, order_id)
    join ledger.deals d on d.chain = $1 and d.market_id = o.market_id and d.asker = o.account and d.unit_price = o.unit_price
      and d.type = case o.side when 'sell' then 'buymatch' else 'sellmatch' end and d.global_seq > p.global_seq
    where o.chain = $1
    group by 1, 2, 3
  )
  select * from (
    select o.market_id as market, o.side, o.order_id as id, p.global_seq is not null as placed, o.bid_amount as bid,
      (p.account, p.unit_price, p.bid_symbol, p.ask_symbol, p.order_time) = (o.account, o.unit_price, o.bid_symbol, o.ask_symbol, o.order_time)
        as same,
      o.bid_amount <= p.bid_amount and o.ask_amount <= p.ask_amount as within,
      case when d.unclear then null else p.bid_amount - coalesce(d.amount, 0) end as "left",
      coalesce(d.deals + ceil(d.amount * m.fee / 10000.0), 0) as allowed,
      exists (
        select from ledger.order_events e
        where e.chain = o.chain and e.market_id = o.market_id and e.side = o.side and e.order_id = o.order_id
          and e.type = 'cancelled' and e.global_seq > p.global_seq
      ) as cancelled
    from state.orders o
    left join placed p using (market_id, side, order_id)
    left join dealt d using (market_id, side, order_id)
    left join state.markets m on m.chain = o.chain and m.market_id = o.market_id
    where o.chain = $1
  ) orders
  where not placed or not same or not within or cancelled or abs("left" - bid) > allowed
  order by market, side, id`

export const ORDER_COUNT = `select count(*)::int8 as count from state.orders where chain = $1`
