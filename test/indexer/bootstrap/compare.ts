// Compares the rows of two chains in one database.
import type { Pool } from 'pg'
import type { Test } from 'tap'

/** Balances of earlier hours: a chain that starts in the middle does not know them. */
export const PAST = ['state.balance_hours']

/** Asserts that all rows of `state`, `ledger` and `derive` are equal except for the chain's name. */
export async function sameRows(
  t: Test,
  pool: Pool,
  schemas: readonly string[],
  one: string,
  other: string,
  except: readonly string[] = [],
): Promise<void> {
  const { rows: tables } = await pool.query<{ id: string; columns: string }>(
    `select n.nspname || '.' || c.relname as id, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname <> 'chain'
     where c.relkind = 'p' and n.nspname = any ($1) group by 1 order by 1`,
    [schemas],
  )
  for (const { id, columns } of tables) {
    if (except.includes(id)) continue
    const from = (chain: string) => `select ${columns} from ${id} where chain = '${chain}'`
    const only = (a: string, b: string) => `select '${a}' as only_in, x.* from (${from(a)} except all ${from(b)}) x`
    const { rows } = await pool.query(
      `select to_jsonb(x) as row from (${only(one, other)} union all ${only(other, one)}) x limit 5`,
    )
    t.same(rows, [], `${id} is the same`)
  }
}

export async function countRows(pool: Pool, table: string, chain: string): Promise<number> {
  const { rows } = await pool.query(`select count(*)::int as n from ${table} where chain = $1`, [chain])
  return rows[0].n
}
