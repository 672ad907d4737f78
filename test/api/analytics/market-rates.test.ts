// Fees in the overview use the rate valid at each deal, as in the charts, both in a market that followed the change of
// the rate and in one loaded afterwards.
import type { Pool } from 'pg'
import t from 'tap'
import { type TestApi, testApi, testChain } from '../../support/api.ts'
import { keepBeforeImages } from '../../support/before-image.ts'
import { testDatabase } from '../../support/database.ts'
import { NOW, WAX_SCENE } from '../exchange/scene.ts'

const DAY = 86_400_000
const SPANS = { '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY, '90d': 90 * DAY, all: 3650 * DAY }
const close = (x: number, y: number) => Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y))
/** Successive fee rates of market 0, hundredths of a percent; a block sets the last one. */
const RATES = [
  { from: 0, fee: 70 },
  { from: NOW - 20 * DAY, fee: 10 },
  { from: NOW - 3 * DAY, fee: 45 },
  { from: NOW + 1000, fee: 5 },
]

/** Number of the scene's first block at or after a time. */
const blockAt = (time: number) => 1000 + Math.max(0, Math.ceil((time - (NOW - 100 * DAY)) / 500))

/** Adds a block with a deal of 1,000 USD on market 0, and sets the market's rate if one is given. */
async function addBlock(pool: Pool, num: number, time: number, fee: number | null): Promise<void> {
  const hash = num.toString(16).padStart(64, '0')
  await pool.query(
    `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
     select 'wax', $1, decode($2, 'hex'), decode(block_id, 'hex'), $3, 'eosio' from meta.position where chain = 'wax'`,
    [num, hash, new Date(time)],
  )
  if (fee !== null) {
    await keepBeforeImages(pool, 'markets', num, 'market_id = 0')
    await pool.query(`update state.markets set fee = $1 where market_id = 0`, [fee])
    await addRate(pool, num, time, fee)
  }
  await pool.query(
    `insert into ledger.deals (chain, market_id, block_time, global_seq, block_num, trx_id, type, bidder, asker, amount_base,
       amount_target, decimals_base, decimals_target, unit_price, usd)
     select 'wax', 0, $2, 900000000 + $1, $1, '\\x00', 'buymatch', 'late', 'late', 1, 1, base_decimals, target_decimals, 100000000, 1000
     from state.markets where market_id = 0`,
    [num, new Date(time)],
  )
  await pool.query(
    `select meta.refresh_candles('wax', array['spot'], array[0::int8], array[date_trunc('minute', $1::timestamptz)], null)`,
    [new Date(time)],
  )
  await pool.query(
    `update meta.position set block_num = $1, head_num = $1, block_id = $2, block_time = $3 where chain = 'wax'`,
    [num, hash, new Date(time)],
  )
}

async function addRate(pool: Pool, block: number, time: number, fee: number): Promise<void> {
  await pool.query(
    `insert into ledger.market_fees (chain, market_id, block_num, block_time, fee, base_contract, base_symbol, base_decimals,
       target_contract, target_symbol, target_decimals)
     select chain, market_id, $1, $2, $3, base_contract, base_symbol, base_decimals, target_contract, target_symbol, target_decimals
     from state.markets where market_id = 0`,
    [block, new Date(time), fee],
  )
}

t.test('fees over a change of rates', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const { pool } = database
  const { rows } = await pool.query(`select block_num::int4 as block from meta.position where chain = 'wax'`)
  const head = rows[0].block as number
  for (const { from, fee } of RATES.slice(0, -1)) await addRate(pool, blockAt(from), from, fee)
  await pool.query(`update state.markets set fee = 45 where market_id = 0`)
  const config = testChain('wax', 'dev', {
    price: { source: 'fixed', usd: 0.05, decimals: 4, fallbacks: [], maxAgeMinutes: 1440 },
  })
  const rateAt = (time: number) => RATES.findLast(({ from }) => from <= time)!.fee

  const check = async (api: TestApi, now: number, when: string) => {
    for (const [window, span] of Object.entries(SPANS)) {
      const { rows } = await pool.query(
        `select market_id::int4 as market, block_time as time, usd::float8 as usd, fee from ledger.deals
         join state.markets using (chain, market_id) where block_time >= $1`,
        [new Date(Math.floor(now / 60_000) * 60_000 - span)],
      )
      const wanted = rows.reduce(
        (sum, { market, time, usd, fee }) => sum + (usd * (market === 0 ? rateAt(time.getTime()) : fee)) / 10_000,
        0,
      )
      const { stats, charts } = (await api.get(`/api/v3/analytics/overview?window=${window}&at=${now}`)).body
      t.ok(close(stats.spotFees, wanted) && wanted > 0, `${when}: ${stats.spotFees} of ${wanted} USD in ${window}`)
      t.ok(close(stats.fees, stats.swapFees + stats.spotFees))
      if (window !== 'all') continue
      const charted = charts.spotFees.reduce((sum: number, { v }: { v: number }) => sum + v, 0)
      t.ok(close(charted, stats.spotFees), `${when}: ${charted} in the charts`)
    }
  }

  const api = await testApi(t, database, { chains: [config] })
  await check(api, NOW, 'loaded')
  await addBlock(pool, head + 1, NOW + 500, null)
  await api.catchUp()
  await check(api, NOW + 500, 'moved on')
  await addBlock(pool, head + 2, NOW + 1000, 5)
  await api.catchUp()
  await check(api, NOW + 1000, 'another rate')
  await addBlock(pool, head + 3, NOW + 1.5 * DAY, null)
  await api.catchUp()
  await check(api, NOW + 1.5 * DAY, 'deals have left the windows')
  await check(await testApi(t, database, { chains: [config] }), NOW + 1.5 * DAY, 'loaded again')
})
