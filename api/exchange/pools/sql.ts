// SQL of a pool's swaps. Parameters: $1 chain, $2 and $3 the cursor, which the page follows (infinity and any sequence
// for the first page), $4 rows to skip, $5 limit, $6 pool, $7 and $8 time range [from, before), $9 sender and $10
// recipient, or null.
import { AT, markColumns } from '../../kit/snapshot.ts'

export const POOL_SWAPS = `
  ${AT}
  select ${markColumns('at')}, u.*, u.global_seq::text as id, date_part('epoch', u.block_time) * 1000 as time,
    encode(u.trx_id, 'hex') as "trxId"
  from at left join lateral (
    select block_time, global_seq, trx_id, pool_id::float8 as pool, sender, recipient, amount_a::text as "amountA",
      amount_b::text as "amountB", decimals_a as "decimalsA", decimals_b as "decimalsB",
      sqrt_price_x64::text as "sqrtPriceX64", usd::float8 as usd
    from ledger.swaps
    where chain = $1 and pool_id = $6 and block_time >= $7 and block_time < $8
      and (block_time, global_seq) < ($2::timestamptz, $3::int8)
      and ($9::text is null or sender = $9) and ($10::text is null or recipient = $10)
    order by block_time desc, global_seq desc offset $4 limit $5
  ) u on true order by u.block_time desc, u.global_seq desc`
