// Runs the three lines of docs/data/lake.md: from a folder to a chart in DuckDB.
import { readFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { LakeFiles } from '../../indexer/lake/files.ts'
import { writeLake } from '../../indexer/lake/lake.ts'
import { FolderStore } from '../../net/objects/folder.ts'
import { testDatabase } from '../support/database.ts'
import { type DuckDb, openDuckDb, REQUIRED_VARIABLE } from '../support/duckdb/duckdb.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { DEVNET_HISTORY } from './sql-history.ts'

const duck = await openDuckDb()
if ('missing' in duck) {
  if (process.env[REQUIRED_VARIABLE] === 'required') t.fail(duck.missing)
  else t.comment(`not run: ${duck.missing}`)
} else t.test('three lines from a folder to a chart', (t) => chart(t, duck))

async function chart(t: Test, db: DuckDb): Promise<void> {
  t.teardown(() => db.closeSync())
  const { url, pool } = await testDatabase(t, DEVNET_HISTORY)
  const out = temporaryFolder(t)
  const { signal } = new AbortController()
  await pool.query(
    `begin isolation level repeatable read; select meta.refresh_board('pool_days'); commit; begin isolation level repeatable read; select meta.refresh_board('leaders'); commit`,
  )
  await writeLake({
    url,
    signal,
    current: true,
    target: new LakeFiles(new FolderStore(out), { withOpen: true, signal }),
  })
  const page = await readFile(new URL('../../docs/data/lake.md', import.meta.url), 'utf8')
  const lines = (/^```sql\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '').trim().split('\n')
  t.equal(lines.length, 3)
  const [first = '', second = '', third = ''] = lines.map((line) => line.replace('/srv/lake', out))
  await db.run(first)
  await db.run(second)
  const rows = (await db.runAndReadAll(third)).getRowObjects()
  const { rows: expected } = await pool.query<{ day: string; usd: number }>(
    `select (block_time at time zone 'UTC')::date::text as day, round(sum(usd), 2)::float8 as usd from final.swaps
     where chain = 'wax' group by 1 order by 1`,
  )
  t.ok(expected.length >= 3)
  t.same(
    rows.map(({ date, usd }) => ({ day: String(date), usd })),
    expected,
  )
  // A bar of 40 characters, drawn in eighths of a character.
  const most = Math.max(...expected.map(({ usd }) => usd))
  for (const [i, { usd }] of expected.entries())
    t.equal(String(rows[i]?.chart).trimEnd().length, Math.ceil(Math.round((320 * usd) / most) / 8), `the bar of ${usd}`)

  // A condition on the path and the data of the whole lake, over both chains and all datasets.
  const glob = (dataset: string) => `read_parquet('${out}/${dataset}/*/*/*.parquet', hive_partitioning = true)`
  const count = async (sql: string) => (await db.runAndReadAll(sql)).getRowObjects()[0]?.n
  for (const dataset of ['swaps', 'transfers', 'blocks', 'deals', 'withdrawal_events']) {
    const { rows: there } = await pool.query(`select count(*)::int4 as n from final.${dataset}`)
    t.equal(await count(`select count(*)::int as n from ${glob(dataset)}`), there[0].n, dataset)
  }
  for (const view of ['final.pools', 'final.markets', 'final.deposits', 'board.pool_days', 'board.leaders']) {
    const { rows: there } = await pool.query(`select count(*)::int4 as n from ${view}`)
    t.ok(there[0].n > 0, view)
    const file = `${out}/current/${view.replace('final.', '').replace('.', '_')}.parquet`
    t.equal(await count(`select count(*)::int as n from '${file}'`), there[0].n, view)
  }
  t.equal(await count(`select count(*)::int as n from ${glob('swaps')} where date <> block_time::timestamp::date`), 0)
}
