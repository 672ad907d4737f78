// A market updated block by block equals a market loaded at its last block.
import type pg from 'pg'
import t from 'tap'
import { SILENT } from '../../../api/http/log.ts'
import type { Changes } from '../../../api/live-market/advance.ts'
import { LiveMarket } from '../../../api/live-market/live-market.ts'
import type { LivePool, MarketState } from '../../../api/live-market/model.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { indexExchange } from '../../indexer/replay/index-recording.ts'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { facts } from './facts.ts'

const recording = (name: string) => new URL(`../../fixtures/recordings/${name}.ship.gz`, import.meta.url).pathname
const CONFIG = testChain('wax')

function openMarket(pool: pg.Pool): LiveMarket {
  return new LiveMarket(pool, CONFIG, SILENT)
}

async function loadedFacts(pool: pg.Pool) {
  const fresh = openMarket(pool)
  await fresh.catchUp()
  return facts(fresh.state)
}

for (const name of ['medium', 'forks'])
  t.test(`${name}: a market that is advanced from block to block equals a freshly loaded one`, async (t) => {
    const { url, pool } = await testDatabase(t)
    const path = recording(name)
    await indexExchange(url, 'wax', new ReplaySource(path), 60)
    await pool.query(`select meta.build_indexes('wax')`)
    const market = openMarket(pool)
    await market.catchUp()
    let steps = 0
    let loads = 0
    market.listen((_, changes: Changes | null) => {
      steps++
      if (changes === null) loads++
    })
    const last = await lastBlock(path)
    for (let block = 61; block <= last; block += 1 + ((block * 7) % 67)) {
      await indexExchange(url, 'wax', new ReplaySource(path), block)
      await market.catchUp()
      if (block % 2 === 0) t.same(facts(market.state), await loadedFacts(pool), `at block ${block}`)
    }
    await indexExchange(url, 'wax', new ReplaySource(path))
    await market.catchUp()
    t.same(facts(market.state), await loadedFacts(pool), 'at the end')
    t.ok(steps >= 8, `${steps} steps, ${loads} of them loads`)
  })

async function lastBlock(path: string): Promise<number> {
  let last = 0
  for await (const { num } of new ReplaySource(path).blocks({ from: 0, have: [] }, new AbortController().signal))
    last = Math.max(last, num)
  return last
}

t.test('orders and ticks that final blocks changed without a log are found', async (t) => {
  const { url, pool } = await testDatabase(t)
  const path = recording('medium')
  await indexExchange(url, 'wax', new ReplaySource(path), 300)
  const market = openMarket(pool)
  await market.catchUp()
  await pool.query('update meta.position set lib_num = block_num')
  // Without a row of the ledger, like an action that writes no log.
  const order = await pool.query(
    `update state.orders set bid_amount = bid_amount + 1 where (market_id, order_id) = (select market_id, order_id from state.orders
       where market_id not in (select market_id from ledger.order_events where block_num > 300) limit 1) returning market_id`,
  )
  const tick = await pool.query(
    `delete from state.ticks where (pool_id, tick) = (select pool_id, tick from state.ticks
       order by pool_id desc, tick limit 1) returning pool_id`,
  )
  t.same([order.rowCount, tick.rowCount], [1, 1])
  await indexExchange(url, 'wax', new ReplaySource(path), 302)
  await pool.query('update meta.position set lib_num = block_num')
  await market.catchUp()
  t.same(facts(market.state), await loadedFacts(pool))
})

t.test('an audit names the differences from the database', async (t) => {
  const database = await testDatabase(t)
  await indexExchange(database.url, 'wax', new ReplaySource(recording('small')))
  await database.pool.query(`select meta.build_indexes('wax')`)
  const { app, contexts } = await testApi(t, database)
  const market = contexts[0]?.market as LiveMarket
  t.same((await market.audit())?.differences, [])
  const pool = [...(market.state as MarketState).pools.values()][0] as LivePool
  pool.reserveA += 1n
  const { statusCode, body } = await app.inject('/health/market')
  t.same([statusCode, JSON.parse(body).chains[0].differences], [500, [`pool ${pool.id}`]])
  pool.reserveA -= 1n
  t.equal((await app.inject('/health/market')).statusCode, 500, 'the outcome is kept for a minute')
  t.same((await market.audit())?.differences, [])
})
