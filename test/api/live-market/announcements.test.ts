// A running server notices commits without a request.
import pg from 'pg'
import t from 'tap'
import { announcements } from '../../../api/live-market/announcements.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { indexExchange } from '../../indexer/replay/index-recording.ts'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'

const path = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname

t.test('a block is in the answers of its own chain soon after its commit', async (t) => {
  const database = await testDatabase(t)
  const source = () => new ReplaySource(path)
  for (const chain of ['wax', 'telos']) await indexExchange(database.url, chain, source(), 60)
  const api = await testApi(t, database, { chains: [testChain('wax'), testChain('telos')] })
  const blockOf = async (chain: string) => (await api.get('/api/v3/meta', { host: `${chain}.localhost` })).body.block
  for (const chain of ['wax', 'telos']) {
    const { body } = await api.get('/api/v2/swap/pools', { host: `${chain}.localhost` })
    t.ok(body.length > 0 && body.every((pool: { chain: string }) => pool.chain === chain), `GEN-07 POOL-11 ${chain}`)
  }
  // Both announcements come after the listener's first poll.
  const heard = new Map<string, number[]>()
  for (const { chain, market } of api.contexts) {
    heard.set(chain, [])
    market.listen(({ at }) => heard.get(chain)?.push(at.block))
  }
  const [delays, requests]: [number[], number[]] = [[], []]
  for (let block = 61; block <= 70; block++) {
    await indexExchange(database.url, 'wax', source(), block)
    const committed = performance.now()
    while ((await blockOf('wax')) < block && performance.now() - committed < 60_000)
      await new Promise((resolve) => setTimeout(resolve, 2))
    const found = performance.now()
    delays.push(found - committed)
    t.equal(await blockOf('wax'), block)
    requests.push(performance.now() - found)
  }
  t.equal(await blockOf('telos'), 60)
  t.same(heard.get('telos'), [], 'nothing was done for the other chain')
  // Polling every second alone would take half a second on average. Each request takes longer on a busy machine.
  const median = (times: number[]) => times.toSorted((a, b) => a - b)[5] as number
  const most = 200 + 10 * median(requests)
  t.ok(median(delays) < most, `median of ${Math.round(median(delays))} ms, ${Math.round(most)} at most`)
})

t.test('without notifications, a query each second finds the blocks', async (t) => {
  const database = await testDatabase(t)
  await indexExchange(database.url, 'wax', new ReplaySource(path), 60)
  const api = await testApi(t, database)
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'headwater api' and datname = current_database()`,
  )
  await indexExchange(database.url, 'wax', new ReplaySource(path), 65)
  await until('a look', () => api.contexts[0]?.market.state?.at.block === 65)
  t.equal((await api.get('/api/v3/meta')).body.block, 65)
})

t.test('notifications of a reader are only hints, are followed together, and above a rate are ignored', async (t) => {
  const database = await testDatabase(t)
  await indexExchange(database.url, 'wax', new ReplaySource(path), 60)
  const api = await testApi(t, database)
  const market = api.contexts[0]!.market
  await api.get('/api/v3/meta')
  let looks = 0
  const catchUp = market.catchUp.bind(market)
  market.catchUp = () => {
    looks++
    return catchUp()
  }
  const reader = new pg.Client(database.url)
  await reader.connect()
  t.teardown(() => reader.end())
  await reader.query('set role headwater_reader')
  const started = performance.now()
  for (const lie of ['wax 999999999', 'wax', 'no chain 1', '', 'wax -1 '])
    await reader.query(`select pg_notify('headwater', $1 || n) from generate_series(1, 300) n`, [lie])
  await until('a look', () => looks > 0)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const most = 2 + (performance.now() - started) * (1 / 50 + 1 / 1000)
  t.ok(looks >= 1 && looks <= most, `${looks} looks, ${most.toFixed(0)} at most`)
  t.equal((await api.get('/api/v3/meta')).body.block, 60)

  const warnings: string[] = []
  let hints = 0
  const note = (message: string) => void warnings.push(message)
  const listener = announcements(
    database.url,
    database.pool,
    (chain) => {
      if (chain !== null) hints++
    },
    { info: note, warn: note, error: note },
  )
  t.teardown(() => listener.close())
  const listening = `select from pg_stat_activity where query = 'listen headwater' and datname = current_database()`
  await until('both listen', async () => (await database.pool.query(listening)).rowCount === 2)
  // Short, and all at the commit: a slow machine must receive 2,000 of them within a second.
  await reader.query(`select pg_notify('headwater', 'wax ' || repeat('x', 100) || n) from generate_series(1, 10000) n`)
  await until('the flood is noticed', () => warnings.length > 0)
  await new Promise((resolve) => setTimeout(resolve, 500))
  t.ok(hints <= 2001, `${hints} of 10000 were read`)
  t.same(warnings, ['a flood of notifications: polls every second for a while'])
  await indexExchange(database.url, 'wax', new ReplaySource(path), 61)
  await until('a look', async () => (await api.get('/api/v3/meta')).body.block === 61)
  t.equal((await api.get('/api/v3/meta')).body.block, 61, 'found by a look')
})
