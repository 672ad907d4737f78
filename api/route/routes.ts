// Endpoints of swap routes. Errors have the documented texts: plain text for v2, JSON for v3.
import type { FastifyReply } from 'fastify'
import { failPlain } from '../http/failures.ts'
import { isUnchangedSince, notModified } from '../http/freshness.ts'
import type { Api } from '../http/typed.ts'
import { marketOf } from '../kit/parameters.ts'
import { later } from '../live-market/marks.ts'
import { V2Query, V2Route, V3Query, V3Route } from './schema.ts'
import { findRoute } from './trade.ts'
import { v2Answer } from './v2-answer.ts'
import { readV2Request } from './v2-request.ts'
import { v3Answer } from './v3-answer.ts'
import { readV3Request } from './v3-request.ts'

const tags = ['Swap routes']
const NO_ROUTE = 'No trading route available. Try again in a few moments.'

type Query = Readonly<Record<string, string | undefined>>

export function swapRouteRoutes(api: Api): void {
  api.get(
    '/api/v2/swapRouter/getRoute',
    {
      // `readV2Request` reports errors of the query, in the documented order and texts.
      attachValidation: true,
      schema: {
        tags,
        summary: 'The best swap over pools, as memos of transfers',
        querystring: V2Query,
        response: { 200: V2Route },
      },
    },
    async (request, reply) => {
      const state = marketOf(request.chain)
      const { includePoolDetails, ...query } = request.query
      const wanted = readV2Request(query as Query, state.tokens, includePoolDetails === true)
      if (typeof wanted === 'string') return failPlain(reply, 403, wanted)
      if (isUnchangedSince(request, reply, state.changed.pools)) return notModified(reply)
      const route = findRoute(request.chain.router, wanted.trade)
      if (route === null) return failPlain(reply, 404, NO_ROUTE)
      return v2Answer(state, route, wanted)
    },
  )

  api.get(
    '/api/v3/swapRouter/getRoute',
    {
      attachValidation: true,
      schema: {
        tags,
        summary: 'The best swap over pools and order books, as transfers and actions',
        querystring: V3Query,
        response: { 200: V3Route },
      },
    },
    async (request, reply) => {
      const state = marketOf(request.chain)
      const wanted = readV3Request(request.query as Query, state.tokens)
      if (typeof wanted === 'string') return failJson(reply, 400, wanted)
      const { pools, books } = state.changed
      if (isUnchangedSince(request, reply, wanted.trade.books ? later(pools, books) : pools)) return notModified(reply)
      const route = findRoute(request.chain.router, wanted.trade)
      if (route === null) return failJson(reply, 404, 'No route')
      return v3Answer(state, request.chain.config.accounts, route, wanted)
    },
  )
}

function failJson(reply: FastifyReply, statusCode: number, error: string): FastifyReply {
  return reply.code(statusCode).type('application/json; charset=utf-8').send({ error })
}
