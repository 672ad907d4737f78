// SQL of the trades of AMM pools.
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
