// Building a chain's indexes next to commits. Both lock the chain's position before any table, so that neither waits
// for a lock of the other in a circle.
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { testDatabase } from '../../support/database.ts'
import { indexExchange } from '../replay/index-recording.ts'

const path = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname

t.test('indexes are built after a commit that has begun, and lock no table before', async (t) => {
  const { url, pool } = await testDatabase(t)
  await indexExchange(url, 'wax', new ReplaySource(path), 20)
  const commit = await pool.connect()
  const builder = await pool.connect()
  try {
    const { rows } = await builder.query<{ pid: number }>('select pg_backend_pid() as pid')
    await commit.query('begin')
    await commit.query(`select from meta.position where chain = 'wax' for update`)
    const building = builder.query(`select meta.build_indexes('wax')`)
    while ((await locksOf(rows[0]?.pid)).every(({ granted }) => granted)) await setTimeout(10)
    const tables = (await locksOf(rows[0]?.pid)).filter(({ schema }) => schema === 'ledger')
    t.strictSame(tables, [], 'no table of the ledger is locked while the commit runs')
    await commit.query('lock table ledger.swaps__wax in row exclusive mode')
    await commit.query('commit')
    await building
    t.pass('both end')
  } finally {
    commit.release()
    builder.release()
  }

  function locksOf(pid: number | undefined) {
    return pool
      .query<{ schema: string | null; granted: boolean }>(
        `select c.relnamespace::regnamespace::text as schema, l.granted
         from pg_locks l left join pg_class c on c.oid = l.relation where l.pid = $1`,
        [pid],
      )
      .then(({ rows }) => rows)
  }
})
