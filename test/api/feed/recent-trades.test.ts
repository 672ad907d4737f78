// The newest trades in memory equal the database's, and the feed reads only new trades from it.
import t from 'tap'
import type { ChainContext } from '../../../api/chain-context.ts'
import { RecentTrades } from '../../../api/feed/recent-trades.ts'
import { SILENT } from '../../../api/http/log.ts'
import { LiveMarket } from '../../../api/live-market/live-market.ts'
import { testChain } from '../../support/api.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { token, writeChain } from '../market/hand-made.ts'

const [WAX, TLM] = [token('WAX', 8, 'eosio.token'), token('TLM', 4, 'alien.worlds')]
/** Cached trades of a market. */
const KEPT = 200
const SECOND = 1000

/** A chain to which the test adds blocks with one swap each. */
class Swaps {
  private readonly pool: TestDatabase['pool']
  private sequence = 0

  constructor(pool: TestDatabase['pool']) {
    this.pool = pool
  }

  /** Writes blocks with a swap of pool 0 each; every other one is a sale. @returns the time of the last block */
  async add(count: number): Promise<number> {
    for (let i = 0; i < count; i++) {
      this.sequence++
      await this.pool.query(
        `with next as (
           update meta.position set block_num = block_num + 1, head_num = head_num + 1, block_time = block_time + interval '1 second',
             block_id = encode(sha256(int8send($2::int8)), 'hex') where chain = $1 returning *
         ), header as (
           insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
           select chain, block_num, decode(block_id, 'hex'), decode(block_id, 'hex'), block_time, 'prod' from next
         )
         insert into ledger.swaps (chain, pool_id, block_time, global_seq, block_num, trx_id, sender, recipient, amount_a, amount_b,
           decimals_a, decimals_b, sqrt_price_x64, liquidity, tick, reserve_a, reserve_b, usd)
         select chain, 0, block_time, $2, block_num, sha256(int8send($2)), 'alice', 'bob', $3, -$3::int8, 8, 4, 2 ^ 64, 1, 0, 1, 1, 1
         from next`,
        ['wax', this.sequence, this.sequence % 2 === 0 ? 100 : -100],
      )
    }
    const { rows } = await this.pool.query(`select block_time from meta.position where chain = 'wax'`)
    return Number(rows[0].block_time)
  }
}

t.test('trades of a pool', async (t) => {
  const { pool } = await testDatabase(t)
  await writeChain(pool, 'wax', {
    pools: [
      { id: 0, a: [WAX, 1_000_000], b: [TLM, 1_000_000] },
      { id: 1, a: [WAX, 1_000_000], b: [TLM, 1_000_000], fee: 500 },
    ],
    markets: [],
    orders: [],
  })
  await pool.query(`update meta.position set block_time = date_trunc('second', block_time)`)
  await pool.query(
    `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
     select chain, block_num, decode(block_id, 'hex'), decode(block_id, 'hex'), block_time, 'prod' from meta.position`,
  )
  const swaps = new Swaps(pool)
  const read: unknown[][] = []
  const query = (statement: { name: string; text: string; values: unknown[] }) => {
    if (statement.name === 'newest-pool-trades') read.push(statement.values.slice(1))
    return pool.query(statement)
  }
  const market = new LiveMarket(pool, testChain('wax'), SILENT)
  await market.catchUp()
  const recent = new RecentTrades({ chain: 'wax', pool: { query }, market } as unknown as ChainContext)
  const bring = async () => {
    await market.catchUp()
    await recent.bring('amm', [0, 1])
  }
  const sequences = (range: Parameters<RecentTrades['find']>[2]) =>
    recent.find('amm', 0, range)?.map(({ id }) => Number(id)) ?? null

  t.test('trades of a pool are unknown until they are read', async (t) => {
    t.equal(recent.find('amm', 0, { limit: 1 }), null)
    await bring()
    t.same([recent.find('amm', 0, { limit: 1 }), recent.find('amm', 1, { limit: 1 })], [[], []])
    t.equal(recent.find('amm', 7, { limit: 1 }), null, 'there is no such pool')
    t.same(read.splice(0), [
      [
        [0, 1],
        [KEPT, KEPT],
      ],
    ])
  })

  t.test('after a block only its new trades are read, for the pools that traded', async (t) => {
    await swaps.add(3)
    await market.catchUp()
    t.equal(sequences({ limit: 10 }), null, 'there are trades that were not read yet')
    await bring()
    t.same(sequences({ limit: 10 }), [3, 2, 1])
    t.equal(read.length, 1)
    t.same(read.splice(0)[0]?.[0], [0])
    await bring()
    t.same(read, [], 'nothing is read while there are no new trades')
  })

  t.test('range, side and limit', async (t) => {
    const last = await swaps.add(3)
    await bring()
    t.same(sequences({ limit: 2 }), [6, 5])
    t.same(sequences({ limit: 9, type: 'buy' }), [5, 3, 1])
    t.same(sequences({ limit: 9, from: last - SECOND }), [6, 5], 'from is part of the range')
    t.same(sequences({ limit: 9, from: last - 3 * SECOND, before: last }), [5, 4, 3], 'its end is not')
    const [one] = recent.find('amm', 0, { limit: 1 }) ?? []
    const { rows } = await pool.query(`select encode(sha256(int8send(6)), 'hex') as id`)
    const amounts = { baseVolume: 100e-8, targetVolume: 100e-4, price: 10_000 }
    t.match(one, { id: '6', side: 'sell', ...amounts, time: last, trxId: rows[0].id })
  })

  t.test('the oldest ones are evicted: a request for them reads the database', async (t) => {
    await swaps.add(KEPT - 1)
    await bring()
    const all = Array.from({ length: KEPT }, (_, i) => KEPT + 5 - i)
    t.same(sequences({ limit: KEPT }), all)
    t.equal(sequences({ limit: KEPT + 1 }), null)
    t.equal(sequences({ limit: KEPT, type: 'buy' }), null, 'half of them are sales')
    t.same(sequences({ limit: 3, type: 'buy' }), [205, 203, 201])
    const oldest = recent.find('amm', 0, { limit: KEPT })?.at(-1)?.time as number
    t.equal(sequences({ limit: KEPT + 1, from: oldest }), null, 'the block of the oldest may have had others')
    t.equal(sequences({ limit: KEPT + 1, from: oldest + 1 })?.length, KEPT - 1)
    t.ok(
      read.splice(0).every(([pools]) => `${pools}` === '0'),
      'of the pool that traded',
    )
  })

  t.test('more trades between two reads than the cache holds', async (t) => {
    await swaps.add(KEPT + 5)
    await bring()
    t.same(sequences({ limit: KEPT })?.slice(0, 2), [410, 409])
    t.equal(sequences({ limit: KEPT })?.length, KEPT)
  })

  t.test('trades of blocks that arrive during a read are not lost', async (t) => {
    await swaps.add(1)
    await market.catchUp()
    const running = recent.bring('amm', [0])
    await swaps.add(30)
    await Promise.all([running, recent.bring('amm', [0])])
    await bring()
    t.same(
      sequences({ limit: 40 }),
      Array.from({ length: 40 }, (_, i) => 441 - i),
    )
  })
})
