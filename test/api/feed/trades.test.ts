// Trades of several markets are read by separate statements. New blocks in between must not mix into one answer.
import t from 'tap'
import type { ChainContext } from '../../../api/chain-context.ts'
import type { FeedMarket } from '../../../api/feed/market.ts'
import { RecentTrades } from '../../../api/feed/recent-trades.ts'
import { asTheyAre, feedTrades } from '../../../api/feed/trades.ts'
import { SILENT } from '../../../api/http/log.ts'
import { LiveMarket } from '../../../api/live-market/live-market.ts'
import { testChain } from '../../support/api.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { token, writeChain } from '../market/hand-made.ts'

const [WAX, TLM] = [token('WAX', 8, 'eosio.token'), token('TLM', 4, 'alien.worlds')]
const POOLS = [0, 1]

/** Adds a block with a number of swaps of each pool. Global sequences contain the block number. */
async function addBlock(pool: TestDatabase['pool'], swaps: number[]): Promise<void> {
  await pool.query(
    `with next as (
       update meta.position set block_num = block_num + 1, head_num = head_num + 1, block_time = block_time + interval '1 second',
         block_id = encode(sha256(int8send(block_num + 1)), 'hex') where chain = 'wax' returning *
     ), header as (
       insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
       select chain, block_num, decode(block_id, 'hex'), decode(block_id, 'hex'), block_time, 'prod' from next
     )
     insert into ledger.swaps (chain, pool_id, block_time, global_seq, block_num, trx_id, sender, recipient, amount_a, amount_b,
       decimals_a, decimals_b, sqrt_price_x64, liquidity, tick, reserve_a, reserve_b, usd)
     select chain, id - 1, block_time, block_num * 10000 + id * 1000 + i, block_num, sha256(int8send(i)), 'alice', 'bob', 100, -100, 8, 4,
       2 ^ 64, 1, 0, 1, 1, 1
     from next cross join unnest($1::int4[]) with ordinality s(swaps, id) cross join generate_series(1, swaps) i`,
    [swaps],
  )
}

t.test('cached trades and trades from the database are of one block, whenever blocks arrive', async (t) => {
  const { pool } = await testDatabase(t)
  const pools = POOLS.map((id) => ({ id, a: [WAX, 1e6], b: [TLM, 1e6], fee: 500 + id }) as const)
  await writeChain(pool, 'wax', { pools: pools as never, markets: [], orders: [] })
  // More trades of pool 0 than memory holds.
  await addBlock(pool, [250, 3])
  let comes = 0
  const query = async (statement: { name: string; text: string; values: unknown[] }) => {
    if (statement.name === 'pool-trades' && comes-- > 0) await addBlock(pool, [1, 1])
    return pool.query(statement)
  }
  const market = new LiveMarket(pool, testChain('wax'), SILENT)
  await market.catchUp()
  const context = { chain: 'wax', pool: { query }, market } as unknown as ChainContext
  const recent = new RecentTrades(context)
  const markets = POOLS.map((id) => ({ context, chain: 'wax', type: 'amm', id, poolId: `wax:amm:${id}` }) as FeedMarket)
  const counts = async () => {
    const trades = await feedTrades(asTheyAre(markets), 'a_b', { limit: 1000 }, () => recent)
    return markets.map(({ poolId }) => trades.filter((one) => one.poolId === poolId).length)
  }
  t.same(await counts(), [250, 3])
  comes = 1
  t.same(await counts(), [251, 4], 'a block came between the two')
  comes = 2
  t.same(await counts(), [253, 6], 'and another one')
})
