// Files of a lake as DuckDB reads them: the digest of every dataset is that of PostgreSQL's view, and rows of one pool are
// together within each window of blocks.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import { VIEW_NAMES } from '../../../indexer/export/sql.ts'
import { findView, isFacts } from '../../../indexer/export/view.ts'
import { LakeFiles } from '../../../indexer/lake/files.ts'
import { writeLake } from '../../../indexer/lake/lake.ts'
import { FolderStore } from '../../../net/objects/folder.ts'
import { DEVNET_HISTORY } from '../../docs/sql-history.ts'
import { testDatabase } from '../../support/database.ts'
import { type DuckDb, openDuckDb, REQUIRED_VARIABLE } from '../../support/duckdb/duckdb.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type Column, inDuckDb, inSql, sorted } from '../export/plain-values.ts'
import { makeUpRows } from '../publish/made-up-rows.ts'

const { signal } = new AbortController()
const duck = await openDuckDb()
if ('missing' in duck) {
  if (process.env[REQUIRED_VARIABLE] === 'required') t.fail(duck.missing)
  else t.comment(`not run: ${duck.missing}`)
} else {
  t.teardown(() => duck.closeSync())
  t.test('every dataset of a lake', (t) => everyDataset(t, duck))
  t.test('a day of several windows of blocks', (t) => severalWindows(t, duck))
}

async function everyDataset(t: Test, duck: DuckDb): Promise<void> {
  const { url, pool } = await testDatabase(t, DEVNET_HISTORY)
  const { rows: ends } = await pool.query(`select lib_num::int4 as lib from meta.position where chain = 'wax'`)
  await makeUpRows(async (sql, ...values) => (await pool.query(sql, values)).rows, 'wax', ends[0].lib)
  const folder = await writtenLake(t, url)
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())
  let [datasets, total] = [0, 0]
  for (const { name } of (await client.query<{ name: string }>(VIEW_NAMES)).rows) {
    if (!isFacts(await findView(client, name))) continue
    const { rows: columns } = await client.query<Column>(
      'select attname as name, format_type(atttypid, null) as type from pg_attribute where attrelid = $1::regclass and attnum > 0 order by attnum',
      [`final.${name}`],
    )
    const there = columns.map((column) => `${inSql(column.name, column.type)} as "${column.name}"`)
    const { rows } = await client.query(`select ${there.join(', ')} from final.${name} v`)
    const found = rows.length === 0 ? [] : await rowsOf(duck, join(folder, name), columns)
    t.equal(found.length, rows.length, `${name}: rows`)
    t.equal(digest(sorted(found, columns)), digest(sorted(rows, columns)), name)
    if (rows.length > 0) datasets++
    total += rows.length
  }
  t.comment(`${total} rows in ${datasets} datasets`)
  t.ok(datasets > 25 && total > 3000, `${total} rows in ${datasets} datasets`)
}

/** Blocks and swaps of one day. */
const [BLOCKS, SWAPS, POOLS] = [9000, 3, 7]
/** Last blocks of windows of 2,000, 4,000 and the rest. */
const WINDOWS = [2000, 6000, BLOCKS]

async function severalWindows(t: Test, duck: DuckDb): Promise<void> {
  const { url, pool } = await testDatabase(t)
  await pool.query(`insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
    select 'wax', i, sha256(int8send(i)), sha256(int8send(i - 1)), timestamptz '2026-01-01' + i * interval '100 ms', 'producer1'
    from generate_series(1::int8, ${BLOCKS}) i`)
  await pool.query(`insert into ledger.swaps (chain, pool_id, block_time, global_seq, block_num, trx_id, sender, recipient, amount_a, amount_b,
      decimals_a, decimals_b, sqrt_price_x64, liquidity, tick, reserve_a, reserve_b, usd, pool_fee, path)
    select 'wax', i * 5 % ${POOLS}, timestamptz '2026-01-01' + (1 + i / ${SWAPS}) * interval '100 ms', i, 1 + i / ${SWAPS}, sha256(int8send(i)),
      'alice', 'alice', 1000 + i, -500 - i, 8, 6, 18446744073709551616 + i, 1000 + i, i % 100, 5000 + i, 6000 + i, i, 3000, 0
    from generate_series(0::int8, ${BLOCKS * SWAPS - 1}) i`)
  await pool.query(
    `insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer)
     values ('wax', repeat('0b', 32), 1, $1, repeat('0a', 32), now(), $1, $1, gen_random_uuid())`,
    [BLOCKS],
  )
  const folder = await writtenLake(t, url, ['swaps'])
  const files = `read_parquet('${folder}/swaps/*/*/*.parquet', file_row_number = true, filename = true)`
  const found = (
    await duck.runAndReadAll(
      `select filename, pool_id::int as pool, block_num::int as block, global_seq::int as seq from ${files} order by filename, file_row_number`,
    )
  ).getRowObjects()
  t.equal(new Set(found.map(({ filename }) => filename)).size, 1, 'one file, so that windows alone divide the rows')
  const windowOf = (block: number) => WINDOWS.findIndex((last) => block <= last)
  const { rows } = await pool.query<{ pool: number; block: number; seq: number }>(
    'select pool_id::int4 as pool, block_num::int4 as block, global_seq::int4 as seq from final.swaps',
  )
  t.equal(rows.length, BLOCKS * SWAPS)
  const expected = rows.toSorted((a, b) => windowOf(a.block) - windowOf(b.block) || a.pool - b.pool || a.seq - b.seq)
  const text = (list: readonly object[]) => list.map((row) => JSON.stringify(row, ['pool', 'block', 'seq'])).join('\n')
  t.equal(digest([text(found)]), digest([text(expected)]), 'by window, pool and place in the chain')
  const { rows: columns } = await pool.query<Column>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute where attrelid = 'final.swaps'::regclass and attnum > 0 order by attnum`,
  )
  const there = columns.map((column) => `${inSql(column.name, column.type)} as "${column.name}"`)
  const { rows: values } = await pool.query(`select ${there.join(', ')} from final.swaps v`)
  t.equal(
    digest(sorted(await rowsOf(duck, join(folder, 'swaps'), columns), columns)),
    digest(sorted(values, columns)),
    'every value',
  )
}

/** Writes everything that is final, the open hour too. @returns the lake's folder */
async function writtenLake(t: Test, url: string, views?: readonly string[]): Promise<string> {
  const folder = temporaryFolder(t)
  await writeLake({ url, target: new LakeFiles(new FolderStore(folder), { withOpen: true, signal }), views, signal })
  return folder
}

/** All rows of a dataset, each column as text. */
async function rowsOf(duck: DuckDb, dataset: string, columns: readonly Column[]): Promise<Record<string, unknown>[]> {
  const files = `read_parquet('${dataset}/*/*/*.parquet', hive_partitioning = true)`
  const described = (await duck.runAndReadAll(`describe from ${files}`)).getRowObjects()
  const names = new Set(described.map(({ column_name }) => String(column_name)))
  const list = columns.map(
    ({ name, type }) => `${inDuckDb(names.has(`${name}_exact`) ? `${name}_exact` : name, type)} as "${name}"`,
  )
  return (await duck.runAndReadAll(`select ${list.join(', ')} from ${files}`)).getRowObjects()
}

function digest(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
