// Partitioned tables get new planner statistics whenever their partitions have newer ones.
import t from 'tap'
import { gatherStatistics } from '../../../indexer/jobs/gather-statistics.ts'
import { testDatabase } from '../../support/database.ts'

t.test('a table follows its partitions, with the rights of the writer', async (t) => {
  const { url, pool } = await testDatabase(t)
  await pool.query(`select meta.add_chain('wax')`)
  await pool.query(
    `insert into state.balances (chain, contract, symbol, account, decimals, amount)
     select 'wax', 'token' || i % 7, 'T' || i % 3, 'user' || i, 4, i from generate_series(1, 500) i`,
  )
  await pool.query('analyze state.balances__wax')
  const login = new URL(url)
  login.searchParams.set('options', '-c role=headwater_writer')
  t.same(await gatherStatistics(login.href), ['state.balances', 'versions.balances'])
  const known = `select tablename, inherited from pg_stats where schemaname in ('state', 'versions') and attname = 'account'
    and tablename = 'balances' order by schemaname`
  t.same(
    (await pool.query(known)).rows.map(({ inherited }) => inherited),
    [true, true],
  )
  const { rows } = await pool.query(
    `select n_distinct from pg_stats_ext_exprs where schemaname = 'versions' and tablename = 'balances' and inherited`,
  )
  t.same(rows, [{ n_distinct: 21 }], 'and of the expression that is the id of a token')
  t.same(await gatherStatistics(login.href), [], 'nothing has changed since')
  await pool.query('analyze state.balances__wax')
  t.same(await gatherStatistics(login.href), [], 'nor when somebody has analyzed a partition by hand')
  await t.rejects(pool.query(`set role headwater_writer; select meta.gather_statistics('meta.accounts')`), {
    code: '22023',
  })
})
