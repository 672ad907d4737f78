// The feed of AMM pools for aggregators.
import { Type } from 'typebox'
import { bodiesOf } from '../../http/bodies.ts'
import { HttpError } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import { poolMark, poolsMark } from '../../market/marks.ts'
import type { LivePool, MarketState } from '../../market/model.ts'
import { answerAt } from '../answer.ts'
import { poolsOfTicker, splitTicker } from '../find.ts'
import { Kept } from '../kept.ts'
import { Flag, marketOf, siteOf, TradeQuery, tradeRange } from '../parameters.ts'
import { PairToken, TickerNames, TradeMembers } from '../spot/schema.ts'
import { worthOf } from '../worth.ts'
import { ammPair, ammTicker } from './ticker.ts'
import { type PoolTrade, poolTrades } from './trades.ts'

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
    async (request, reply) => {
      const state = marketOf(request.chain)
      const key = `amm/pairs ${JSON.stringify(request.query)}`
      return bodiesOf(request.chain).send(request, reply, key, poolsMark(state), () =>
        listOf(listed(state, request.query), (pool) =>
          pairTexts.of(pool, pool.changed, '', () => JSON.stringify(ammPair(pool))),
        ),
      )
    },
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
    async (request, reply) => {
      const state = marketOf(request.chain)
      const site = siteOf(request)
      const key = `amm/tickers ${site} ${JSON.stringify(request.query)}`
      return bodiesOf(request.chain).send(request, reply, key, poolsMark(state), () => {
        const worth = worthOf(state)
        const pools = mostFirst(listed(state, request.query), worth.poolUsd)
        return listOf(pools, ([pool, usd]) =>
          tickerTexts.of(pool, poolMark(state, pool), site, () => JSON.stringify(ammTicker(pool, usd, worth, site))),
        )
      })
    },
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

/** Texts of the two lists. A pool object belongs to one chain. */
const pairTexts = new Kept<LivePool, string>()
const tickerTexts = new Kept<LivePool, string>()

function listOf<Item>(items: readonly Item[], text: (item: Item) => string): string {
  return `[${items.map(text).join(',')}]`
}

/** Active pools that a query wants, by their ids. */
function listed(state: MarketState, query: { min_liquidity_usd?: number; hide_scam?: boolean }): LivePool[] {
  const { min_liquidity_usd: least = 0, hide_scam: hideScam = false } = query
  const { isScam, poolUsd } = worthOf(state)
  const pools = [...state.pools.values()].filter((pool) => {
    if (!pool.active || (hideScam && (isScam(pool.a.id) || isScam(pool.b.id)))) return false
    return least <= 0 || poolUsd(pool) >= least
  })
  return pools.sort((x, y) => x.id - y.id)
}

/** Pools with their values, those that hold most first; of equals the first stays so. */
function mostFirst(pools: readonly LivePool[], usd: (pool: LivePool) => number): [LivePool, number][] {
  return pools.map((pool): [LivePool, number] => [pool, usd(pool)]).sort(([, x], [, y]) => y - x)
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
