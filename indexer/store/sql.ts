// Every statement of the store.

/** Tables with their columns, in the order of the catalog, without those that the database fills in. */
export const CATALOG = `
  select n.nspname as schema, c.relname as name, meta.key_columns(n.nspname, c.relname) as key,
    json_agg(json_build_object('name', a.attname, 'type', t.typname, 'nullable', not a.attnotnull) order by a.attnum) as columns
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and not a.atthasdef
  join pg_type t on t.oid = a.atttypid
  where c.relkind = 'p' and n.nspname in ('ledger', 'state')
  group by n.nspname, c.relname`

/** Of the writer's session. Merges touch few rows of tables whose size the planner may not know yet. */
export const SETTINGS = `
  set timezone = 'UTC';
  set jit = off;
  set enable_hashjoin = off;
  set enable_mergejoin = off;
  set plan_cache_mode = force_generic_plan;
  set tcp_keepalives_idle = 20;
  set tcp_keepalives_interval = 10;
  set tcp_keepalives_count = 3;
  set role headwater_writer`

export const LOCK = `select pg_try_advisory_lock(hashtextextended('headwater:' || $1, 0)) as locked`

export const HOLDER = `
  select a.pid, a.application_name, a.client_addr::text as address, a.backend_start
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.database = (select oid from pg_database where datname = current_database())
    and (l.classid::int8 << 32) | l.objid::int8 = hashtextextended('headwater:' || $1, 0)`

export const POSITION = `
  select chain_id as "chainId", first_block as "firstBlock", block_num as num, block_id as id, block_time as time, lib_num as lib, indexed,
    state_block as "stateBlock"
  from meta.position where chain = $1`

export const CLAIM_POSITION = `
  update meta.position set writer = $2, chain_id = coalesce(chain_id, $3) where chain = $1`

/** Makes the accounts of a chain's roles what they are configured to be; rows that are so already are left alone. */
export const KEEP_ACCOUNTS = `
  with wanted as (
    select * from unnest($2::text[], $3::text[], $4::numeric[]) w(role, account, domain)
  ), gone as (
    delete from meta.accounts a where a.chain = $1
      and not exists (select from wanted w where w.role = a.role and w.account = a.account)
  )
  insert into meta.accounts as a (chain, role, account, domain) select $1, role, account, domain from wanted
  on conflict (chain, role, account) do update set domain = excluded.domain where a.domain is distinct from excluded.domain`

/** A list of values follows. */
export const INSERT_POSITION = `
  insert into meta.position
    (chain, writer, block_num, block_id, block_time, lib_num, head_num, chain_id, first_block, state_block) values`

/** A list of arguments follows. */
export const MOVE_POSITION = `select meta.move_position`

/** Blocks that a node may still replace, with the last irreversible one, oldest first. */
export const REVERSIBLE_BLOCKS = `
  select block_num as num, encode(block_id, 'hex') as id from ledger.blocks
  where chain = $1 and block_num >= $2 order by block_num`

export const ABIS = `
  select account, block_num as "blockNum", global_seq as "globalSeq", abi from ledger.abis where chain = $1
  order by account, block_num, global_seq`

/** A list of arguments follows. */
export const REFRESH_CANDLES = `select meta.refresh_candles`
/** A list of arguments follows. */
export const REWIND = `select meta.rewind`
/** A list of arguments follows. */
export const FORGET_UNDO = `select meta.forget_undo`
export const ADD_CHAIN = `select meta.add_chain($1)`
export const BUILD_INDEXES = `select meta.build_indexes($1)`
/** A list of arguments follows. */
export const NOTIFY = `select pg_notify`
