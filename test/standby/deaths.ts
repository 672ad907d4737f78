// The standby is killed while the indexer and two APIs run, and so is the balancer before the APIs: no process ends, the
// API that may ask the primary goes on, the other one says that it cannot, and after a start both have every block.
import type { Test } from 'tap'
import { BalancerProcess } from '../../bench/support/balancer.ts'
import { startShip } from '../../devnet/ship/server.ts'
import { type Running, start } from '../bin/program.ts'
import { RandomExchange } from '../indexer/bootstrap/random-exchange.ts'
import { seedFromEnvironment } from '../support/random.ts'
import type { ReplicatedServers } from '../support/standby.ts'
import { until } from '../support/until.ts'
import { addressOf, blockOf, bytesOf } from './asked.ts'

const DATABASE = 'deaths'
const PATHS = ['/api/v2/swap/pools', '/api/v2/tickers', '/api/v3/swaps/newest?limit=15']
const KILLS = process.env.HEADWATER_TEST_LONG ? 20 : 2

export async function standbyDies(t: Test, servers: ReplicatedServers): Promise<void> {
  const { primary, standby } = servers
  await primary.query(`create database ${DATABASE} template empty`)
  const exchange = new RandomExchange(seedFromEnvironment())
  exchange.produce(40)
  const ship = await startShip(exchange.chain)
  const live = setInterval(() => exchange.produce(1), 100)
  t.teardown(async () => {
    clearInterval(live)
    await ship.stop()
  })
  const run = (command: string, url: string): Running => {
    const program = start([command], {
      ...{ DATABASE_URL: url, PORT: '0', HEADWATER_CHAINS: 'dev', HEADWATER_RATE_LIMIT: '0' },
      ...{ HEADWATER_DEV_SOURCE_KIND: 'ship', HEADWATER_DEV_SOURCE_URLS: ship.url },
    })
    t.teardown(() => void program.child.kill('SIGKILL'))
    return program
  }
  const indexer = run('index', primary.url(DATABASE))
  const apis = [run('api', servers.url(DATABASE, 'target_session_attrs=prefer-standby'))]
  // An API starts only on a database with the schema, which the standby gets from the primary.
  await servers.replayed()
  apis.push(run('api', standby.url(DATABASE)))
  const [either = '', only = ''] = await Promise.all(apis.map(addressOf))
  const follows = (what: string, url: string, least: number) =>
    until(`${what}: block ${least}`, async () => (await blockOf(url)) >= least)
  const head = () => exchange.chain.head.num

  for (let kill = 1; kill <= KILLS; kill++) {
    await Promise.all([follows('before', either, 30), follows('before', only, 30)])
    standby.kill()
    await follows(`the API with both servers, kill ${kill}`, either, head() + 3)
    const isReady = async () => (await fetch(`${only}/health/ready`)).status === 200
    t.equal(await isReady(), false, 'the API with the dead server only is not ready')
    await standby.start()
    await follows(`the API with the standby, start ${kill}`, only, head() + 3)
  }
  for (const program of [indexer, ...apis]) t.equal(program.child.exitCode, null, 'no process ended')

  await t.test('the balancer is killed', async (t) => {
    const ports = [either, only].map((url) => Number(new URL(url).port))
    for (let kill = 1; kill <= KILLS; kill++) {
      const balancer = await BalancerProcess.start(ports)
      const url = `http://127.0.0.1:${balancer.port}`
      const asked = Array.from({ length: 20 }, () => blockOf(url))
      await Promise.all(asked)
      const cut = Array.from({ length: 20 }, () => blockOf(url))
      balancer.kill()
      await Promise.all(cut)
      t.equal(await blockOf(url), 0, 'nothing answers there')
      t.ok((await blockOf(either)) > 0 && (await blockOf(only)) > 0, 'the APIs answer')
    }
  })

  clearInterval(live)
  await until(
    'the head in both APIs',
    async () => (await blockOf(either)) === head() && (await blockOf(only)) === head(),
  )
  for (const path of PATHS) {
    const [first, second] = await Promise.all([either, only].map((url) => bytesOf(url, path)))
    t.equal(first?.status, 200, path)
    t.same(second, first, `${path} of two processes`)
  }
  await servers.replayed()
  const { rows } = await standby.query(
    'select count(*)::int as blocks, count(distinct block_num)::int as numbers, max(block_num)::int as last from ledger.blocks',
    [],
    DATABASE,
  )
  t.same(rows, [{ blocks: head() - 1, numbers: head() - 1, last: head() }], 'every block once')
  for (const program of [indexer, ...apis]) {
    program.child.kill('SIGTERM')
    t.equal((await program.outcome).code, 0)
  }
}
