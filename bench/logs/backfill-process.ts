// Backfills the logs in a folder with two worker threads into a new PostgreSQL server, which belongs to this process
// and shares its cores, and builds the secondary indexes, as the indexer does after a backfill; then copies the same rows
// without any other work. Prints the seconds of each, by the clock and of a processor. Arguments: folder of logs with the
// first blocks, which are not measured; folder of all logs; blocks of a range; whether digests of actions are checked.

import pg from 'pg'
import { backfillChains } from '../../bin/backfill.ts'
import { WorkerThreads } from '../../bin/worker-threads.ts'
import { loadConfig } from '../../config/load.ts'
import { ChainWriter } from '../../indexer/store/writer.ts'
import { processorMs } from '../decode/processor.ts'
import { bareCopy } from '../support/bare-copy.ts'
import { benchDatabase } from '../support/database.ts'
import { ServerTime } from '../support/server-time.ts'
import { digestOfTables } from '../support/table-digest.ts'

const [setup = '', folder = '', rangeBlocks = '1000', checks = 'digests'] = process.argv.slice(2)
const log = { info: () => {}, warn: console.error, error: console.error }
const database = await benchDatabase('headwater_bench_logs')
try {
  const databaseUrl = database.url
  // Workers of later ranges need the ABIs that the first blocks set.
  await backfill(databaseUrl, setup)
  const earlier = await rowsOf(databaseUrl, 'ledger')
  const server = await ServerTime.of(databaseUrl)
  const before = { program: processorMs() / 1000, server: server.seconds() }
  const ranges = await backfill(databaseUrl, folder)
  const indexing = performance.now()
  const writer = await ChainWriter.open({ chain: 'dev', databaseUrl, chainId: null })
  await writer.buildIndexes()
  await writer.close()
  const indexes = (performance.now() - indexing) / 1000
  const seconds = ranges + indexes
  const cpu = { program: processorMs() / 1000 - before.program, server: server.seconds() - before.server }
  const rows = (await rowsOf(databaseUrl, 'ledger')) - earlier
  const derived = await rowsOf(databaseUrl, 'derive')
  const digest = await digestOfTables(databaseUrl)
  const bare = await bareCopy(databaseUrl, server)
  const bareDerived = await bareCopy(databaseUrl, server, ['derive'])
  process.stdout.write(`${JSON.stringify({ seconds, indexes, cpu, rows, derived, digest, bare, bareDerived })}\n`)
} finally {
  await database.close()
}
process.exit(0)

/** @returns seconds, without the end of the threads */
async function backfill(databaseUrl: string, logs: string): Promise<number> {
  // Finality data of repeated blocks cannot be followed.
  const env = {
    ...{ HEADWATER_DEV_SOURCE_KIND: 'ship', HEADWATER_DEV_SOURCE_LOGS: logs, HEADWATER_DEV_FINALITY: 'false' },
    HEADWATER_DEV_SOURCE_CHECK_ACTIONS: String(checks === 'digests'),
  }
  const { chains } = loadConfig({ env, program: { chains: ['dev'] } }).config
  const { signal } = new AbortController()
  const threads = WorkerThreads.start(2, { chains, databaseUrl }, log)
  const started = performance.now()
  await Promise.race([backfillChains({ chains, databaseUrl, signal, log }, Number(rangeBlocks)), threads.failure])
  const seconds = (performance.now() - started) / 1000
  await threads.stop()
  return seconds
}

/** Rows of the tables of a schema. */
async function rowsOf(databaseUrl: string, schema: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows: tables } = await client.query<{ id: string }>(
    `select c.oid::regclass::text as id from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = $1`,
    [schema],
  )
  let sum = 0
  for (const { id } of tables) sum += Number((await client.query(`select count(*) as rows from ${id}`)).rows[0].rows)
  await client.end()
  return sum
}
