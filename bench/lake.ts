// Generated swaps of three years in a lake: the writer's speed, then queries in DuckDB, in ClickHouse (chdb), and in
// PostgreSQL with fewer rows. Everything is removed afterwards.
// Usage: flock LOCK node --import tsx bench/lake.ts [swaps, default 1,000,000] [swaps in PostgreSQL, default 1,000,000; 0:
//   the writer alone]
import { createWriteStream, mkdirSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { sourceColumn } from '../indexer/export/parquet/schema.ts'
import { ParquetSink } from '../indexer/export/parquet/writer.ts'
import { connectClickHouse, parseClickHouse } from '../indexer/lake/clickhouse/client.ts'
import { createTable } from '../indexer/lake/clickhouse/tables.ts'
import { createTotals } from '../indexer/lake/clickhouse/totals.ts'
import { ClickHouseServer, installClickHouse } from '../test/support/clickhouse/clickhouse.ts'
import { openDuckDb } from '../test/support/duckdb/duckdb.ts'
import { DAYS, END_MS, SWAP_COLUMNS, SwapGenerator } from './lake/generator.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'
import { processSeconds } from './support/server-time.ts'

const swaps = Number(process.argv[2] || 1_000_000)
const inPostgres = Number(process.argv[3] ?? 1_000_000)
const ROUNDS = 3
const DAY_MS = 86_400_000
const POOL = 7
const since = new Date(END_MS - 30 * DAY_MS).toISOString().slice(0, 10)

/** Work at the end, last first. */
const cleanups: (() => Promise<unknown>)[] = []
try {
  console.log(hardware())
  const folder = await mkdtemp(join(tmpdir(), 'headwater-bench-lake-'))
  cleanups.push(() => rm(folder, { recursive: true }))
  await writeFiles(folder)
  if (inPostgres > 0) {
    await inDuckDb(folder)
    await inClickHouse(folder)
    await inPostgreSql()
  }
  console.log(`load at the end ${os.loadavg()[0]?.toFixed(1)}: more than 2 means that other work took part of the time`)
} finally {
  for (const cleanup of cleanups.reverse()) await cleanup()
}

/** The layout of `headwater lake`, without its manifest: a file a day. */
async function writeFiles(folder: string): Promise<void> {
  const generator = new SwapGenerator(swaps)
  let [rows, seconds, processor, bytes] = [0, 0, 0, 0]
  for (let day = 0; day < DAYS; day++) {
    const chunks = [...generator.day(day)]
    const date = new Date(END_MS - (DAYS - day) * DAY_MS).toISOString().slice(0, 10)
    const path = join(folder, `swaps/chain=wax/date=${date}`)
    mkdirSync(path, { recursive: true })
    const [started, cpu] = [performance.now(), process.cpuUsage()]
    const file = createWriteStream(join(path, '00-24.parquet'))
    const sink = new ParquetSink(SWAP_COLUMNS.map(sourceColumn), (part) => file.write(Buffer.from(part)))
    sink.begin()
    for (const chunk of chunks) await sink.add(chunk)
    await sink.end()
    file.end()
    await finished(file)
    const { user, system } = process.cpuUsage(cpu)
    rows += sink.rows
    seconds += (performance.now() - started) / 1000
    processor += (user + system) / 1e6
    bytes += file.bytesWritten
  }
  console.log(
    `writer, from rows in memory to ${DAYS} files: ${count(rows)} swaps, ${count(rows / seconds)} rows/s, ${count(rows / processor)} rows a second of CPU, ${(bytes / rows).toFixed(0)} bytes a row, ${count(bytes / 2 ** 20)} MB`,
  )
}

async function inDuckDb(folder: string): Promise<void> {
  const db = await openDuckDb()
  if ('missing' in db) return console.log(`DuckDB is not there: ${db.missing}`)
  const files = `read_parquet('${folder}/swaps/*/*/*.parquet', hive_partitioning = true)`
  await measure('DuckDB, files of the lake', (sql) => db.runAndReadAll(sql), {
    'volume by pool, last 30 days': `select pool_id, sum(usd) from ${files} where date >= '${since}' group by 1`,
    'volume by day of one pool': `select date, sum(usd) from ${files} where pool_id = ${POOL} group by 1`,
    'volume by day and pool, raw': `select date, pool_id, sum(usd) from ${files} group by 1, 2`,
  })
  const days = join(folder, 'days.parquet')
  await db.run(`copy (select date, pool_id, sum(usd) as usd from ${files} group by 1, 2) to '${days}'`)
  await measure('DuckDB, day totals in one file', (sql) => db.runAndReadAll(sql), {
    'volume by day and pool, totals': `select date, pool_id, usd from '${days}'`,
  })
  db.closeSync()
}

async function inClickHouse(folder: string): Promise<void> {
  const missing = await installClickHouse()
  if (missing !== null) return console.log(`ClickHouse is not there: ${missing.missing}`)
  const server = new ClickHouseServer({
    teardown: (work: () => Promise<unknown>) => cleanups.push(work),
  })
  await server.start()
  const { signal } = new AbortController()
  const ask = connectClickHouse(parseClickHouse(server.url('lake')), signal)
  const run = (sql: string) => ask({ sql, settings: { database: 'lake' } })
  const columns = [{ name: 'chain', type: 'text', precision: null, scale: null }, ...SWAP_COLUMNS]
  await ask({ sql: 'create database lake' })
  await run(createTable({ name: 'swaps', view: { name: 'final.swaps', columns: [...columns] } }))
  for (const sql of createTotals(new Set(['swaps']))) await run(sql)
  const [started, before] = [performance.now(), processSeconds(server.pid)]
  const names = SWAP_COLUMNS.flatMap((column) => sourceColumn(column).targets).map(({ name }) => name)
  for (const month of await monthsOf(folder))
    await run(
      `insert into swaps (chain, ${names.join(', ')}) select 'wax', ${names.join(', ')} from file('${folder}/swaps/chain=wax/date=${month}-*/*.parquet', Parquet)`,
    )
  const seconds = (performance.now() - started) / 1000
  const processor = processSeconds(server.pid) - before
  console.log(
    `ClickHouse (chdb), loaded from the files with candles and totals: ${count(swaps / seconds)} rows/s, ${count(swaps / processor)} rows a second of CPU; ${count((await bytesOf(run)) / 2 ** 20)} MB on disk`,
  )
  await measure('ClickHouse (chdb)', run, {
    'volume by pool, last 30 days': `select pool_id, sum(usd) from swaps where chain = 'wax' and block_time >= '${since} 00:00:00' group by 1 format Null`,
    'volume by day of one pool': `select toDate(block_time), sum(usd) from swaps where chain = 'wax' and pool_id = ${POOL} group by 1 format Null`,
    'volume by day and pool, totals': `select day, pool_id, volume_usd from pool_days where chain = 'wax' format Null`,
    'volume by day and pool, raw': `select toDate(block_time), pool_id, sum(usd) from swaps where chain = 'wax' group by 1, 2 format Null`,
  })
}

/** Bytes of all tables on disk. */
async function bytesOf(run: (sql: string) => Promise<string>): Promise<number> {
  return Number(await run('select sum(bytes_on_disk) from system.parts where active format TSV'))
}

async function monthsOf(folder: string): Promise<string[]> {
  const dates = await readdir(join(folder, 'swaps/chain=wax'))
  await stat(folder)
  return [...new Set(dates.map((name) => name.slice('date='.length, 'date=2026-03'.length)))].sort()
}

async function inPostgreSql(): Promise<void> {
  const database = await benchDatabase('headwater_bench_lake')
  cleanups.push(() => database.close())
  const client = new pg.Client(database.url)
  await client.connect()
  cleanups.push(() => client.end())
  const types: Record<string, string> = { text: 'text', numeric: 'numeric' }
  const list = SWAP_COLUMNS.map(({ name, type }) => `${name} ${types[type] ?? type}`).join(', ')
  await client.query(`create table swaps (${list}); set max_parallel_workers_per_gather = 2; set timezone = 'UTC'`)
  const generator = new SwapGenerator(inPostgres)
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
    `PostgreSQL, ${count(inPostgres)} swaps in a table with the indexes of the ledger`,
    (sql) => client.query(sql),
    {
      'volume by pool, last 30 days': `select pool_id, sum(usd) from swaps where ${time} group by 1`,
      'volume by day of one pool': `select date_trunc('day', block_time), sum(usd) from swaps where pool_id = ${POOL} group by 1`,
      'volume by day and pool, raw': `select date_trunc('day', block_time), pool_id, sum(usd) from swaps group by 1, 2`,
    },
  )
}

/** The best of several rounds, wall time. */
async function measure(
  engine: string,
  run: (sql: string) => Promise<unknown>,
  queries: Record<string, string>,
): Promise<void> {
  for (const [name, sql] of Object.entries(queries)) {
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now()
      await run(sql)
      best = Math.min(best, (performance.now() - started) / 1000)
    }
    console.log(`${engine}: ${name}: ${best.toFixed(3)} s, the best of ${ROUNDS}`)
  }
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}
