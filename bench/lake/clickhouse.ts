// Loads the lake's files into ClickHouse with the tables, views and settings of `headwater lake --clickhouse`, a day an
// insert, and queries them there.
import { join } from 'node:path'
import { sourceColumn } from '../../indexer/export/parquet/schema.ts'
import { connectClickHouse, parseClickHouse } from '../../indexer/lake/clickhouse/client.ts'
import { createTable } from '../../indexer/lake/clickhouse/tables.ts'
import { INSERT } from '../../indexer/lake/clickhouse/target.ts'
import { createTotals } from '../../indexer/lake/clickhouse/totals.ts'
import { ClickHouseServer, installClickHouse } from '../../test/support/clickhouse/clickhouse.ts'
import { processSeconds } from '../support/server-time.ts'
import { swapsFile } from './files.ts'
import { DAYS, dateOf, SWAP_COLUMNS } from './generator.ts'
import { count, measure } from './measure.ts'
import { column } from './rows.ts'

type Run = (sql: string) => Promise<string>

const COLUMNS = [column('chain', 'text'), ...SWAP_COLUMNS]
const SIZES = `select table, count() as parts, sum(rows) as rows, sum(bytes_on_disk) as bytes from system.parts
  where active and database = 'lake' group by table order by table format TSV`

/** @param cleanups  work at the end, last first */
export async function inClickHouse(
  folder: string,
  { since, pool }: { since: string; pool: number },
  cleanups: (() => Promise<unknown>)[],
): Promise<void> {
  const missing = await installClickHouse()
  if (missing !== null) return console.log(`ClickHouse is not there: ${missing.missing}`)
  const server = new ClickHouseServer({ teardown: (work: () => Promise<unknown>) => cleanups.push(work) })
  await server.start()
  const ask = connectClickHouse(parseClickHouse(server.url('lake')), new AbortController().signal)
  const run = (sql: string) => ask({ sql, settings: { database: 'lake' } })
  await ask({ sql: 'create database lake' })
  await run(createTable({ name: 'swaps', view: { name: 'final.swaps', columns: COLUMNS } }))
  for (const { sql } of createTotals(new Set(['swaps']))) await run(sql)
  const [started, before] = [performance.now(), processSeconds(server.pid)]
  const loaded = () =>
    `${((performance.now() - started) / 1000).toFixed(0)} s, ${(processSeconds(server.pid) - before).toFixed(0)} s of a processor`
  await load(folder, run, loaded)
  const rows = Number(await run('select count() from swaps format TSV'))
  console.log(`ClickHouse (chdb), ${count(rows)} swaps loaded from the files with candles and totals: ${loaded()}`)
  for (const line of (await run(SIZES)).trim().split('\n')) {
    const [table, parts, size, bytes] = line.split('\t')
    console.log(`  ${table}: ${count(Number(size))} rows in ${parts} parts, ${count(Number(bytes) / 2 ** 20)} MB`)
  }
  await measure('ClickHouse (chdb)', run, {
    'volume by pool, last 30 days': `select pool_id, sum(usd) from swaps where chain = 'wax' and block_time >= '${since} 00:00:00' group by 1 format Null`,
    'volume by day of one pool': `select toDate(block_time), sum(usd) from swaps where chain = 'wax' and pool_id = ${pool} group by 1 format Null`,
    'volume by day of one pool, totals': `select day, volume_usd from pool_days where chain = 'wax' and pool_id = ${pool} format Null`,
    'volume by day and pool, totals': `select day, pool_id, volume_usd from pool_days where chain = 'wax' format Null`,
    'volume by day and pool, raw': `select toDate(block_time), pool_id, sum(usd) from swaps where chain = 'wax' group by 1, 2 format Null`,
    'candles of an hour of the busiest pool': `select * from candles where chain = 'wax' and market_kind = 'amm' and market_id = 0 and resolution = '60' format Null`,
    'candles of five minutes of the busiest pool, last 30 days': `select * from candles where chain = 'wax' and market_kind = 'amm' and market_id = 0 and resolution = '5' and bucket_time >= '${since} 00:00:00' format Null`,
  })
}

async function load(folder: string, run: Run, loaded: () => string): Promise<void> {
  const names = SWAP_COLUMNS.flatMap((one) => sourceColumn(one).targets.map(({ name }) => name)).join(', ')
  const settings = Object.entries(INSERT).map(([name, value]) => `${name} = ${value}`)
  for (let day = 0; day < DAYS; day++) {
    await run(
      `insert into swaps (chain, ${names}) settings ${settings.join(', ')}, insert_deduplication_token = '${dateOf(day)}'
       select 'wax', ${names} from file('${join(folder, swapsFile(day))}', Parquet)`,
    )
    if ((day + 1) % 100 === 0) console.log(`  ${day + 1} days are loaded after ${loaded()}`)
  }
}
