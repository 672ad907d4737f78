// The feed's check of its own markets: each rule is violated alone.
import t from 'tap'
import { violations } from '../../../api/feed/check.ts'
import type { FeedMarket } from '../../../api/feed/market.ts'
import type { MergedMarket } from '../../../api/feed/merge.ts'

const SOUND = {
  tickerId: 'wax:tlm-alien.worlds_wax:wax-eosio.token',
  poolId: 'wax:orderbook:0',
  lastPrice: 0.08,
  baseVolume: 100,
  targetVolume: 8,
  volumeUsd: 0.4,
  liquidityUsd: 1000,
  bid: 0.079,
  ask: 0.081,
  high: 0.09,
  low: 0.07,
}

/** Rules that a market violates after some of its members are changed. */
function broken(changes: Partial<typeof SOUND> | Record<string, unknown>): string[] {
  const market = { ...SOUND, ...changes } as unknown as FeedMarket
  return violations([market], [], 1000).map(({ rule }) => rule)
}

t.test('each rule', async (t) => {
  t.same(broken({}), [])
  t.same(broken({ bid: null, ask: null, high: null, low: null }), [], 'a pool without trades')
  t.same(broken({ baseVolume: 0, targetVolume: 0 }), [])
  const rules: [string[], Record<string, unknown>][] = [
    [['price-positive'], { lastPrice: 0 }],
    [['price-positive'], { lastPrice: -1 }],
    [['number-finite'], { lastPrice: Number.POSITIVE_INFINITY }],
    [['number-finite'], { volumeUsd: Number.NaN }],
    [['volume-not-negative'], { volumeUsd: -0.01 }],
    [['volume-not-negative', 'volume-of-both-sides'], { baseVolume: -1 }],
    [['volume-of-both-sides'], { targetVolume: 0 }],
    [['liquidity-at-least'], { liquidityUsd: 999.99 }],
    [['bid-below-ask'], { bid: 0.081 }],
    [['bid-below-ask'], { bid: 0.082 }],
    [['low-not-above-high'], { low: 0.091 }],
  ]
  for (const [wanted, changes] of rules) t.same(broken(changes), wanted, JSON.stringify(changes))
})

t.test('a market that is listed twice is reported for both; merged markets are checked too', async (t) => {
  const market = SOUND as unknown as FeedMarket
  const twice = violations([market, market], [], 1000)
  t.same(
    twice.map(({ rule, pool_id }) => [rule, pool_id]),
    [
      ['pool-id-unique', 'wax:orderbook:0'],
      ['pool-id-unique', 'wax:orderbook:0'],
    ],
  )
  const merged = { ...SOUND, tickerId: 'TLM_WAX', lastPrice: 0 } as unknown as MergedMarket
  t.match(violations([market], [merged], 1000), [
    { rule: 'price-positive', ticker_id: 'TLM_WAX', pool_id: null, message: 'the last price is 0' },
  ])
})
