// A backfill by worker threads from the logs of a node, without any node: the same database as from one reader of the logs
// and as from state history.
import pg from 'pg'
import t from 'tap'
import { backfillChains } from '../../bin/backfill.ts'
import { planChain, planText } from '../../bin/backfill-plan.ts'
import { indexChains } from '../../bin/index-chains.ts'
import { loadConfig } from '../../config/load.ts'
import { startBoss } from '../../indexer/jobs/boss.ts'
import { planBackfill } from '../../indexer/jobs/plan.ts'
import { sampleRanges } from '../../indexer/jobs/sample-blocks.ts'
import { IndexerMetrics } from '../../indexer/operate/metrics.ts'
import { LogSource } from '../../indexer/source/logs/source.ts'
import type { PackedBlock } from '../../indexer/source/source.ts'
import { verifyChain } from '../../indexer/verify/verify.ts'
import { testDatabase } from '../support/database.ts'
import { unpackNode } from '../support/node-logs.ts'
import { nodeServing } from '../support/serving-node.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { run } from './program.ts'

const CHAIN_ID = '9ab8455e7f69aec914f61a19964a2612ea829cd28594b3ac7a8544b05a3d0573'
const signal = new AbortController().signal
const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** The configuration of a user: a profile and environment variables. */
function configured(chain: string, settings: Record<string, string>) {
  const source = { SOURCE_KIND: 'ship', ...settings }
  const env = Object.fromEntries(
    Object.entries(source).map(([name, value]) => [`HEADWATER_${chain.toUpperCase()}_${name}`, value]),
  )
  return loadConfig({ env, program: { chains: ['dev'] }, rename: chain }).config.chains
}

t.test('worker threads read the logs', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['dev', 'one', 'ship'] })
  const logs = unpackNode(t, 'forks')
  const env = { HEADWATER_DEV_SOURCE_KIND: 'ship', HEADWATER_DEV_SOURCE_LOGS: logs, HEADWATER_CHAINS: 'dev' }
  const args = ['index', '--backfill', '--workers', '2', '--range-blocks', '100']
  const outcome = await run(args, { ...env, DATABASE_URL: url })
  t.equal(outcome.code, 0, outcome.stderr)
  const lines = outcome.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const of = (text: string) => lines.filter(({ msg }) => msg === text)
  t.match(of('ranges planned'), [{ ranges: 6, endBlock: 594 }])
  // A range that was read before the ABIs of an earlier range were there is read again.
  const taken = [...new Set(of('range taken').map(({ firstBlock }) => firstBlock))].sort((a, b) => a - b)
  t.same(taken, [2, 102, 202, 302, 402, 502])
  t.same([...new Set(of('range taken').map(({ worker }) => worker))].sort(), [1, 2], 'both threads took ranges')
  t.match(of('the logs are read to their end, no node is configured to go on'), [{ block: 594 }])

  const blocks: PackedBlock[] = []
  for await (const block of new LogSource({ folders: [logs] }).blocks({ from: 2, have: [] }, signal)) blocks.push(block)
  const node = await nodeServing(t, blocks, CHAIN_ID)
  const stop = new AbortController()
  const options = { databaseUrl: url, signal: stop.signal, log: silent, metrics: new IndexerMetrics() }
  await indexChains({ ...options, chains: configured('one', { SOURCE_LOGS: logs }), onProgress: () => {} })
  let look: NodeJS.Timeout | undefined
  await indexChains({
    ...options,
    chains: configured('ship', { SOURCE_URLS: node }),
    onProgress(progress) {
      look = setInterval(() => progress.block === 594 && stop.abort(), 20)
    },
  }).finally(() => clearInterval(look))
  const [parallel, one, ship] = await Promise.all(['dev', 'one', 'ship'].map((chain) => verifyChain(url, chain)))
  t.equal(parallel!.digest.sha256, one!.digest.sha256, 'as one reader of the logs')
  t.equal(parallel!.digest.sha256, ship!.digest.sha256, 'as state history')
  t.ok(parallel!.ok && one!.ok && ship!.ok)
  const { rows } = await pool.query(`select count(*)::int4 as swaps from ledger.swaps where chain = 'dev'`)
  t.ok(rows[0].swaps > 10)
})

t.test('a plan measures samples of the blocks, and leaves no database', async (t) => {
  const { url, pool } = await testDatabase(t)
  const [chain] = configured('wax', { SOURCE_LOGS: unpackNode(t, 'forks') })
  const empty = new URL(url)
  empty.pathname = `/plan_${process.pid}`
  await pool.query(`create database plan_${process.pid} template template0`)
  t.teardown(() => pool.query(`drop database plan_${process.pid}`))
  const plan = await planChain(chain!, empty.href, signal)
  t.match(plan, { chain: 'wax', range: { from: 2, to: 594 }, sampled: { blocks: 593 } })
  const { bytes, ledgerRows, readSeconds, writeSeconds, diskBytes } = plan.sampled
  t.ok(bytes > 1e6 && ledgerRows > 1000 && readSeconds > 0 && writeSeconds > 0)
  const { rows } = await pool.query(`select datname from pg_database where datname like 'headwater_plan%'`)
  t.same(rows, [])
  const outcome = await run(['index', '--backfill', '--plan'], {
    ...{ DATABASE_URL: empty.href, HEADWATER_CHAINS: 'wax', HEADWATER_WAX_SOURCE_URLS: 'ws://127.0.0.1:9' },
  })
  t.match(outcome, { code: 1, stderr: /SHIP_CONNECTION/ }, 'a node that does not answer is no bug')
  const look = new pg.Client({ connectionString: empty.href })
  await look.connect()
  t.same(
    (await look.query(`select from pg_namespace where nspname in ('meta', 'ledger')`)).rows,
    [],
    'nothing is migrated',
  )
  await look.end()
  // The chain itself, indexed: within a fifth of the plan, because the samples are all of it.
  await indexChains({
    ...{ databaseUrl: url, signal, log: silent, metrics: new IndexerMetrics() },
    ...{ chains: [chain!], onProgress: () => {} },
  })
  const grown = await pool.query(
    `select sum(pg_total_relation_size(c.oid)) as bytes, (select count(*) from ledger.swaps) as swaps
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('ledger', 'derive') and c.relname like '%\\_wax'`,
  )
  t.ok(diskBytes > 0 && diskBytes < Number(grown.rows[0].bytes) * 1.2, `${diskBytes} of ${grown.rows[0].bytes}`)
  const text = planText(plan, 2)
  t.match(text, /^wax: blocks 2 to 594, 593 blocks\n {2}measured: 593 blocks of \d/)
  t.match(text, /disk: about \d+ MB of history/)
  t.equal((await planChain(chain!, url, signal)).range, null, 'nothing is left to do')
})

t.test('the error of a worker thread ends the process, with its code', async (t) => {
  const { url: databaseUrl } = await testDatabase(t, { chains: ['dev'] })
  const boss = await startBoss({ databaseUrl })
  t.teardown(() => boss.stop({ graceful: false, wait: true }))
  t.equal(await planBackfill(boss, { chain: 'dev', databaseUrl, startBlock: 2, endBlock: 100, rangeBlocks: 20 }), 5)
  const settings = { HEADWATER_DEV_SOURCE_KIND: 'ship', HEADWATER_DEV_SOURCE_LOGS: unpackNode(t, 'forks') }
  const env = { ...settings, HEADWATER_CHAINS: 'dev', HEADWATER_DEV_CHAIN_ID: 'ab'.repeat(32) }
  const outcome = await run(['index', '--worker', '--workers', '2'], { ...env, DATABASE_URL: databaseUrl })
  t.match(outcome, { code: 1, stderr: /OTHER_CHAIN/ })
})

t.test('samples are spread over the range', async (t) => {
  t.same(sampleRanges({ from: 1, to: 25 }, 3, 10), [
    { from: 1, to: 10 },
    { from: 11, to: 20 },
    { from: 21, to: 25 },
  ])
  t.same(sampleRanges({ from: 1, to: 1000 }, 3, 10), [
    { from: 1, to: 10 },
    { from: 496, to: 505 },
    { from: 991, to: 1000 },
  ])
})

t.test('a plan without logs and --workers without a backfill are refused', async (t) => {
  const { url: databaseUrl } = await testDatabase(t)
  const plan = (settings: Record<string, string>) =>
    backfillChains({ chains: configured('wax', settings), databaseUrl, signal, log: silent }, undefined)
  await t.rejects(plan({}), { code: 'NO_NODE', hint: /source\.urls or source\.logs/ })
  await t.rejects(plan({ SOURCE_LOGS: temporaryFolder(t) }), { code: 'NO_LOGS' })
  await t.rejects(plan({ SOURCE_LOGS: `${unpackNode(t, 'forks')}/state-history` }), { code: 'LOG_NOT_THERE' })
  t.match(await run(['index', '--plan']), { code: 2, stderr: /--plan needs --backfill/ })
  t.match(await run(['index', '--workers', '2']), { code: 2, stderr: /--workers needs --backfill or --worker/ })
})
