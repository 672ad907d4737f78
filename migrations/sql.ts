// Statements of the migrating program; the migrations are in `sql/`.

/** Whether any migration was ever applied; the list of names exists only then. */
export const HAS_MIGRATIONS = `select to_regclass('public.headwater_migrations') is not null as there`

export const APPLIED = `select name from public.headwater_migrations order by id`

export const HAS_LOCK = `select to_regclass('public.headwater_migrating') is not null as there`

/** The table whose lock serialises migrations. Only its owner, and roles that may act as the owner, may lock it. */
export const CREATE_LOCK = `create table if not exists public.headwater_migrating ()`

/** Held until the transaction ends. The mode does not conflict with locks that a right to read allows. */
export const LOCK = `lock table public.headwater_migrating in share update exclusive mode`

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

/** Ends a migration: completes indexes and replica objects, and lets the owner end readers' sessions. */
export const END_MIGRATION = 'select meta.complete_indexes(); select meta.end_migration(); select meta.join_readers()'
