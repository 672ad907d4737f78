// Statements of the migrating program itself; what it applies is in `sql/`.

/** Whether migrations were ever applied, before their names are read. */
export const HAS_MIGRATIONS = `select to_regclass('public.headwater_migrations') is not null as there`

export const APPLIED = `select name from public.headwater_migrations order by id`

export const LOCK = `select pg_advisory_lock($1)`

/** What the login may do in this database, as far as migrations need it. */
export const PRIVILEGES = `
  select current_user as login, current_database() as database,
    has_database_privilege(current_database(), 'create') as "createsSchemas",
    to_regclass('public.headwater_migrations') is not null
      or coalesce((select has_schema_privilege(oid, 'create') from pg_namespace where nspname = 'public'), false) as "createsTables",
    (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as "createsRoles",
    current_setting('server_version_num')::int4 < 160000 as "grantsAnyRole",
    (select pg_get_userbyid(nspowner) from pg_namespace where nspname = 'meta' and not pg_has_role(nspowner, 'usage')) as "otherOwner"`

/** Of each role in $1: whether it is there, and whether the login is a member or may become one by itself. */
export const ROLES = `
  select wanted as name, r.oid is not null as "isThere", coalesce(pg_has_role(r.oid, 'member'), false) as "isMember",
    coalesce(pg_has_role(r.oid, 'member with admin option'), false) as "isAdmin"
  from unnest($1::text[]) wanted left join pg_roles r on r.rolname = wanted order by wanted desc`

/** Chains and tables of replicas get what the ledger has got; a replica reads what it has. */
export const END_MIGRATION = 'select meta.complete_indexes(); select meta.end_migration()'
