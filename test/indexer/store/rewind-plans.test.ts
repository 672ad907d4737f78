// A rewind reads only the rows that it removes, with any statistics of the tables.
import t from 'tap'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { SETTINGS } from '../../../indexer/store/sql.ts'
import { testDatabase } from '../../support/database.ts'
import { indexExchange } from '../replay/index-recording.ts'

const path = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname
const HISTORY = 20_000

/** Adds older copies of a row to each ledger table that is indexed by block. */
const FILL = `
  do $$
  declare
    part record;
  begin
    for part in
      select c.oid::regclass as name, string_agg(quote_ident(a.attname), ', ') as columns, string_agg(case a.attname
          when 'block_num' then '-g' when 'global_seq' then '-g' when 'block_time' then 's.block_time - g * interval ''1 second'''
          else 's.' || quote_ident(a.attname) end, ', ') as made
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'ledger'::regnamespace and c.relkind = 'r' and c.relname like '%\\_\\_wax'
        and exists (select from pg_index i where i.indrelid = c.oid and i.indkey[0] = (select b.attnum from pg_attribute b
          where b.attrelid = c.oid and b.attname = 'block_num'))
      group by c.oid
    loop
      execute format('insert into %1$s (%2$s) select %3$s from (select * from %1$s limit 1) s, generate_series(1, ${HISTORY}) g
        on conflict do nothing', part.name, part.columns, part.made);
    end loop;
  end $$`

t.test('a rewind reads no table of the ledger whole, with old, new or no statistics', async (t) => {
  const { url, pool } = await testDatabase(t)
  await indexExchange(url, 'wax', new ReplaySource(path), 150)
  const client = await pool.connect()
  t.teardown(() => client.release())
  await client.query('select meta.build_indexes($1)', ['wax'])
  const all = async <T>(sql: string) => (await client.query(sql)).rows as T[]
  const statistics = {
    'gathered before the history came': 'select 1',
    'of the whole table': 'analyze',
    none: `delete from pg_statistic where starelid in (select oid from pg_class where relname like '%\\_\\_wax');
      update pg_class set reltuples = -1, relpages = 0 where relname like '%\\_\\_wax' and relkind = 'r'`,
  }
  await client.query('analyze')
  await client.query(FILL)
  const filled = await all<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relname like '%\\_\\_wax' and pg_relation_size(oid) > 1048576`,
  )
  t.ok(filled.length >= 8, filled.map(({ name }) => name).join(', '))
  // Counts rolled-back transactions, too.
  const counts = async () =>
    new Map(
      (
        await all<{ name: string; removed: number; whole: number }>(
          `select relname as name, n_tup_del::int4 as removed, seq_tup_read::int4 as whole from pg_stat_xact_user_tables
           where schemaname = 'ledger'`,
        )
      ).map((row) => [row.name, row]),
    )
  await client.query('update meta.position set lib_num = block_num - 30')
  for (const [kind, sql] of Object.entries(statistics)) {
    await client.query(`reset role; ${sql}`)
    await client.query(`${SETTINGS}; begin`)
    const before = await counts()
    await client.query(`select meta.rewind('wax', block_num - 9) from meta.position`)
    const after = await counts()
    const since = (name: string, count: 'removed' | 'whole') =>
      (after.get(name)?.[count] ?? 0) - (before.get(name)?.[count] ?? 0)
    t.equal(since('blocks__wax', 'removed'), 10, `statistics ${kind}`)
    t.ok(since('swaps__wax', 'removed') > 0)
    t.same(
      filled.filter(({ name }) => since(name, 'whole') > 0).map(({ name }) => name),
      [],
      'read whole',
    )
    await client.query('rollback; reset all')
  }
})
