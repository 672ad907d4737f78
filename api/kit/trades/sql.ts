// SQL of trades of AMM pools and of order-book markets.
import { AT, markColumns } from '../snapshot.ts'

const SWAP = `pool_id::text as "poolId", global_seq::text as id, global_seq as place, date_part('epoch', block_time) as time,
  amount_a::text as "amountA", amount_b::text as "amountB", decimals_a as "decimalsA", decimals_b as "decimalsB",
  sqrt_price_x64::text as "sqrtPriceX64", encode(trx_id, 'hex') as "trxId"`

/**
 * The newest swaps over several pools, newest first. $2: pools; $3: buy, sell or null for both; $4, $5: time range
 * [from, before); $6: limit.
 */
export const POOL_TRADES = `${AT}
  select ${markColumns('at')}, t.* from at left join lateral (
    select s.* from unnest($2::int8[]) pools(id) cross join lateral (
      select ${SWAP} from ledger.swaps
      where chain = $1 and pool_id = pools.id and ($3::text is null or (amount_a > 0) = ($3 = 'sell')) and block_time >= $4
        and block_time < $5
      order by block_time desc, global_seq desc limit $6
    ) s order by s.place desc limit $6
  ) t on true order by t.place desc`

/** The newest swaps of each of several pools, newest first. $2: pools; $3: limit for each pool. */
export const NEWEST_SWAPS = `${AT}
  select ${markColumns('at')}, t.* from at left join lateral (
    select s.* from unnest($2::int8[], $3::int8[]) wanted(id, most) cross join lateral (
      select ${SWAP} from ledger.swaps where chain = $1 and pool_id = wanted.id
      order by block_time desc, global_seq desc limit wanted.most
    ) s
  ) t on true order by t.place desc`

const DEAL = `market_id::text as "marketId", global_seq::text as id, date_part('epoch', block_time) as time, type,
  unit_price::text as "unitPrice", amount_base::text as "amountBase", amount_target::text as "amountTarget",
  decimals_base as "decimalsBase", decimals_target as "decimalsTarget", encode(trx_id, 'hex') as "trxId"`

/**
 * The newest trades of a market, newest first. $2: market; $3: buymatch, sellmatch or null for both; $4, $5: time range
 * [from, before); $6: limit.
 */
export const MARKET_TRADES = `${AT}
  select ${markColumns('at')}, d.* from at left join lateral (
    select ${DEAL} from ledger.deals
    where chain = $1 and market_id = $2 and ($3::text is null or type = $3) and block_time >= $4 and block_time < $5
    order by block_time desc, global_seq desc limit $6
  ) d on true`

/** The newest trades of each of several markets, newest first. $2: markets; $3: limit for each market. */
export const NEWEST_DEALS = `${AT}
  select ${markColumns('at')}, t.* from at left join lateral (
    select d.* from unnest($2::int8[], $3::int8[]) wanted(id, most) cross join lateral (
      select ${DEAL}, global_seq as place from ledger.deals where chain = $1 and market_id = wanted.id
      order by block_time desc, global_seq desc limit wanted.most
    ) d
  ) t on true order by t.place desc`
