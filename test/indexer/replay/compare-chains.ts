// Compares all rows of two chains in one database, which may have been indexed in different ways.
import type { Pool } from 'pg'
import type { Test } from 'tap'

/** Not compared: headers of orphaned blocks and the position depend on the node and the time, not on the chain. */
const NOT_OF_THE_CHAIN = ['orphaned_blocks', 'position']

interface Relation {
  schema: string
  name: string
  /** All columns except the chain's name. */
  columns: string
}

/** Every table of ledger, state and derive, and the rows as of the last irreversible block. */
export async function sameChains(t: Test, pool: Pool, one: string, other: string): Promise<void> {
  for (const { schema, name, columns } of await relations(pool, ['ledger', 'state', 'derive', 'settled'])) {
    await sameRows(
      t,
      pool,
      columns,
      { relation: `${schema}.${name}`, chain: one },
      { relation: `${schema}.${name}`, chain: other },
    )
  }
}

/** Asserts that every final view of one chain equals the head view of the other. */
export async function finalEqualsHead(t: Test, pool: Pool, finalOf: string, headOf: string): Promise<void> {
  for (const { name, columns } of await relations(pool, ['final'])) {
    await sameRows(
      t,
      pool,
      columns,
      { relation: `final.${name}`, chain: finalOf },
      { relation: `head.${name}`, chain: headOf },
    )
  }
}

async function relations(pool: Pool, schemas: string[]): Promise<Relation[]> {
  const { rows } = await pool.query<Relation>(
    `select n.nspname as schema, c.relname as name,
       (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attname <> 'chain') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any ($1) and c.relkind in ('p', 'v') and c.relname <> all ($2) order by 1, 2`,
    [schemas, NOT_OF_THE_CHAIN],
  )
  return rows
}

interface Side {
  relation: string
  chain: string
}

async function sameRows(t: Test, pool: Pool, columns: string, one: Side, other: Side): Promise<void> {
  const rowsOf = ({ relation, chain }: Side) => `select ${columns} from ${relation} where chain = '${chain}'`
  const only = (a: Side, b: Side) => `select '${a.chain}' as only_in, x.* from (${rowsOf(a)} except all ${rowsOf(b)}) x`
  const { rows } = await pool.query(
    `select to_jsonb(x) as row from (${only(one, other)} union all ${only(other, one)}) x limit 5`,
  )
  t.same(rows, [], `${one.relation} is the same`)
}
