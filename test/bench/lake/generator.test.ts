// Rows of the lake's benchmark have the columns of the views, and the values that final.swaps computes from the ledger.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import t from 'tap'
import { BoardWriter, POOL_DAY_COLUMNS } from '../../../bench/lake/board.ts'
import { DAYS, SWAP_COLUMNS, SwapGenerator } from '../../../bench/lake/generator.ts'
import { exportView } from '../../../indexer/export/export.ts'
import { sourceColumn } from '../../../indexer/export/parquet/schema.ts'
import { ParquetSink } from '../../../indexer/export/parquet/writer.ts'
import { findView, type ViewColumn } from '../../../indexer/export/view.ts'
import { readParquet } from '../../indexer/export/read-parquet.ts'
import { testDatabase } from '../../support/database.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ROWS = 200
const DAY = 500
/** Stored columns of the ledger; the view computes the others. */
const STORED = `block_num, block_time, global_seq, pool_id, sender, recipient, amount_a, amount_b, sqrt_price_x64, liquidity,
  tick, reserve_a, reserve_b, usd, pool_fee, path`

t.test('generated rows of the lake', async (t) => {
  const { url } = await testDatabase(t)
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())

  t.test('columns are those of the views', async (t) => {
    const swaps = await findView(client, 'final.swaps')
    t.same(SWAP_COLUMNS, swaps.columns.slice(1))
    t.equal(swaps.columns[0]?.name, 'chain')
    t.same(POOL_DAY_COLUMNS, (await findView(client, 'board.pool_days')).columns)
  })

  t.test('rows for a table have the values of the view', async (t) => {
    const columns = SWAP_COLUMNS.map(({ name, type }) => `${name} ${type}`)
    await client.query(`create temporary table made (${columns.join(', ')})`)
    const into = client.query(copyFrom('copy made from stdin (format binary)'))
    for (const chunk of rowsOf({ isForFile: false })) into.write(chunk)
    into.end()
    await finished(into)
    await client.query(`insert into ledger.swaps (chain, trx_id, decimals_a, decimals_b, ${STORED})
      select 'wax', decode(trx_id, 'hex'), 8, 8, ${STORED} from made`)
    await client.query(`insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer)
      select 'wax', repeat('0b', 32), min(block_num), max(block_num), repeat('0a', 32), now(), max(block_num), max(block_num), gen_random_uuid() from made`)
    const names = SWAP_COLUMNS.map(({ name }) => name).join(', ')
    const { rows } = await client.query(
      `(select ${names} from final.swaps except select ${names} from made)
       union all (select ${names} from made except select ${names} from final.swaps)`,
    )
    t.same(rows, [])
    const { rows: counts } = await client.query(
      `select count(*)::int4 as n, count(distinct pool_fee)::int4 as fees, bool_and(usd_fee > 0 and quantity_fee > 0) as has_fees from final.swaps`,
    )
    t.same(counts, [{ n: ROWS, fees: 3, has_fees: true }])
  })

  t.test('rows for a file are those that the export reads from the view', async (t) => {
    const folder = temporaryFolder(t)
    await writeParquet(join(folder, 'made.parquet'), SWAP_COLUMNS, rowsOf({ isForFile: true }))
    await exportView({ url, view: 'final.swaps', format: 'parquet', out: join(folder, 'view.parquet') })
    const made = await readParquet(join(folder, 'made.parquet'))
    const expected = await readParquet(join(folder, 'view.parquet'))
    t.equal(made.length, ROWS)
    t.same(
      made,
      expected.map(({ chain: _chain, ...row }) => row),
    )
  })

  t.test('day totals for a file are those that the export reads from the board', async (t) => {
    const folder = temporaryFolder(t)
    const generator = new SwapGenerator(ROWS * DAYS, { isForFile: true })
    for (const _ of generator.day(DAY));
    const board = new BoardWriter()
    const [made, expected] = [join(folder, 'made.parquet'), join(folder, 'board.parquet')]
    await writeParquet(made, POOL_DAY_COLUMNS, [board.header(), ...board.day(DAY, generator.totals), board.end()])
    await client.query(BOARD)
    await exportView({ url, view: 'board.pool_days', format: 'parquet', out: expected })
    t.same(await schemaOf(made), await schemaOf(expected))
    const rows = await readParquet(made)
    t.ok(rows.length > 50 && rows.length < ROWS, `${rows.length} pools`)
    t.same(rows, (await readParquet(expected)).sort(byPool))
  })
})

/** Totals of the swaps in final.swaps. Prices, fees, liquidity and yield are made from the numbers of the pool and day. */
const BOARD = `
  insert into board.pool_days (${POOL_DAY_COLUMNS.map(({ name }) => name).join(', ')})
  select 'wax', day, pool_id, 'tok' || pool_id % 1000 || '-token' || pool_id % 100 || '.wam', 'wax-eosio.token', 24,
    (price + ${DAY} % 4000) / 1e8, (price + 5000) / 1e8, price / 1e8, (price + ${DAY + 1} % 4000) / 1e8, swaps, a, b, usd, 0,
    floor(usd * 1e8 * 3 / 1000) / 1e8, floor(floor(usd * 1e8 * 3 / 1000) * 5 / 6) / 1e8,
    (900000000000 + pool_id * 1000003) / 1e8, (1 + pool_id % 9000) / 1e4
  from (select date_trunc('day', block_time, 'UTC') as day, pool_id, 100000 + pool_id * 37 as price, count(*) as swaps,
      sum(abs(quantity_a)) as a, sum(abs(quantity_b)) as b, sum(usd) as usd from final.swaps group by 1, 2) s`

type Row = Readonly<Record<string, string | null>>

function byPool(a: Row, b: Row): number {
  return Number(a.pool_id) - Number(b.pool_id)
}

/** Names and types of the columns of a Parquet file. */
async function schemaOf(path: string): Promise<unknown> {
  return (await parquetMetadataAsync(await asyncBufferFromFile(path))).schema
}

/** @param chunks  data of one COPY */
async function writeParquet(path: string, columns: readonly ViewColumn[], chunks: readonly Buffer[]): Promise<void> {
  const parts: Uint8Array[] = []
  const sink = new ParquetSink(columns.map(sourceColumn), (part) => parts.push(Buffer.from(part)))
  sink.begin()
  for (const chunk of chunks) await sink.add(chunk)
  await sink.end()
  await writeFile(path, Buffer.concat(parts))
}

function rowsOf(options: { isForFile: boolean }): Buffer[] {
  return [...new SwapGenerator(ROWS * DAYS, options).day(DAY)]
}
