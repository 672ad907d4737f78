// Exported Parquet files as DuckDB reads them: every column of every view, its type, its values and its statistics.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import t, { type Test } from 'tap'
import { exportView } from '../../../indexer/export/export.ts'
import { sourceColumn } from '../../../indexer/export/parquet/schema.ts'
import { ParquetSink } from '../../../indexer/export/parquet/writer.ts'
import { exportParts } from '../../../indexer/export/parts.ts'
import { findView } from '../../../indexer/export/view.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { testDatabase } from '../../support/database.ts'
import { type DuckDb, openDuckDb, REQUIRED_VARIABLE } from '../../support/duckdb/duckdb.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { makeUpRows } from '../publish/made-up-rows.ts'
import { indexRecording } from '../replay/index-recording.ts'
import { type Column, inDuckDb, inSql, sorted } from './plain-values.ts'

const path = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname
const duck = await openDuckDb()
if ('missing' in duck) {
  if (process.env[REQUIRED_VARIABLE] === 'required') t.fail(duck.missing)
  else t.comment(`not run: ${duck.missing}`)
} else t.test('DuckDB reads what was exported', (t) => readBack(t, duck))

async function readBack(t: Test, db: DuckDb): Promise<void> {
  t.teardown(() => db.closeSync())
  const { url, pool } = await testDatabase(t)
  await indexRecording(url, 'wax', new ReplaySource(path), 150)
  const lib = (await pool.query('select lib_num::int4 as lib from meta.position')).rows[0].lib
  await makeUpRows(async (sql, ...values) => (await pool.query(sql, values)).rows, 'wax', lib)
  await pool.query(`update ledger.swaps set amount_a = 9223372036854775807, amount_b = -9223372036854775808, usd = -12345678901234567890.12345678
    where global_seq = (select min(global_seq) from ledger.swaps)`)
  await pool.query(
    `update ledger.transfers set memo = E'\\u00e9\\U0001F30A"' || repeat('x', 300) where global_seq = (select max(global_seq) from ledger.transfers)`,
  )
  // The contract's greatest value, and a rate whose tokens a day have 26 decimals.
  const most = 2n ** 128n - 1n
  for (const table of ['ledger.deals', 'ledger.order_events', 'state.orders'])
    await pool.query(`update ${table} set unit_price = $1 where unit_price is not null`, [most])
  await pool.query('update state.incentives set reward_rate_e18 = 11574074074074074074074')
  const folder = temporaryFolder(t)
  const ask = async (sql: string) => (await db.runAndReadAll(sql)).getRowObjects()
  const exported = async (view: string) => {
    const out = join(folder, `${view}.parquet`)
    await exportView({ url, view, format: 'parquet', out })
    return `'${out}'`
  }

  t.test('every column of every view, to the last digit, with bounds, compressed with zstd', async (t) => {
    const { rows: views } = await pool.query<{ view: string }>(
      `select n.nspname || '.' || c.relname as view from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('head', 'final') and c.relkind = 'v' order by 1`,
    )
    t.ok(views.length > 150)
    let [values, empty] = [0, 0]
    for (const { view } of views) {
      const file = await exported(view)
      const types = new Map(
        (await ask(`describe from ${file}`)).map((row) => [String(row.column_name), String(row.column_type)]),
      )
      const { rows: columns } = await pool.query<Column>(
        `select attname as name, format_type(atttypid, null) as type from pg_attribute where attrelid = $1::regclass and attnum > 0 order by attnum`,
        [view],
      )
      for (const [name, type] of types) {
        const exact = types.has(`${name}_exact`)
        const source = columns.find((column) => column.name === name || name === `${column.name}_exact`)
        if (source === undefined) t.fail(`${view} has no column ${name}`)
        else if (!isOf(type, source, exact, name)) t.fail(`${view}.${name} of ${source.type} is ${type}`)
      }
      const there = columns.map(({ name, type }) => `${inSql(name, type)} as "${name}"`)
      const here = columns.map(
        ({ name, type }) => `${inDuckDb(types.has(`${name}_exact`) ? `${name}_exact` : name, type)} as "${name}"`,
      )
      const { rows } = await pool.query(`select ${there.join(', ')} from ${view} v`)
      const found = await ask(`select ${here.join(', ')} from ${file}`)
      t.same(sorted(found, columns), sorted(rows, columns), view)
      const chunks = await ask(
        `select path_in_schema as name, compression, num_values > stats_null_count as has_values,
           stats_min_value is not null and stats_max_value is not null as has_bounds from parquet_metadata(${file})`,
      )
      if (chunks.length < (rows.length > 0 ? types.size : 0)) t.fail(`${view} has ${chunks.length} column chunks`)
      for (const { name, compression, has_values, has_bounds } of chunks)
        if (compression !== 'ZSTD' || has_bounds !== has_values)
          t.fail(`${view}.${name}: ${compression}, values: ${has_values}, bounds: ${has_bounds}`)
      for (const name of types.keys()) {
        if (!types.has(`${name}_exact`)) continue
        const doubles = await ask(
          `select ${name} as near, ${name}_exact as exact from ${file} where ${name}_exact is not null`,
        )
        for (const { near, exact } of doubles)
          if (near !== Number(exact)) t.fail(`${view}.${name}: ${near} of ${exact}`)
      }
      values += rows.length * columns.length
      if (rows.length === 0) empty++
    }
    t.comment(`${values} values in ${views.length} views, ${empty} of which have no rows`)
    t.ok(values > 20_000)
    t.ok(empty < 10)
  })

  t.test('prices are numbers and in their order; raw units add up exactly', async (t) => {
    const file = await exported('final.swaps')
    const [found] =
      await ask(`select max(price)::varchar as price, sum(amount_a)::varchar as a, sum(liquidity)::varchar as l, sum(usd)::varchar as usd,
      max(sqrt_price_x64)::varchar as root from ${file}`)
    const { rows } =
      await pool.query(`select max(price) as price, sum(amount_a)::text as a, sum(liquidity)::text as l, sum(usd)::text as usd,
      max(sqrt_price_x64)::text as root from final.swaps`)
    t.equal(Number(found?.price), Number(rows[0].price))
    t.same({ ...found, price: null }, { ...rows[0], price: null })
    const types = Object.fromEntries(
      (await ask(`describe from ${file}`)).map((row) => [row.column_name, row.column_type]),
    )
    t.match(types, {
      amount_a: 'BIGINT',
      block_time: 'TIMESTAMP WITH TIME ZONE',
      quantity_a: 'DECIMAL(38,18)',
      sqrt_price_x64: 'DECIMAL(38,0)',
      liquidity: 'DECIMAL(20,0)',
      usd: 'DECIMAL(38,8)',
      price: 'DOUBLE',
      price_exact: 'VARCHAR',
    })
  })

  t.test('bounds are those of SQL, and rows are found by them', async (t) => {
    const file = await exported('final.swaps')
    const [bounds] = await ask(
      `select stats_min_value as low, stats_max_value as high from parquet_metadata(${file}) where path_in_schema = 'usd'`,
    )
    const { rows } = await pool.query('select min(usd)::text as low, max(usd)::text as high from final.swaps')
    t.same(bounds, rows[0], 'bounds of negative decimals too')
    const times = await ask(
      `select count(*)::int as n from ${file} where block_time >= (select max(block_time) from ${file})`,
    )
    t.ok((times[0]?.n as number) > 0, 'rows are found by bounds')
  })

  t.test('a folder that grew by files of other sizes has each row once', async (t) => {
    const out = join(folder, 'parts')
    const parts = { url, view: 'transfers', chain: 'wax', format: 'parquet', out } as const
    await exportParts({ ...parts, blocksPerFile: 20, toBlock: 70 })
    await exportParts({ ...parts, blocksPerFile: 50, toBlock: lib })
    const [found] = await ask(`select count(*)::int as n, count(distinct global_seq)::int as different,
      sum(amount)::varchar as amount from read_parquet('${out}/*.parquet')`)
    const { rows } = await pool.query(`select count(*)::int4 as n, count(distinct global_seq)::int4 as different,
      sum(amount)::text as amount from final.transfers where chain = 'wax'`)
    t.ok(rows[0].n > 100)
    t.same(found, rows[0])
    const manifest = join(out, 'final.transfers-wax.parquet.manifest.json')
    const text = await readFile(manifest, 'utf8')
    await writeFile(manifest, text.replace('DECIMAL(38,18)', 'STRING'))
    await t.rejects(
      exportParts({ ...parts, blocksPerFile: 50, toBlock: lib }),
      { code: 'EXPORT_CONFLICT' },
      'other types',
    )
  })

  t.test('row groups are large, pages and dictionaries of several of them hold', async (t) => {
    const copies = 600
    await pool.query(
      `create view final.many_rows as select i, s.*, case when i % 7 = 0 then null else 'text ' || i end as sparse,
         case when i % 2 = 0 then true when i % 3 = 0 then false end as flag, i % 5 as few from final.transfers s cross join generate_series(1, ${copies}) i`,
    )
    const { rows } = await pool.query(
      `select count(*)::int4 as n, sum(i)::text as i, count(distinct sparse)::int4 as sparse, count(sparse)::int4 as there,
         count(flag)::int4 as flags, sum(few)::text as few, md5(string_agg(memo, '' order by memo collate "C")) as memos,
         sum(amount)::text as amount from final.many_rows`,
    )
    const file = await exported('final.many_rows')
    const [found] = await ask(
      `select count(*)::int as n, sum(i)::varchar as i, count(distinct sparse)::int as sparse, count(sparse)::int as there,
         count(flag)::int as flags, sum(few)::varchar as few, md5(string_agg(memo, '' order by memo)) as memos,
         sum(amount)::varchar as amount from ${file}`,
    )
    t.ok(rows[0].n > 130_000)
    t.same(found, rows[0])
    const groups = await ask(
      `select distinct row_group_num_rows::int as n from parquet_metadata(${file}) where row_group_id = 0`,
    )
    t.same(groups, [{ n: 122_880 }])
    const small = join(folder, 'small-groups.parquet')
    await writeSmallGroups(url, 'final.many_rows', small)
    const [again] = await ask(
      `select count(*)::int as n, sum(i)::varchar as i, count(sparse)::int as there,
         md5(string_agg(memo, '' order by memo)) as memos from '${small}'`,
    )
    const { n, i, there, memos } = rows[0]
    t.same(again, { n, i, there, memos }, 'groups that ended early lose nothing')
    const [{ count } = {}] = await ask(
      `select count(distinct row_group_id)::int as count from parquet_metadata('${small}')`,
    )
    t.ok((count as number) > 10, `${count} row groups`)
    await pool.query('drop view final.many_rows')
  })
}

/** Writes a view in row groups of one megabyte of received data. */
async function writeSmallGroups(url: string, name: string, out: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  const view = await findView(client, name)
  const sources = view.columns.map(sourceColumn)
  const list = sources.map(({ expression }) => expression).join(', ')
  const parts: Uint8Array[] = []
  const sink = new ParquetSink(sources, (bytes) => parts.push(Buffer.from(bytes)), 2 ** 20)
  sink.begin()
  for await (const chunk of client.query(copyTo(`copy (select ${list} from ${name} v) to stdout (format binary)`)))
    await sink.add(chunk)
  await sink.end()
  await client.end()
  await writeFile(out, Buffer.concat(parts))
}

const TYPES: Record<string, string> = {
  bigint: 'BIGINT',
  integer: 'INTEGER',
  smallint: 'SMALLINT',
  text: 'VARCHAR',
  bytea: 'BLOB',
  boolean: 'BOOLEAN',
  jsonb: 'JSON',
  'timestamp with time zone': 'TIMESTAMP WITH TIME ZONE',
}

function isOf(type: string, source: Column, isDouble: boolean, name: string): boolean {
  if (source.type === 'numeric') {
    if (isDouble) return type === 'DOUBLE'
    return name === source.name ? /^DECIMAL\(\d+,\d+\)$/.test(type) : type === 'VARCHAR'
  }
  return type === (source.type.endsWith('[]') ? 'JSON' : TYPES[source.type])
}
