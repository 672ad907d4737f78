// Measures on the operator's server how fast it rewrites a table and builds an index: on a copy of some rows, in a
// transaction that is rolled back.
import pg from 'pg'
import { required } from '../core/required.ts'
import { LARGEST_LEAF, PLAN_SAMPLE_BYTES } from './sql.ts'

/** Enough rows for some tenths of a second. */
const SAMPLE_ROWS = 100_000

/** Bytes of a table a second. */
export interface Speeds {
  /** To write its rows and their indexes. */
  rewrite: number
  /** To build one index. */
  index: number
}

/** @param table  one with rows */
export async function measureSpeeds(client: pg.ClientBase, table: string): Promise<Speeds> {
  const { rows: leaves } = await client.query<{ leaf: string }>(LARGEST_LEAF, [table])
  const { leaf } = required(leaves[0], `partition of ${table}`)
  await client.query('begin')
  try {
    await client.query(`create table meta.plan_sample (like ${leaf} including all)`)
    const rewriting = await secondsOf(client, `insert into meta.plan_sample select * from ${leaf} limit ${SAMPLE_ROWS}`)
    const { rows } = await client.query<{ bytes: number }>(PLAN_SAMPLE_BYTES)
    const { rows: columns } = await client.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = 'meta.plan_sample'::regclass and attnum > 0 order by attnum limit 2`,
    )
    const key = columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ')
    const indexing = await secondsOf(client, `create index on meta.plan_sample (${key})`)
    const bytes = required(rows[0], 'size of the sample').bytes
    return { rewrite: bytes / rewriting, index: bytes / indexing }
  } finally {
    await client.query('rollback')
  }
}

async function secondsOf(client: pg.ClientBase, sql: string): Promise<number> {
  const started = performance.now()
  await client.query(sql)
  return (performance.now() - started) / 1000
}
