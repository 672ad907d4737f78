import pg from 'pg'
import t from 'tap'
import type { HeadwaterError } from '../../core/errors.ts'
import { type SchemaFiles, schemaFiles } from '../../migrations/files.ts'
import { migrate } from '../../migrations/migrate.ts'
import { planMigration, planText } from '../../migrations/plan.ts'
import { testDatabase } from '../support/database.ts'
import { catalogLines } from './catalog.ts'

const files = await schemaFiles()

/** The migration files with one added or changed. */
const withFile = (name: string, sql: string): SchemaFiles => ({
  ...files,
  migrations: [...files.migrations.filter((file) => file.name !== name), { name, sql }].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  ),
})

const refusal = async (work: Promise<unknown>) =>
  work.then(
    () => ({ code: 'none', message: '', hint: '' }),
    (error: HeadwaterError) => error,
  )

t.test('every migration is listed with the checksum of its file', async (t) => {
  const { url, pool } = await testDatabase(t)
  t.same(await migrate(url), [], 'nothing to do on a migrated database')
  const { rows } = await pool.query('select name, checksum, version from public.headwater_migrations order by id')
  t.same(
    rows.map(({ name }) => name),
    [...files.migrations.map(({ name }) => name), 'code'],
  )
  t.ok(rows.every(({ checksum }) => /^[0-9a-f]{64}$/.test(checksum)))
  t.ok(rows.every(({ version }) => version === files.version))
})

t.test('an applied file that was edited is refused, and nothing changes', async (t) => {
  const { url, pool } = await testDatabase(t)
  const edited = files.migrations[1]
  if (edited === undefined) throw new Error('no second migration')
  const before = await catalogLines(pool)
  const error = await refusal(migrate(url, withFile(edited.name, `${edited.sql}\ncreate table meta.extra ();\n`)))
  t.match(error, { code: 'MIGRATION_EDITED', message: `${edited.name} was edited`, hint: /migrations\/forward/ })
  t.same(await catalogLines(pool), before)
})

t.test('a database from before the baseline is refused, with advice', async (t) => {
  const { url, pool } = await testDatabase(t)
  await pool.query(`alter table public.headwater_migrations drop column checksum, drop column version;
    update public.headwater_migrations set name = '001_meta.sql' where name = 'baseline/010_meta.sql'`)
  const error = await refusal(migrate(url))
  t.match(error, { code: 'SCHEMA_BEFORE_BASELINE', hint: /^index again next to it: .*docs\/operate\/upgrade\.md$/ })
})

t.test('migrations and code of a newer program are refused', async (t) => {
  const { url } = await testDatabase(t)
  const newer = { ...withFile('forward/0001_new.sql', 'create table meta.newer ();'), version: '9.0.0' }
  t.same(await migrate(url, newer), ['forward/0001_new.sql', 'code'])
  t.match(await refusal(migrate(url)), { code: 'NEWER_SCHEMA', message: /forward\/0001_new\.sql/ })
  const code = { ...files, functions: [...files.functions], version: '0.0.1' }
  const other = await testDatabase(t)
  t.match(await refusal(migrate(other.url, code)), { code: 'NEWER_SCHEMA', message: /functions and views of version/ })
})

t.test('changed code is replaced; removed code is dropped; objects of others stay', async (t) => {
  const { url, pool } = await testDatabase(t)
  const before = await catalogLines(pool)
  await pool.query(`create function meta.of_operator() returns int4 language sql as 'select 1';
    create view head.of_operator as select chain, pool_id from head.pools; create role spectator_of_views nologin;
    grant select on head.pools to spectator_of_views`)
  t.teardown(() => pool.query('drop owned by spectator_of_views; drop role spectator_of_views'))
  const extra = {
    name: 'code/functions/999_extra.sql',
    sql: `create or replace function meta.extra(x int4) returns int4 language sql as 'select x';`,
  }
  t.same(await migrate(url, { ...files, functions: [...files.functions, extra] }), ['code'])
  t.same((await pool.query('select meta.extra(7)')).rows, [{ extra: 7 }])
  // A renamed parameter and another result type: `create or replace` would fail.
  const reshaped = {
    ...extra,
    sql: `create or replace function meta.extra(y int4) returns text language sql as $$ select 'y' $$;`,
  }
  await t.rejects(migrate(url, { ...files, functions: [...files.functions, reshaped] }), {
    code: 'MIGRATION_FAILED',
    message: /view head.of_operator depends on view head.pools/,
  })
  await pool.query('drop view head.of_operator')
  await migrate(url, { ...files, functions: [...files.functions, reshaped] })
  t.same((await pool.query('select meta.extra(7)')).rows, [{ extra: 'y' }])
  t.same(await migrate(url), ['code'])
  const grants = await pool.query(`select has_table_privilege('spectator_of_views', 'head.pools', 'select') as kept`)
  t.same(grants.rows, [{ kept: true }], 'rights that an operator gave are kept, also on views made again')
  await pool.query('drop function meta.of_operator(); revoke select on head.pools from spectator_of_views')
  t.same(await catalogLines(pool), before)
})

t.test('a failing migration leaves the database as it was', async (t) => {
  const { url, pool } = await testDatabase(t)
  const before = await catalogLines(pool)
  const broken = withFile(
    'forward/0001_broken.sql',
    'select meta.drop_views(); create table meta.half (); select 1 / 0;',
  )
  t.match(await refusal(migrate(url, broken)), { code: 'MIGRATION_FAILED', message: 'division by zero' })
  t.same(await catalogLines(pool), before)
  t.same(await migrate(url), [])
  const client = new pg.Client(url)
  await client.connect()
  t.same((await client.query('select count(*) from head.pools')).rows, [{ count: '0' }])
  await client.end()
})

t.test('the plan names steps, tables and estimated seconds, and changes nothing', async (t) => {
  const { url, pool } = await testDatabase(t)
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())
  t.equal(planText(await planMigration(client, files)), 'nothing to do\n')
  await pool.query(`select meta.add_chain('wax');
    insert into ledger.transfers select 'wax', 'c', 'S', now(), i, i, '\\x01', 4, repeat('a', 500), 'b', 1, '' from generate_series(1, 8000) i`)
  const before = await catalogLines(pool)
  const rewriting = withFile(
    'forward/0001_wider.sql',
    `select meta.drop_views(); alter table ledger.transfers alter column decimals type int4;
     comment on table ledger.transfers_extra is 'Another table.'`,
  )
  const { steps } = await planMigration(client, rewriting)
  const [wider, code] = steps
  t.match(wider, { name: 'forward/0001_wider.sql', tables: [{ name: 'ledger.transfers' }] })
  const started = performance.now()
  await pool.query('create table public.rewritten as select * from ledger.transfers; drop table public.rewritten')
  const copied = (performance.now() - started) / 1000
  // The plan's sample has indexes, too. Tenths are rounded up.
  t.ok(wider && wider.seconds >= copied / 5 && wider.seconds <= 0.1 + 50 * copied, `${wider?.seconds} s, ${copied} s`)
  const { rows: noted } = await pool.query(`select seconds from public.headwater_migrations where name = 'code'`)
  t.match(code, { name: 'code', tables: [], seconds: Math.ceil(noted[0].seconds * 10) / 10 })
  t.ok(noted[0].seconds > 0.05, `${noted[0].seconds} s for the code`)
  const cheap = withFile('forward/0001_cheap.sql', 'alter table ledger.transfers add column note text')
  t.match((await planMigration(client, cheap)).steps[0], { seconds: 0, tables: [{ name: 'ledger.transfers' }] })
  t.match(
    planText({ steps, indexes: [] }),
    /^apply forward\/0001_wider\.sql: ledger\.transfers \(\d\.\d MB\): about \d\.?\d* s$/m,
  )
  t.match(planText({ steps, indexes: [] }), /^Computed from the sizes of the tables and the speed of this server/m)
  t.same(await catalogLines(pool), before)
})
