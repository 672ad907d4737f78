// The server ends the writer's session between two statements, as a restart does: each use of the connection says that
// the database is not available, so the indexing of the chain is tried again and does not end.
import t from 'tap'
import { ChainWriter } from '../../../indexer/store/writer.ts'
import { testDatabase } from '../../support/database.ts'
import { childOf, GENESIS } from '../../support/synthetic-chain.ts'
import { until } from '../../support/until.ts'

t.test('a session that has ended', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['test'] })
  const uses: Record<string, (writer: ChainWriter) => Promise<unknown>> = {
    'stale marks': (writer) => writer.staleMarks(),
    abis: (writer) => writer.abis(),
    'reversible blocks': (writer) => writer.reversibleBlocks(),
    'highest block': (writer) => writer.reached(),
    'setting of durability': (writer) => writer.setDurable(false),
    'secondary indexes': (writer) => writer.buildIndexes(),
    rewind: (writer) => writer.rewind(1),
  }
  const first = await ChainWriter.open({ chain: 'test', databaseUrl: url, chainId: null })
  const { num, id, prevId } = childOf(GENESIS)
  const batch = first.newBatch()
  batch.add({
    ...{ num, id, prevId, time: 0, producer: 'producer', lib: num, head: num },
    ...{ ledger: [], state: [], candles: [] },
  })
  await first.commit(batch)
  await first.close()
  const sessions = `pg_stat_activity where datname = current_database() and application_name = 'headwater index test'`
  for (const [name, use] of Object.entries(uses))
    for (const waits of [false, true]) {
      const writer = await ChainWriter.open({ chain: 'test', databaseUrl: url, chainId: null })
      await pool.query(`select pg_terminate_backend(pid) from ${sessions}`)
      // Before and after the client has read that its session has ended.
      if (waits)
        await until(
          'the end of the session',
          async () => (await pool.query(`select from ${sessions}`)).rows.length === 0,
        )
      await t.rejects(use(writer), { code: 'DATABASE_UNAVAILABLE', place: { chain: 'test' } }, `${name}, ${waits}`)
      await writer.close()
    }
})
