// The schema of a database as sorted lines of text from the catalog: columns and their order, grants, comments and
// everything else that a migration can change. Sizes, object ids and rows of chains are not included.
import type pg from 'pg'

const SCHEMAS = `array['meta', 'ledger', 'state', 'undo', 'derive', 'settled', 'versions', 'head', 'final', 'board', 'final_log', 'cosign', 'relay', 'staging']`
const OURS = `n.nspname = any (${SCHEMAS})`
/** Excludes partitions of chains, which the indexer creates, not a migration. */
const NOT_OF_CHAIN = `c.relname not like '%\\_\\_%'`

const LINES: Readonly<Record<string, string>> = {
  schemas: `select format('schema %I acl %s: %s', n.nspname, (select array_agg(x::text order by x::text) from unnest(n.nspacl) x), obj_description(n.oid)) from pg_namespace n where ${OURS}`,
  relations: `
    select format('%s %I.%I options %s partition %s of %s: %s', c.relkind, n.nspname, c.relname, c.reloptions, pg_get_partkeydef(c.oid),
      case when c.relispartition then pg_get_expr(c.relpartbound, c.oid) end, obj_description(c.oid, 'pg_class'))
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'S') and ${NOT_OF_CHAIN}`,
  columns: `
    select format('column %I.%I %s %I %s null %s default %s identity %s: %s', n.nspname, c.relname,
      lpad(row_number() over (partition by c.oid order by a.attnum)::text, 3, '0'), a.attname, format_type(a.atttypid, a.atttypmod),
      not a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attidentity, col_description(c.oid, a.attnum))
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${OURS} and c.relkind in ('r', 'p', 'v', 'm') and ${NOT_OF_CHAIN}`,
  constraints: `
    select format('constraint %I.%I %s %s', n.nspname, c.relname, k.conname, pg_get_constraintdef(k.oid))
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and k.contype <> 'n' and ${NOT_OF_CHAIN}`,
  indexes: `
    select format('index %s', pg_get_indexdef(i.indexrelid)) from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_namespace n on n.oid = c.relnamespace where ${OURS} and ${NOT_OF_CHAIN}`,
  statistics: `
    select regexp_replace(pg_get_statisticsobjdef(e.oid), '\\s+', ' ', 'g') from pg_statistic_ext e join pg_class c on c.oid = e.stxrelid
    join pg_namespace n on n.oid = c.relnamespace where ${OURS} and ${NOT_OF_CHAIN}`,
  views: `
    select format('definition %I.%I %s', n.nspname, c.relname, regexp_replace(pg_get_viewdef(c.oid), '\\s+', ' ', 'g'))
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and c.relkind in ('v', 'm')`,
  functions: `
    select format('function %s acl %s: %s', regexp_replace(pg_get_functiondef(p.oid), '\\s+', ' ', 'g'),
      (select array_agg(x::text order by x::text) from unnest(p.proacl) x), obj_description(p.oid, 'pg_proc'))
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${OURS}`,
  grants: `
    select format('grant %I.%I %s', n.nspname, c.relname, (select array_agg(x::text order by x::text) from unnest(c.relacl) x))
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where (${OURS} or c.relname = 'headwater_migrations') and c.relacl is not null and ${NOT_OF_CHAIN}`,
  columnGrants: `
    select format('grant %I.%I.%I %s', n.nspname, c.relname, a.attname, a.attacl) from pg_attribute a join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace where ${OURS} and a.attacl is not null and ${NOT_OF_CHAIN}`,
  defaultGrants: `
    select format('default grants in %I %s %s', n.nspname, d.defaclobjtype, d.defaclacl) from pg_default_acl d
    join pg_namespace n on n.oid = d.defaclnamespace`,
  publications: `
    select format('publication %s insert %s update %s delete %s of %s.%s', p.pubname, p.pubinsert, p.pubupdate, p.pubdelete, t.schemaname, t.tablename)
    from pg_publication p join pg_publication_tables t on t.pubname = p.pubname`,
  triggers: `
    select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and not t.tgisinternal`,
}

/** Tables whose rows a migration writes. */
const ROWS = ['meta.domains', 'meta.resolutions', 'meta.secondary_indexes', 'meta.replicated', 'meta.reader_limits']

/** @returns sorted lines; a null of the catalog is an empty text */
export async function catalogLines(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const found: string[] = []
  for (const query of Object.values(LINES)) {
    const { rows } = await client.query<[string]>({ text: query, rowMode: 'array' })
    found.push(...rows.map(([line]) => line))
  }
  for (const table of ROWS) {
    const { rows } = await client.query<[string]>({ text: `select t::text from ${table} t`, rowMode: 'array' })
    found.push(...rows.map(([line]) => `row of ${table} ${line}`))
  }
  return found.sort()
}
