// Schemas of pools, order-book markets and tokens in the answers of the analytics.
import { Type } from 'typebox'

const Text = (description: string) => Type.String({ description })
const Num = (description: string) => Type.Number({ description })
const NumberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

const WithoutUsd = Num('Trades in the window whose USD value is not known: they are not in the sums.')

const PoolToken = Type.Object({
  id: Text('Token id.'),
  contract: Text('Contract.'),
  symbol: Text('Symbol.'),
  decimals: Num('Decimals.'),
  quantity: Num('Tokens that the pool holds.'),
})

const Incentive = Type.Object({
  incentiveId: Num('Id of the farm.'),
  poolId: Num('Pool id.'),
  reward: Type.Object({
    contract: Text('Contract of the reward.'),
    symbol: Text('Symbol.'),
    decimals: Num('Decimals.'),
    quantity: Num('Tokens of reward.'),
  }),
  rewardTokenId: Text('Token id of the reward.'),
  rewardPerDay: Num('Tokens a day.'),
  rewardPerDayUSD: Num('USD a day, of a trusted token.'),
  periodFinish: Num('Unix seconds.'),
  isFinished: Type.Boolean({ description: 'Whether it has ended.' }),
  daysRemain: Num('Days until it ends, rounded up.'),
  utilizationPct: Num('Staked share of the pool, percent.'),
  apr: Num('Yearly reward in percent of the staked value.'),
})

export const PoolItem = Type.Object({
  id: Num('Pool id.'),
  fee: Num('Hundredths of a basis point.'),
  tokenA: PoolToken,
  tokenB: PoolToken,
  price: Type.Object({
    aPerB: Num('A for one B.'),
    bPerA: Num('B for one A.'),
    change24h: Num('Percent, of B per A.'),
  }),
  liquidity: Type.Object({ tvl: Num('USD.') }),
  volume: Type.Object({ usd: Num('USD in the window.'), withoutUsd: WithoutUsd }),
  apr: Type.Object({
    periodDays: Num('Days of fees from which the yield is computed.'),
    fee: Num('Percent a year.'),
    farm: NumberOrNull('Percent a year of active farms; null unless farms are asked for and there are any.'),
    total: Num('Both.'),
  }),
  tx: Type.Optional(Type.Object({ swaps: Num('In the window.') })),
  incentives: Type.Optional(Type.Array(Incentive)),
})

const PairToken = Type.Object({
  id: Text('Token id.'),
  contract: Text('Contract.'),
  symbol: Type.Object({ name: Text('Symbol.'), precision: Num('Decimals.') }),
  str: Text('`SYMBOL@contract`.'),
})

export const PairItem = Type.Object({
  id: Num('Market id.'),
  base: PairToken,
  quote: PairToken,
  feePercent: Num('Fee in percent of a trade: 0.2 is 0.2 %.'),
  price: Type.Object({ last: Num('Quote per base.'), change24h: Num('Percent.') }),
  spread: NumberOrNull('Best ask minus best bid in percent of the last price; null if one of the three is missing.'),
  volume: Type.Object({ usd: Num('USD in the window.'), withoutUsd: WithoutUsd }),
  orders: Type.Object({
    bidDepthUsd: Num('USD of buy orders within 10 percent of the middle price.'),
    askDepthUsd: Num('The same of sell orders.'),
  }),
  tx: Type.Object({ matches: Num('In the window.') }),
})

const TokenMembers = {
  id: Text('Token id.'),
  symbol: Text('Symbol.'),
  contract: Text('Contract.'),
  decimals: Num('Decimals.'),
  name: Type.Union([Type.String(), Type.Null()], { description: 'Display name; null while none is known.' }),
  logo: Text('Address of the logo.'),
  price: Type.Object({ usd: Num('USD; 0 without a price.'), change24h: Num('Percent.') }),
  liquidity: Type.Object({
    tvl: Num('USD of the token in pools.'),
    locked: Type.Object({
      amount: Num('Tokens in locked positions.'),
      usd: Num('USD.'),
      positions: Num('Positions.'),
      share: Num('Percent of tvl.'),
      nextUnlockAt: NumberOrNull('Unix seconds; null without a locked position.'),
      lastUnlockAt: NumberOrNull('Unix seconds.'),
    }),
  }),
  volume: Type.Object({ swap: Num('USD.'), spot: Num('USD.'), total: Num('USD.'), withoutUsd: WithoutUsd }),
  pairs: Type.Object({ pools: Num('Pools.'), spots: Num('Order-book markets.') }),
  tx: Type.Object({ swap: Num('Swaps.'), spot: Num('Deals.'), total: Num('Both.') }),
  holders: Type.Object({
    count: Num('Accounts with a balance; 0 while they are not counted.'),
    change1h: NumberOrNull('Change in one hour.'),
    change6h: NumberOrNull('Change in six hours.'),
    change24h: NumberOrNull('Change in one day.'),
    truncated: Type.Boolean({ description: 'Whether there may be more.' }),
  }),
  createdAt: Text('First seen, ISO 8601.'),
  scores: Type.Object({ total: Num('0 to 100.'), details: Type.Optional(Type.Unknown()) }),
}
export const TokenItem = Type.Object(TokenMembers)
