// Endpoints of tokens: the list, and one token with its markets.
import { Type } from 'typebox'
import { HttpError } from '../http/failures.ts'
import type { Api } from '../http/typed.ts'
import { marketOf } from '../kit/parameters.ts'
import { scoreDetails } from '../kit/score.ts'
import { tokensFound } from '../kit/search.ts'
import type { TokenRef } from '../live-market/model.ts'
import { answerOfBlock } from './answer.ts'
import { PairItem, PoolItem, TokenItem } from './item-schema.ts'
import { Meta, metaOf, Search, Sort, Window, windowOf } from './meta.ts'
import { directionOf, ListQuery, PageAnswer, pageOf, sortOf } from './paging.ts'
import { rankedTokens } from './ranked-lists.ts'
import { scamFilter } from './scam-filter.ts'
import { tokenFacts } from './token-facts.ts'
import { TOKEN_SORTS, tokenItem } from './token-item.ts'
import { tokenMarkets } from './token-markets.ts'

const tags = ['Analytics']
const path = '/api/v3/analytics/tokens'

export function tokenRoutes(api: Api): void {
  api.get(
    path,
    {
      schema: {
        tags,
        summary: 'Tokens by score, volume, value, locked value, holders, age, trades or price',
        querystring: Type.Object({
          sort: Sort('score (the default), volume, tvl, locked, holders, age, tx or price'),
          search: Search('Symbol, contract or token id.'),
          ...ListQuery,
        }),
        response: { 200: PageAnswer(TokenItem) },
      },
    },
    async (request, reply) =>
      answerOfBlock(request, reply, async () => {
        const { query, chain: context } = request
        const window = windowOf(query.window)
        const { facts, state } = await tokenFacts(request, window)
        const sort = sortOf(TOKEN_SORTS, query.sort, 'score')
        const all = rankedTokens(context.market, state, facts, sort, window, directionOf(query.order))
        const isClean = scamFilter(state, query.hide_scam)
        const word = (query.search ?? '').trim().toLowerCase()
        const among = word === '' ? null : tokensFound(state, word)
        const keep = isClean && ((token: TokenRef) => isClean(token))
        const page = pageOf(all, query, among, keep, (token) => tokenItem(state, facts, window, token))
        return { at: state.at, answer: { meta: metaOf(context, window), ...page } }
      }),
  )

  api.get(
    `${path}/:tokenId`,
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
      answerOfBlock(request, reply, async () => {
        const { chain: context, query } = request
        const id = request.params.tokenId.toLowerCase()
        const window = windowOf(query.window)
        const details = await scoreDetails(context.pool, context.chain, marketOf(context), id)
        const { facts, state } = await tokenFacts(request, window)
        const token = state.tokens.get(id)
        if (token === undefined) throw new HttpError(404, 'Token is not found')
        const item = tokenItem(state, facts, window, token)
        const fundamental = facts.fundamentals.get(`${token.symbol}@${token.contract}`) ?? null
        const answer = {
          meta: metaOf(context, window),
          token: { ...item, scores: { ...item.scores, details }, fundamental },
          ...tokenMarkets(context.market, state, window, token, query.hide_scam),
        }
        return { at: state.at, answer }
      }),
  )
}
