// The first request of a block computes an answer; from the second request on, it comes from the cache.
import t from 'tap'
import { readOnly, testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { WAX_SCENE } from '../exchange/scene.ts'

t.test('the second request for an answer of a block caches it', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const pool = readOnly(t, database.url)
  let reads = 0
  const query = pool.query.bind(pool)
  Object.assign(pool, {
    query(statement: { name?: string }) {
      if (statement.name === 'analytics-pools-of-account') reads++
      return query(statement as never)
    },
  })
  const server = await testApi(t, database, { pool })
  const ask = (mark: string) => server.get(`/api/v3/analytics/pools?account=alice&${mark}`)
  t.equal((await ask('one')).status, 200)
  const second = await ask('one')
  for (let i = 0; i < 3; i++) t.equal((await ask('one')).text, second.text)
  t.equal(reads, 2, 'computed for the first two requests only')
  for (let i = 0; i < 5; i++) await ask(`other=${i}`)
  t.equal(reads, 7, 'each other address is computed')
  await Promise.all([ask('two'), ask('two'), ask('two')])
  t.equal(reads, 8, 'concurrent requests share one computation')
})
