// Exported files, read by independent readers and compared with the same rows from SQL.
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet'
import t from 'tap'
import { exportView } from '../../../indexer/export/export.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { testDatabase } from '../../support/database.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { indexRecording } from '../replay/index-recording.ts'
import { parseCsv } from './parse-csv.ts'
import { readParquet } from './read-parquet.ts'

const path = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname

t.test('views are exported', async (t) => {
  const { url, pool } = await testDatabase(t)
  await indexRecording(url, 'wax', new ReplaySource(path))
  await pool.query(
    `update ledger.transfers set memo = E'a "quoted", line\\r\\nand \\u00e9\\U0001F30A' where global_seq = (select min(global_seq) from ledger.transfers)`,
  )
  await pool.query(`update ledger.swaps set amount_a = 9223372036854775807, amount_b = -9223372036854775808, usd = 12345678901234567890.12345678
    where global_seq = (select min(global_seq) from ledger.swaps)`)
  const folder = temporaryFolder(t)
  const { rows: views } = await pool.query<{ view: string }>(
    `select n.nspname || '.' || c.relname as view from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('head', 'final', 'board') and c.relkind in ('v', 'm', 'r') order by 1`,
  )
  t.ok(views.length > 40)

  t.test('every view holds the rows of SQL: as Parquet each value exactly, as CSV all of them', async (t) => {
    for (const { view } of views) {
      const { rows: columns } = await pool.query<{ name: string; type: string }>(
        `select attname as name, format_type(atttypid, null) as type from pg_attribute where attrelid = $1::regclass and attnum > 0 order by attnum`,
        [view],
      )
      const plain = columns.map(({ name, type }) => `${plainText(name, type)} as "${name}"`)
      const { rows } = await pool.query(`select ${plain.join(', ')} from ${view} v`)
      const parquet = join(folder, `${view}.parquet`)
      t.equal(await exportView({ url, view, format: 'parquet', out: parquet }), rows.length, `${view} as Parquet`)
      const found = await readParquet(parquet)
      const doubles = columns.filter(({ name }) => found[0] !== undefined && `${name}_exact` in found[0])
      const expected = rows.map((row) => ({
        ...row,
        ...Object.fromEntries(doubles.flatMap(({ name }) => nearAndExact(name, row[name]))),
      }))
      t.same(sorted(found), sorted(expected), `${view} in Parquet`)
      // Views of `head` and `final` have the same columns.
      if (view.startsWith('final.')) continue
      const csv = join(folder, `${view}.csv`)
      t.equal(await exportView({ url, view, format: 'csv', out: csv }), rows.length, `${view} as CSV`)
      const [header, ...lines] = parseCsv(await readFile(csv, 'utf8'))
      t.same(
        header,
        columns.map(({ name }) => name),
      )
      t.equal(lines.length, rows.length)
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
    t.match(await readFile(out, 'utf8'), /,,,,0\r\n/, 'usd, fee and the amounts of the fee are null')
    await exportView({ url, view: 'head.withdrawals', format: 'csv', out })
    t.notMatch(await readFile(out, 'utf8'), /undefined|NaN/)
  })

  t.test('Parquet says what its columns are', async (t) => {
    const out = join(folder, 'swaps.parquet')
    await exportView({ url, view: 'head.swaps', format: 'parquet', out })
    const { schema } = await parquetMetadataAsync(await asyncBufferFromFile(out))
    const element = (name: string) => schema.find((found) => found.name === name)
    t.match(element('amount_a'), { type: 'INT64' })
    t.match(element('block_time'), { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' })
    t.match(element('quantity_a'), { converted_type: 'DECIMAL', precision: 38, scale: 18 })
    t.match(element('liquidity'), { converted_type: 'DECIMAL', precision: 20, scale: 0 })
    t.match(element('sqrt_price_x64'), { converted_type: 'DECIMAL', precision: 38, scale: 0 })
    t.match(element('usd'), { converted_type: 'DECIMAL', precision: 38, scale: 8 })
    t.match(element('price'), { type: 'DOUBLE' })
    t.match(element('price_exact'), { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } })
    t.match(element('block_time'), { logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } })
    const [first] = await readParquet(out)
    t.match(first, {
      amount_a: '9223372036854775807',
      amount_b: '-9223372036854775808',
      usd: '12345678901234567890.12345678',
    })
  })

  t.test('in Parquet, sums of values are decimals wherever they are', async (t) => {
    const out = join(folder, 'sums.parquet')
    for (const [view, names] of Object.entries({
      'head.hour_snapshots': ['swap_locked', 'spot_locked'],
      'head.day_totals': ['swap_volume', 'spot_volume', 'swap_locked', 'spot_locked'],
      'head.candles': ['volume_usd'],
    })) {
      await exportView({ url, view, format: 'parquet', out })
      const { schema } = await parquetMetadataAsync(await asyncBufferFromFile(out))
      for (const name of names)
        t.match(
          schema.find((found) => found.name === name),
          { converted_type: 'DECIMAL', precision: 38, scale: 8 },
          `${name} of ${view}`,
        )
    }
  })

  t.test('a value beyond the digits of its column ends the export, and only that of Parquet', async (t) => {
    const client = await pool.connect()
    const change = (usd: string) =>
      client.query('update ledger.swaps set usd = $1 where global_seq = (select max(global_seq) from ledger.swaps)', [
        usd,
      ])
    const { rows } = await client.query('select usd from ledger.swaps order by global_seq desc limit 1')
    const out = join(folder, 'inexact')
    for (const usd of ['0.123456789', '1e38']) {
      await change(usd)
      await t.rejects(exportView({ url, view: 'head.swaps', format: 'parquet', out }), {
        code: 'EXPORT_INEXACT',
        hint: /CSV/,
      })
      t.ok((await exportView({ url, view: 'head.swaps', format: 'csv', out: `${out}.csv` })) > 0)
    }
    await change(rows[0].usd)
    client.release()
    t.same(
      (await readdir(folder)).filter((name) => /^inexact(?!\.csv$)/.test(name)),
      [],
    )
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
    const before = await count(`block_time < '2026-11-21T00:00:40Z' and block_num >= 50`)
    t.equal(await exportView({ url, view: 'head.swaps', format: 'csv', out, fromBlock: 50, to }), before)
    const abis = (
      await pool.query(`select count(*)::int4 as n from head.abis a join head.blocks b using (chain, block_num)
      where b.block_time < '2026-11-21T00:00:40Z'`)
    ).rows[0].n
    t.ok(abis > 0)
    t.equal(await exportView({ url, view: 'head.abis', format: 'csv', out, to }), abis, 'by the times of its blocks')
  })

  t.test(
    'hours are chosen by what they are, not by the block that tells of them, and are in their order',
    async (t) => {
      const out = join(folder, 'hours.csv')
      // The chain stood still for hours; one block ends all of them.
      await pool.query(
        `insert into ledger.hour_snapshots (chain, hour, block_num, block_time, pools_without_usd, orders_without_usd, pools, markets)
       select 'wax', h, block_num, block_time, 1, 0, 1, 1 from ledger.blocks
       cross join unnest(array['2026-11-20T23:00Z', '2026-11-20T21:00Z', '2026-11-20T22:00Z']::timestamptz[]) h
       where chain = 'wax' and block_num = 60`,
      )
      const hours = async (range: object) => {
        for (const view of ['head.hour_snapshots', 'head.hour_totals'])
          await exportView({ url, view, format: 'csv', out: `${out}.${view}`, ...range })
        const [header, ...lines] = parseCsv(await readFile(`${out}.head.hour_snapshots`, 'utf8'))
        const totals = parseCsv(await readFile(`${out}.head.hour_totals`, 'utf8')).slice(1)
        const found = lines.map((line) => line[header!.indexOf('hour')]?.slice(11, 13))
        t.equal(totals.length, found.length, 'both views have the same hours')
        return found
      }
      const at = (time: string) => new Date(`2026-11-20T${time}Z`)
      t.same(await hours({}), ['21', '22', '23'])
      t.same(await hours({ from: at('22:00'), to: at('22:30') }), ['22'])
      t.same(await hours({ to: at('23:00') }), ['21', '22'])
      t.same(await hours({ from: at('21:30'), chain: 'wax' }), ['22', '23'])
      await pool.query('delete from ledger.hour_snapshots')
    },
  )

  t.test('what cannot be exported is refused and leaves no file', async (t) => {
    const out = join(folder, 'refused.csv')
    const refused = (options: object, expected: { code: string; hint?: string | RegExp }) =>
      t.rejects(exportView({ url, view: 'head.swaps', format: 'csv', out, ...options }), expected)
    await refused({ view: 'head.nothing' }, { code: 'UNKNOWN_VIEW', hint: /swaps/ })
    await refused({ view: 'ledger.swaps' }, { code: 'UNKNOWN_VIEW' })
    await refused({ view: 'head.pools', fromBlock: 1 }, { code: 'NO_SUCH_COLUMN', hint: /whole/ })
    await refused({ view: 'head.candles', fromBlock: 1 }, { code: 'NO_SUCH_COLUMN', hint: /by time/ })
    await refused({ chain: 'telos' }, { code: 'UNKNOWN_CHAIN', hint: 'there are wax' })
    await refused({ fromBlock: 9, toBlock: 8 }, { code: 'EXPORT_RANGE' })
    await refused({ from: new Date(5), to: new Date(5) }, { code: 'EXPORT_RANGE' })
    await refused({ out: join(folder, 'nowhere', 'x.csv') }, { code: 'EXPORT_PATH', hint: 'make the folder first' })
    await mkdir(join(folder, 'refused'))
    await refused({ out: join(folder, 'refused') }, { code: 'EXPORT_PATH', hint: 'name a file, not a folder' })
    t.same(
      (await readdir(folder)).filter((name) => name.startsWith('refused')),
      ['refused'],
    )
  })

  t.test('the reader exports without a time limit; a role without the right to read gets an error', async (t) => {
    const out = join(folder, 'reader.csv')
    const as = (options: string) => `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(options)}`
    // The export waits for the lock five times as long as a statement of the role may run.
    const reader = as('-c role=headwater_reader -c statement_timeout=400')
    const locking = await pool.connect()
    await locking.query('begin')
    await locking.query('lock table ledger.transfers in access exclusive mode')
    const exported = exportView({ url: reader, view: 'head.transfers', format: 'csv', out })
    const released = setTimeout(2000).then(() => locking.query('commit'))
    t.ok((await exported) > 100)
    await released
    locking.release()
    const other = as('-c role=pg_monitor')
    await t.rejects(exportView({ url: other, view: 'head.transfers', format: 'csv', out }), {
      code: 'DATABASE_LOGIN',
      hint: /headwater_reader/,
    })
  })
})

/** SQL for a value as `readParquet` gives it. */
function plainText(name: string, type: string): string {
  const value = `v."${name}"`
  if (type === 'timestamp with time zone') return `(extract(epoch from ${value}) * 1000000)::int8::text`
  if (type === 'numeric') return `trim_scale(${value})::text`
  if (type === 'bytea') return `encode(${value}, 'hex')`
  return type.endsWith('[]') || type === 'jsonb' ? `to_json(${value})::text` : `${value}::text`
}

/** A numeric without bounds is exported as a double and, in a second column, as text. */
function nearAndExact(name: string, text: string | null): [string, string | null][] {
  return [
    [name, text === null ? null : String(Number(text))],
    [`${name}_exact`, text],
  ]
}

function sorted(rows: Record<string, unknown>[]): string[] {
  return rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()
}
