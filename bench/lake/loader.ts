// How fast `headwater lake --clickhouse` loads a history: from PostgreSQL's ledger through Parquet into ClickHouse.
import pg from 'pg'
import { connectClickHouse, parseClickHouse } from '../../indexer/lake/clickhouse/client.ts'
import { LakeClickHouse } from '../../indexer/lake/clickhouse/target.ts'
import { writeLake } from '../../indexer/lake/lake.ts'
import { ClickHouseServer, installClickHouse } from '../../test/support/clickhouse/clickhouse.ts'
import { benchDatabase } from '../support/database.ts'
import { processSeconds, ServerTime } from '../support/server-time.ts'
import { POOLS } from './generator.ts'
import { count } from './measure.ts'

const PER_BLOCK = 5
/** As many as a day of 100 million swaps in three years has. */
const PER_DAY = 91_250

const PUT_BLOCKS = `
  insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
  select 'bench', 1 + i, sha256(int8send(i)), sha256(int8send(i - 1)), timestamptz '2026-01-01' + i * $2::interval, 'producer1'
  from generate_series(0::int8, $1::int8 - 1) i`
/** Pools of a logarithmically even distribution: close to Zipf's law. */
const PUT_SWAPS = `
  insert into ledger.swaps (chain, pool_id, block_time, global_seq, block_num, trx_id, sender, recipient, amount_a, amount_b,
    decimals_a, decimals_b, sqrt_price_x64, liquidity, tick, reserve_a, reserve_b, usd, pool_fee, path)
  select 'bench', floor(power(${POOLS}, i * 0.6180339887498949 - floor(i * 0.6180339887498949))) - 1,
    timestamptz '2026-01-01' + i / ${PER_BLOCK} * $2::interval, 10000000000 + i, 1 + i / ${PER_BLOCK},
    sha256(int8send(i)), 'trader' || i % 500, 'trader' || i % 500, 1000000 + i * 7919 % 1000000007, -(500000 + i * 104729 % 100000007),
    8, 6, 18446744073709551616 + i::numeric * 1000003, 10000000000000 + i % 1000, i % 2000, 900000000000 + i, 500000000000 - i,
    round((1 + i % 100000)::numeric / 7, 8), 3000, 0
  from generate_series(0::int8, $1::int8 - 1) i`

/** @param cleanups  work at the end, last first */
export async function loadFromPostgreSql(swaps: number, cleanups: (() => Promise<unknown>)[]): Promise<void> {
  const missing = await installClickHouse()
  if (missing !== null) return console.log(`ClickHouse is not there: ${missing.missing}`)
  const database = await benchDatabase('headwater_bench_lake_loader')
  cleanups.push(() => database.close())
  await fill(database.url, swaps)
  const postgres = await ServerTime.of(database.url)
  const server = new ClickHouseServer({ teardown: (work: () => Promise<unknown>) => cleanups.push(work) })
  await server.start()
  for (const views of [['swaps'], undefined]) {
    const address = parseClickHouse(server.url(views === undefined ? 'everything' : 'swaps'))
    const { signal } = new AbortController()
    const target = new LakeClickHouse(connectClickHouse(address, signal), address)
    const now = () => [
      process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
      postgres.seconds(),
      processSeconds(server.pid),
    ]
    const [started, before] = [performance.now(), now()]
    const [summary] = await writeLake({ url: database.url, target, signal, views })
    const seconds = (performance.now() - started) / 1000
    const [here, there, engine] = now().map((value, i) => (value - (before[i] as number)).toFixed(1))
    const rows = summary?.rows ?? 0
    console.log(
      `headwater lake --clickhouse, ${views === undefined ? 'all views' : 'swaps alone'}: ${count(rows)} rows in ${summary?.steps} days: ${count(rows / seconds)} rows/s; ${here} s of a processor in the program, ${there} in PostgreSQL, ${engine} in ClickHouse`,
    )
  }
}

/** Blocks of five swaps, as the indexer would have written them, all final. */
async function fill(url: string, swaps: number): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  const blocks = Math.ceil(swaps / PER_BLOCK)
  const pause = `${(86_400 * PER_BLOCK) / PER_DAY} seconds`
  await client.query(`select meta.add_chain('bench')`)
  await client.query(PUT_BLOCKS, [blocks, pause])
  await client.query(PUT_SWAPS, [blocks * PER_BLOCK, pause])
  await client.query(
    `insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer)
     values ('bench', repeat('0b', 32), 1, $1, repeat('0a', 32), now(), $1, $1, gen_random_uuid())`,
    [blocks],
  )
  await client.query(`select meta.build_indexes('bench')`)
  await client.query('vacuum analyze')
  await client.end()
}
