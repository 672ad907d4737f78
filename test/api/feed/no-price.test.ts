// Order books whose prices are too low for the contract's eight decimals.
import t from 'tap'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { token, writeChain } from '../market/hand-made.ts'

const WAX = token('WAX', 8, 'eosio.token')
const DUST = token('DUST', 0, 'dust.test')

t.test('a price of zero is never listed', async (t) => {
  const database = await testDatabase(t)
  const order = (market: number, id: number, side: 'buy' | 'sell', unitPrice: bigint) => ({
    ...{ market, id, side, unitPrice },
    // Half a million WAX on each side.
    ...{
      bid: side === 'buy' ? 50_000_000_000_000n : 10n ** 18n,
      ask: side === 'buy' ? 10n ** 18n : 50_000_000_000_000n,
    },
  })
  await writeChain(database.pool, 'wax', {
    pools: [],
    markets: [0, 1, 2].map((id) => ({ id, base: DUST, target: WAX })),
    orders: [
      // All orders are priced below the smallest unit.
      order(0, 1, 'buy', 0n),
      order(0, 2, 'sell', 0n),
      // The last trade had no representable price; the orders have.
      order(1, 3, 'buy', 100n),
      order(1, 4, 'sell', 102n),
      // Only the sell orders have a price.
      order(2, 5, 'buy', 0n),
      order(2, 6, 'sell', 1n),
    ],
  })
  await database.pool.query(
    `insert into ledger.deals (chain, market_id, block_time, global_seq, block_num, trx_id, type, bidder, asker, amount_base,
       amount_target, decimals_base, decimals_target, unit_price, usd)
     select 'wax', 1, block_time - interval '1 hour', 1, 900, '\\x00', 'buymatch', 'alice', 'bob', 1, 1, 0, 8, 0, 0
     from meta.position`,
  )
  const api = await testApi(t, database, {
    chains: [
      testChain('wax', 'dev', { price: { source: 'fixed', usd: 1, decimals: 4, fallbacks: [], maxAgeMinutes: 1440 } }),
    ],
  })
  const tickers = (await api.get('/api/v3/feed/tickers')).body
  t.same(
    tickers.map((one: Record<string, unknown>) => [one.pool_id, one.last_price, one.bid, one.ask]),
    [['wax:orderbook:1', 0.00000101, 0.000001, 0.00000102]],
  )
  t.same((await api.get('/api/v3/feed/check')).body.violations, [])
})
