// Hours of a backfill by workers equal those of linear indexing. They begin within ranges and at their edges, and may
// be counted before the indexer continues alone.
import t from 'tap'
import { countHours } from '../../../indexer/derive/hours/count.ts'
import { backfill } from '../../../indexer/jobs/backfill.ts'
import { runWorker } from '../../../indexer/jobs/worker.ts'
import { indexChain } from '../../../indexer/run.ts'
import { testDatabase } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'
import { quiet } from '../bootstrap/random-exchange.ts'
import { PROFILE } from '../replay/index-recording.ts'
import { LAST, stretchedForks } from '../value/stretched-forks.ts'

/** Two days. */
const source = stretchedForks(900)

t.test('hours of ranges', async (t) => {
  const { url: databaseUrl, pool } = await testDatabase(t, { chains: ['linear', 'ranges'] })
  const trust = { stable: ['usdt-usdt.svc'], trusted: [{ token: 'alien.worlds' }], scam: [], minimumScore: 41 }
  const valuation = { ...VALUATION, trust }
  const common = { databaseUrl, source, systemAccount: 'eosio', tokenContracts: '*' as const, checksActions: false }
  const accounts = { ...PROFILE, wrap: 'wrap.svc' }
  const signal = new AbortController().signal
  const linear = {
    ...common,
    chain: 'linear',
    accounts,
    valuation,
    chainId: null,
    startBlock: 2,
    signal,
    events: quiet,
  }
  await indexChain(linear)

  const over = new AbortController()
  const working = runWorker({ ...common, chain: 'ranges', accounts, signal: over.signal, pollMs: 20 })
  const plan = { chain: 'ranges', databaseUrl, startBlock: 2, endBlock: LAST.num, rangeBlocks: 37 }
  const position = await backfill({ ...plan, chainId: null, accounts, valuation, signal, pollMs: 20 })
  over.abort()
  await working
  t.equal(position?.num, LAST.num)
  const of = async (chain: string) =>
    (
      await pool.query(
        `select hour, block_num, block_time, swap_locked::text, spot_locked::text, pools, markets from ledger.hour_snapshots
         where chain = $1 order by hour`,
        [chain],
      )
    ).rows
  const wanted = await of('linear')
  t.ok(wanted.length > 40 && wanted.some((row) => Number(row.spot_locked) > 0))
  t.same(await of('ranges'), wanted)

  const rows = async (table: string, chain: string) =>
    (
      await pool.query(`select (to_jsonb(h) - 'chain')::text as row from ${table} h where chain = $1 order by 1`, [
        chain,
      ])
    ).rows
  for (const table of ['ledger.price_hours', 'ledger.pool_hours', 'ledger.swaps'])
    t.strictSame(await rows(table, 'ranges'), await rows(table, 'linear'), table)
  const { rows: odd } = await pool.query(
    `select s.hour from ledger.hour_snapshots s
     left join (select chain, hour, sum(usd) as usd from ledger.pool_hours group by 1, 2) p using (chain, hour)
     where s.hour = date_trunc('day', s.hour, 'UTC') + interval '23 hours' and coalesce(s.swap_locked, 0) <> coalesce(p.usd, 0)`,
  )
  t.same(odd, [], 'at the ends of days the values of pools add up to what the exchange holds')
  const { rows: kinds } = await pool.query(
    `select extract(hour from hour at time zone 'UTC') = 23 as ends, count(distinct hour)::int4 as hours, min(usd) >= 100 as large
     from ledger.pool_hours where chain = 'linear' group by 1 order by 1`,
  )
  t.match(kinds, [
    { ends: false, large: true },
    { ends: true, hours: 2 },
  ])
  const { rows: priced } = await pool.query(
    `select count(*)::int4 as rows, count(*) filter (where token_id = 'wax-eosio.token' and system_price = 1 and usd_price = 1)::int4 as system
     from ledger.price_hours where chain = 'linear'`,
  )
  t.equal(priced[0].system, wanted.length, 'one price of the system token an hour')
  t.ok(priced[0].rows > 2 * wanted.length)

  for (const chain of ['linear', 'ranges']) t.ok((await countHours({ chain, databaseUrl })) > 40)
  for (const table of ['hour_totals', 'hour_users']) {
    const counted = async (chain: string) =>
      (
        await pool.query(
          `select (to_jsonb(h) - 'chain')::text as row from derive.${table} h where chain = $1 order by 1`,
          [chain],
        )
      ).rows
    t.strictSame(await counted('ranges'), await counted('linear'), table)
  }
})
