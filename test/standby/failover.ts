// The primary is killed while the indexer, two APIs and a client of the stream run, and the standby is promoted: blocks
// that were not replicated are read again from the node, each block is there once, and the old primary, which starts
// again, gets no more writes.
import type { Test } from 'tap'
import { startShip } from '../../devnet/ship/server.ts'
import { openClient } from '../../net/postgres.ts'
import { StreamClient } from '../api/market/stream/client.ts'
import { start } from '../bin/program.ts'
import { RandomExchange } from '../indexer/bootstrap/random-exchange.ts'
import { seedFromEnvironment } from '../support/random.ts'
import type { ReplicatedServers, Server } from '../support/standby.ts'
import { until } from '../support/until.ts'
import { addressOf, blockOf, bytesOf } from './asked.ts'

const DATABASE = 'failover'
/** The order books too: this exchange changes orders without logging it. */
const PATHS = ['/api/v2/swap/pools', '/api/v2/tickers', '/api/v3/meta', '/api/v3/swaps/newest?limit=15']
/** Blocks on the primary that the standby does not get. */
const LOST = 8
/** Longest time from the promotion to the next block and the next answers, ms; a busy machine is slow. */
const OVER_MS = 20_000

interface Position {
  num: number
  id: string
}

export async function failsOver(t: Test, servers: ReplicatedServers): Promise<void> {
  const { primary, standby } = servers
  await primary.query(`create database ${DATABASE} template empty`)
  await primary.query(`create role plain login password 'secret'`)
  const exchange = new RandomExchange(seedFromEnvironment())
  exchange.produce(40)
  const ship = await startShip(exchange.chain)
  const live = setInterval(() => exchange.produce(1), 100)
  t.teardown(async () => {
    clearInterval(live)
    await ship.stop()
  })
  const env = (attributes: string) => ({
    DATABASE_URL: servers.url(DATABASE, `target_session_attrs=${attributes}`),
    PORT: '0',
    HEADWATER_CHAINS: 'dev',
    HEADWATER_RATE_LIMIT: '0',
    HEADWATER_DEV_SOURCE_KIND: 'ship',
    HEADWATER_DEV_SOURCE_URLS: ship.url,
  })
  const run = (args: string[], attributes = 'any') => {
    const program = start(args, env(attributes))
    t.teardown(() => void program.child.kill('SIGKILL'))
    return program
  }
  const indexer = run(['index'])
  const apis = [run(['api'], 'any'), run(['api'], 'prefer-standby')]
  const urls = await Promise.all(apis.map(addressOf))
  await until('the first blocks', async () => ((await positionOf(primary))?.num ?? 0) > 30)
  await until('answers', async () => (await Promise.all(urls.map((url) => blockOf(url)))).every((block) => block > 0))
  const stream = await StreamClient.open(t, Number(new URL(urls[0] ?? '').port))
  stream.send({ op: 'subscribe', channel: 'pool', id: 0 })
  await until('the stream', () => stream.messages.length > 3)

  // The standby receives nothing more: what is committed now is lost with the primary.
  await standby.query(`alter system set primary_conninfo = ''`)
  await standby.query('select pg_reload_conf()')
  await until('the end of the replication', async () => {
    const { rows } = await standby.query('select count(*)::int as n from pg_stat_wal_receiver')
    return rows[0].n === 0
  })
  const kept = (await positionOf(standby))?.num ?? 0
  await until('lost blocks', async () => ((await positionOf(primary))?.num ?? 0) >= kept + LOST)
  const lost = await positionOf(primary)
  primary.kill()
  await until('the death of the primary', () =>
    primary.query('select 1').then(
      () => false,
      () => true,
    ),
  )
  const heard = stream.messages.length
  const promoted = performance.now()
  await standby.promote()
  const promotion = performance.now() - promoted
  await until('a block after the lost ones', async () => ((await positionOf(standby))?.num ?? 0) > (lost?.num ?? 0))
  const blocks = performance.now() - promoted
  await until('answers after the lost blocks', async () =>
    (await Promise.all(urls.map((url) => blockOf(url)))).every((block) => block > (lost?.num ?? 0)),
  )
  const answers = performance.now() - promoted
  await until('the stream goes on', () => stream.messages.length > heard + 3)
  const ms = [promotion, blocks, answers].map(Math.round)
  t.comment(`ms from the promotion: promoted ${ms[0]}, next block ${ms[1]}, both APIs ${ms[2]}`)
  t.ok(answers < OVER_MS, `over in ${ms[2]} ms`)
  t.ok((lost?.num ?? 0) >= kept + LOST, `${(lost?.num ?? 0) - kept} blocks were not replicated`)
  for (const program of [indexer, ...apis]) t.equal(program.child.exitCode, null, 'no process ended')
  t.equal(stream.closed, null, 'the connection of the stream stayed')

  t.test('the old primary returns and no indexer writes to it, not even a new one', async (t) => {
    await primary.start()
    const before = await positionOf(primary)
    t.same((await primary.query('select pg_is_in_recovery() as standby')).rows, [{ standby: false }])
    indexer.child.kill('SIGKILL')
    await indexer.outcome
    const at = (await positionOf(standby))?.num ?? 0
    run(['index'])
    await until('blocks of the new indexer', async () => ((await positionOf(standby))?.num ?? 0) > at + 5)
    t.same(await positionOf(primary), before)
    const { rows } = await primary.query(
      `select application_name from pg_stat_activity where application_name like 'headwater index%'`,
    )
    t.same(rows, [], 'no indexer is connected to it')
  })

  t.test('every block is stored once, and both APIs return the same bytes', async (t) => {
    clearInterval(live)
    const { head } = exchange.chain
    await until('the head', async () => (await positionOf(standby))?.num === head.num)
    const { rows } = await standby.query(
      'select count(*)::int as blocks, count(distinct block_num)::int as numbers, max(block_num)::int as last from ledger.blocks',
      [],
      DATABASE,
    )
    t.same(rows, [{ blocks: head.num - 1, numbers: head.num - 1, last: head.num }])
    const stored = await standby.query(
      'select block_num::int as num, encode(block_id, $1) as id from ledger.blocks',
      ['hex'],
      DATABASE,
    )
    for (const { num, id } of stored.rows) if (exchange.chain.block(num)?.id !== id) t.fail(`block ${num} is ${id}`)
    await until('the head in both APIs', async () =>
      (await Promise.all(urls.map((url) => blockOf(url)))).every((block) => block === head.num),
    )
    for (const path of PATHS) {
      const [first, second] = await Promise.all(urls.map((url) => bytesOf(url, path)))
      t.equal(first?.status, 200, path)
      t.same(second, first, `${path} of two processes`)
    }
  })

  t.test('the stream has told each change of the pool once, and ends with the pool as the APIs have it', async (t) => {
    const { pool } = JSON.parse((await bytesOf(urls[0] ?? '', '/api/v3/market/pools/0')).text)
    const told = () => stream.messages.at(-1)?.pool
    await until(
      () => `the pool of the API: ${JSON.stringify([told(), pool])}`,
      () => JSON.stringify(told()) === JSON.stringify(pool),
    )
    const pools = stream.messages.filter(({ channel }) => channel === 'pool')
    t.equal(pools.length, stream.messages.length, 'no error, no message of another kind')
    for (const [i, { block, pool: of }] of pools.entries()) {
      const before = pools[i - 1]
      if (before?.block === block || JSON.stringify(before?.pool) === JSON.stringify(of)) t.fail(`${block} twice`)
    }
    const returns = pools.filter(({ block }, i) => block < (pools[i - 1]?.block ?? 0)).length
    t.ok(returns <= 1, `it went back ${returns} times: to the blocks that were lost`)
  })

  t.test('readers do not choose a standby that still follows the old primary', async (t) => {
    const before = await portOf(servers.url(DATABASE, 'target_session_attrs=prefer-standby'))
    t.equal(before, standby.port, 'the old primary is no standby yet')
    await primary.stop()
    primary.makeStandby()
    await primary.start()
    t.same((await primary.query('select pg_is_in_recovery() as standby')).rows, [{ standby: true }])
    const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}/${DATABASE}`
    for (const settings of ['', '?target_session_attrs=prefer-standby'])
      t.equal(await portOf(servers.url(DATABASE, settings.slice(1))), standby.port, settings)
    t.equal(
      await portOf(`postgresql://plain:secret@${hosts}`),
      standby.port,
      'a login without rights sees the timeline',
    )
    const only = await portOf(servers.url(DATABASE, 'target_session_attrs=standby'))
    t.equal(only, primary.port, 'there is no other')
  })
}

async function portOf(url: string): Promise<number> {
  const client = openClient({ connectionString: url, use: 'read' })
  await client.connect()
  const { rows } = await client.query('select inet_server_port() as port')
  await client.end()
  return rows[0].port
}

async function positionOf(server: Server): Promise<Position | undefined> {
  const found = await server
    .query('select block_num::int as num, block_id as id from meta.position', [], DATABASE)
    .catch(() => null)
  return found?.rows[0]
}
