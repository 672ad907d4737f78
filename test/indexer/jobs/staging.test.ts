import t from 'tap'
import { startShip } from '../../../devnet/ship/server.ts'
import { backfill } from '../../../indexer/jobs/backfill.ts'
import { startBoss } from '../../../indexer/jobs/boss.ts'
import { cleanStaging } from '../../../indexer/jobs/clean-staging.ts'
import { planBackfill } from '../../../indexer/jobs/plan.ts'
import { runWorker, type WorkerEvents } from '../../../indexer/jobs/worker.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import { testDatabase } from '../../support/database.ts'
import { countRows } from '../bootstrap/compare.ts'
import { accounts, chainId, RandomExchange } from '../bootstrap/random-exchange.ts'

t.test('ranges whose staged rows are lost are read again; readers see nothing before', async (t) => {
  const { url: databaseUrl, pool } = await testDatabase(t)
  const exchange = new RandomExchange(9)
  exchange.produce(64)
  const ship = await startShip(exchange.chain)
  t.teardown(() => ship.stop())
  const endBlock = exchange.chain.lib.num
  const worker = (signal: AbortSignal, events: Partial<WorkerEvents> = {}) => {
    const source = new ShipSource({ urls: [ship.url], chain: 'wax', chainId })
    const common = { chain: 'wax', databaseUrl, source, accounts, systemAccount: 'eosio', signal, pollMs: 20 }
    return runWorker({ ...common, tokenContracts: [], events })
  }
  const plan = { chain: 'wax', databaseUrl, startBlock: 2, endBlock, rangeBlocks: 31 }
  const boss = await startBoss({ databaseUrl })
  t.equal(await planBackfill(boss, plan), 2)
  await boss.stop({ graceful: false, wait: true })

  const first = new AbortController()
  let done = 0
  await worker(first.signal, {
    finished: () => {
      if (++done === 2) first.abort()
    },
  })
  // As after a crash of the server, with a set left by a dead worker.
  const { rows } = await pool.query<{ id: string }>('select id from meta.staging_sets order by first_block')
  await pool.query(`truncate staging.r${rows[0]?.id}_ledger_blocks`)
  // As staged by an earlier version.
  await pool.query(`create unlogged table staging.r${rows[1]?.id}_journal_pools (like state.pools)`)
  await pool.query(`insert into meta.staging_sets (chain, first_block) values ('wax', 7)`)
  await pool.query('create unlogged table staging.r3_ledger_blocks (like ledger.blocks)')
  const { rows: seen } = await pool.query('select count(*)::int as n from head.blocks')
  t.equal(seen[0].n, 0, 'staged blocks are not seen')

  const second = new AbortController()
  const reasons: string[] = []
  const working = worker(second.signal)
  const position = await backfill({
    ...plan,
    chainId,
    accounts,
    signal: new AbortController().signal,
    pollMs: 20,
    events: { reopened: (_, reason) => reasons.push(reason) },
  })
  second.abort()
  await working
  t.equal(position?.num, endBlock)
  t.equal(await countRows(pool, 'ledger.blocks', 'wax'), endBlock - 1)
  t.ok(
    reasons.some((reason) => /0 of \d+ blocks are left/.test(reason)),
    reasons.join('; '),
  )
  t.ok(
    reasons.some((reason) => /a worker of an earlier version/.test(reason)),
    reasons.join('; '),
  )
  t.equal(await cleanStaging(databaseUrl, 3600), 0, 'young sets are left alone')
  t.equal(await cleanStaging(databaseUrl, 0), 1)
  const { rows: left } = await pool.query(
    `select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where nspname = 'staging'`,
  )
  t.same(left, [])
})
