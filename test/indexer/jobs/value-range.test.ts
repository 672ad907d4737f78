import type pg from 'pg'
import t from 'tap'
import { startBoss } from '../../../indexer/jobs/boss.ts'
import { planBackfill } from '../../../indexer/jobs/plan.ts'
import { valueRange } from '../../../indexer/jobs/value-range.ts'
import { runWorker } from '../../../indexer/jobs/worker.ts'
import { readCatalog } from '../../../indexer/store/catalog.ts'
import { SETTINGS } from '../../../indexer/store/sql.ts'
import type { Valuer } from '../../../indexer/value/valuer.ts'
import { openClient } from '../../../net/postgres.ts'
import { testDatabase } from '../../support/database.ts'
import { countRows } from '../bootstrap/compare.ts'
import { PROFILE } from '../replay/index-recording.ts'
import { LAST, stretchedForks } from '../value/stretched-forks.ts'

/** Each block of the recording two minutes after the one before, every block final: an hour has twelve slices. */
const source = stretchedForks(240)

/** Values nothing; fails at the start of a minute. */
function failingValuer(minutes: number): Valuer {
  let started = 0
  const valuer = {
    lags: () => false,
    startMinute() {
      if (++started > minutes) throw new Error('no price')
    },
    observe() {},
    forget() {},
    valueOf: () => undefined,
    pricesOf: () => [],
    feeOf: () => 3000,
  }
  return valuer as unknown as Valuer
}

/** Times of the calls of `query`. */
function watchQueries(client: pg.Client): { count: number } {
  const seen = { count: 0 }
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    seen.count++
    return query(...args)
  }) as typeof client.query
  return seen
}

t.test('an error of the valuation leaves no statement of a move behind, and no rows', async (t) => {
  const { url: databaseUrl, pool } = await testDatabase(t)
  const boss = await startBoss({ databaseUrl })
  await planBackfill(boss, { chain: 'wax', databaseUrl, startBlock: 2, endBlock: LAST.num, rangeBlocks: LAST.num })
  await boss.stop({ graceful: false, wait: true })
  const over = new AbortController()
  await runWorker({
    ...{ chain: 'wax', databaseUrl, source, accounts: PROFILE, systemAccount: 'eosio', tokenContracts: '*' },
    ...{ checksActions: false, pollMs: 20, signal: over.signal, events: { finished: () => over.abort() } },
  })
  const { rows } = await pool.query<{ setId: string }>(
    `select set_id as "setId" from meta.backfill_ranges where chain = 'wax' order by first_block`,
  )
  const clients = {
    writer: openClient({ connectionString: databaseUrl }),
    reader: openClient({ connectionString: databaseUrl }),
  }
  t.teardown(() => Promise.all([clients.writer.end(), clients.reader.end()]))
  await Promise.all([clients.writer.connect(), clients.reader.connect()])
  await clients.writer.query(SETTINGS)
  await clients.writer.query(`select meta.add_chain('wax')`)
  const catalog = await readCatalog(clients.writer)
  let failed = 0
  for (const { setId } of rows) {
    const range = { chain: 'wax', setId, stateBlock: undefined }
    for (const minutes of [4, 9]) {
      await clients.writer.query('begin')
      const queries = watchQueries(clients.writer)
      const error = await valueRange(clients, catalog, range, failingValuer(minutes)).catch((error: Error) => error)
      const { count } = queries
      if (error) failed++
      // Sent after the statements of a move, if there are any.
      await clients.reader.query('select 1')
      t.equal(queries.count, count, 'the move is over')
      await clients.writer.query('rollback')
    }
  }
  t.ok(failed > 4, `${failed} failures`)
  t.equal(await countRows(pool, 'ledger.swaps', 'wax'), 0)
})
