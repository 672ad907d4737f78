// Trades of a closed market stay in the windows of the exchange and of its tokens until they are too old for them.
import type { Pool } from 'pg'
import t from 'tap'
import { type TestApi, testApi, testChain } from '../../support/api.ts'
import { keepBeforeImages } from '../../support/before-image.ts'
import { testDatabase } from '../../support/database.ts'
import { id, MARKETS, NOW, TLM, WAX_SCENE } from '../exchange/scene.ts'

const DAY = 86_400_000
const SPANS = { '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY, '90d': 90 * DAY, all: 3650 * DAY }
const close = (x: number, y: number) => Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y))

/** Adds a block, which may close market 0. */
async function addBlock(pool: Pool, num: number, time: number, closes: boolean): Promise<void> {
  const hash = num.toString(16).padStart(64, '0')
  await pool.query(
    `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
     select 'wax', $1, decode($2, 'hex'), decode(block_id, 'hex'), $3, 'eosio' from meta.position where chain = 'wax'`,
    [num, hash, new Date(time)],
  )
  if (closes) {
    await keepBeforeImages(pool, 'markets', num, 'market_id = 0')
    await pool.query(`delete from state.markets where market_id = 0`)
    await pool.query(`delete from state.orders where market_id = 0`)
  }
  await pool.query(
    `update meta.position set block_num = $1, head_num = $1, block_id = $2, block_time = $3 where chain = 'wax'`,
    [num, hash, new Date(time)],
  )
}

t.test('trades of a closed market', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const { pool } = database
  await pool.query(
    `insert into ledger.market_fees (chain, market_id, block_num, block_time, fee, base_contract, base_symbol, base_decimals,
       target_contract, target_symbol, target_decimals)
     select chain, market_id, 1000, $1, fee, base_contract, base_symbol, base_decimals, target_contract, target_symbol, target_decimals
     from state.markets`,
    [new Date(NOW - 100 * DAY)],
  )
  const config = testChain('wax', 'dev', {
    price: { source: 'fixed', usd: 0.05, decimals: 4, fallbacks: [], maxAgeMinutes: 1440 },
  })
  const api = await testApi(t, database, { chains: [config] })
  const { rows } = await pool.query(`select block_num::int4 as block from meta.position where chain = 'wax'`)
  const head = rows[0].block as number
  const fee = (await pool.query('select fee from state.markets where market_id = 0')).rows[0].fee as number

  const check = async (api: TestApi, now: number, markets: number, when: string) => {
    for (const [window, span] of Object.entries(SPANS)) {
      const since = new Date(Math.floor(now / 60_000) * 60_000 - span)
      const { rows } = await pool.query(
        `select coalesce(sum(d.usd), 0)::float8 as usd, count(*)::int4 as trades,
           coalesce(sum(d.usd * coalesce(m.fee, $2)), 0)::float8 / 10000 as fees,
           coalesce(sum(d.usd) filter (where d.market_id = 0), 0)::float8 as own, count(*) filter (where d.market_id = 0)::int4 as "ownTrades"
         from ledger.deals d left join state.markets m using (chain, market_id) where d.block_time >= $1`,
        [since, fee],
      )
      const [wanted] = rows
      const { stats } = (await api.get(`/api/v3/analytics/overview?window=${window}&at=${when}`)).body
      t.ok(close(stats.spotVolume, wanted.usd), `${when}: ${window} has ${stats.spotVolume} of ${wanted.usd} USD`)
      t.ok(close(stats.spotFees, wanted.fees), `${when}: ${window} has the fees`)
      t.same([stats.spotTx, stats.spotPairsTotal], [wanted.trades, markets], `${when}: deals of ${window}, markets`)
      const { token, spotPairs } = (await api.get(`/api/v3/analytics/tokens/${id(TLM)}?window=${window}&at=${when}`))
        .body
      t.ok(close(token.volume.spot, wanted.own), `${when}: ${window} of the token`)
      t.same([token.tx.spot, token.pairs.spots], [wanted.ownTrades, spotPairs.length])
    }
  }

  const first = (await pool.query(`select min(block_time) as first from ledger.deals where market_id = 0`)).rows[0]
    .first
  await check(api, NOW, MARKETS.length, 'open')
  await addBlock(pool, head + 1, NOW + 500, true)
  await api.catchUp()
  await check(api, NOW + 500, MARKETS.length - 1, 'closed')
  t.equal((await api.get('/api/v3/analytics/spot-pairs/0')).status, 404, 'it is no market any more')
  await check(await testApi(t, database, { chains: [config] }), NOW + 500, MARKETS.length - 1, 'loaded')
  // A day after the last trade, the first window is empty; a week after, the second.
  for (const [i, days] of [0.5, 1, 6, 9].entries()) {
    const now = NOW + days * DAY
    await addBlock(pool, head + 2 + i, now, false)
    await api.catchUp()
    await check(api, now, MARKETS.length - 1, `${days} days later`)
  }
  const { deals } = (await pool.query('select count(*)::int4 as deals from ledger.deals where market_id = 0')).rows[0]
  t.ok(deals > 100 && first < new Date(NOW - 30 * DAY), 'it has traded')
})
