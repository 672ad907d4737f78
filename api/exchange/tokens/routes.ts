// Endpoints of tokens.

import { Type } from 'typebox'
import { failPlain, HttpError } from '../../http/failures.ts'
import { isUnchangedSince, notModified } from '../../http/freshness.ts'
import { sendJson } from '../../http/json-text.ts'
import type { Api } from '../../http/typed.ts'
import { sendList } from '../../kit/list-answer.ts'
import { IMAGE_HEADERS } from '../../kit/own-logo.ts'
import { Flag, marketOf } from '../../kit/parameters.ts'
import { scoreDetails } from '../../kit/score.ts'
import { tokenMark, tokensMark } from '../../live-market/marks.ts'
import { findLogo } from './logo.ts'
import { Token, TokenParams } from './schema.ts'
import { TokenScore } from './score-schema.ts'
import { tokenAnswer, tokensList } from './token.ts'

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
    async (request, reply) => sendList(request, reply, tokensList(request.query.hide_scam === true), tokensMark),
  )

  api.get(
    '/api/v2/tokens/:tokenId',
    { schema: { tags, summary: 'One token: price, score and trust', params: TokenParams, response: { 200: Token } } },
    async (request, reply) => {
      const state = marketOf(request.chain)
      const token = state.tokens.get(request.params.tokenId.toLowerCase())
      if (token === undefined) return failPlain(reply, 403, NOT_FOUND)
      if (isUnchangedSince(request, reply, tokenMark(state, token.id))) return notModified(reply)
      return tokenAnswer(state, token)
    },
  )

  api.get(
    '/api/v2/tokens/:tokenId/score',
    { schema: { tags, summary: 'The score of a token', params: TokenParams, response: { 200: TokenScore } } },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const token = request.params.tokenId.toLowerCase()
      request.taggedByContent = true
      return sendJson(reply, JSON.stringify(await scoreDetails(pool, chain, marketOf(request.chain), token)))
    },
  )

  api.get(
    '/api/v2/tokens/:tokenId/logo',
    { schema: { tags, summary: 'The logo of a token: an image, or where it is', params: TokenParams } },
    async (request, reply) => {
      const { chain, pool, logoDir: directory, logoLists: lists } = request.chain
      const token = marketOf(request.chain).tokens.get(request.params.tokenId.toLowerCase())
      const logo = token === undefined ? null : await findLogo({ pool, chain, directory, lists }, token)
      if (logo === null) throw new HttpError(404, 'Icon not found')
      // The answer does not depend on the block: files and lists change at any time.
      reply.removeHeader('etag').header('cache-control', IMAGE_HEADERS['cache-control'])
      if (logo.kind === 'address') return reply.redirect(logo.address, 302)
      return reply.headers(IMAGE_HEADERS).type(logo.type).send(logo.image)
    },
  )
}
