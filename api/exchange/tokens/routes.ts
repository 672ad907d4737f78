// Endpoints of tokens.
import { Type } from 'typebox'
import type { ChainContext } from '../../chain-context.ts'
import { bodiesOf } from '../../http/bodies.ts'
import { failPlain } from '../../http/failures.ts'
import { isUnchangedSince, notModified } from '../../http/freshness.ts'
import type { Api } from '../../http/typed.ts'
import { poolsMark, tokenMark } from '../../market/marks.ts'
import { Flag, marketOf } from '../parameters.ts'
import { Token, TokenParams, TokenScore } from './schema.ts'
import { sortedTokens, tokenAnswer } from './token.ts'

const tags = ['Tokens']
const NOT_FOUND = 'Token with this ID is not found'

export function tokenRoutes(api: Api): void {
  api.get(
    '/api/v2/tokens',
    {
      schema: {
        tags,
        summary: 'All tokens, highest score first',
        querystring: Type.Object({ hide_scam: Flag('Leave out tokens on the scam lists.') }),
        response: { 200: Type.Array(Token) },
      },
    },
    async (request, reply) => {
      const state = marketOf(request.chain)
      const hide = request.query.hide_scam === true
      return bodiesOf(request.chain).send(request, reply, `tokens ${hide}`, poolsMark(state), () => {
        const tokens = sortedTokens(state).map((token) => tokenAnswer(state, token, listed(request.chain)))
        return JSON.stringify(hide ? tokens.filter((token) => !token.is_scam) : tokens)
      })
    },
  )

  api.get(
    '/api/v2/tokens/:tokenId',
    { schema: { tags, summary: 'A token', params: TokenParams, response: { 200: Token } } },
    async (request, reply) => {
      const state = marketOf(request.chain)
      const token = state.tokens.get(request.params.tokenId.toLowerCase())
      if (token === undefined) return failPlain(reply, 403, NOT_FOUND)
      if (isUnchangedSince(request, reply, tokenMark(state, token.id))) return notModified(reply)
      return tokenAnswer(state, token, listed(request.chain))
    },
  )

  api.get(
    '/api/v2/tokens/:tokenId/score',
    { schema: { tags, summary: 'The score of a token', params: TokenParams, response: { 200: TokenScore } } },
    ({ chain, params }) => ({ score: marketOf(chain).prices.scores.get(params.tokenId.toLowerCase()) ?? 0 }),
  )
}

/** Ids on the aggregator. */
function listed(_context: ChainContext): (token: string) => number | null {
  return () => null
}
