// Answers that change without a change of their pools: an entry of a token list starts to apply, or an order book
// trades a token without pools.
import t from 'tap'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { indexExchange } from '../../indexer/replay/index-recording.ts'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'

const path = new URL('../../fixtures/recordings/medium.ship.gz', import.meta.url).pathname
const TOKEN = 'tlm-alien.worlds'

t.test('an entry of the scam list applies from its time on', async (t) => {
  const database = await testDatabase(t)
  const source = () => new ReplaySource(path)
  await indexExchange(database.url, 'wax', source(), 400)
  const { rows } = await database.pool.query(`select block_time as time from meta.position where chain = 'wax'`)
  const from = new Date(rows[0].time.getTime() + 2000).toISOString().replace(/\.\d+Z/, 'Z')
  const trust = { stable: [], trusted: [], scam: [{ token: TOKEN, from }], minimumScore: 41 }
  const api = await testApi(t, database, { chains: [testChain('wax', 'dev', { trust })] })
  await database.pool.query(`select meta.build_indexes('wax')`)
  await api.catchUp()
  let tag: unknown
  const seen = new Set<boolean>()
  for (let block = 401; block <= 408; block++) {
    await indexExchange(database.url, 'wax', source(), block)
    await api.catchUp()
    const { body, headers } = await api.get(`/api/v2/tokens/${TOKEN}`)
    const isScam = Date.parse(String(headers['x-block-time'])) >= Date.parse(from)
    t.equal(body.is_scam, isScam, `block ${block}`)
    if (isScam) t.equal(body.usd_price, 0)
    if (isScam && !seen.has(true)) t.not(headers.etag, tag, 'another answer, another tag')
    tag = headers.etag
    seen.add(isScam)
  }
  t.equal(seen.size, 2, 'before and after')
})

t.test('a token that appears with a market is in the list', async (t) => {
  const database = await testDatabase(t)
  await indexExchange(database.url, 'wax', new ReplaySource(path), 400)
  const api = await testApi(t, database)
  await database.pool.query(`select meta.build_indexes('wax')`)
  await api.catchUp()
  const before = await api.get('/api/v2/tokens')
  await database.pool.query(
    `insert into state.markets (chain, market_id, base_contract, base_symbol, base_decimals, target_contract, target_symbol,
       target_decimals, min_buy, min_buy_decimals, min_sell, min_sell_decimals, frozen, fee)
     values ('wax', 9001, 'brand.new', 'NEW', 4, 'eosio.token', 'WAX', 8, 1, 8, 1, 4, false, 20)`,
  )
  await database.pool.query(
    `insert into ledger.blocks select 'wax', block_num + 1, sha256('next'), block_id, block_time + interval '500 ms', 'p' from ledger.blocks
     where block_num = 400`,
  )
  // Inserted as final, so without a before-image.
  await database.pool.query(
    `update meta.position set block_num = 401, block_id = encode(sha256('next'), 'hex'), lib_num = 401,
       block_time = block_time + interval '500 ms'`,
  )
  await api.catchUp()
  const after = await api.get('/api/v2/tokens', { 'if-none-match': String(before.headers.etag) })
  t.equal(after.status, 200)
  t.equal(after.body.length, before.body.length + 1)
  t.match(
    after.body.find(({ id }: { id: string }) => id === 'new-brand.new'),
    { system_price: 0, decimals: 4 },
  )
})
