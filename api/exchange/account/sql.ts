// SQL of an account's history: newest first, a page by a cursor or by skip and limit.
//
// Parameters: $1 chain; $2 account; $3 and $4 the cursor, time and sequence of the last row of the previous page
// (infinity and any sequence for the first page); $5 rows to skip; $6 limit. An account can be on either side of a trade.
// Each side is read through its own index, only as far as the page needs. A trade of an account with itself is read from
// one side only.
import { LIQUIDITY_USD } from '../../kit/liquidity-usd.ts'
import { AT, markColumns } from '../../kit/snapshot.ts'

const BEFORE = '(block_time, global_seq) < ($3::timestamptz, $4::int8)'
const NEWEST_FIRST = 'order by block_time desc, global_seq desc'

const eitherSide = (table: string, columns: string, [sideA, sideB]: [string, string], condition: string) => `
  select u.* from (
    (select ${columns} from ${table} where chain = $1 and ${sideA} = $2 and ${BEFORE} ${condition} ${NEWEST_FIRST} limit $5::int8 + $6)
    union all
    (select ${columns} from ${table} where chain = $1 and ${sideB} = $2 and ${sideA} <> $2 and ${BEFORE} ${condition} ${NEWEST_FIRST}
      limit $5::int8 + $6)
  ) u ${NEWEST_FIRST} offset $5 limit $6`

const page = (rows: string) => `${AT}
  select ${markColumns('at')}, u.*, u.global_seq::text as id, date_part('epoch', u.block_time) * 1000 as time,
    encode(u.trx_id, 'hex') as "trxId"
  from at left join lateral (${rows}) u on true order by u.global_seq desc`

/** $7 market id, null for all; $8 start time, inclusive; $9 end time, exclusive. */
export const ACCOUNT_DEALS = page(
  eitherSide(
    'ledger.deals',
    `block_time, global_seq, trx_id, market_id::float8 as market, type, bidder, asker, amount_base::text as "amountBase",
      amount_target::text as "amountTarget", decimals_base as "decimalsBase", decimals_target as "decimalsTarget",
      unit_price::text as "unitPrice"`,
    ['bidder', 'asker'],
    'and ($7::int8 is null or market_id = $7) and block_time >= $8 and block_time < $9',
  ),
)

export const ACCOUNT_SWAPS = page(
  eitherSide(
    'ledger.swaps',
    `block_time, global_seq, trx_id, pool_id::float8 as pool, sender, recipient, amount_a::text as "amountA",
      amount_b::text as "amountB", decimals_a as "decimalsA", decimals_b as "decimalsB", sqrt_price_x64::text as "sqrtPriceX64",
      usd::float8 as usd`,
    ['sender', 'recipient'],
    '',
  ),
)

export const ACCOUNT_POSITION_EVENTS = page(`
  select block_time, global_seq, trx_id, pool_id::float8 as pool, position_id::float8 as position, owner, type,
    amount_a::text as "amountA", amount_b::text as "amountB", decimals_a as "decimalsA", decimals_b as "decimalsB",
    ${LIQUIDITY_USD}::float8 as usd, usd_price_a::float8 as "usdPriceA", usd_price_b::float8 as "usdPriceB"
  from ledger.position_events
  where chain = $1 and owner = $2 and ${BEFORE} and type in ('mint', 'burn', 'collect') ${NEWEST_FIRST} offset $5 limit $6`)
