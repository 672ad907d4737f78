// Endpoints of the order-book markets.

import { Type } from 'typebox'
import { bucketStart } from '../../../core/candles/resolution.ts'
import type { ChainContext } from '../../chain-context.ts'
import { HttpError } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import { answerAt } from '../../kit/answer.ts'
import { cachedAnswer } from '../../kit/answer-cache.ts'
import { Resolution, SpotCandle } from '../../kit/candles/schema.ts'
import { spotCandles } from '../../kit/candles/spot-candles.ts'
import { findBook } from '../../kit/find.ts'
import { LIMITS } from '../../kit/limits.ts'
import { sendList } from '../../kit/list-answer.ts'
import { orderBookLevels } from '../../kit/order-book.ts'
import { tickerId } from '../../kit/pair.ts'
import { Count, Flag, Moment, marketOf, siteOf, TradeQuery, tradeRange } from '../../kit/parameters.ts'
import { type SpotTrade, spotTrades } from '../../kit/trades/spot-trades.ts'
import { later } from '../../live-market/marks.ts'
import type { BlockMark, LiveBook, MarketState } from '../../live-market/model.ts'
import { chosenTickers, pairsList, tickerOf, tickersList } from './lists.ts'
import { LatestTrade, OrderBook, SpotPair, SpotTicker, TickerParams, Trade } from './schema.ts'

const tags = ['Spot markets']
/** Default number of trades in the older endpoint's list. */
const LATEST_TRADES = 300

/** Path of one market's endpoints. */
const MARKET = '/api/v2/tickers/:tickerId'

export function spotRoutes(api: Api): void {
  listRoutes(api)
  bookRoutes(api)
  tradeRoutes(api)
  chartRoute(api)
}

function bookRoutes(api: Api): void {
  api.get(
    MARKET,
    {
      schema: {
        tags,
        summary: 'One order-book market with prices and volumes',
        params: TickerParams,
        response: { 200: SpotTicker },
      },
    },
    (request) => {
      const state = marketOf(request.chain)
      return tickerOf(state, bookOf(state, request.params.tickerId), siteOf(request))
    },
  )

  const BookQuery = Type.Object({ depth: Count(`Levels of each side. Default ${LIMITS.orderBookDepth}; 0: all.`) })
  api.get(
    `${MARKET}/orderbook`,
    {
      schema: {
        tags,
        summary: 'The order book of a market',
        params: TickerParams,
        querystring: BookQuery,
        response: { 200: OrderBook },
      },
    },
    (request) => {
      const { depth = LIMITS.orderBookDepth } = request.query
      const state = marketOf(request.chain)
      const book = bookOf(state, request.params.tickerId)
      const levels = orderBookLevels(book, depth === 0 ? Number.POSITIVE_INFINITY : depth)
      return { ticker_id: tickerId(book.base, book.target), timestamp: state.at.time, ...levels }
    },
  )
}

function tradeRoutes(api: Api): void {
  api.get(
    `${MARKET}/historical_trades`,
    {
      schema: {
        tags,
        summary: 'Trades of a market, oldest first',
        params: TickerParams,
        querystring: Type.Object(TradeQuery),
        response: { 200: Type.Array(Trade) },
      },
    },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const book = bookOf(marketOf(request.chain), request.params.tickerId)
      return cachedAnswer(request, reply, { since: changedOf(request.chain, book.id) }, async () => {
        const page = answerAt(request, reply, await spotTrades(pool, chain, book.id, tradeRange(request.query)))
        return page === null ? null : page.rows.reverse().map(trade)
      })
    },
  )

  api.get(
    `${MARKET}/latest_trades`,
    {
      schema: {
        tags,
        summary: 'Trades of a market, newest first: an earlier form',
        params: TickerParams,
        querystring: Type.Object({
          limit: Count(
            `Maximum number of trades. Default ${LATEST_TRADES}, maximum ${LIMITS.tradesMost}; 0: the maximum.`,
          ),
        }),
        response: { 200: Type.Array(LatestTrade) },
      },
    },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const book = bookOf(marketOf(request.chain), request.params.tickerId)
      const range = tradeRange({ limit: request.query.limit ?? LATEST_TRADES })
      const page = answerAt(request, reply, await spotTrades(pool, chain, book.id, range))
      return page === null ? reply : page.rows.map((one) => ({ time: one.time, ...trade(one) }))
    },
  )
}

function chartRoute(api: Api): void {
  const ChartQuery = Type.Object({
    resolution: Resolution,
    from: Type.Number({ description: 'Unix milliseconds. The first candle is the one that contains it.' }),
    to: Moment('Unix milliseconds. The last candle is the one that contains it. Default: the block’s time.'),
    limit: Count(`Maximum number of candles; the newest are returned. Default and maximum ${LIMITS.candlesMost}.`),
  })
  api.get(
    `${MARKET}/charts`,
    {
      schema: {
        tags,
        summary: 'Candles of a market, oldest first',
        params: TickerParams,
        querystring: ChartQuery,
        response: { 200: Type.Array(SpotCandle) },
      },
    },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const book = bookOf(marketOf(request.chain), request.params.tickerId)
      const { id, target } = book
      const { limit = 0, ...range } = request.query
      const market = { marketId: id, targetDecimals: target.decimals }
      const most = limit === 0 ? LIMITS.candlesMost : Math.min(limit, LIMITS.candlesMost)
      const stretch = (time: number) => bucketStart(range.resolution, time)
      return cachedAnswer(request, reply, { since: changedOf(request.chain, id), stretch }, async () => {
        const candles = await spotCandles(pool, chain, market, { ...range, limit: most })
        return answerAt(request, reply, candles)?.json ?? null
      })
    },
  )
}

function listRoutes(api: Api): void {
  const PairQuery = Type.Object({
    base: Type.Optional(Type.String({ description: 'Only markets of this base token.' })),
    target: Type.Optional(Type.String({ description: 'Only markets of this target token.' })),
  })
  api.get(
    '/api/v2/pairs',
    {
      schema: { tags, summary: 'Order-book markets', querystring: PairQuery, response: { 200: Type.Array(SpotPair) } },
    },
    async (request, reply) => {
      const { base, target } = request.query
      const list = pairsList({ base: base?.toLowerCase(), target: target?.toLowerCase() })
      return sendList(request, reply, list, ({ changed }) => changed.books)
    },
  )

  const TickerQuery = Type.Object({
    hide_scam: Flag('Leave out markets of tokens on the scam lists.'),
    tickers: Type.Optional(
      Type.String({ description: 'Only these: ticker ids, separated by commas. An earlier form.' }),
    ),
  })
  api.get(
    '/api/v2/tickers',
    {
      schema: {
        tags,
        summary: 'Order-book markets with prices and volumes',
        querystring: TickerQuery,
        response: { 200: Type.Array(SpotTicker) },
      },
    },
    async (request, reply) => {
      const site = siteOf(request)
      const { hide_scam: hideScam = false, tickers } = request.query
      // Lists with a client's own selection are not cached.
      if (tickers !== undefined) return chosenTickers(marketOf(request.chain), tickers, hideScam, site)
      return sendList(request, reply, tickersList(hideScam, site), ({ changed }) =>
        later(changed.books, later(changed.pools, changed.everything)),
      )
    },
  )
}

/** Returns a function for the block of a market's last change. */
function changedOf(context: ChainContext, id: number): () => BlockMark | null {
  return () => marketOf(context).books.get(id)?.changed ?? null
}

/** @throws HttpError 404 for an unknown ticker */
function bookOf(state: MarketState, ticker: string): LiveBook {
  const book = findBook(state, ticker)
  if (book === null) throw new HttpError(404, `There is no market ${ticker}.`)
  return book
}

function trade({ id, side, price, baseVolume, targetVolume, time, trxId }: SpotTrade) {
  return {
    trade_id: id,
    price,
    base_volume: baseVolume,
    target_volume: targetVolume,
    trade_timestamp: Math.floor(time / 1000),
    type: side,
    trx_id: trxId,
  }
}
