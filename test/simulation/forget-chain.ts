// Removes all rows of a chain, so that the next seed starts as on a new database.
import type { Pool } from 'pg'

const FORGET = `
do $do$
declare
  at record;
begin
  for at in select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'chain' and not a.attisdropped
    where (n.nspname in ('ledger', 'state', 'derive') and c.relkind = 'p' or n.nspname in ('undo', 'meta') and c.relkind = 'r')
      and c.relname <> 'domains'
  loop
    execute format('delete from %I.%I where chain = %L', at.nspname, at.relname, 'CHAIN');
  end loop;
end $do$`

export async function forgetChain(pool: Pool, chain: string): Promise<void> {
  await pool.query(FORGET.replace('CHAIN', chain))
}
