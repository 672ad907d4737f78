// The exchange at a glance, and one token with all that trades it.
import { Type } from 'typebox'
import { keepAnswer } from '../exchange/kept-answers.ts'
import { marketOf } from '../exchange/parameters.ts'
import { SCORE_DETAILS } from '../exchange/tokens/sql.ts'
import { HttpError } from '../http/failures.ts'
import { mark } from '../http/freshness.ts'
import type { Api } from '../http/typed.ts'
import type { MarketState } from '../market/model.ts'
import { usdNumber } from '../market/rolling.ts'
import { chartPoints, chartSeries, firstBucket, RESOLUTIONS, type Resolution, type WindowName } from './chart.ts'
import { ChartItems, Charts } from './chart-routes.ts'
import type { Facts } from './facts.ts'
import { factsOf } from './facts.ts'
import { readBuckets, readPeriod } from './hours.ts'
import { PairItem, PoolItem, TokenItem } from './item-schema.ts'
import { blocksOf, bytes, Include, tokenFacts } from './list-routes.ts'
import { Meta, metaOf, Window, windowOf } from './meta.ts'
import { pairItem } from './pair-item.ts'
import { poolItem, poolTvl } from './pool-item.ts'
import { exchangeStats } from './stats.ts'
import { tokenFigures, tokenItem } from './token-item.ts'

const tags = ['Analytics']
const path = '/api/v3/analytics'
const TOP = 10

/** Buckets of the overview's charts: about thirty points, or days. */
const CHART_RESOLUTION: Record<WindowName, Resolution> = {
  '24h': '1h',
  '7d': '4h',
  '30d': '1d',
  '90d': '1d',
  all: '1d',
}

const Stats = Type.Object(
  Object.fromEntries(
    [
      ...['tvl', 'volume', 'fees', 'swapVolume', 'spotVolume', 'swapFees', 'spotFees', 'swapTx', 'spotTx', 'dauAvg'],
      ...['poolsTotal', 'spotPairsTotal'],
    ].map((name) => [name, Type.Number()]),
  ),
)

export function overviewRoutes(api: Api): void {
  api.get(
    `${path}/overview`,
    {
      schema: {
        tags,
        summary: 'The exchange at a glance',
        querystring: Type.Object({ window: Window, include: Include }),
        response: {
          200: Type.Object({
            meta: Meta,
            stats: Stats,
            charts: Type.Intersect([Charts, Type.Object({ items: ChartItems })]),
            topPools: Type.Array(PoolItem),
            topTokens: Type.Array(TokenItem),
            topSpotPairs: Type.Array(PairItem),
          }),
        },
      },
    },
    async (request, reply) =>
      keepAnswer(
        request,
        reply,
        () => marketOf(request.chain).at,
        async () => {
          const window = windowOf(request.query.window)
          const incentives = blocksOf(request.query.include).has('incentives')
          const { chain, pool: database } = request.chain
          const { at, since } = marketOf(request.chain)
          const length = RESOLUTIONS[CHART_RESOLUTION[window]]
          const range = { from: firstBucket(window, length, at.time, since), before: at.time + 1 }
          const buckets = (await readBuckets(database, chain, range, length))?.rows ?? []
          const users = (await readPeriod(database, chain, range))?.rows[0]?.users ?? 0
          const tokens = await tokenFacts(request, window)
          const { facts, state } = await factsOf(request.chain, { window, incentives })
          mark(request, reply, state.at)
          const items = chartPoints(buckets, range.from, length, at.time)
          const options = { incentives: incentives ? ('active' as const) : undefined }
          const figures = [...state.tokens.values()].map((token) => tokenFigures(state, tokens.facts, token))
          return bytes({
            meta: metaOf(request.chain, window),
            stats: { ...exchangeStats(state, facts), dauAvg: users },
            charts: { ...chartSeries(items), items },
            topPools: top(
              state.pools.values(),
              (pool) => usdNumber(facts.volume(pool).usd),
              ({ id }) => id,
            ).map((pool) => poolItem(state, facts, pool, options)),
            topTokens: top(
              figures,
              ({ score }) => score,
              ({ token }) => token.id,
            ).map((one) => tokenItem(state, tokens.facts, one)),
            topSpotPairs: top(
              state.books.values(),
              (book) => usdNumber(facts.volume(book).usd),
              ({ id }) => id,
            ).map((book) => pairItem(state, facts, book)),
          })
        },
      ),
  )

  api.get(
    `${path}/tokens/:tokenId`,
    {
      schema: {
        tags,
        summary: 'A token with its pools and order-book markets',
        params: Type.Object({ tokenId: Type.String({ description: 'Token id.' }) }),
        querystring: Type.Object({
          window: Window,
          hide_scam: Type.Optional(Type.Boolean({ description: 'Leave out scams.' })),
        }),
        response: {
          200: Type.Object({
            meta: Meta,
            token: Type.Intersect([TokenItem, Type.Object({ fundamental: Type.Unknown() })]),
            pools: Type.Array(PoolItem),
            spotPairs: Type.Array(PairItem),
          }),
        },
      },
    },
    async (request, reply) =>
      keepAnswer(
        request,
        reply,
        () => marketOf(request.chain).at,
        async () => {
          const window = windowOf(request.query.window)
          const { chain, pool: database } = request.chain
          const { facts, state } = await tokenFacts(request, window)
          mark(request, reply, state.at)
          const token = state.tokens.get(request.params.tokenId.toLowerCase())
          if (token === undefined) throw new HttpError(404, 'Token is not found')
          const values = [chain, token.id, new Date(state.at.time)]
          const item = tokenItem(state, facts, tokenFigures(state, facts, token))
          const markets = marketsOf(state, facts, token.id, request.query.hide_scam === true)
          const { rows } = await database.query({ name: 'score-details', text: SCORE_DETAILS, values })
          const fundamental = facts.fundamentals.get(`${token.symbol}@${token.contract}`) ?? null
          const details = rows[0]?.details ?? { score: item.scores.total }
          return bytes({
            meta: metaOf(request.chain, window),
            token: { ...item, scores: { ...item.scores, details }, fundamental },
            ...markets,
          })
        },
      ),
  )
}

/** Pools and order-book markets of a token, those with most value and volume first. */
function marketsOf(state: MarketState, facts: Facts, token: string, hideScam: boolean) {
  const isClean = (...ids: string[]) => !hideScam || ids.every((id) => !state.prices.quote(id).isScam)
  const pools = [...(state.poolsOf.get(token) ?? [])].filter(({ a, b }) => isClean(a.id, b.id))
  const books = [...(state.booksOf.get(token) ?? [])].filter(({ base, target }) => isClean(base.id, target.id))
  return {
    pools: pools
      .sort((x, y) => poolTvl(state, y) - poolTvl(state, x) || x.id - y.id)
      .map((pool) => poolItem(state, facts, pool, { tx: true })),
    spotPairs: books
      .sort((x, y) => usdNumber(facts.volume(y).usd) - usdNumber(facts.volume(x).usd) || x.id - y.id)
      .map((book) => pairItem(state, facts, book)),
  }
}

/** The first items by a key, greatest first. */
function top<Item>(items: Iterable<Item>, key: (item: Item) => number, tie: (item: Item) => number | string): Item[] {
  return [...items]
    .map((item) => ({ item, key: key(item), tie: tie(item) }))
    .sort((x, y) => y.key - x.key || (x.tie < y.tie ? -1 : 1))
    .slice(0, TOP)
    .map(({ item }) => item)
}
