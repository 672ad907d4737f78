// SQL of the lake: the times of final blocks.

/** First block of chain $1 from block $2 on, with its time. */
export const FIRST_BLOCK = `
  select block_num::float8 as num, block_time as time from final.blocks
  where chain = $1 and block_num >= $2 order by block_num limit 1`

/** Time of the newest block of chain $1 up to block $2. */
export const LAST_TIME = `
  select block_time as time from final.blocks
  where chain = $1 and block_num <= $2 order by block_num desc limit 1`

/**
 * First block of chain $1 from block $2 on whose time is at or after $3. Reads the blocks from $2 to the answer: block
 * times have no index by chain, so without $2 it would read all later blocks.
 */
export const FIRST_SINCE = `
  select block_num::float8 as num from final.blocks
  where chain = $1 and block_num >= $2 and block_time >= $3 order by block_num limit 1`
