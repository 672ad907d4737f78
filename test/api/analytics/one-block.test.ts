// The overview reads hours, farms and holders by separate statements. New blocks in between must not mix into its
// answer.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import t from 'tap'
import { readOnly, testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { WAX_SCENE } from '../exchange/scene.ts'

t.test('sums and charts of an overview are of the same block, whenever blocks come', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const api = withBlocks(readOnly(t, database.url))
  const server = await testApi(t, database, {
    pool: api.pool,
    chains: [
      testChain('wax', 'dev', {
        price: { source: 'fixed', usd: 0.05, decimals: 4, fallbacks: [], maxAgeMinutes: 1440 },
      }),
    ],
  })
  let blocks = 0
  /** Adds a block of the next hour with a swap of a million and other farms, and advances the market to it. */
  const addBlock = async () => {
    const seq = 900_000_000 + ++blocks
    await database.pool.query(
      `with moved as (
         update meta.position set block_num = block_num + 1, head_num = head_num + 1, block_id = encode(sha256(int8send($1)), 'hex'),
           block_time = block_time + interval '1 hour' where chain = 'wax' returning block_num, block_id, block_time
       ), header as (
         insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
         select 'wax', block_num, decode(block_id, 'hex'), '\\x00', block_time, 'eosio' from moved
       ), farms as (
         insert into undo.incentives (undo_block, existed, chain, incentive_id) select block_num, false, 'wax', block_num from moved
       )
       insert into ledger.swaps (chain, pool_id, block_time, global_seq, block_num, trx_id, sender, recipient, amount_a, amount_b,
         decimals_a, decimals_b, sqrt_price_x64, liquidity, tick, reserve_a, reserve_b, usd)
       select 'wax', 3, block_time, $1, block_num, '\\x00', 'late', 'late', 1, -1, 8, 6, 1000000, 1, 0, 1, 1, 1000000 from moved`,
      [seq],
    )
    await server.catchUp()
  }
  for (const name of ['hours-open', 'analytics-incentives', 'analytics-locked'])
    for (const window of ['all', '24h']) {
      await addBlock()
      const before = blocks
      api.after(name, addBlock)
      const { status, headers, body } = await server.get(
        `/api/v3/analytics/overview?window=${window}&include=incentives`,
      )
      t.equal(status, 200)
      if (name !== 'analytics-locked') t.equal(blocks, before + 1, `a block came after ${name}`)
      const points = body.charts.swapVolume as { t: string; v: number }[]
      const { rows } = await database.pool.query(
        `select sum(usd)::float8 as usd from ledger.swaps where chain = 'wax' and block_num <= $1 and block_time >= $2`,
        [headers['x-block-num'], points[0]?.t],
      )
      const sum = points.reduce((all, { v }) => all + v, 0)
      t.ok(Math.abs(sum / rows[0].usd - 1) < 1e-9, `charts of ${window} after ${name}: ${sum}, not ${rows[0].usd}`)
      if (window === '24h')
        t.ok(body.stats.swapVolume > 1_000_000 && body.stats.swapVolume <= sum, 'and so are its sums')
    }
  const path = '/api/v3/analytics/overview?window=7d'
  await addBlock()
  const before = await server.get(path)
  await addBlock()
  api.after('hours-open', () => delay(200))
  const { headers } = await server.get(path)
  t.equal(
    Number(headers['x-block-num']),
    Number(before.headers['x-block-num']) + 1,
    'after an hour without blocks nobody is answered as of the one before, however long it takes',
  )
})

/** Runs a callback once, after the API's pool has answered the named statement. */
function withBlocks(pool: pg.Pool) {
  let waiting: { name: string; work: () => Promise<void> } | null = null
  const query = pool.query.bind(pool) as (...parts: unknown[]) => Promise<unknown>
  const watched = async (...parts: unknown[]) => {
    const answer = await query(...parts)
    const [statement] = parts as [{ name?: string }]
    if (waiting === null || statement.name !== waiting.name) return answer
    const { work } = waiting
    waiting = null
    await work()
    return answer
  }
  Object.assign(pool, { query: watched })
  return { pool, after: (name: string, work: () => Promise<void>) => void (waiting = { name, work }) }
}
