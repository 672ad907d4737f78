// SQL of the health, status and metrics routes.

/** Positions of all chains; `age` is the age of the last indexed block in seconds by the database's clock. */
export const POSITIONS = `
  select chain, chain_id as "chainId", first_block as "firstBlock", block_num as block, block_id as "blockId",
         block_time as "blockTime", lib_num as lib, head_num as head, indexed, state_block as "stateBlock", updated_at as "updatedAt",
         extract(epoch from clock_timestamp() - block_time)::float8 as age
  from meta.position order by chain`

/**
 * Rows of each chain's tables, as the server's statistics have them: no table is read. The first figure is lost in a
 * crash of the server, the second is missing until a table is analyzed.
 */
export const ROW_ESTIMATES = `
  select substr(part.relname, length(parent.relname) + 3) as chain, n.nspname || '.' || parent.relname as name,
         greatest(pg_stat_get_live_tuples(part.oid), part.reltuples, 0)::float8 as rows
  from pg_class parent
  join pg_namespace n on n.oid = parent.relnamespace
  join pg_inherits i on i.inhparent = parent.oid
  join pg_class part on part.oid = i.inhrelid
  where parent.relkind = 'p' and n.nspname in ('ledger', 'state', 'derive')
  order by 1, 2`
