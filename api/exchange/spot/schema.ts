// Schemas of the endpoints of order-book markets.
import { Type } from 'typebox'
import { PairToken, TickerNames, TradeMembers } from '../../kit/ticker-schema.ts'

const Id = (description: string) => Type.String({ description })
const NumberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

export const SpotPair = Type.Object({ ticker_id: Id('`<base>_<target>`.'), base: PairToken, target: PairToken })

const { ticker_id, ...ids } = TickerNames

export const SpotTicker = Type.Object({
  ticker_id,
  market_id: Type.Number({ description: 'Market on the DEX contract.' }),
  ...ids,
  last_price: Type.Number({ description: 'Last trade: target per base.' }),
  change24: Type.Number({ description: 'Change in 24 hours, percent.' }),
  high24: Type.Number({ description: 'Highest trade of 24 hours; the last price when there was none.' }),
  low24: Type.Number({ description: 'Lowest trade of 24 hours; the last price when there was none.' }),
  high: NumberOrNull('The same; null for a market that has not traded.'),
  low: NumberOrNull('The same; null for a market that has not traded.'),
  bid: Type.Number({ description: 'Best buy order; 0 without one.' }),
  ask: Type.Number({ description: 'Best sell order; 0 without one.' }),
  base_volume: Type.Number({ description: 'Base tokens in 24 hours, AMM pools of the pair included.' }),
  target_volume: Type.Number({ description: 'Target tokens in 24 hours, AMM pools of the pair included.' }),
  volumeUSD24: Type.Number({ description: 'USD in 24 hours, AMM pools of the pair included.' }),
  volume90d: Type.Number({ description: 'Target tokens in 90 days, without AMM pools.' }),
  base_amm_liquidity: Type.Number({ description: 'Base tokens that AMM pools of the pair hold.' }),
  target_amm_liquidity: Type.Number({ description: 'Target tokens that AMM pools of the pair hold.' }),
  min_buy: Type.Number({ description: 'Smallest buy order, target tokens.' }),
  min_sell: Type.Number({ description: 'Smallest sell order, base tokens.' }),
  frozen: Type.Boolean({ description: 'Whether trading is frozen.' }),
  fee: Type.Number({ description: 'Hundredths of a percent.' }),
  trade_url: Id('Page of the market.'),
})

const Level = Type.Array(Type.String(), { description: 'Price, quantity in base.' })

export const OrderBook = Type.Object({
  ticker_id: Id('`<base>_<target>`.'),
  timestamp: Type.Number({ description: 'Time of the block, Unix milliseconds.' }),
  bids: Type.Array(Level, { description: 'Highest price first.' }),
  asks: Type.Array(Level, { description: 'Lowest price first.' }),
})

export const Trade = Type.Object(TradeMembers)
export const LatestTrade = Type.Object({ ...TradeMembers, time: Type.Number({ description: 'Unix milliseconds.' }) })

export const TickerParams = Type.Object({ tickerId: Id('`<base token id>_<target token id>`.') })
