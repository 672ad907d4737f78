// Endpoints of the aggregators' feed of AMM pools.

import { Type } from 'typebox'
import { HttpError } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import { answerAt } from '../../kit/answer.ts'
import { poolsOfTicker, splitTicker } from '../../kit/find.ts'
import { sendList } from '../../kit/list-answer.ts'
import { Flag, marketOf, siteOf, TradeQuery, tradeRange } from '../../kit/parameters.ts'
import { PairToken, TickerNames, TradeMembers } from '../../kit/ticker-schema.ts'
import { type PoolTrade, poolTrades } from '../../kit/trades/pool-trades.ts'
import { poolsMark } from '../../live-market/marks.ts'
import { pairsList, tickersList } from './lists.ts'

const tags = ['AMM feed']

const Text = Type.String()
const NumberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

const AmmPair = Type.Object({ ticker_id: Text, base: PairToken, target: PairToken, pool_id: Text })

const AmmTicker = Type.Object({
  ...TickerNames,
  last_price: Type.Number({ description: 'Target per base.' }),
  base_volume: Type.Number({ description: 'Base tokens in 24 hours.' }),
  target_volume: Type.Number({ description: 'Target tokens in 24 hours.' }),
  liquidity_in_usd: Type.Number({ description: 'Value of what the pool holds.' }),
  high: NumberOrNull('Highest price of 24 hours; null without a trade.'),
  low: NumberOrNull('Lowest price of 24 hours; null without a trade.'),
  volume_usd_24h: Type.Number({ description: 'USD in 24 hours.' }),
  fee_percent: Type.Number({ description: 'Fee of the pool, percent.' }),
  trade_url: Text,
})

const AmmTrade = Type.Object({
  ...TradeMembers,
  type: Type.String({ description: '`buy`: the base token left the pool; `sell`: it entered.' }),
  ticker_id: Text,
  pool_id: Text,
})

const ListQuery = Type.Object({
  min_liquidity_usd: Type.Optional(Type.Number({ description: 'Only pools that hold at least this much, USD.' })),
  hide_scam: Flag('Leave out pools of tokens on the scam lists.'),
})

const TradesQuery = Type.Object({ ticker_id: Type.String({ description: '`<token A>_<token B>`.' }), ...TradeQuery })

export function ammFeedRoutes(api: Api): void {
  api.get(
    '/api/v2/amm/pairs',
    { schema: { tags, summary: 'Active pools', querystring: ListQuery, response: { 200: Type.Array(AmmPair) } } },
    async (request, reply) => sendList(request, reply, pairsList(request.query), poolsMark),
  )

  api.get(
    '/api/v2/amm/tickers',
    {
      schema: {
        tags,
        summary: 'Active pools with prices and volumes, most valuable first',
        querystring: ListQuery,
        response: { 200: Type.Array(AmmTicker) },
      },
    },
    async (request, reply) => sendList(request, reply, tickersList(request.query, siteOf(request)), poolsMark),
  )

  api.get(
    '/api/v2/amm/historical_trades',
    {
      schema: {
        tags,
        summary: 'Swaps of all active pools of a ticker, oldest first',
        querystring: TradesQuery,
        response: { 200: Type.Array(AmmTrade) },
      },
    },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const { ticker_id: ticker, ...range } = request.query
      if (splitTicker(ticker) === null)
        throw new HttpError(400, 'Invalid ticker_id, expected <symbol>-<contract>_<symbol>-<contract>')
      const pools = poolsOfTicker(marketOf(request.chain), ticker).map(({ id }) => id)
      if (pools.length === 0) throw new HttpError(404, `No pool for ticker ${ticker}`)
      const page = answerAt(request, reply, await poolTrades(pool, chain, pools, tradeRange(range)))
      return page === null ? reply : page.rows.reverse().map((one) => trade(one, ticker.toLowerCase()))
    },
  )
}

function trade({ id, poolId, side, price, baseVolume, targetVolume, time, trxId }: PoolTrade, ticker: string) {
  return {
    trade_id: id,
    ticker_id: ticker,
    pool_id: poolId,
    price,
    base_volume: baseVolume,
    target_volume: targetVolume,
    trade_timestamp: Math.floor(time / 1000),
    type: side,
    trx_id: trxId,
  }
}
