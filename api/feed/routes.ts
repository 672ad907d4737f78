// The endpoints of the cross-chain feed. They cover all chains, so every host of the server gives the same answers.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { bodyOf, sendBody } from '../http/body-cache.ts'
import { busy, HttpError } from '../http/failures.ts'
import { sendJson } from '../http/json-text.ts'
import { lenientQuery } from '../http/query.ts'
import type { Api } from '../http/typed.ts'
import { tradeRange } from '../kit/parameters.ts'
import type { BlockMark, LiveBook } from '../live-market/model.ts'
import { feedPair, feedTicker, MarketTexts, mergedPair, mergedTicker, type SiteOf } from './answers.ts'
import { FEED_PATH, type Feed } from './feed.ts'
import { assetsBySymbol, layoutTrade, summaryRow, tickersByPair } from './layouts.ts'
import type { FeedMarket } from './market.ts'
import type { MergedMarket, MergedPart } from './merge.ts'
import { type BookDetail, feedLevelsJson } from './order-book.ts'
import * as schema from './schema.ts'
import type { FeedSnapshot } from './snapshot.ts'
import { statusAnswer } from './status.ts'
import { asTheyAre, type FeedTrade, feedTrades } from './trades.ts'

const tags = ['Cross-chain feed']
/** Maximum time that proxies may cache a list, within its minute. */
const KEEP_SECONDS = 30
/** Indexed by `level` of the aggregator's layout, minus 1. */
const DETAILS = ['best', 'prices', 'orders'] as const
const OLD = 'public, max-age=5'

/** Makes the JSON of a list. */
type Lists = (snapshot: FeedSnapshot, siteOf: SiteOf, site: string) => string

export function feedRoutes(api: Api, feed: Feed): void {
  api.addHook('onRoute', lenientQuery)
  api.addHook('onRequest', (request, reply, done) => {
    const { host } = request.headers
    if (!feed.answersAt(host))
      return void reply.code(404).send({ error: 'Unknown network', hosts: feed.knownHosts(host) })
    if (feed.current() === null) return void busy(reply, 'Data is being loaded. Try again in a moment.')
    done()
  })
  listRoutes(api, feed)
  plainRoutes(api, feed)
  mergedRoutes(api, feed)
  layoutRoutes(api, feed)
  watchRoutes(api, feed)
}

/** Routes of the lists of the minute. The bytes of each are made once. */
function listRoutes(api: Api, feed: Feed): void {
  const [pairs, tickers] = [new MarketTexts(feedPair), new MarketTexts(feedTicker)]
  const lists = [
    [
      'pairs',
      'Markets of all chains',
      Type.Array(schema.FeedPair),
      ({ markets }, siteOf, site) => pairs.list(markets, site, siteOf),
    ],
    [
      'tickers',
      'Markets of all chains with prices and volumes, most liquid first',
      Type.Array(schema.FeedTicker),
      ({ markets }, siteOf, site) => tickers.list(markets, site, siteOf),
    ],
    [
      'cmc/pairs',
      'Pairs of assets',
      Type.Array(schema.FeedPair),
      ({ merged }) => JSON.stringify(merged.map(mergedPair)),
    ],
    [
      'cmc/tickers',
      'Pairs of assets with prices and volumes, most liquid first',
      Type.Array(schema.MergedTicker),
      ({ merged }, siteOf) => JSON.stringify(merged.map((market) => mergedTicker(market, siteOf))),
    ],
    [
      'cmc/summary',
      'Pairs of assets, in the aggregator’s own layout',
      Type.Array(schema.SummaryRow),
      ({ merged }) => JSON.stringify(merged.map(summaryRow)),
    ],
    ['cmc/assets', 'Assets by symbol', schema.AssetsAnswer, ({ merged }) => JSON.stringify(assetsBySymbol(merged))],
    [
      'cmc/ticker',
      'Pairs of assets by name',
      schema.LayoutTickers,
      ({ merged }) => JSON.stringify(tickersByPair(merged)),
    ],
  ] as const satisfies readonly (readonly [string, string, object, Lists])[]
  for (const [name, summary, answer, list] of lists)
    api.get(
      `${FEED_PATH}/${name}`,
      { schema: { tags, summary, response: { 200: answer as TSchema } } },
      async (request, reply) => {
        const snapshot = fresh(feed, reply)
        reply.header('cache-control', cacheControl(feed)).header('vary', 'accept-encoding, host')
        const site = `${request.protocol} ${request.host}`
        const make = () => [Buffer.from((list as Lists)(snapshot, sitesFor(feed, request), site))]
        return feed.bodies.send(request, reply, `${name} ${site}`, snapshot.mark, make)
      },
    )
}

function plainRoutes(api: Api, feed: Feed): void {
  api.get(
    `${FEED_PATH}/orderbook`,
    {
      schema: {
        tags,
        summary: 'The order book of a ticker',
        querystring: schema.OrderBookQuery,
        response: { 200: schema.FeedOrderBook },
      },
    },
    async (request, reply) => {
      const { ticker_id: ticker, depth = 0 } = request.query
      const markets = marketsOf(fresh(feed, reply), ticker)
      const market = markets.find(({ type }) => type === 'orderbook')
      if (market === undefined) throw noBook(ticker)
      const { book, at } = liveBook(market)
      reply.header('cache-control', OLD)
      const names = JSON.stringify({ ticker_id: market.tickerId, pool_id: market.poolId, timestamp: at.time })
      return sendJson(reply, `${names.slice(0, -1)}${feedLevelsJson(book, depth)}}`)
    },
  )
  api.get(
    `${FEED_PATH}/historical_trades`,
    {
      schema: {
        tags,
        summary: 'Trades of a ticker, oldest first',
        querystring: schema.TradesQuery,
        response: { 200: Type.Array(schema.FeedTradeAnswer) },
      },
    },
    async (request, reply) => {
      const { ticker_id: ticker, ...range } = request.query
      const markets = marketsOf(fresh(feed, reply), ticker)
      const { tickerId } = markets[0] as FeedMarket
      return sendTrades(feed, request, reply, asTheyAre(markets), tickerId, range, tradeAnswer)
    },
  )
}

function mergedRoutes(api: Api, feed: Feed): void {
  api.get(
    `${FEED_PATH}/cmc/orderbook`,
    {
      schema: {
        tags,
        summary: 'The most liquid order book of a pair of assets',
        querystring: schema.OrderBookQuery,
        response: { 200: schema.FeedOrderBook },
      },
    },
    async (request, reply) => {
      const { ticker_id: ticker, depth = 0 } = request.query
      const merged = mergedOf(fresh(feed, reply), ticker)
      reply.header('cache-control', OLD)
      const { poolId, timestamp, levels } = mergedBook(merged, depth)
      const names = JSON.stringify({ ticker_id: merged.tickerId, pool_id: poolId, timestamp })
      return sendJson(reply, `${names.slice(0, -1)}${levels}}`)
    },
  )
  api.get(
    `${FEED_PATH}/cmc/historical_trades`,
    {
      schema: {
        tags,
        summary: 'Trades of a pair of assets, oldest first',
        querystring: schema.TradesQuery,
        response: { 200: Type.Array(schema.FeedTradeAnswer) },
      },
    },
    async (request, reply) => {
      const { ticker_id: ticker, ...range } = request.query
      const { parts, tickerId } = mergedOf(fresh(feed, reply), ticker)
      return sendTrades(feed, request, reply, parts, tickerId, range, tradeAnswer)
    },
  )
}

function layoutRoutes(api: Api, feed: Feed): void {
  api.get(
    `${FEED_PATH}/cmc/orderbook/:pair`,
    {
      schema: {
        tags,
        summary: 'The order book of a pair, in the aggregator’s own layout',
        params: schema.PairParams,
        querystring: schema.LayoutBookQuery,
        response: { 200: schema.LayoutOrderBook },
      },
    },
    async (request, reply) => {
      const merged = mergedOf(fresh(feed, reply), request.params.pair)
      reply.header('cache-control', OLD)
      const { depth = 0, level = 2 } = request.query
      const { timestamp, levels } = mergedBook(merged, depth, DETAILS[level - 1])
      return sendJson(reply, `{"timestamp":${timestamp}${levels}}`)
    },
  )
  api.get(
    `${FEED_PATH}/cmc/trades/:pair`,
    {
      schema: {
        tags,
        summary: 'Trades of a pair, in the aggregator’s own layout',
        params: schema.PairParams,
        querystring: schema.LayoutTradesQuery,
        response: { 200: Type.Array(schema.LayoutTrade) },
      },
    },
    async (request, reply) => {
      const { parts, tickerId } = mergedOf(fresh(feed, reply), request.params.pair)
      return sendTrades(feed, request, reply, parts, tickerId, request.query, layoutTrade)
    },
  )
}

function watchRoutes(api: Api, feed: Feed): void {
  api.get(
    `${FEED_PATH}/status`,
    { schema: { tags, summary: 'How old the feed is, and what is in it', response: { 200: schema.StatusAnswer } } },
    (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return statusAnswer(feed, fresh(feed, reply))
    },
  )
  api.get(
    `${FEED_PATH}/check`,
    { schema: { tags, summary: 'Every rule that a market breaks', response: { 200: schema.CheckAnswer } } },
    (_request, reply) => {
      const { refreshedAt, markets, merged, violations } = fresh(feed, reply)
      reply.header('cache-control', 'no-store')
      return {
        refreshedAt: new Date(refreshedAt).toISOString(),
        checked: markets.length + merged.length,
        violations,
      }
    },
  )
}

/** The feed of this minute; sets its time in the reply's headers. Requests reach this only when there is a feed. */
function fresh(feed: Feed, reply: FastifyReply): FeedSnapshot {
  const snapshot = feed.current() as FeedSnapshot
  reply.header('x-feed-refreshed-at', new Date(snapshot.refreshedAt).toISOString())
  return snapshot
}

function cacheControl(feed: Feed): string {
  return `public, max-age=${Math.min(KEEP_SECONDS, feed.secondsLeft)}, stale-while-revalidate=60`
}

function sitesFor(feed: Feed, { protocol, host }: FastifyRequest): SiteOf {
  return ({ context }) => feed.siteOf(context, protocol, host)
}

/** @throws HttpError 404 */
function marketsOf({ byTicker }: FeedSnapshot, ticker: string): FeedMarket[] {
  const found = byTicker.get(ticker.toLowerCase())
  if (found === undefined) throw new HttpError(404, `the feed has no ticker ${ticker}`)
  return found
}

/** @throws HttpError 404 */
function mergedOf({ byMergedTicker }: FeedSnapshot, ticker: string): MergedMarket {
  const found = byMergedTicker.get(ticker.toUpperCase())
  if (found === undefined) throw new HttpError(404, `the feed has no pair ${ticker}`)
  return found
}

function noBook(ticker: string): HttpError {
  return new HttpError(400, `${ticker} is traded in pools only: it has no order book`)
}

function mergedBook({ tickerId, book }: MergedMarket, depth: number, detail?: BookDetail) {
  if (book === null) throw noBook(tickerId)
  const { book: live, at } = liveBook(book.market)
  const levels = feedLevelsJson(live, depth, book.isReversed, detail)
  return { poolId: book.market.poolId, timestamp: at.time, levels }
}

/** The book as of the chain's last block. It may have been closed since the feed was made. @throws HttpError 404 */
function liveBook({ context, id, tickerId }: FeedMarket): { book: LiveBook; at: BlockMark } {
  const { state } = context.market
  const book = state?.books.get(id)
  if (!state || book === undefined) throw new HttpError(404, `the order book of ${tickerId} is no longer there`)
  return { book, at: state.at }
}

/** Sends trades as bytes, cached until one of their markets changes. */
async function sendTrades(
  feed: Feed,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: readonly MergedPart[],
  tickerId: string,
  range: Parameters<typeof tradeRange>[0],
  answer: (trade: FeedTrade) => object,
): Promise<FastifyReply> {
  reply.header('cache-control', OLD).header('vary', 'accept-encoding, host')
  const version = versionOf(parts)
  const isRecent = feed.tradesAsked.note(request.url)
  const known = feed.trades.get(request.url, version)
  if (known !== null) return sendBody(request, reply, known)
  const trades = await feedTrades(parts, tickerId, tradeRange(range), (context) => feed.recentOf(context))
  const bytes = Buffer.from(JSON.stringify(trades.map(answer)))
  // A change during the read may be in the answer, and a fork may undo it: such an answer is not cached.
  const stays = isRecent && versionOf(parts) === version
  return sendBody(request, reply, stays ? feed.trades.set(request.url, version, [bytes]) : bodyOf(version, [bytes]))
}

/** The markets and the blocks of their last changes: two versions may list different markets. */
function versionOf(parts: readonly MergedPart[]): string {
  const changed = parts.map(({ market: { type, id, poolId, context } }) => {
    const { state } = context.market
    const series = type === 'amm' ? state?.pools.get(id) : state?.books.get(id)
    return `${poolId} ${series?.changed.id ?? state?.at.id ?? ''}`
  })
  return changed.join(' ')
}

function tradeAnswer(trade: FeedTrade) {
  return {
    trade_id: trade.id,
    ticker_id: trade.tickerId,
    pool_id: trade.poolId,
    price: trade.price,
    base_volume: trade.baseVolume,
    target_volume: trade.targetVolume,
    trade_timestamp: Math.floor(trade.time / 1000),
    type: trade.side,
    trx_id: trade.trxId,
  }
}
