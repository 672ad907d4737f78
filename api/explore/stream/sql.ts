// Statements of the stream of facts. They run in one snapshot. $1: chain.
import { DATASETS, factColumns, relationOf } from '../facts.ts'

export const POSITION = `
  select block_num::float8 as num, block_id as id, lib_num::float8 as lib from meta.position where chain = $1`

/**
 * The block $2 with the id $3 and its ancestors, newest first, up to the first one on the indexed branch: its column
 * \`stands\` is true. No row has it when the block was never indexed, or is older than the stored headers of orphaned blocks.
 */
export const ANCESTRY = `
  with recursive line as (
    select $2::int8 as num, $3::bytea as id, exists (select from ledger.blocks b where b.chain = $1 and b.block_num = $2
      and b.block_id = $3) as stands
    union all
    select o.block_num - 1, o.prev_id, exists (select from ledger.blocks b where b.chain = $1 and b.block_num = o.block_num - 1
      and b.block_id = o.prev_id)
    from line l join ledger.orphaned_blocks o on o.chain = $1 and o.block_num = l.num and o.block_id = l.id
    where not l.stands
  )
  select num::float8 as num, encode(id, 'hex') as id, stands from line order by num desc`

/** Headers of the blocks after $2 up to $3. */
export const HEADERS = `
  select block_num::float8 as num, encode(block_id, 'hex') as id, date_part('epoch', block_time) * 1000 as time
  from ledger.blocks where chain = $1 and block_num > $2::int8 and block_num <= $3::int8 order by block_num`

/** Facts of the blocks $2 to $3, whose times are $4 and $5, in the order of the chain. */
export const FACTS = `
  select f.dataset, f.block_num::float8 as "blockNum", date_part('epoch', f.block_time) * 1000 as time,
    f.global_seq::text as sequence, f.trx_id as "trxId", f.row
  from (${DATASETS.map(
    (dataset) => `select ${factColumns(dataset)} from ${relationOf(dataset)} v
      where v.chain = $1 and v.block_num >= $2 and v.block_num <= $3 and v.block_time >= $4 and v.block_time <= $5`,
  ).join(' union all ')}) f order by f.global_seq, f.dataset`
