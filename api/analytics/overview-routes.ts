// The overview of the exchange.
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { HttpError } from '../http/failures.ts'
import type { Api } from '../http/typed.ts'
import { answerOfBlock, blocksOf, Json, jsonOf } from './answer.ts'
import { hoursOf, RESOLUTIONS, type Resolution, type WindowName } from './chart.ts'
import { chartJson } from './chart-json.ts'
import { ChartItems, Charts } from './chart-routes.ts'
import { ROLLING } from './facts.ts'
import { historyOf } from './hour-history.ts'
import { pairJson, poolJson } from './item-json.ts'
import { PairItem, PoolItem, TokenItem } from './item-schema.ts'
import { Include, Meta, metaOf, Window, windowOf } from './meta.ts'
import { rankedPairs, rankedPools, rankedTokens } from './ranked-lists.ts'
import { tokenFacts } from './token-facts.ts'
import { tokenItem } from './token-item.ts'
import { totalsOf } from './totals.ts'

const tags = ['Analytics']
const TOP = 10
/** Blocks come twice a second and reads take milliseconds, so a second attempt is rare. */
const ATTEMPTS = 6

/** Resolutions of the overview's charts: about thirty points, or days. */
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
      ...[
        'poolsTotal',
        'spotPairsTotal',
        'swapTxWithoutUsd',
        'spotTxWithoutUsd',
        'poolsWithoutUsd',
        'ordersWithoutUsd',
      ],
    ].map((name) => [name, Type.Number()]),
  ),
)

export function overviewRoutes(api: Api): void {
  api.get(
    '/api/v3/analytics/overview',
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
      answerOfBlock(request, reply, async () => {
        const { query, chain: context } = request
        const { market } = context
        const window = windowOf(query.window)
        const incentives = blocksOf(query.include).has('incentives')
        const { facts, history, state } = await ofOneBlock(request, window, incentives)
        const length = RESOLUTIONS[CHART_RESOLUTION[window]]
        const { series, items } = chartJson(history, state, window, length)
        const users = history.averageUsers(hoursOf(window, state.at.time, state.since))
        const options = { incentives: incentives ? ('active' as const) : undefined }
        const pools = rankedPools(market, state, facts, 'volume', window, 'desc', options).slice(0, TOP)
        const tokens = rankedTokens(market, state, facts, 'score', window, 'desc').slice(0, TOP)
        const pairs = rankedPairs(market, state, facts, 'volume', window, 'desc').slice(0, TOP)
        const answer = {
          meta: metaOf(context, window),
          stats: Object.assign(totalsOf(market).stats(state, ROLLING[window]), { dauAvg: users }),
          charts: jsonOf({ ...series, items }),
          topPools: Json.list(pools.map((pool) => poolJson(state, facts, window, pool, options))),
          topTokens: tokens.map((token) => tokenItem(state, facts, window, token)),
          topSpotPairs: Json.list(pairs.map((book) => pairJson(state, window, book))),
        }
        return { at: state.at, answer }
      }),
  )
}

/** @throws HttpError 503 when market and database never are at the same block */
async function ofOneBlock(request: FastifyRequest, window: WindowName, incentives: boolean) {
  for (let attempts = ATTEMPTS; attempts > 0; attempts--) {
    const { facts, at } = await tokenFacts(request, window, incentives)
    const { history, state } = await historyOf(request.chain)
    if (state.at.id === at.id) return { facts, history, state }
  }
  throw new HttpError(503, `${request.chain.chain}: data is being loaded. Try again in a moment.`)
}
