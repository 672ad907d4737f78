// SQL of the valuation, without the statements that move staged values. $1 is the chain.

export const SESSION = `set timezone = 'UTC'; set plan_cache_mode = force_custom_plan; set role headwater_writer`

const POOL_COLUMNS = `pool_id as "poolId", active, contract_a as "contractA", symbol_a as "symbolA", decimals_a as "decimalsA",
  reserve_a as "reserveA", contract_b as "contractB", symbol_b as "symbolB", decimals_b as "decimalsB", reserve_b as "reserveB",
  sqrt_price_x64 as "sqrtPriceX64", liquidity, fee`
const MARKET_COLUMNS = `market_id as "marketId", base_contract as "baseContract", base_symbol as "baseSymbol",
  target_contract as "targetContract", target_symbol as "targetSymbol"`
const ORDER_COLUMNS = `market_id as "marketId", side, order_id as "orderId", bid_amount as "bidAmount"`
const PRICE = `token_id as "tokenId", decimals, rate_x192 as "rateX192", pool_id as "poolId"`

/** Current rows. */
export const POOLS = `select ${POOL_COLUMNS} from state.pools where chain = $1`
export const MARKETS = `select ${MARKET_COLUMNS} from state.markets where chain = $1`
export const ORDERS = `select ${ORDER_COLUMNS} from state.orders where chain = $1`
export const PRICES = `select ${PRICE} from state.token_prices where chain = $1`

/** Rows that changed in block $2 or later, with their values before that block. */
export const POOLS_BEFORE = before('pools', 'pool_id', POOL_COLUMNS)
export const MARKETS_BEFORE = before('markets', 'market_id', MARKET_COLUMNS)
export const ORDERS_BEFORE = before('orders', 'market_id, side, order_id', ORDER_COLUMNS)
export const PRICES_BEFORE = before('token_prices', 'token_id', PRICE)

function before(table: string, key: string, columns: string): string {
  return `select distinct on (${key}) existed, ${columns} from undo.${table} where chain = $1 and undo_block >= $2
    order by ${key}, undo_block`
}

/** The USD price before block $2. */
export const USD_BEFORE = `
  select usd::text, source from ledger.usd_prices where chain = $1 and block_num < $2 order by block_num desc limit 1`

/** The newest point of a pair before block $2. */
export const POINT_BEFORE = `
  select block_num as "blockNum", block_time as "blockTime", point_id as "pointId", point_time as "pointTime", median
  from ledger.oracle_points where chain = $1 and block_num < $2 and contract = $3 and pair = $4
  order by block_num desc, point_time desc, point_id desc limit 1`

export const BLOCK_TIME = `select block_time as "blockTime" from ledger.blocks where chain = $1 and block_num = $2`

/** Quotes made from $2 to $3. */
export const QUOTES = `
  select quoted_at as "quotedAt", usd::text, source from meta.usd_quotes where chain = $1 and quoted_at >= $2 and quoted_at <= $3
  order by quoted_at`

/** Start of the scores valid at $2, and start of the next ones. */
export const SCORE_TIMES = `
  select (select max(valid_from) from derive.score_snapshots where chain = $1 and valid_from <= $2) as "validFrom",
    (select min(valid_from) from derive.score_snapshots where chain = $1 and valid_from > $2) as next`
export const SCORES = `select token_id as "tokenId", score from derive.score_snapshots where chain = $1 and valid_from = $2`

/** Adds a quote, dated now. When two processes add one at the same millisecond, only one is stored. */
export const ADD_QUOTE = `
  insert into meta.usd_quotes (chain, quoted_at, usd, source) values ($1, date_trunc('milliseconds', clock_timestamp()), $2, $3)
  on conflict do nothing`
