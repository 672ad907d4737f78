// `headwater lake` as a program, killed while it follows: every final row once.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet'
import t from 'tap'
import { DEVNET_HISTORY } from '../docs/sql-history.ts'
import { readParquet } from '../indexer/export/read-parquet.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { run, start } from './program.ts'

const IS_LONG = Boolean(process.env.HEADWATER_TEST_LONG)
/** Maximum time from a block's finality until all datasets are complete up to it, ms. Only the long run has such a maximum. */
const FRESH_MS = 60_000
const ENDS = IS_LONG ? 10 : 1
const KILLS = IS_LONG ? 30 : 2
t.setTimeout(1_200_000)

t.test('a lake from the command line', async (t) => {
  const { url, pool } = await testDatabase(t, DEVNET_HISTORY)
  const out = temporaryFolder(t)
  const DATABASE_URL = url
  const lake = ['lake', '--out', out, '--chain', 'wax', '--follow']
  const { rows: ends } = await pool.query<{ first: number; lib: number }>(
    `select first_block::int4 as first, lib_num::int4 as lib from meta.position where chain = 'wax'`,
  )
  const { first, lib } = ends[0]!
  const setLib = (num: number) => pool.query(`update meta.position set lib_num = $1 where chain = 'wax'`, [num])
  for (let i = 0; i < KILLS; i++) {
    // Else a program after the last step would have nothing to write.
    await setLib(first + Math.floor(((lib - first) * (i + 1)) / (KILLS + 1)))
    const { child, outcome, output } = start(lake, { DATABASE_URL, HEADWATER_LOG_LEVEL: 'info' })
    // Once the first step is done, at a moment within the next.
    await until(
      () => `a step: ${output.stderr}`,
      () => child.exitCode !== null || output.stderr.includes('"msg":"lake"'),
    )
    await delay(40 * i)
    child.kill('SIGKILL')
    await outcome
    t.equal(child.signalCode, 'SIGKILL', output.stderr)
  }
  await setLib(lib)
  const done = await run(lake.slice(0, -1), { DATABASE_URL })
  t.match(done, { code: 0, stdout: /wax: complete up to block \d+; \d+ rows written in \d+ steps/ }, done.stderr)

  for (const dataset of ['swaps', 'blocks']) {
    const key = dataset === 'swaps' ? 'global_seq' : 'block_num'
    const names = (await readdir(join(out, dataset), { recursive: true })).filter((name) => name.endsWith('.parquet'))
    const files = await Promise.all(names.map((name) => readParquet(join(out, dataset, name))))
    const { rows } = await pool.query<{ key: string }>(
      `select ${key}::text as key from final.${dataset} where chain = 'wax' and block_time <
         (select date_trunc('hour', max(block_time), 'UTC') from final.blocks where chain = 'wax')`,
    )
    const found = files.flat().map((row) => row[key]!)
    t.equal(new Set(found).size, found.length, `${dataset}: no row twice`)
    const missing = rows.filter((row) => !found.includes(row.key))
    t.same(missing, [], `${dataset}: no row is missing`)
  }

  t.test('all datasets are complete up to a block soon after the block is final', async (t) => {
    const fresh = temporaryFolder(t)
    const saved = async () => {
      const text = await readFile(join(fresh, '_headwater/chain=wax/position.json'), 'utf8').catch(() => 'null')
      return JSON.parse(text) as { completeTo: number | null; datasets: Record<string, unknown> } | null
    }
    await setLib(lib - ENDS)
    // With the default pause between two rounds.
    const { child, outcome, output } = start(['lake', '--out', fresh, '--chain', 'wax', '--follow'], { DATABASE_URL })
    const isComplete = (block: number) =>
      until(
        () => `block ${block}: ${output.stderr}`,
        async () => child.exitCode !== null || (await saved())?.completeTo === block,
        100,
      )
    await isComplete(lib - ENDS)
    const delays: number[] = []
    // Each block becomes final when a round has just ended, so its rows wait for the whole pause.
    for (let block = lib - ENDS + 1; block <= lib; block++) {
      await setLib(block)
      const final = performance.now()
      await isComplete(block)
      delays.push(performance.now() - final)
    }
    const datasets = Object.keys((await saved())?.datasets ?? {})
    t.ok(datasets.length > 20, `${datasets.length} datasets`)
    for (const dataset of datasets) {
      const { rows: counts } = await pool.query<{ n: number }>(
        `select count(*)::int4 as n from final."${dataset}" where chain = 'wax'`,
      )
      t.equal(await rowsIn(join(fresh, dataset)), counts[0]?.n, `${dataset} has each final row`)
    }
    child.kill('SIGTERM')
    t.match(await outcome, { code: 0 })
    const longest = Math.max(...delays)
    t.comment(
      `${ENDS} blocks: ${delays.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s from finality to completeness`,
    )
    if (IS_LONG) t.ok(longest < FRESH_MS, `${(longest / 1000).toFixed(1)} s`)
  })

  t.test('mistakes on the command line', async (t) => {
    t.match(await run(['lake'], { DATABASE_URL }), { code: 2, stderr: /--out or --clickhouse is needed/ })
    t.match(await run(['lake', '--clickhouse', 'tcp://x'], { DATABASE_URL }), { code: 1, stderr: /CLICKHOUSE_ADDRESS/ })
    t.match(await run([...lake, '--view', 'pools'], { DATABASE_URL }), { code: 1, stderr: /LAKE_VIEW/ })
  })
})

/** Number of rows in the Parquet files of a folder, which need not exist. */
async function rowsIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  let rows = 0
  for (const name of names.filter((one) => one.endsWith('.parquet')))
    rows += Number((await parquetMetadataAsync(await asyncBufferFromFile(join(folder, name)))).num_rows)
  return rows
}
