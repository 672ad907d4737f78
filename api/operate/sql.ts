// SQL of the health, status and metrics routes.

/** Positions of all chains; `age` is the age of the last indexed block in seconds by the database's clock. */
export const POSITIONS = `
  select chain, chain_id as "chainId", first_block as "firstBlock", block_num as block, block_id as "blockId",
         block_time as "blockTime", lib_num as lib, head_num as head, indexed, updated_at as "updatedAt",
         extract(epoch from clock_timestamp() - block_time)::float8 as age
  from meta.position order by chain`
