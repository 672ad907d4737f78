// The writer builds the secondary indexes of its chain in sessions of their own, under its lease.
import t, { type Test } from 'tap'
import { ChainWriter } from '../../../indexer/store/writer.ts'
import { testDatabase } from '../../support/database.ts'
import { childOf, GENESIS } from '../../support/synthetic-chain.ts'

t.test('a process that has lost the chain builds no index', async (t) => {
  const { writer, pool } = await writerWithBlock(t)
  await pool.query(`update meta.leases set token = gen_random_uuid() where chain = 'test'`)
  await t.rejects(writer.buildIndexes(), { code: 'WRITER_FENCED' })
  const { rows } = await pool.query(`select from pg_indexes where indexname = 'swaps__test_transaction'`)
  t.equal(rows.length, 0)
})

t.test('the chain counts as indexed afterwards', async (t) => {
  const { writer, pool } = await writerWithBlock(t)
  await writer.buildIndexes()
  t.equal(writer.position?.indexed, true)
  const { rows } = await pool.query(`
    select relation, name from meta.secondary_indexes where to_regclass(relation || '__test_' || name) is null`)
  t.same(rows, [], 'every index is there')
})

t.test('the indexes of large tables and of small ones are built', async (t) => {
  const { writer, pool } = await writerWithBlock(t)
  await pool.query(`insert into ledger.certificates (chain, block_num, block_time, target, strong, verified, certificate)
    select 'test', n, now(), n, true, false, repeat('x', 200)::bytea from generate_series(1, 8000) n`)
  const { rows: large } = await pool.query(`select pg_relation_size('ledger.certificates__test') > 2 ^ 20 as is`)
  t.same(large, [{ is: true }])
  await writer.buildIndexes()
  const { rows } = await pool.query(`
    select relation, name from meta.secondary_indexes where to_regclass(relation || '__test_' || name) is null`)
  t.same(rows, [], 'every index is there')
})

async function writerWithBlock(t: Test) {
  const { url, pool } = await testDatabase(t, { chains: ['test'] })
  const writer = await ChainWriter.open({ chain: 'test', databaseUrl: url, chainId: null })
  t.teardown(() => writer.close())
  const { num, id, prevId } = childOf(GENESIS)
  const batch = writer.newBatch()
  batch.add({
    ...{ num, id, prevId, time: 0, producer: 'producer', lib: num, head: num },
    ...{ ledger: [], state: [], candles: [] },
  })
  await writer.commit(batch)
  return { writer, pool }
}
