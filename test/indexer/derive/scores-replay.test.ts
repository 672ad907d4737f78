// The same blocks give the same rows, scores and USD values: followed live with forks and stops, replayed at once,
// replayed in three sessions, and read by workers. Compares every table of ledger, state and derive.
import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import t from 'tap'
import { countHours } from '../../../indexer/derive/hours/count.ts'
import { backfill } from '../../../indexer/jobs/backfill.ts'
import { runWorker } from '../../../indexer/jobs/worker.ts'
import { indexChain } from '../../../indexer/run.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import type { BlockSource } from '../../../indexer/source/source.ts'
import { digestChain } from '../../../indexer/verify/digest.ts'
import { SETTINGS } from '../../../indexer/verify/sql.ts'
import { readTables } from '../../../indexer/verify/tables.ts'
import { testDatabase } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'
import { LinearSource, PROFILE } from '../replay/index-recording.ts'
import type { ForksFile } from '../replay/node-tables.ts'
import { StretchedSource } from '../value/stretched.ts'

const fixtures = new URL('../../fixtures/recordings/', import.meta.url).pathname
const path = `${fixtures}forks.ship.gz`
const truth = JSON.parse(await readFile(`${fixtures}forks.json`, 'utf8')) as ForksFile
const ids = Object.entries(truth.canonical).map(([num, id]) => ({ num: Number(num), id }))
const head = ids.reduce((x, y) => (y.num > x.num ? y : x))
/** Minutes become days, so that forks cross hours. */
const stretched = (source: BlockSource) => new StretchedSource(source, 900, Date.parse('2026-11-21T00:16:00Z'))
const canonical = () => stretched(new LinearSource(path, Object.values(truth.canonical)))
/** The recording with every block final. */
const final: BlockSource = {
  name: 'final',
  async *blocks(start, signal) {
    for await (const block of canonical().blocks(start, signal)) yield { ...block, lib: head, head }
  },
}
const accounts = { ...PROFILE, wrap: 'wrap.svc' }
/** A low minimum score, so that scores trust more tokens than the settings. */
const valuation = {
  ...VALUATION,
  trust: { ...VALUATION.trust, minimumScore: 2 },
  scores: { exchange: [PROFILE.amm, PROFILE.spot], tokenContracts: '*' as const },
}
// The changed times do not match the block ids.
const unchecked = { checksActions: false }
const common = {
  systemAccount: 'eosio',
  tokenContracts: '*' as const,
  accounts,
  startBlock: 2,
  chainId: null,
  ...unchecked,
}
const signal = new AbortController().signal

async function index(databaseUrl: string, chain: string, source: BlockSource, endBlock?: number): Promise<number> {
  let forks = 0
  await indexChain({
    ...{ ...common, chain, databaseUrl, source, endBlock, valuation, signal },
    events: {
      opened() {},
      committed() {},
      decoded() {},
      forked: () => void forks++,
      retrying(error) {
        throw error
      },
    },
  })
  return forks
}

async function work(databaseUrl: string, chain: string): Promise<void> {
  const over = new AbortController()
  const worker = () =>
    runWorker({ ...common, chain, databaseUrl, source: final, signal: over.signal, pollMs: 20 }).catch((error) => {
      if (!over.signal.aborted) throw error
    })
  const workers = [worker(), worker()]
  const plan = { chain, databaseUrl, endBlock: head.num, rangeBlocks: 61 }
  await backfill({ ...common, ...plan, valuation, signal, pollMs: 20 })
  over.abort()
  await Promise.all(workers)
}

/** Makes all blocks final, as the writer does, and counts their hours. */
async function settle(pool: Pool, databaseUrl: string, chain: string): Promise<void> {
  await pool.query(`update meta.position set lib_num = block_num where chain = $1`, [chain])
  await pool.query(
    `select meta.forget_undo(array_agg(c.relname::text), $1, p.lib_num) from pg_class c, meta.position p
     where c.relnamespace = 'undo'::regnamespace and c.relkind = 'r' and p.chain = $1 group by p.lib_num`,
    [chain],
  )
  await countHours({ chain, databaseUrl })
}

/** Tables that are not compared, each with its reason. */
const NOT_COMPARED: Record<string, string> = {
  'ledger.orphaned_blocks': 'blocks that a node sent and replaced: only who followed it live has seen them',
}

/** Every table of ledger, state and derive, from the database's catalogue. */
async function tablesOf(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('ledger', 'state', 'derive') and (c.relkind = 'p' or c.relkind = 'r' and not c.relispartition) order by 1`,
  )
  return rows.map(({ name }) => name)
}

async function rowsOf(pool: Pool, table: string, chain: string): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(
    `select (to_jsonb(x) - 'chain')::text as row from ${table} x where chain = $1 order by 1`,
    [chain],
  )
  return rows.map(({ row }) => row)
}

t.test('the same blocks give the same rows, however they were indexed', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['live', 'replayed', 'sessions', 'workers'] })
  await index(url, 'replayed', canonical())
  for (const end of [97, 230, undefined]) await index(url, 'sessions', canonical(), end)
  await work(url, 'workers')
  let forks = 0
  for (let end = 30; end < head.num; end += 23)
    forks += await index(url, 'live', stretched(new ReplaySource(path)), end)
  forks += await index(url, 'live', stretched(new ReplaySource(path)))
  t.ok(forks > 5, `${forks} forks`)
  for (const chain of ['replayed', 'sessions', 'workers', 'live']) await settle(pool, url, chain)

  const all = await tablesOf(pool)
  t.ok(all.length > 50 && Object.keys(NOT_COMPARED).every((name) => all.includes(name)))
  const filled = new Set<string>()
  for (const table of all.filter((name) => !(name in NOT_COMPARED))) {
    const wanted = await rowsOf(pool, table, 'replayed')
    if (wanted.length > 0) filled.add(table)
    for (const chain of ['sessions', 'workers', 'live'])
      t.strictSame(await rowsOf(pool, table, chain), wanted, `${table}: ${chain}`)
  }
  const scored = ['score_snapshots', 'token_scores', 'holder_samples', 'token_hours', 'token_trader_hours']
  for (const name of [...scored, 'hour_totals', 'hour_users']) t.ok(filled.has(`derive.${name}`), name)

  t.test('`verify` digests each of these tables, scores included', async (t) => {
    const client = await pool.connect()
    t.teardown(() => client.release(true))
    await client.query(SETTINGS)
    const tables = await readTables(client)
    t.same(tables.map(({ schema, name }) => `${schema}.${name}`).sort(), all)
    const digest = async (chain: string) => digestChain(client, chain, tables)
    const wanted = await digest('replayed')
    t.same(new Set(wanted.tables.map(({ table }) => table)), filled)
    for (const chain of ['sessions', 'workers', 'live']) t.same(await digest(chain), wanted, chain)
    await client.query('begin')
    for (const change of [
      `update derive.score_snapshots set score = score + 1 where chain = $1 and valid_from = (select max(valid_from) from derive.score_snapshots where chain = $1)`,
      `update derive.token_scores set details = details || '{"score": -1}' where chain = $1`,
      `update derive.holder_samples set holders = holders + 1 where chain = $1`,
      `update derive.token_hours set volume_usd = null where chain = $1`,
      `delete from derive.token_trader_hours where chain = $1`,
    ]) {
      await client.query('savepoint before')
      await client.query(change, ['replayed'])
      t.not((await digest('replayed')).sha256, wanted.sha256, change)
      await client.query('rollback to before')
    }
    await client.query('rollback')
  })

  t.test('each hour with blocks has scores, and scores make tokens trusted', async (t) => {
    const { rows } = await pool.query(
      `select count(distinct valid_from)::int as scored, count(*) filter (where score >= 2)::int as trusted,
         (select count(distinct date_trunc('hour', block_time, 'UTC'))::int - 1 from ledger.blocks where chain = 'replayed') as hours
       from derive.score_snapshots where chain = 'replayed'`,
    )
    t.equal(rows[0].scored, rows[0].hours)
    t.ok(rows[0].scored > 40 && rows[0].trusted > rows[0].scored, JSON.stringify(rows[0]))
  })

  t.test('a score uses the rows up to its hour', async (t) => {
    // The chain again, up to the last block before an hour and the first block of that hour.
    const { rows } = await pool.query<{ hour: Date; first: number }>(
      `select valid_from as hour, (select min(block_num)::int from ledger.blocks where chain = 'replayed' and block_time >= valid_from) as first
       from (select distinct valid_from from derive.score_snapshots where chain = 'replayed') s order by 1 offset 30 limit 1`,
    )
    const [{ hour, first }] = rows as [{ hour: Date; first: number }]
    await index(url, 'before', canonical(), first - 1)
    const counted = `select count(*)::int as n from derive.score_snapshots where chain = 'before' and valid_from = $1`
    t.same((await pool.query(counted, [hour])).rows, [{ n: 0 }])
    const holders = `select token_id, holders::int from derive.holder_samples where chain = $1 and hour = $2 order by 1`
    const then = await pool.query(
      `select t.token_id, count(b.account)::int as holders from derive.holder_samples t left join state.balances b
         on b.chain = 'before' and lower(b.symbol) || '-' || b.contract = t.token_id and b.amount > 0
       where t.chain = 'replayed' and t.hour = $1 group by 1 order by 1`,
      [hour],
    )
    t.ok(then.rows.length > 3)
    t.same((await pool.query(holders, ['replayed', hour])).rows, then.rows)
    await index(url, 'before', canonical(), first)
    t.same((await pool.query(holders, ['before', hour])).rows, then.rows)
  })
})
