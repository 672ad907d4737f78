// A digest of everything that an indexer has written to a database, for comparison with another run or version.
import { createHash } from 'node:crypto'
import pg from 'pg'

/** Rows of these are a function of the blocks: they do not depend on when and by whom they were written. */
const SCHEMAS = ['ledger', 'state', 'derive']

export interface DatabaseDigest {
  rows: number
  sha256: string
}

/** Covers all rows of the chains in any order. */
export async function digestOfTables(url: string): Promise<DatabaseDigest> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`set timezone = 'UTC'`)
  const { rows: tables } = await client.query<{ id: string }>(
    `select c.oid::regclass::text as id from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = any ($1) order by 1`,
    [SCHEMAS],
  )
  const hash = createHash('sha256')
  let rows = 0
  for (const { id } of tables) {
    const { rows: found } = await client.query<{ rows: string; sum: string | null }>(
      `select count(*) as rows, sum(hashtextextended(t::text, 0)::numeric) as sum from ${id} t`,
    )
    rows += Number(found[0]?.rows)
    hash.update(`${id} ${found[0]?.rows} ${found[0]?.sum}\n`)
  }
  await client.end()
  return { rows, sha256: hash.digest('hex') }
}
