// Statements of `headwater support`. All only read; none waits for a lock of the program.

export const LIMITS = `set local statement_timeout = '10s'; set local lock_timeout = '1s'`

export const SERVER = `select version() as version, current_database() as database, current_user as login,
    pg_database_size(current_database())::float8 as "databaseBytes", pg_postmaster_start_time() as "startedAt",
    pg_is_in_recovery() as standby, current_setting('max_connections')::int4 as "maxConnections",
    (select count(*)::int4 from pg_stat_activity where backend_type = 'client backend') as connections`

export const EXTENSIONS = `select extname as name, extversion as version from pg_extension order by 1`

export const MIGRATIONS = `select name, version from public.headwater_migrations order by name`

/** Settings that determine speed and safety. Of settings that this session has changed, the value before the change. */
export const SETTINGS = `select name, case source when 'session' then concat(reset_val, unit) else current_setting(name) end as value,
    nullif(source, 'session') as source from pg_settings
  where name = any(array['shared_buffers', 'effective_cache_size', 'work_mem', 'maintenance_work_mem', 'max_wal_size',
    'checkpoint_timeout', 'wal_compression', 'wal_level', 'synchronous_commit', 'fsync', 'full_page_writes', 'autovacuum',
    'autovacuum_max_workers', 'autovacuum_vacuum_cost_limit', 'random_page_cost', 'effective_io_concurrency', 'jit',
    'max_parallel_workers', 'statement_timeout', 'idle_in_transaction_session_timeout', 'data_checksums', 'huge_pages',
    'shared_preload_libraries', 'max_locks_per_transaction', 'max_slot_wal_keep_size', 'TimeZone'])
  order by 1`

/** The largest relations, with indexes and TOAST. */
export const TABLES = `select c.oid::regclass::text as name, pg_total_relation_size(c.oid)::float8 as bytes,
    pg_relation_size(c.oid)::float8 as "heapBytes", c.reltuples::float8 as rows, s.n_dead_tup::float8 as dead,
    coalesce(s.last_autovacuum, s.last_vacuum) as vacuumed, coalesce(s.last_autoanalyze, s.last_analyze) as analyzed
  from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_stat_all_tables s on s.relid = c.oid
  where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
  order by 2 desc limit 30`

export const STATEMENTS_SCHEMA = `select quote_ident(n.nspname) as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_stat_statements'`

/** @param schema  of the extension, quoted */
export const slowStatements = (schema: string): string => `select calls::float8 as calls,
    round(total_exec_time)::float8 as "totalMs", round(mean_exec_time::numeric, 2)::float8 as "meanMs",
    round(max_exec_time)::float8 as "maxMs", rows::float8 as rows, query
  from ${schema}.pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
  order by total_exec_time desc limit 15`

/** Open transactions of this database, the oldest first. */
export const TRANSACTIONS = `select pid, usename as login, application_name as application, state,
    concat_ws(' ', wait_event_type, wait_event) as waits,
    round(extract(epoch from clock_timestamp() - xact_start))::float8 as seconds, pg_blocking_pids(pid) as "blockedBy", query
  from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
    and backend_type = 'client backend'
  order by xact_start limit 20`

export const REPORTS = `select chain, started_at as "startedAt", fault_code as "faultCode", fault, fault_at as "faultAt", ended,
  contradiction, contradiction_at as "contradictionAt" from meta.chain_reports order by 1`

export const UNDECODED = `select chain, 'action' as kind, account as contract, reason_code as reason, count(*)::float8 as count, max(block_num)::float8 as "lastBlock"
    from ledger.undecoded_actions group by 1, 3, 4
  union all select chain, 'row', code, reason_code, count(*)::float8, max(block_num)::float8 from ledger.undecoded_rows group by 1, 3, 4
  order by count desc limit 50`

export const ORPHANED = `select chain, count(*)::float8 as blocks,
    count(*) filter (where replaced_at > now() - interval '24 hours')::float8 as "last24Hours", max(replaced_at) as "lastAt"
  from ledger.orphaned_blocks group by 1 order by 1`

export const REWINDS = `select chain, rewound_at as "rewoundAt", from_block::float8 as "fromBlock", to_block::float8 as "toBlock", forced
  from meta.rewinds order by rewound_at desc limit 10`

export const REFUSALS = `select chain, action, leg, kind, count, reason, last_at as "lastAt", retry_at as "retryAt" from relay.refusals
  where kind <> 'done' order by last_at desc limit 20`

export const INTENTS = `select chain, state, count(*)::float8 as count, max(created_at) as "lastAt" from relay.intents group by 1, 2 order by 1, 2`

export const FAILED_JOBS = `select name, count(*)::float8 as count, max(completed_on) as "lastAt",
    (array_agg(left(output::text, 300) order by completed_on desc))[1] as "lastOutput"
  from pgboss.job where state = 'failed' group by 1 order by 1`
