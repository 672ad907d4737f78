// Backfills the logs in a folder with two worker threads into a new PostgreSQL server, which belongs to this process
// and shares its cores; then copies the same rows without any other work. Prints the seconds of both. Arguments:
// folder, last block to index before the measurement, blocks of a range.

import pg from 'pg'
import { backfillChains } from '../../bin/backfill.ts'
import { WorkerThreads } from '../../bin/worker-threads.ts'
import { loadConfig } from '../../config/load.ts'
import { indexChain } from '../../indexer/run.ts'
import { LogSource } from '../../indexer/source/logs/source.ts'
import { bareCopy } from '../support/bare-copy.ts'
import { benchDatabase } from '../support/database.ts'
import { DEV } from '../support/profile.ts'

const [folder = '', before = '2', rangeBlocks = '1000'] = process.argv.slice(2)
// Finality data of repeated blocks cannot be followed.
const env = { HEADWATER_DEV_SOURCE_KIND: 'ship', HEADWATER_DEV_SOURCE_LOGS: folder, HEADWATER_DEV_FINALITY: 'false' }
const { chains } = loadConfig({ env, program: { chains: ['dev'] } }).config
const log = { info: () => {}, warn: console.error, error: console.error }
const database = await benchDatabase('headwater_bench_logs')
try {
  const databaseUrl = database.url
  const signal = new AbortController().signal
  await indexChain({
    ...{ ...DEV, chain: 'dev', databaseUrl, source: new LogSource({ folders: [folder], chain: 'dev' }), signal },
    endBlock: Number(before),
    events: { opened() {}, forked() {}, committed() {}, decoded() {}, retrying: (error) => console.error(error) },
  })
  const earlier = await rowsOf(databaseUrl)
  const threads = WorkerThreads.start(2, { chains, databaseUrl }, log)
  const started = performance.now()
  await Promise.race([backfillChains({ chains, databaseUrl, signal, log }, Number(rangeBlocks)), threads.failure])
  const seconds = (performance.now() - started) / 1000
  await threads.stop()
  const rows = (await rowsOf(databaseUrl)) - earlier
  const bare = await bareCopy(databaseUrl)
  process.stdout.write(`${JSON.stringify({ seconds, rows, bare })}\n`)
} finally {
  await database.close()
}
process.exit(0)

/** Rows of the ledger. */
async function rowsOf(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows: tables } = await client.query<{ id: string }>(
    `select c.oid::regclass::text as id from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = 'ledger'`,
  )
  let sum = 0
  for (const { id } of tables) sum += Number((await client.query(`select count(*) as rows from ${id}`)).rows[0].rows)
  await client.end()
  return sum
}
