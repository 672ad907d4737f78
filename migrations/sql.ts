// Statements of the migrating program; the schema is in `baseline/`, `forward/` and `code/`.

/** Whether any migration was ever applied; the list of names exists only then. */
export const HAS_MIGRATIONS = `select to_regclass('public.headwater_migrations') is not null as there`

/** Reads the columns by name: a table from before the baseline has no checksums. */
export const APPLIED = `
  select m.name, to_jsonb(m) ->> 'checksum' as checksum, to_jsonb(m) ->> 'version' as version from public.headwater_migrations m order by m.id`

/** Knex's table of applied migrations, with three columns of ours. The row of the code has its duration. */
export const CREATE_HISTORY = `
  create table if not exists public.headwater_migrations (id serial primary key, name varchar(255), batch integer,
    migration_time timestamptz, checksum text, version text, seconds float8)`

export const NOTE_CHECKSUM = `update public.headwater_migrations set checksum = ?, version = ? where name = ? and checksum is null`

/** Notes functions, views and grants as one migration, the last. */
export const NOTE_CODE = `
  with old as (delete from public.headwater_migrations where name = ?)
  insert into public.headwater_migrations (name, batch, migration_time, checksum, version, seconds)
    select 'code', coalesce(max(batch), 0), clock_timestamp(), ?, ?, ? from public.headwater_migrations`

/** Bodies of functions name tables that may not be there yet. */
export const SKIP_BODIES = `set local check_function_bodies = off`

/** Functions and views of the program's schemas, with the place of their definition, which changes when it is replaced. */
export const CODE_OBJECTS = `
  select format('function %s', p.oid::regprocedure) as identity, p.oid || ' ' || p.ctid as made
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('meta', 'cosign')
  union all
  select format('view %I.%I', n.nspname, c.relname), c.oid || ' ' || r.ctid
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_rewrite r on r.ev_class = c.oid
    where c.relkind = 'v' and n.nspname in ('meta', 'settled', 'head', 'final', 'board')`

/** Objects of the last migration's code that were not made now and are still there: views first. */
export const FORGOTTEN_OBJECTS = `
  select identity from meta.code_objects where not identity = any (?::text[])
    and case when identity like 'view %' then to_regclass(substr(identity, 6)) is not null else to_regprocedure(substr(identity, 10)) is not null end
  order by identity desc`

export const KEEP_OBJECTS = `
  with made as (select distinct unnest(?::text[]) as identity), gone as (delete from meta.code_objects where identity not in (select identity from made))
  insert into meta.code_objects select identity from made on conflict do nothing`

/** Removes all views, and the functions that nothing uses. */
export const DROP_CODE = `
  select meta.drop_views();
  do $$
  declare
    made record;
  begin
    for made in select o.identity from meta.code_objects o where o.identity like 'function %' and to_regprocedure(substr(o.identity, 10)) is not null loop
      begin
        execute 'drop ' || made.identity;
      exception
        -- An index of a chain uses it.
        when dependent_objects_still_exist then null;
      end;
    end loop;
  end $$`

export const DROP_VIEWS = `select meta.drop_views()`

/** Views of rows as of the last irreversible block, before those that read them. */
export const CREATE_VIEWS = `select meta.create_settled_views()`

/** Views of datasets that have none of their own. */
export const DATASET_VIEWS = `select meta.create_dataset_views(); select meta.restore_view_grants()`

export const HAS_LOCK = `select to_regclass('public.headwater_migrating') is not null as there`

/** The table whose lock serialises migrations. Only its owner, and roles that may act as the owner, may lock it. */
export const CREATE_LOCK = `create table if not exists public.headwater_migrating ()`

/** Held until the transaction ends. The mode does not conflict with locks that a right to read allows. */
export const LOCK = `lock table public.headwater_migrating in share update exclusive mode`

export const IN_RECOVERY = `select pg_is_in_recovery() as standby`

/** Timeouts of the session that holds the lock, which is idle while the migrations run. */
export const LOCK_SESSION = `set lock_timeout = 0; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`

/** Whether a process is migrating. */
export const IS_LOCKED = `
  select exists (select from pg_locks where locktype = 'relation' and relation = to_regclass('public.headwater_migrating')
    and database = (select oid from pg_database where datname = current_database())
    and mode = 'ShareUpdateExclusiveLock' and granted) as held`

/** Timeouts of the session that ends readers' sessions. */
export const READER_SESSION = `set statement_timeout = '30s'; set lock_timeout = '5s'`

export const END_READER_SESSIONS = `select pid, login, reason, ended from meta.end_reader_sessions()`

/** Logins of readers whose sessions the schema's owner cannot end, and that owner. */
export const UNBOUNDED_READERS = `
  select u as login, pg_get_userbyid(n.nspowner) as owner from meta.unbounded_readers() u, pg_namespace n where n.nspname = 'meta'`

/** What any login may do in this database, and whether JIT compilation is left on in it. */
export const READER_RIGHTS = `
  select current_database() as database, has_database_privilege('public', current_database(), 'temporary') as temporary,
    has_schema_privilege('public', 'public', 'create') as tables,
    has_function_privilege('public', 'pg_catalog.lo_create(oid)', 'execute') as "largeObjects",
    not exists (select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where d.datname = current_database() and s.setrole = 0 and 'jit=off' = any (s.setconfig)) as jit`

/** The login's rights in this database, as far as migrations need them. */
export const PRIVILEGES = `
  select current_user as login, current_database() as database,
    has_database_privilege(current_database(), 'create') as "createsSchemas",
    to_regclass('public.headwater_migrations') is not null
      or coalesce((select has_schema_privilege(oid, 'create') from pg_namespace where nspname = 'public'), false) as "createsTables",
    (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as "createsRoles",
    current_setting('server_version_num')::int4 < 160000 as "grantsAnyRole",
    (select pg_get_userbyid(o.owner) from (
      select nspowner as owner from pg_namespace where nspname = 'meta'
      union all select relowner from pg_class where oid = to_regclass('public.headwater_migrating')) o
      where not pg_has_role(o.owner, 'usage') limit 1) as "otherOwner"`

/** For each role in $1: whether it exists, and whether the login is a member or may make itself one. */
export const ROLES = `
  select wanted as name, r.oid is not null as "isThere", coalesce(pg_has_role(r.oid, 'member'), false) as "isMember",
    coalesce(pg_has_role(r.oid, 'member with admin option'), false) as "isAdmin"
  from unnest($1::text[]) wanted left join pg_roles r on r.rolname = wanted order by wanted desc`

/** Ends a migration: completes replica objects. */
export const END_MIGRATION = 'select meta.end_migration()'

/** Chains that are indexed here, or were begun. */
export const CHAINS = 'select p.chain from meta.position p order by 1'

/** Gives a chain the partitions and indexes of new tables. */
export const COMPLETE_CHAIN = 'select meta.complete_chain(?)'

/** Lets the owner of the schema end readers' sessions. */
export const JOIN_READERS = 'select meta.join_readers()'

/** Tables that a migration can name, with the bytes of all their partitions; those of a few rows are left out. */
export const PLAN_TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name, sum(pg_table_size(t.relid))::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  cross join lateral (select relid from pg_partition_tree(c.oid) where isleaf union select c.oid where c.relkind = 'r') t
  where n.nspname in ('meta', 'ledger', 'state', 'undo', 'versions', 'derive', 'final_log', 'cosign', 'relay') and c.relkind in ('r', 'p')
    and c.relname not like '%\\_\\_%'
  group by 1 having sum(pg_table_size(t.relid)) > 65536 order by 2 desc`

/** How long replacing the code took the last time. */
export const CODE_DURATION = `select seconds from public.headwater_migrations where name = 'code'`

/** The largest partition, or table without partitions, of $1. */
export const LARGEST_LEAF = `
  select relid::regclass::text as leaf from pg_partition_tree($1::regclass) where isleaf order by pg_table_size(relid) desc limit 1`

export const PLAN_SAMPLE_BYTES = `select pg_table_size('meta.plan_sample')::float8 as bytes`

/** Secondary indexes that indexed chains lack, with the size of the table. */
export const PLAN_INDEXES = `
  select format('%s__%s_%s', s.relation, p.chain, s.name) as name, s.relation as table, pg_table_size(to_regclass(format('%s__%s', s.relation, p.chain)))::float8 as bytes
  from meta.secondary_indexes s cross join meta.position p
  where p.indexed and to_regclass(format('%s__%s', s.relation, p.chain)) is not null
    and to_regclass(format('%s__%s_%s', s.relation, p.chain, s.name)) is null order by 1`
