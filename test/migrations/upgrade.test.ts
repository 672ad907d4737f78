// Upgrades every release's dump by this program's migrations and by three that a later version could have.
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import t, { type Test } from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { verifyChain } from '../../indexer/verify/verify.ts'
import { type SchemaFiles, type SqlFile, schemaFiles } from '../../migrations/files.ts'
import { migrate } from '../../migrations/migrate.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase, testPool } from '../support/database.ts'
import { catalogLines } from './catalog.ts'
import { CHAIN, EMPTY_TABLES, END_BLOCK, RECORDING } from './release-dump.ts'

const DUMPS = new URL('../fixtures/schema/', import.meta.url)
const ONWARD = END_BLOCK + 30

const LATER: SqlFile[] = [
  {
    name: 'forward/9001_dataset.sql',
    sql: `select meta.register_dataset('ledger.gifts', 'Gifts of tokens.', array[
        ['gift_id', 'int8 not null', 'Id of the gift.'], ['contract', 'text not null', 'Token contract.'],
        ['symbol', 'text not null', 'Token symbol.'], ['decimals', 'int2 not null', 'Precision of the token.'],
        ['amount', 'int8 not null', 'Raw units.'], ['giver', 'text not null', 'Account that gave.']],
      key => 'gift_id', indexes => array[['giver', '(giver, block_time, global_seq)']], token_ids => array[['token_id', 'symbol', 'contract']]);
      select meta.register_dataset('state.wishes', 'Wishes of accounts.', array[['account', 'text not null', 'Account.'],
        ['wish', 'text', 'What it wishes.']], key => 'account', replicated => array['*']);`,
  },
  {
    name: 'forward/9002_wider_decimals.sql',
    sql: `select meta.drop_views();
      alter table ledger.order_events alter column bid_decimals type int4;
      alter table versions.orders alter column bid_decimals type int4;`,
  },
  {
    name: 'forward/9003_fee_rate.sql',
    sql: `alter table ledger.deals add column fee_rate int4;
      comment on column ledger.deals.fee_rate is 'Fee of the market in hundredths of a percent, at the time of the trade.';
      update ledger.deals d set fee_rate = (select f.fee from ledger.market_fees f where f.chain = d.chain and f.market_id = d.market_id
        and f.block_num <= d.block_num order by f.block_num desc limit 1);`,
  },
]

/** This program's files with three later migrations, a function with another result, and a view with another column. */
function later(files: SchemaFiles): SchemaFiles {
  const changed = (one: SqlFile, from: string, to: string) => {
    if (!one.sql.includes(from)) throw new Error(`${one.name} no longer has: ${from}`)
    return { ...one, sql: one.sql.replaceAll(from, to) }
  }
  return {
    ...files,
    version: '99.0.0',
    migrations: [...files.migrations, ...LATER],
    functions: files.functions.map((one) =>
      one.name.endsWith('/050_writer.sql')
        ? changed(one, 'meta.tables(schema_name text)', 'meta.tables(schema_name text, besides text default null)')
        : one,
    ),
    views: files.views.map((one) =>
      one.name.endsWith('/040_spot.sql')
        ? changed(one, 'd.order_id from @deals d', 'd.order_id, d.fee_rate from @deals d')
        : one,
    ),
  }
}

async function emptyDatabase(t: Test): Promise<{ url: string; pool: pg.Pool }> {
  const { url: sibling, pool: admin } = await testDatabase(t)
  const name = `${new URL(sibling).pathname.slice(1)}_empty`
  await admin.query(`create database ${name} template template0`)
  const url = Object.assign(new URL(sibling), { pathname: `/${name}` }).href
  t.teardown(() => admin.query(`drop database ${name} with (force)`))
  return { url, pool: testPool(t, url, { max: 2 }) }
}

async function restore(url: string, dump: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(gunzipSync(readFileSync(new URL(dump, DUMPS))).toString()).finally(() => client.end())
}

const files = await schemaFiles()
const dumps = readdirSync(DUMPS)

t.ok(dumps.includes(`${files.version}.sql.gz`), 'this version has its dump: npm run release-dump')

for (const dump of dumps)
  t.test(`upgrade of ${dump}`, async (t) => {
    const [old, fresh] = [await emptyDatabase(t), await emptyDatabase(t)]
    await restore(old.url, dump)
    const counted = `select (select count(*) from head.swaps)::int4 as swaps, (select count(*) from final.pools)::int4 as pools,
      (select count(*) from final_log.transfers)::int4 as published`
    const before = (await old.pool.query(counted)).rows
    t.ok(before[0].swaps > 50 && before[0].pools > 2 && before[0].published > 50)
    const { rows: tables } = await old.pool.query<{ name: string; rows: string }>(EMPTY_TABLES)
    t.same(
      tables.filter((table) => table.rows === '{0}').map(({ name }) => name),
      [],
      'every table has a row',
    )

    // As after a fetch: the publisher's word that a certificate was verified is not kept.
    await old.pool.query(
      `insert into meta.fetches select (jsonb_populate_record(f, jsonb_build_object('chain', '${CHAIN}', 'finished_at', now()))).*
       from meta.fetches f limit 1 on conflict (chain) do nothing`,
    )
    const claimed = await old.pool.query(`update ledger.certificates set verified = true where chain = '${CHAIN}'`)
    t.ok((claimed.rowCount ?? 0) > 0)
    await migrate(old.url)
    t.equal((await old.pool.query(`select from ledger.certificates where chain = '${CHAIN}' and verified`)).rowCount, 0)
    const program = later(files)
    const applied = await migrate(old.url, program)
    t.same(applied, [...LATER.map(({ name }) => name), 'code'])
    await migrate(fresh.url, program)
    t.same(await catalogLines(old.pool), await catalogLines(fresh.pool), 'the schema is that of a new database')

    t.same((await old.pool.query(counted)).rows, before, 'no row is lost')
    const { rows: rates } = await old.pool.query(
      'select count(*)::int4 as deals, count(fee_rate)::int4 as known from final.deals',
    )
    t.ok(rates[0].deals > 0 && rates[0].known === rates[0].deals, 'rows have the new column')
    const { rows: lacking } = await old.pool.query(
      `select s.relation, s.name from meta.secondary_indexes s
       where to_regclass(format('%s__${CHAIN}_%s', s.relation, s.name)) is null`,
    )
    t.same(lacking, [], 'an indexed chain has the indexes of new tables')

    const report = await verifyChain(old.url, CHAIN)
    t.same(
      report.checks.filter(({ differing }) => differing > 0),
      [],
    )

    for (const { url } of [old, fresh]) await indexRecording(url, CHAIN, new ReplaySource(RECORDING), ONWARD)
    const [upgraded, whole] = [await verifyChain(old.url, CHAIN), await verifyChain(fresh.url, CHAIN)]
    t.equal(upgraded.block, ONWARD)
    t.ok(upgraded.ok && whole.ok)
    // This program's projections do not know the new column.
    const same = ({ digest }: typeof whole) =>
      digest.tables.filter(({ table }) => table !== 'ledger.deals' && table !== 'deals')
    t.same(same(upgraded), same(whole), 'indexing goes on to the rows of a database that was indexed at once')
  })
