// Exported files, read back by other programs' readers, against the same rows by SQL.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import t from 'tap'
import { exportView } from '../../../indexer/export/export.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { testDatabase } from '../../support/database.ts'
import { indexRecording } from '../replay/index-recording.ts'
import { parseCsv } from './parse-csv.ts'

const path = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname

t.test('views are exported', async (t) => {
  const { url, pool } = await testDatabase(t)
  await indexRecording(url, 'wax', new ReplaySource(path))
  await pool.query(
    `update ledger.transfers set memo = E'a "quoted", line\\r\\nand \\u00e9\\U0001F30A' where global_seq = (select min(global_seq) from ledger.transfers)`,
  )
  await pool.query(`update ledger.swaps set amount_a = 9223372036854775807, amount_b = -9223372036854775808, usd = 12345678901234567890.123456789
    where global_seq = (select min(global_seq) from ledger.swaps)`)
  const folder = await mkdtemp(join(tmpdir(), 'headwater-export-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const { rows: views } = await pool.query<{ view: string }>(
    `select n.nspname || '.' || c.relname as view from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('head', 'final') and c.relkind = 'v' order by 1`,
  )
  t.ok(views.length > 40)

  t.test('every view, as CSV and as Parquet, holds as many rows as SQL gives', async (t) => {
    for (const { view } of views) {
      const count = (await pool.query(`select count(*)::int4 as n from ${view}`)).rows[0].n
      const csv = join(folder, `${view}.csv`)
      t.equal(await exportView({ url, view, format: 'csv', out: csv }), count, `${view} as CSV`)
      t.equal(parseCsv(await readFile(csv, 'utf8')).length, count + 1)
      const parquet = join(folder, `${view}.parquet`)
      t.equal(await exportView({ url, view, format: 'parquet', out: parquet }), count, `${view} as Parquet`)
      const metadata = await parquetMetadataAsync(await asyncBufferFromFile(parquet))
      t.equal(Number(metadata.num_rows), count)
    }
  })

  t.test('CSV fields are the values of SQL, with quotes, line ends and nulls', async (t) => {
    const out = join(folder, 'transfers.csv')
    await exportView({ url, view: 'transfers', format: 'csv', out })
    const text = await readFile(out, 'utf8')
    t.match(
      text,
      /^chain,block_num,block_time,global_seq,trx_id,token_id,contract,symbol,decimals,from_account,to_account,amount,quantity,memo\r\n/,
    )
    t.match(text, /,"a ""quoted"", line\r\nand é🌊"\r\n/)
    const [header = [], ...rows] = parseCsv(text)
    const { rows: expected } =
      await pool.query(`select chain, block_num::text, to_char(block_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as block_time,
      global_seq::text, trx_id, token_id, contract, symbol, decimals::text, from_account, to_account, amount::text, quantity::text, memo
      from final.transfers order by final.transfers.global_seq`)
    t.same(
      rows.map((row) => Object.fromEntries(row.map((value, index) => [header[index], value]))),
      expected,
    )
  })

  t.test('null and the empty text differ', async (t) => {
    const out = join(folder, 'nulls.csv')
    await exportView({ url, view: 'head.swaps', format: 'csv', out })
    t.match(await readFile(out, 'utf8'), /,\r\n/, 'usd is null')
    await exportView({ url, view: 'head.withdrawals', format: 'csv', out })
    t.notMatch(await readFile(out, 'utf8'), /undefined|NaN/)
  })

  t.test('Parquet holds whole numbers, decimals and times exactly', async (t) => {
    const out = join(folder, 'swaps.parquet')
    await exportView({ url, view: 'head.swaps', format: 'parquet', out })
    const file = await asyncBufferFromFile(out)
    const { schema } = await parquetMetadataAsync(file)
    const element = (name: string) => schema.find((found) => found.name === name)!
    t.match(element('amount_a'), { type: 'INT64' })
    t.match(element('block_time'), { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' })
    t.match(element('quantity_a'), { converted_type: 'DECIMAL', precision: 38, scale: 18 })
    t.match(element('liquidity'), { converted_type: 'DECIMAL', precision: 20, scale: 0 })
    t.match(element('sqrt_price_x64'), { type: 'BYTE_ARRAY', converted_type: 'UTF8' })
    const { rows: expected } = await pool.query('select * from head.swaps order by global_seq')
    const found = await parquetReadObjects({ file })
    t.equal(found.length, expected.length)
    for (const [index, row] of expected.entries()) {
      const other = found[index]!
      t.equal(String(other.global_seq), row.global_seq)
      t.equal(String(other.amount_a), row.amount_a)
      t.equal(String(other.amount_b), row.amount_b)
      t.equal((other.block_time as Date).getTime(), row.block_time.getTime())
      t.equal(other.sqrt_price_x64, row.sqrt_price_x64)
      t.equal(other.tick, row.tick)
      t.equal(other.recipient, row.recipient)
      t.equal(other.usd, row.usd)
      // The reader makes numbers of decimals.
      t.ok(isNear(other.quantity_b, row.quantity_b) && isNear(other.liquidity, row.liquidity))
    }
  })

  t.test('a range of blocks and one of time choose rows', async (t) => {
    const out = join(folder, 'range.csv')
    const count = async (sql: string) =>
      (await pool.query(`select count(*)::int4 as n from head.swaps where ${sql}`)).rows[0].n
    t.equal(
      await exportView({ url, view: 'head.swaps', format: 'csv', out, chain: 'wax', fromBlock: 60, toBlock: 70 }),
      await count('block_num between 60 and 70'),
    )
    const [from, to] = [new Date('2026-11-21T00:00:30Z'), new Date('2026-11-21T00:00:40Z')]
    const inTime = await count(`block_time >= '2026-11-21T00:00:30Z' and block_time < '2026-11-21T00:00:40Z'`)
    t.ok(inTime > 0)
    t.equal(await exportView({ url, view: 'head.swaps', format: 'csv', out, from, to }), inTime)
    t.equal(await exportView({ url, view: 'head.swaps', format: 'csv', out, chain: 'telos' }), 0)
  })

  t.test('what cannot be exported is refused and leaves no file', async (t) => {
    const out = join(folder, 'refused.csv')
    await t.rejects(exportView({ url, view: 'head.nothing', format: 'csv', out }), {
      code: 'UNKNOWN_VIEW',
      hint: /swaps/,
    })
    await t.rejects(exportView({ url, view: 'ledger.swaps', format: 'csv', out }), { code: 'UNKNOWN_VIEW' })
    await t.rejects(exportView({ url, view: 'head.pools', format: 'csv', out, fromBlock: 1 }), {
      code: 'NO_SUCH_COLUMN',
    })
    t.same(
      (await readdir(folder)).filter((name) => name.startsWith('refused')),
      [],
    )
  })
})

function isNear(found: unknown, expected: string): boolean {
  return Math.abs(Number(found) - Number(expected)) <= Math.abs(Number(expected)) * 1e-12
}
