// Cached trades belong to the currently listed markets, also after the list has changed.
import type { Pool } from 'pg'
import t from 'tap'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { idOf, token, writeChain } from '../market/hand-made.ts'
import { chainConfig, USDT, WAX } from './scene.ts'

const [X, Y] = [token('ABC', 4), token('DEF', 4)]
const MINUTE = 60_000
const HEADER = `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
  select chain, block_num, decode(block_id, 'hex'), decode(block_id, 'hex'), block_time, 'prod' from meta.position`

/** Adds a block that sets the reserves of the deep pools 0 and 1. @param whole  tokens, and WAX at 0.05 USD */
async function trade(pool: Pool, holds: readonly (readonly [id: number, whole: number, wax: number])[]): Promise<void> {
  for (const [id, whole, wax] of holds)
    await pool.query(
      `update state.pools set reserve_a = $2::float8 * 1e4, reserve_b = $3::float8 * 1e8,
         sqrt_price_x64 = round(sqrt($3::numeric * 1e8 / ($2::numeric * 1e4)) * 2::numeric ^ 64) where chain = 'wax' and pool_id = $1`,
      [id, whole, wax],
    )
  await pool.query(
    `update meta.position set block_num = block_num + 1, lib_num = block_num + 1, block_id = repeat('6f', 32) where chain = 'wax'`,
  )
  await pool.query(HEADER)
}

t.test('a market that replaces another one in the list has its own trades', async (t) => {
  const database = await testDatabase(t)
  const { pool } = database
  // X is worth 0.2 USD and Y 0.05: pool 3 holds 2,000 USD, pool 4 holds 500.
  await writeChain(pool, 'wax', {
    pools: [
      { id: 0, a: [X, 1e6], b: [WAX, 4e6] },
      { id: 1, a: [Y, 1e6], b: [WAX, 1e6] },
      { id: 2, a: [WAX, 1e7], b: [USDT, 5e5] },
      { id: 3, a: [X, 10_000], b: [Y, 1] },
      { id: 4, a: [X, 1], b: [Y, 10_000], fee: 500 },
    ],
  })
  await pool.query(
    `insert into ledger.swaps (chain, pool_id, block_time, global_seq, block_num, trx_id, sender, recipient, amount_a, amount_b,
       decimals_a, decimals_b, sqrt_price_x64, liquidity, tick, reserve_a, reserve_b, usd)
     select 'wax', id, block_time, id, 1000, sha256(int8send(id)), 'alice', 'bob', 5, -5, 4, 4, 2 ^ 64, 1, 0, 0, 0, 1
     from meta.position, unnest(array[3, 4]) id where chain = 'wax'`,
  )
  await pool.query(HEADER)
  const clock = { now: Math.floor(Date.now() / MINUTE) * MINUTE }
  const config = chainConfig('wax')
  const trust = { ...config.trust, trusted: [{ token: X.contract }] }
  const api = await testApi(t, database, { chains: [{ ...config, trust }], feed: { now: () => clock.now } })
  const ticker = `wax:${idOf(X)}_wax:${idOf(Y)}`
  const get = async (path: string): Promise<{ ticker_id: string; pool_id: string }[]> =>
    (await api.get(`/api/v3/feed${path}`)).body
  const listed = async () => (await get('/pairs')).filter((one) => one.ticker_id === ticker).map((one) => one.pool_id)
  const trades = async () => (await get(`/historical_trades?ticker_id=${ticker}`)).map((one) => one.pool_id)
  t.same(await listed(), ['wax:amm:3'])
  for (let i = 0; i < 3; i++) t.same(await trades(), ['wax:amm:3'])
  // Now X is worth 0.05 USD and Y 0.2, so that other pools are listed.
  await trade(pool, [
    [0, 2e6, 2e6],
    [1, 5e5, 2e6],
  ])
  await api.catchUp()
  clock.now += MINUTE
  t.same(await listed(), ['wax:amm:4'])
  t.same(await trades(), ['wax:amm:4'])
})
