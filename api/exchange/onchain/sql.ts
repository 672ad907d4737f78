// SQL of the on-chain feed and of a chain's newest swaps. Every statement returns at least one row: the position.
import { AT, markColumns } from '../../kit/snapshot.ts'

const seconds = (column: string) => `date_part('epoch', ${column})`

/** The last irreversible block: data up to it never changes. No row: nothing is irreversible yet. */
const FINAL = `
  with at as materialized (select block_num, block_id, block_time, first_block, lib_num from meta.position where chain = $1),
  final as materialized (select b.block_num, b.block_time from ledger.blocks b, at
    where b.chain = $1 and b.block_num <= at.lib_num order by b.block_num desc limit 1)`

export const LATEST_BLOCK = `${FINAL}
  select ${markColumns('at')}, final.block_num::float8 as num, ${seconds('final.block_time')} as time from at left join final on true`

const SWAPS = `
  select block_num, block_time, global_seq, trx_id, 'swap' as type, pool_id, sender as maker, amount_a, amount_b, decimals_a,
    decimals_b, reserve_a, reserve_b, sqrt_price_x64 from ledger.swaps where chain = $1`

const LIQUIDITY = `
  select block_num, block_time, global_seq, trx_id, case type when 'mint' then 'join' else 'exit' end, pool_id, owner, amount_a,
    amount_b, decimals_a, decimals_b, reserve_a, reserve_b, null from ledger.position_events
  where chain = $1 and type in ('mint', 'burn') and amount_a is not null and amount_b is not null`

const columns = `
  e.global_seq::text as sequence, e.block_num::float8 as block, ${seconds('e.block_time')} as time, encode(e.trx_id, 'hex') as "trxId",
  e.type, e.pool_id::text as "poolId", e.maker, e.amount_a::text as "amountA", e.amount_b::text as "amountB",
  e.decimals_a as "decimalsA", e.decimals_b as "decimalsB", e.reserve_a::text as "reserveA", e.reserve_b::text as "reserveB",
  e.sqrt_price_x64::text as "sqrtPriceX64"`

/** $2, $3: first and last block; events after the last irreversible block are excluded. In the order of the chain. */
export const EVENTS = `${FINAL}
  select ${markColumns('at')}, at.first_block::float8 as "firstBlock", final.block_num::float8 as "lastBlock", ${columns}
  from at left join final on true left join lateral (
    ${SWAPS} and block_num between $2 and least($3, final.block_num)
    union all
    ${LIQUIDITY} and block_num between $2 and least($3, final.block_num)
  ) e on true order by e.global_seq`

/** The newest swaps from block $2 on, newest first. $3: limit. */
export const NEWEST_SWAPS = `${AT}
  select ${markColumns('at')}, (select first_block from meta.position where chain = $1)::float8 as "firstBlock", ${columns}
  from at left join lateral (${SWAPS} and block_num >= $2 order by global_seq desc limit $3) e on true order by e.global_seq desc`

/** $2: pool. */
export const CREATION = `${AT}
  select ${markColumns('at')}, c.block_num::float8 as block, ${seconds('c.block_time')} as time, encode(c.trx_id, 'hex') as "trxId"
  from at left join lateral (select * from ledger.pool_creations where chain = $1 and pool_id = $2
    order by block_time, global_seq limit 1) c on true`

/** $2: contract, $3: symbol. Raw units. */
export const SUPPLY = `${AT}
  select ${markColumns('at')}, s.supply::text as supply, s.max_supply::text as "maxSupply", s.decimals
  from at left join state.supplies s on s.chain = $1 and s.contract = $2 and s.symbol = $3`
