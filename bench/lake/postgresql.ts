// The same queries in PostgreSQL.
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { benchDatabase } from '../support/database.ts'
import { DAYS, SWAP_COLUMNS, SwapGenerator } from './generator.ts'
import { count, measure } from './measure.ts'

const TYPES: Readonly<Record<string, string>> = { text: 'text', numeric: 'numeric' }

/** @param cleanups  work at the end, last first */
export async function inPostgreSql(
  swaps: number,
  { since, pool }: { since: string; pool: number },
  cleanups: (() => Promise<unknown>)[],
): Promise<void> {
  const database = await benchDatabase('headwater_bench_lake')
  cleanups.push(() => database.close())
  const client = new pg.Client(database.url)
  await client.connect()
  cleanups.push(() => client.end())
  const list = SWAP_COLUMNS.map(({ name, type }) => `${name} ${TYPES[type] ?? type}`).join(', ')
  await client.query(`create table swaps (${list}); set max_parallel_workers_per_gather = 2; set timezone = 'UTC'`)
  const generator = new SwapGenerator(swaps, { isForFile: false })
  for (let day = 0; day < DAYS; day++) {
    const into = client.query(copyFrom('copy swaps from stdin (format binary)'))
    for (const chunk of generator.day(day)) into.write(chunk)
    into.end()
    await finished(into)
  }
  await client.query(
    'create index on swaps (pool_id, block_time, global_seq); create index on swaps (block_time); analyze swaps',
  )
  const time = `block_time >= timestamptz '${since}T00:00:00Z'`
  await measure(
    `PostgreSQL, ${count(swaps)} swaps in a table with the indexes of the ledger`,
    (sql) => client.query(sql),
    {
      'volume by pool, last 30 days': `select pool_id, sum(usd) from swaps where ${time} group by 1`,
      'volume by day of one pool': `select date_trunc('day', block_time), sum(usd) from swaps where pool_id = ${pool} group by 1`,
      'volume by day and pool, raw': `select date_trunc('day', block_time), pool_id, sum(usd) from swaps group by 1, 2`,
    },
  )
}
