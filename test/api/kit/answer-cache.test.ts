// Cached answers equal the database's, before and after blocks, forks and minutes.
import t from 'tap'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { indexExchange } from '../../indexer/replay/index-recording.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'

const recording = new URL('../../fixtures/recordings/forks.ship.gz', import.meta.url).pathname

const PATHS = [
  '/api/v2/swap/pools/0/swaps',
  '/api/v2/swap/pools/0/swaps?limit=3',
  '/api/v2/swap/pools/0/candles?resolution=1&limit=20',
  '/api/v2/swap/pools/1/candles?resolution=15&limit=20&reverse=true',
  '/api/v2/swap/pools/999/candles?resolution=15',
]

t.test('cached answers equal fresh ones after every block and fork', async (t) => {
  const database = await testDatabase(t)
  await indexExchange(database.url, 'wax', new ReplaySource(recording), 100)
  await database.pool.query(`select meta.build_indexes('wax')`)
  const kept = await testApi(t, database)
  const { body } = await kept.get('/api/v2/pairs')
  const paths = [
    ...PATHS,
    ...body.slice(0, 2).map((pair: { ticker_id: string }) => `/api/v2/tickers/${pair.ticker_id}/historical_trades`),
  ]
  for (let block = 100; block <= 440; block += 20) {
    await indexExchange(database.url, 'wax', new ReplaySource(recording), block)
    await kept.catchUp()
    const fresh = await testApi(t, database)
    for (const path of paths) {
      const first = await kept.get(path)
      const again = await kept.get(path)
      const made = await fresh.get(path)
      t.same([again.text, first.text], [made.text, made.text], `${path} at block ${block}`)
      for (const name of ['x-block-num', 'x-block-time', 'etag', 'link', 'content-type'])
        t.equal(again.headers[name], made.headers[name], `${name} of ${path} at block ${block}`)
    }
  }
})

t.test('a cached answer needs no query, and still answers 304', async (t) => {
  const database = await testDatabase(t)
  await indexExchange(database.url, 'wax', new ReplaySource(recording))
  await database.pool.query(`select meta.build_indexes('wax')`)
  const api = await testApi(t, database)
  const path = '/api/v2/swap/pools/0/swaps?limit=5'
  const first = await api.get(path)
  t.equal(first.status, 200)
  // No block announced this value: an answer with it comes from the database, not from the cache.
  await database.pool.query(`update ledger.swaps set sender = 'nobody' where pool_id = 0`)
  t.equal((await api.get(path)).text, first.text)
  t.match((await api.get(`${path}&skip=0`)).text, 'nobody', 'another address is another answer')
  const known = await api.get(path, { 'if-none-match': String(first.headers.etag) })
  t.same([known.status, known.text], [304, ''])
})
