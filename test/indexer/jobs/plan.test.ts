// Planning of a backfill: each block is in one range, also with concurrent planners. A chain that was indexed from its
// middle is refused.
import t from 'tap'
import { startBoss } from '../../../indexer/jobs/boss.ts'
import { planBackfill } from '../../../indexer/jobs/plan.ts'
import { takeOverRanges } from '../../../indexer/jobs/take-over.ts'
import { testDatabase } from '../../support/database.ts'

t.test('a backfill is planned', async (t) => {
  const { url, pool } = await testDatabase(t)
  const boss = await startBoss({ databaseUrl: url })
  t.teardown(() => boss.stop({ graceful: false, wait: true }))
  const chain = 'wax-2'
  const options = { chain, databaseUrl: url, startBlock: 2, endBlock: 101, rangeBlocks: 10 }
  const ranges = async () =>
    (
      await pool.query(
        'select first_block::int4 as first, last_block::int4 as last, starts_chain as start from meta.backfill_ranges where chain = $1 order by 1',
        [chain],
      )
    ).rows

  t.test('by several at once, with different ranges: no block twice', async (t) => {
    const planned = await Promise.all(
      [10, 7, 10, 13].map((rangeBlocks) => planBackfill(boss, { ...options, rangeBlocks })),
    )
    t.equal(planned.filter((count) => count > 0).length, 1, 'one of them planned all')
    let next = 2
    for (const { first, last, start } of await ranges()) {
      t.equal(first, next)
      t.equal(start, first === 2)
      next = last + 1
    }
    t.equal(next, 102)
  })

  t.test('anew when the start of the chain is gone', async (t) => {
    await pool.query('delete from meta.backfill_ranges where starts_chain')
    // A finished range from the middle, left over from an earlier run.
    const { rows } = await pool.query(
      'update meta.backfill_ranges set set_id = 1 where first_block = (select min(first_block) from meta.backfill_ranges) returning first_block',
    )
    t.not(Number(rows[0].first_block), 2)
    const signal = new AbortController().signal
    await t.rejects(takeOverRanges({ chain, databaseUrl: url, chainId: null, accounts: {}, boss, signal }), {
      code: 'RANGE_WITHOUT_START',
    })
    t.equal((await pool.query('select from meta.position')).rowCount, 0)
    t.equal(await planBackfill(boss, options), 10)
    t.same((await ranges())[0], { first: 2, last: 11, start: true })
  })
})
