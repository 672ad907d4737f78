// The schema as text, from the catalog. A reviewer sees in its diff what a migration changes.
import type { Pool } from 'pg'

const RELATIONS = `
  select format('%s %I.%I', case c.relkind when 'v' then 'view' when 'm' then 'materialized view' else 'table' end, n.nspname, c.relname) as name,
    pg_get_partkeydef(c.oid) as partitioned,
    (select array_agg(format('  %I %s%s', a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then ' not null' else '' end)
       order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select array_agg('  ' || pg_get_constraintdef(k.oid) order by k.contype, k.conname) from pg_constraint k
       where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c')) as constraints,
    (select array_agg('  index ' || regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', '') order by 1) from pg_index i
       where i.indrelid = c.oid and not i.indisprimary) as indexes,
    (select array_agg(distinct format('  grant %s to %s', lower(g.privilege_type), g.grantee::regrole) order by format('  grant %s to %s', lower(g.privilege_type), g.grantee::regrole))
       from aclexplode(c.relacl) g where g.grantee::regrole::text like 'headwater%') as grants
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('meta', 'ledger', 'state', 'undo', 'derive', 'settled', 'versions', 'head', 'final', 'board') and c.relkind in ('r', 'p', 'v', 'm')
    and (not c.relispartition or c.relkind = 'p' or n.nspname = 'undo')
  order by n.nspname, c.relname`

const FUNCTIONS = `
  select format('function %I.%I(%s) returns %s%s', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid),
    pg_get_function_result(p.oid), case when p.prosecdef then ' security definer' else '' end) as name
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname in ('meta', 'head', 'final') order by 1`

interface Relation {
  name: string
  partitioned: string | null
  columns: string[]
  constraints: string[] | null
  indexes: string[] | null
  grants: string[] | null
}

export async function schemaText(pool: Pool): Promise<string> {
  const relations = (await pool.query<Relation>(RELATIONS)).rows.map((relation) => {
    const head = relation.partitioned ? `${relation.name} partition by ${relation.partitioned}` : relation.name
    const { columns, constraints, indexes, grants } = relation
    return [head, ...columns, ...(constraints ?? []), ...(indexes ?? []), ...(grants ?? [])].join('\n')
  })
  const functions = (await pool.query<{ name: string }>(FUNCTIONS)).rows.map(({ name }) => name)
  return `${[...relations, ...functions].join('\n\n')}\n`
}
