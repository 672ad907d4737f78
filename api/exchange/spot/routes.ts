// Endpoints of the order-book markets.
import { Type } from 'typebox'
import type { ChainContext } from '../../chain-context.ts'
import { bodiesOf } from '../../http/bodies.ts'
import { HttpError } from '../../http/failures.ts'
import { sendJson } from '../../http/json-text.ts'
import type { Api } from '../../http/typed.ts'
import { latest } from '../../market/marks.ts'
import type { BlockMark, LiveBook, MarketState } from '../../market/model.ts'
import { answerAt } from '../answer.ts'
import { Resolution, SpotCandle } from '../candles/schema.ts'
import { streamSpotCandles } from '../candles/spot-candles.ts'
import { spotCandlesJson } from '../candles/text.ts'
import { findBook, poolsOfPair } from '../find.ts'
import { Kept } from '../kept.ts'
import { keepAnswer } from '../kept-answers.ts'
import { LIMITS } from '../meta.ts'
import { Count, Flag, Moment, marketOf, siteOf, TradeQuery, tradeRange } from '../parameters.ts'
import { worthOf } from '../worth.ts'
import { orderBookLevels } from './order-book.ts'
import { spotPair, tickerId } from './pair.ts'
import { LatestTrade, OrderBook, SpotPair, SpotTicker, TickerParams, Trade } from './schema.ts'
import { spotTicker } from './ticker.ts'
import { type SpotTrade, spotTrades } from './trades.ts'

const tags = ['Spot markets']
/** Trades of the earlier list unless asked otherwise. */
const LATEST_TRADES = 300

export function spotRoutes(api: Api): void {
  listRoutes(api)
  const path = '/api/v2/tickers/:tickerId'

  api.get(
    path,
    { schema: { tags, summary: 'A market', params: TickerParams, response: { 200: SpotTicker } } },
    async (request, reply) => {
      const state = marketOf(request.chain)
      return sendJson(reply, tickerText(state, bookOf(state, request.params.tickerId), siteOf(request)))
    },
  )

  const BookQuery = Type.Object({ depth: Count(`Levels a side, ${LIMITS.orderBookDepth} unless given; 0: all.`) })
  api.get(
    `${path}/orderbook`,
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

  api.get(
    `${path}/historical_trades`,
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
      return keepAnswer(request, reply, changedOf(request.chain, book.id), async () => {
        const page = answerAt(request, reply, await spotTrades(pool, chain, book.id, tradeRange(request.query)))
        return page === null ? null : page.rows.reverse().map(trade)
      })
    },
  )

  api.get(
    `${path}/latest_trades`,
    {
      schema: {
        tags,
        summary: 'Trades of a market, newest first: an earlier form',
        params: TickerParams,
        querystring: Type.Object({
          limit: Count(`${LATEST_TRADES} unless given, at most ${LIMITS.tradesMost}; 0 means the most.`),
        }),
        response: { 200: Type.Array(LatestTrade) },
      },
    },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const book = bookOf(marketOf(request.chain), request.params.tickerId)
      const range = tradeRange({ limit: request.query.limit ?? LATEST_TRADES })
      const page = answerAt(request, reply, await spotTrades(pool, chain, book.id, range))
      return page === null ? reply : page.rows.map((one) => ({ ...trade(one), time: one.time }))
    },
  )

  const ChartQuery = Type.Object({
    resolution: Resolution,
    from: Type.Number({ description: 'Unix milliseconds: the candle that holds it is the first.' }),
    to: Moment('Unix milliseconds: the candle that holds it is the last. The block’s time unless given.'),
    limit: Count(`Newest candles of the range: ${LIMITS.candlesMost} unless given, and at most.`),
  })
  api.get(
    `${path}/charts`,
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
      return keepAnswer(request, reply, changedOf(request.chain, id), async () => {
        const candles = await streamSpotCandles(pool, chain, market, { ...range, limit: most })
        const answer = answerAt(request, reply, candles)
        return answer && spotCandlesJson(answer.candles)
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
    (request) => {
      const base = request.query.base?.toLowerCase()
      const target = request.query.target?.toLowerCase()
      return books(marketOf(request.chain))
        .filter((book) => (base ?? book.base.id) === book.base.id && (target ?? book.target.id) === book.target.id)
        .map(spotPair)
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
      const state = marketOf(request.chain)
      const site = siteOf(request)
      const key = `tickers ${site} ${request.query.hide_scam === true}`
      const { changed } = state
      const mark = latest(changed.books, changed.pools, changed.everything)
      const make = () => {
        const texts = listed(state, request.query).map((book) => tickerText(state, book, site))
        return `[${texts.join(',')}]`
      }
      // Lists that one client chooses are not worth keeping.
      if (request.query.tickers !== undefined) return sendJson(reply, make())
      return bodiesOf(request.chain).send(request, reply, key, mark, make)
    },
  )
}

/** Markets by their ids. */
function books(state: MarketState): LiveBook[] {
  return [...state.books.values()].sort((x, y) => x.id - y.id)
}

/** Markets that a query of tickers wants. */
function listed(state: MarketState, query: { hide_scam?: boolean; tickers?: string }): LiveBook[] {
  const { hide_scam: hideScam = false, tickers } = query
  const { isScam } = worthOf(state)
  const wanted = tickers === undefined ? null : new Set(tickers.toLowerCase().split(','))
  return books(state).filter(({ base, target }) => {
    if (wanted !== null && !wanted.has(tickerId(base, target))) return false
    return !hideScam || !(isScam(base.id) || isScam(target.id))
  })
}

/** A market object belongs to one chain. */
const tickerTexts = new Kept<LiveBook, string>()

function tickerText(state: MarketState, book: LiveBook, site: string): string {
  const pools = poolsOfPair(state, book.base.id, book.target.id)
  const mark = latest(book.changed, ...pools.map(({ changed }) => changed))
  const variant = `${site} ${pools.map(({ id }) => id)}`
  return tickerTexts.of(book, mark, variant, () => JSON.stringify(spotTicker(book, pools, worthOf(state), site)))
}

/** Tells the block of the last change of a market. */
function changedOf(context: ChainContext, id: number): () => BlockMark | null {
  return () => marketOf(context).books.get(id)?.changed ?? null
}

/** @throws HttpError 404 for a ticker that is not there */
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
