import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { packAbi } from '../../../core/antelope/abi/pack.ts'
import { deployAbi } from '../../../devnet/chain/chain.ts'
import { abiFile } from '../../../devnet/contracts/abi-file.ts'
import { startHttp } from '../../../devnet/http/server.ts'
import { startShip } from '../../../devnet/ship/server.ts'
import { startBoss } from '../../../indexer/jobs/boss.ts'
import { planBackfill } from '../../../indexer/jobs/plan.ts'
import { takeOverRanges } from '../../../indexer/jobs/take-over.ts'
import { indexChain } from '../../../indexer/run.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import type { ValuationOptions } from '../../../indexer/value/options.ts'
import { childModule } from '../../support/child-module.ts'
import { testDatabase } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'
import { countRows, sameRows } from '../bootstrap/compare.ts'
import { accounts, chainId, playable, quiet, RandomExchange } from '../bootstrap/random-exchange.ts'

const PROGRAM = childModule('./worker-process.ts', import.meta.url)
/** The oracle's price, and trusted tokens that leave one side of most trades untrusted. */
const valuation: ValuationOptions = {
  ...VALUATION,
  threshold: { usd: 1, system: 5 },
  trust: { ...VALUATION.trust, trusted: [{ token: 'usdt.tok' }] },
  usd: { kind: 'oracle', contract: 'delphioracle', pair: 'waxpusd', decimals: 4, maxAge: 86_400_000 },
}
const tokenContracts = ['eosio.token', 'usdt.tok']

/** A worker's process and its output. */
function startWorker(t: Test, args: string[], onLine: (line: string, kill: () => void) => void) {
  const child = spawn(process.execPath, [...PROGRAM.execArgv, PROGRAM.file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    onLine(line, () => child.kill('SIGKILL'))
  })
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return { child, lines }
}

/** The order book's ABI with a wider fee, so that rows of one layout do not decode by the other. */
function widerFee() {
  const abi = structuredClone(playable(abiFile('svcdexmain.next')))
  const market = abi.structs.find(({ name }) => name === 'market')
  for (const field of market?.fields ?? []) if (field.name === 'fee') field.type = 'uint16'
  return packAbi(abi)
}

t.test('ranges of two workers, one of them killed, give the rows of a linear index', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['linear', 'ranges'] })
  const exchange = new RandomExchange(11)
  const { chain } = exchange
  exchange.produce(250)
  chain.produce({ transactions: [[deployAbi('svcdexmain', widerFee())]] })
  exchange.produce(300)
  const [ship, http] = [await startShip(chain), await startHttp(chain)]
  t.teardown(() => Promise.all([ship.stop(), http.stop()]))
  const endBlock = chain.lib.num
  const signal = new AbortController().signal

  const boss = await startBoss({ databaseUrl: url, maintenanceSeconds: 1 })
  t.teardown(() => boss.stop({ graceful: false, wait: true }))
  const plan = { chain: 'ranges', databaseUrl: url, startBlock: 2, endBlock, rangeBlocks: 80, expireSeconds: 6 }
  t.equal(await planBackfill(boss, plan), Math.ceil((endBlock - 1) / 80))
  t.equal(await planBackfill(boss, plan), 0, 'planning again plans nothing')

  const args = [url, ship.url, http.url, 'ranges']
  let started = 0
  let markAhead = () => {}
  const ahead = new Promise<void>((resolve) => {
    markAhead = resolve
  })
  // The first worker is slow and dies in the middle of its second range. The other one begins then: it must not have
  // done all the work before.
  const doomed = startWorker(t, [...args, '8'], (line, kill) => {
    if (!line.startsWith('started') || ++started !== 2) return
    steady = startWorker(t, [...args, '0'], (line) => line.startsWith('finished') && markAhead())
    setTimeout(kill, 200)
  })
  let steady: ReturnType<typeof startWorker> | undefined
  // Nothing is taken over before: the range was read by the node's current ABI, because no earlier ABI was stored yet.
  await ahead
  const reopened: string[] = []
  const takenOver: number[] = []
  const position = await takeOverRanges({
    chain: 'ranges',
    databaseUrl: url,
    chainId,
    accounts,
    valuation,
    boss,
    signal,
    pollMs: 50,
    expireSeconds: 6,
    events: {
      reopened: (block, reason) => reopened.push(`${block}: ${reason}`),
      takenOver: (first) => takenOver.push(first),
    },
  })
  t.equal(position?.num, endBlock)
  t.same(
    takenOver,
    [...takenOver].sort((a, b) => a - b),
    'ranges are taken over in order',
  )
  t.equal(doomed.child.signalCode, 'SIGKILL')
  t.same([doomed.lines[0], steady?.lines[0]], ['started 2', 'started 162'], 'earliest ranges are read first')
  const [lost] = doomed.lines.filter((line) => line.startsWith('started')).slice(1)
  t.ok(steady?.lines.includes(String(lost)), `the other worker did the lost range (${lost})`)
  t.ok(
    reopened.some((line) => /another ABI of svcdexmain/.test(line)),
    `a range read by an ABI of later is done again: ${JSON.stringify({ reopened, done: steady?.lines })}`,
  )
  steady?.child.kill('SIGTERM')
  if (steady) await once(steady.child, 'exit')

  await indexChain({
    chain: 'linear',
    databaseUrl: url,
    source: new ShipSource({ urls: [ship.url], chain: 'linear', chainId }),
    accounts,
    systemAccount: 'eosio',
    tokenContracts,
    chainId,
    startBlock: 2,
    endBlock,
    valuation,
    events: quiet,
    signal,
  })
  await sameRows(t, pool, ['ledger', 'state', 'derive'], 'ranges', 'linear')
  for (const table of ['ledger.swaps', 'ledger.abis', 'ledger.oracle_points', 'derive.candles', 'state.markets'])
    t.ok((await countRows(pool, table, 'ranges')) > 0, `${table} was compared`)
  const { rows: valued } = await pool.query(
    `select count(*) filter (where usd > 0)::int4 as worth, count(distinct date_trunc('minute', block_time))::int4 as minutes,
       (select count(*)::int4 from ledger.usd_prices where chain = 'ranges') as prices,
       (select count(*)::int4 from state.token_prices where chain = 'ranges') as tokens
     from (select usd, block_time from ledger.swaps where chain = 'ranges'
       union all select usd, block_time from ledger.deals where chain = 'ranges') x`,
  )
  t.comment(valued)
  t.ok(
    valued[0].worth > 20 && valued[0].minutes > 2 && valued[0].prices > 2 && valued[0].tokens > 1,
    'values were compared',
  )
  const { rows: left } = await pool.query(`select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where nspname = 'staging' union all select 'a range' from meta.backfill_ranges`)
  t.same(left, [], 'nothing remains')
})
