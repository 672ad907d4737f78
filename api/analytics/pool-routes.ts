// Endpoints of pools: the list, and one pool.
import { Type } from 'typebox'
import { HttpError } from '../http/failures.ts'
import type { Api } from '../http/typed.ts'
import { marketOf } from '../kit/parameters.ts'
import { poolsFound } from '../kit/search.ts'
import type { LivePool } from '../live-market/model.ts'
import { answerOfBlock, blocksOf, idOf, Json } from './answer.ts'
import { factsOf } from './facts.ts'
import type { IncentiveChoice } from './incentives.ts'
import { poolJson } from './item-json.ts'
import { PoolItem } from './item-schema.ts'
import { Include, Meta, metaOf, Search, Sort, Window, windowOf } from './meta.ts'
import { directionOf, ListQuery, PageAnswer, pageOf, sortOf } from './paging.ts'
import { POOL_SORTS } from './pool-item.ts'
import { rankedPools } from './ranked-lists.ts'
import { scamFilter } from './scam-filter.ts'

const tags = ['Analytics']
const path = '/api/v3/analytics/pools'

export function poolRoutes(api: Api): void {
  api.get(
    path,
    {
      schema: {
        tags,
        summary: 'Pools by volume, value or yield',
        querystring: Type.Object({
          sort: Sort('volume (the default), tvl or apr'),
          search: Search('Symbol, contract, token id or pool id; two words, or A/B, for a pair.'),
          account: Type.Optional(Type.String({ description: 'Only pools in which this account has a position.' })),
          include: Include,
          ...ListQuery,
        }),
        response: { 200: PageAnswer(PoolItem) },
      },
    },
    async (request, reply) =>
      answerOfBlock(request, reply, async () => {
        const { query, chain: context } = request
        const window = windowOf(query.window)
        const include = blocksOf(query.include)
        const incentives = include.has('incentives')
        const { facts, state } = await factsOf(context, { window, incentives, account: query.account })
        const options = { incentives: incentives ? ('active' as const) : undefined, tx: include.has('tx') }
        const sort = sortOf(POOL_SORTS, query.sort, 'volume')
        const all = rankedPools(context.market, state, facts, sort, window, directionOf(query.order), options)
        const isAllowed = scamFilter(state, query.hide_scam)
        const found = poolsFound(state, query.search ?? '')
        const { poolsOfAccount: own } = facts
        const selected =
          own === null || found === null ? (own ?? found) : new Set([...found].filter((pool) => own.has(pool)))
        const keep = isAllowed && (({ a, b }: LivePool) => isAllowed(a, b))
        const page = pageOf(all, query, selected, keep, (pool) => poolJson(state, facts, window, pool, options))
        return { at: state.at, answer: { meta: metaOf(context, window), ...page, items: Json.list(page.items) } }
      }),
  )

  api.get(
    `${path}/:poolId`,
    {
      schema: {
        tags,
        summary: 'One pool with value, volume and yield',
        params: Type.Object({ poolId: Type.String({ description: 'Pool id.' }) }),
        querystring: Type.Object({
          window: Window,
          include: Include,
          incentives: Type.Optional(
            Type.String({ description: 'With include=incentives: active (the default), finished or all.' }),
          ),
        }),
        response: { 200: Type.Object({ meta: Meta, pool: PoolItem }) },
      },
    },
    async (request, reply) =>
      answerOfBlock(request, reply, async () => {
        const { query, chain: context } = request
        const id = idOf(request.params.poolId, 'pool')
        if (!marketOf(context).pools.has(id)) throw new HttpError(404, 'Pool is not found')
        const window = windowOf(query.window)
        const wantsFarms = blocksOf(query.include).has('incentives')
        const { facts, state } = await factsOf(context, { window, incentives: wantsFarms })
        const pool = state.pools.get(id)
        if (pool === undefined) throw new HttpError(404, 'Pool is not found')
        const incentives = wantsFarms ? choiceOf(query.incentives) : undefined
        const json = poolJson(state, facts, window, pool, { incentives, tx: true })
        return { at: state.at, answer: { meta: metaOf(context, window), pool: json } }
      }),
  )
}

function choiceOf(text: string | undefined): IncentiveChoice {
  return text === 'finished' || text === 'all' ? text : 'active'
}
