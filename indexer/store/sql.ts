// SQL of the store.

/** Tables with their columns in catalog order, without columns that have a default. */
export const CATALOG = `
  select n.nspname as schema, c.relname as name, meta.key_columns(n.nspname, c.relname) as key,
    json_agg(json_build_object('name', a.attname, 'type', t.typname, 'nullable', not a.attnotnull) order by a.attnum) as columns
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and not a.atthasdef
  join pg_type t on t.oid = a.atttypid
  where c.relkind = 'p' and n.nspname in ('ledger', 'state')
  group by n.nspname, c.relname`

/**
 * Settings of the writer's session. A process that hangs within a transaction must not block others. Merges touch few
 * rows of tables whose size the planner may not know yet.
 */
export const SETTINGS = `
  set timezone = 'UTC';
  set jit = off;
  set enable_hashjoin = off;
  set enable_mergejoin = off;
  set plan_cache_mode = force_generic_plan;
  set tcp_keepalives_idle = 20;
  set tcp_keepalives_interval = 10;
  set tcp_keepalives_count = 3;
  set idle_in_transaction_session_timeout = '30s';
  set role headwater_writer`

/** Null when the lease was taken, else its holder. $1 chain, $2 purpose, $3 token, $4 seconds. */
export const TAKE_LEASE = `select meta.take_lease($1, $2, $3, $4) as holder`

/** @param token  an SQL literal, as is `seconds` */
export const RENEW_LEASE = (token: string, seconds: string) =>
  `update meta.leases set expires_at = clock_timestamp() + make_interval(secs => ${seconds}) where token = ${token}`

export const RELEASE_LEASE = `delete from meta.leases where token = $1`

export const POSITION = `
  select chain_id as "chainId", first_block as "firstBlock", block_num as num, block_id as id, block_time as time, lib_num as lib, indexed,
    state_block as "stateBlock"
  from meta.position where chain = $1`

/** A pack from which the chain is being filled. */
export const OPEN_FETCH = `select address from meta.fetches where chain = $1 and finished_at is null`

/** $2 token of the lease, $3 chain id. */
export const KEEP_CHAIN_ID = `
  update meta.position set chain_id = $3 where chain = $1 and writer = $2 and chain_id is null and $3::text is not null`

/** Sets the accounts of a chain's roles to the configured ones; equal rows are not updated. */
export const KEEP_ACCOUNTS = `
  with wanted as (
    select * from unnest($2::text[], $3::text[], $4::numeric[]) w(role, account, domain)
  ), gone as (
    delete from meta.accounts a where a.chain = $1
      and not exists (select from wanted w where w.role = a.role and w.account = a.account)
  )
  insert into meta.accounts as a (chain, role, account, domain) select $1, role, account, domain from wanted
  on conflict (chain, role, account) do update set domain = excluded.domain where a.domain is distinct from excluded.domain`

/** To be followed by a list of values. */
export const INSERT_POSITION = `
  insert into meta.position
    (chain, writer, block_num, block_id, block_time, lib_num, head_num, chain_id, first_block, state_block) values`

/** To be followed by a list of arguments. */
export const MOVE_POSITION = `select meta.move_position`

/** The last irreversible block and the reversible ones after it, oldest first. */
export const REVERSIBLE_BLOCKS = `
  select block_num as num, encode(block_id, 'hex') as id from ledger.blocks
  where chain = $1 and block_num >= $2 order by block_num`

export const LAST_ORPHANED = `select max(block_num) as num from ledger.orphaned_blocks where chain = $1`

export const ABIS = `
  select account, block_num as "blockNum", global_seq as "globalSeq", abi from ledger.abis where chain = $1
  order by account, block_num, global_seq`

/** Rows that are marked as stale, and rows whose mark a rewind may restore. */
export const STALE_MARKS = `
  select contract, scope, table_name as "tableName", primary_key as "primaryKey" from state.stale_rows where chain = $1
  union select contract, scope, table_name, primary_key from undo.stale_rows where chain = $1`

/** To be followed by a list of arguments. */
export const REFRESH_CANDLES = `select meta.refresh_candles`
/** To be followed by a list of arguments. */
export const REWIND = `select meta.rewind`
/** To be followed by a list of arguments. */
export const FORGET_UNDO = `select meta.forget_undo`
export const ADD_CHAIN = `select meta.add_chain($1)`
export const BUILD_INDEXES = `select meta.build_indexes($1)`

/** Missing secondary indexes of a chain, those of large tables first. $2: size from which a table is large, bytes */
export const MISSING_INDEXES = `
  select i.relation, i.name, pg_relation_size(part.oid) >= $2 as "isLarge"
  from meta.secondary_indexes i
  join pg_class part on part.relnamespace = split_part(i.relation, '.', 1)::regnamespace
    and part.relname = split_part(i.relation, '.', 2) || '__' || $1
  where not exists (select from pg_class c where c.relnamespace = part.relnamespace and c.relname = part.relname || '_' || i.name)
  order by pg_relation_size(part.oid) desc, 1, 2`

/** To be followed by a list of arguments. */
export const BUILD_INDEX = `select meta.build_index`

/** Several sessions keep the processors busy without parallel workers. */
export const INDEX_SESSION = `
  set timezone = 'UTC'; set jit = off; set max_parallel_maintenance_workers = 0; set role headwater_writer`

/**
 * Notifies readers after a commit. Not part of it, because a reader can fill the notification queue, which would make
 * the commit fail. Does not wait for the disk, and at most 50 ms for other notifications.
 */
export const NOTIFY = (payload: string) =>
  `select set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '50ms', true), pg_notify('headwater', ${payload})`
