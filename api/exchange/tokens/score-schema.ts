// Schema of a token's score.
import { Type } from 'typebox'

const Amount = (description: string) => Type.Number({ description })
const Known = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description} Null when unknown.` })
/** Present only for tokens with a score. */
const Maybe = Type.Optional

const Components = Type.Object(
  {
    traders: Amount('Of 25, for unique traders.'),
    volume: Amount('Of 20, for volume over TVL.'),
    liquidity: Amount('Of 15, for TVL.'),
    holders: Amount('Of 10, for accounts with a balance.'),
    activity: Amount('Of 10, for trades a day.'),
    stability: Amount('Of 10, for the price over its highest.'),
    age: Amount('Of 10, for days since the token was first seen.'),
  },
  { description: 'Points. What is unknown has 0, and does not count.' },
)

const Metrics = Type.Object(
  {
    uniqueTraders: Amount('Accounts that traded the token in 30 days.'),
    volumeUsd: Amount('USD traded in 30 days, at most a billion.'),
    tvlUsd: Amount('USD of the token that the exchange holds.'),
    turnover: Amount('Volume over TVL.'),
    holdersCount: Known('Accounts with a balance.'),
    tradesCount: Amount('Swaps and deals in 30 days.'),
    avgDailyTrades: Amount('The same for a day.'),
    currentPrice: Known('In the other token of the pool `stabilityPoolId`.'),
    rollingHigh30d: Known('Highest price of 30 days, in the same.'),
    drawdown30d: Known('Current price over highest price.'),
    stabilityPoolId: Known('Pool whose prices stand for the token.'),
    ageDays: Known('Whole days since the token was first seen.'),
  },
  { description: 'What the points are for.' },
)

export const TokenScore = Type.Object({
  score: Type.Number({ description: 'Total, 0 to 100. The only member of a token without a score.' }),
  version: Maybe(Type.String({ description: 'Version of the model.' })),
  window: Maybe(Type.String({ description: 'Window that is looked at.' })),
  components: Maybe(Components),
  capsApplied: Maybe(Type.Array(Type.String(), { description: 'Caps whose condition holds.' })),
  metrics: Maybe(Metrics),
  holders: Maybe(Known('Accounts with a balance.')),
  volumeUsd7d: Maybe(Amount('USD traded in 7 days.')),
  trades7d: Maybe(Amount('Swaps and deals in 7 days.')),
  uniqueTraders7d: Maybe(Amount('Accounts that traded in 7 days.')),
  uniqueTraders24h: Maybe(Amount('Accounts that traded in 24 hours.')),
  uniqueTradersPrev24h: Maybe(Amount('The same for the 24 hours before.')),
  uniqueTradersPrev7d: Maybe(Amount('The same for the 7 days before.')),
  uniqueTraderGrowth24h: Maybe(Amount('Traders of 24 hours over those of the 24 hours before, or over 1.')),
  uniqueTraderGrowth7d: Maybe(Amount('The same of 7 days.')),
  priceChange7dPct: Maybe(Known('Percent in 7 days, in the pool that represents the token.')),
  priceChange30dPct: Maybe(Known('Percent in 30 days.')),
  priceChange90dPct: Maybe(Known('Percent in 90 days.')),
  ageDays: Maybe(Known('Whole days since the token was first seen.')),
  firstSeenAt: Maybe(
    Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601; null when it was before the indexed history.' }),
  ),
  updatedAt: Maybe(Type.String({ description: 'Time of the block that the score is of, ISO 8601.' })),
})
