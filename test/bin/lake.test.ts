// `headwater lake` as a program, killed while it follows: every final row once.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { DEVNET_HISTORY } from '../docs/sql-history.ts'
import { readParquet } from '../indexer/export/read-parquet.ts'
import { testDatabase } from '../support/database.ts'
import { run, start } from './program.ts'

const KILLS = process.env.HEADWATER_TEST_LONG ? 30 : 2
t.setTimeout(1_200_000)

t.test('a lake from the command line', async (t) => {
  const { url, pool } = await testDatabase(t, DEVNET_HISTORY)
  const out = await mkdtemp(join(tmpdir(), 'headwater-lake-program-'))
  t.teardown(() => rm(out, { recursive: true }))
  const DATABASE_URL = url
  const lake = ['lake', '--out', out, '--chain', 'wax', '--follow']
  for (let i = 0; i < KILLS; i++) {
    const { child, outcome } = start(lake, { DATABASE_URL, HEADWATER_LOG_LEVEL: 'info' })
    // Once the first step is done, at a moment within the next.
    const isWriting = new Promise<void>((resolve) =>
      child.stderr?.on('data', (text) => String(text).includes('lake') && resolve()),
    )
    await Promise.race([isWriting, outcome])
    await delay(40 * i)
    child.kill('SIGKILL')
    await outcome
  }
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

  t.test('mistakes on the command line', async (t) => {
    t.match(await run(['lake'], { DATABASE_URL }), { code: 2, stderr: /--out or --clickhouse is needed/ })
    t.match(await run(['lake', '--clickhouse', 'tcp://x'], { DATABASE_URL }), { code: 1, stderr: /CLICKHOUSE_ADDRESS/ })
    t.match(await run([...lake, '--view', 'pools'], { DATABASE_URL }), { code: 1, stderr: /LAKE_VIEW/ })
  })
})
