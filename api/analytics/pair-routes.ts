// Endpoints of order-book markets: the list, and one market.
import { Type } from 'typebox'
import { HttpError } from '../http/failures.ts'
import type { Api } from '../http/typed.ts'
import { answerOfBlock, idOf, Json } from './answer.ts'
import { factsOf } from './facts.ts'
import { pairJson } from './item-json.ts'
import { PairItem } from './item-schema.ts'
import { Meta, metaOf, Sort, Window, windowOf } from './meta.ts'
import { directionOf, ListQuery, PageAnswer, pageOf, sortOf } from './paging.ts'
import { PAIR_SORTS, rankedPairs } from './ranked-lists.ts'
import { scamFilter } from './scam-filter.ts'

const tags = ['Analytics']
const path = '/api/v3/analytics/spot-pairs'

export function pairRoutes(api: Api): void {
  api.get(
    path,
    {
      schema: {
        tags,
        summary: 'Order-book markets by volume or price',
        querystring: Type.Object({ sort: Sort('volume (the default) or price'), ...ListQuery }),
        response: { 200: PageAnswer(PairItem) },
      },
    },
    async (request, reply) =>
      answerOfBlock(request, reply, async () => {
        const { query, chain: context } = request
        const window = windowOf(query.window)
        const { facts, state } = await factsOf(context, { window })
        const sort = sortOf(PAIR_SORTS, query.sort, 'volume')
        const all = rankedPairs(context.market, state, facts, sort, window, directionOf(query.order))
        const isClean = scamFilter(state, query.hide_scam)
        const page = pageOf(all, query, null, isClean && (({ base, target }) => isClean(base, target)), (book) =>
          pairJson(state, window, book),
        )
        return { at: state.at, answer: { meta: metaOf(context, window), ...page, items: Json.list(page.items) } }
      }),
  )

  api.get(
    `${path}/:marketId`,
    {
      schema: {
        tags,
        summary: 'One order-book market with price, spread and depth',
        params: Type.Object({ marketId: Type.String({ description: 'Market id.' }) }),
        querystring: Type.Object({ window: Window }),
        response: { 200: Type.Object({ meta: Meta, market: PairItem }) },
      },
    },
    async (request, reply) =>
      answerOfBlock(request, reply, async () => {
        const { chain: context } = request
        const window = windowOf(request.query.window)
        const { state } = await factsOf(context, { window })
        const book = state.books.get(idOf(request.params.marketId, 'market'))
        if (book === undefined) throw new HttpError(404, 'Market is not found')
        return { at: state.at, answer: { meta: metaOf(context, window), market: pairJson(state, window, book) } }
      }),
  )
}
