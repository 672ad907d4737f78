// SQL of the health, status and metrics routes.

/** Maximum number of stale rows of a chain that are counted, and that are listed. */
const COUNTED_STALE = 10_000
const NAMED_STALE = 5

/**
 * Positions of all chains. `age`: age of the last indexed block; `headAge`: time since the node's head was last stored;
 * both in seconds by the database's clock. `blockSeconds`: block interval; for an EVM chain measured over at least the
 * last 100 blocks.
 */
export const POSITIONS = `
  select p.chain, p.chain_id as "chainId", p.first_block as "firstBlock", p.block_num as block, p.block_id as "blockId",
         p.block_time as "blockTime", p.lib_num as lib, p.head_num as head, p.indexed, p.state_block as "stateBlock", p.updated_at as "updatedAt",
         extract(epoch from clock_timestamp() - p.block_time)::float8 as age,
         extract(epoch from clock_timestamp() - p.updated_at)::float8 as "headAge",
         exists (select from state.pools s where s.chain = p.chain) or exists (select from state.markets s where s.chain = p.chain)
           or exists (select from state.bridge_routes s where s.chain = p.chain) as "hasState",
         (select count(*)::int4 from (select from state.stale_rows s where s.chain = p.chain limit ${COUNTED_STALE}) x) as "staleRows",
         array(select s.current_table || ' ' || coalesce(array_to_string(s.current_key, ' '), s.primary_key::text)
           from state.stale_rows s where s.chain = p.chain
           order by s.contract, s.scope, s.table_name, s.primary_key limit ${NAMED_STALE}) as "stale",
         case when p.chain_id like 'eip155:%' then coalesce((
           select extract(epoch from p.block_time - b.block_time)::float8 / (p.block_num - b.block_num)
           from ledger.blocks b where b.chain = p.chain and b.block_num <= p.block_num - 100
           order by b.block_num desc limit 1), 12) else 0.5 end as "blockSeconds"
  from meta.position p order by p.chain`

/**
 * Replay of a physical standby. A standby that receives nothing more has an old last transaction even when all of it is
 * replayed, so its age counts unless the standby is connected and has replayed everything.
 */
export const REPLICATION = `
  select r.standby, r.receiving,
         pg_wal_lsn_diff(r.received, r.replayed)::float8 as bytes,
         case when r.receiving and r.received = r.replayed then 0
           else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 end as seconds
  from (select pg_is_in_recovery() as standby, exists (select from pg_stat_wal_receiver) as receiving,
               pg_last_wal_receive_lsn() as received, pg_last_wal_replay_lsn() as replayed) r`

/** The indexers' reports of faults of their nodes; ages in seconds by the database's clock. */
export const REPORTS = `
  select r.chain, r.fault_code as code, r.fault, r.ended, r.contradiction,
         extract(epoch from clock_timestamp() - r.fault_at)::float8 as "faultAge",
         extract(epoch from clock_timestamp() - r.contradiction_at)::float8 as "contradictionAge"
  from meta.chain_reports r order by r.chain`

/**
 * Estimated rows of each chain's tables from the server's statistics, without reading a table. The maximum of two
 * figures: the first is lost in a crash of the server, the second is missing until the table is analyzed.
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
