// Queries of the lake's files in DuckDB.
import { join } from 'node:path'
import { openDuckDb } from '../../test/support/duckdb/duckdb.ts'
import { BOARD_FILE } from './files.ts'
import { measure } from './measure.ts'

/** @param since  day from which the last 30 days are counted; @param pool  the one pool that is read */
export async function inDuckDb(folder: string, { since, pool }: { since: string; pool: number }): Promise<void> {
  const db = await openDuckDb()
  if ('missing' in db) return console.log(`DuckDB is not there: ${db.missing}`)
  const files = `read_parquet('${folder}/swaps/*/*/*.parquet', hive_partitioning = true)`
  const days = `read_parquet('${join(folder, BOARD_FILE)}')`
  await measure('DuckDB, files of the lake', (sql) => db.runAndReadAll(sql), {
    'volume by pool, last 30 days': `select pool_id, sum(usd) from ${files} where date >= '${since}' group by 1`,
    'volume by day of one pool': `select date, sum(usd) from ${files} where pool_id = ${pool} group by 1`,
    'volume by day of one pool, totals': `select day, volume_usd from ${days} where chain = 'wax' and pool_id = ${pool}`,
    'volume by day and pool, totals': `select day, pool_id, volume_usd from ${days} where chain = 'wax'`,
    'volume by day and pool, raw': `select date, pool_id, sum(usd) from ${files} group by 1, 2`,
  })
  db.closeSync()
}
