// Endpoints of an account's history. Pages use skip and limit, or a cursor: the Link header of a full page has the next
// one.
import { Type } from 'typebox'
import type { Api } from '../../http/typed.ts'
import { MAX_ROWS, pageOf, sendHistory } from '../../kit/history.ts'
import { AccountParams, pageQuery, Swap } from '../../kit/history-schema.ts'
import { LIMITS } from '../../kit/limits.ts'
import { Moment } from '../../kit/parameters.ts'
import { accountDeals, accountPositionEvents, accountSwaps } from './history.ts'
import { Deal, PositionEvent } from './schema.ts'

const tags = ['Accounts']

export function accountRoutes(api: Api): void {
  const path = '/api/v2/account/:account'
  const DealQuery = Type.Object({
    market: Type.Optional(
      Type.Integer({ description: 'Only this market.', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    ),
    from: Moment('Unix seconds, inclusive; only together with `to`.'),
    to: Moment('Unix seconds, inclusive; only together with `from`.'),
    ...pageQuery(LIMITS.accountDeals, MAX_ROWS),
  })
  const HistoryQuery = Type.Object(pageQuery(LIMITS.accountHistory, MAX_ROWS))

  api.get(
    `${path}/deals`,
    {
      schema: {
        tags,
        summary: 'Order-book trades of an account, newest first',
        params: AccountParams,
        querystring: DealQuery,
        response: { 200: Type.Array(Deal) },
      },
    },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const { market, from, to, ...query } = request.query
      const times =
        from === undefined || to === undefined ? {} : { from: from * 1000, before: (Math.floor(to) + 1) * 1000 }
      const page = pageOf(query, LIMITS.accountDeals)
      return sendHistory(
        request,
        reply,
        await accountDeals(pool, chain, request.params.account, { market, ...times }, page),
      )
    },
  )

  api.get(
    `${path}/positions-history`,
    {
      schema: {
        tags,
        summary: 'What happened to positions of an account, newest first',
        params: AccountParams,
        querystring: HistoryQuery,
        response: { 200: Type.Array(PositionEvent) },
      },
    },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const page = pageOf(request.query, LIMITS.accountHistory)
      return sendHistory(request, reply, await accountPositionEvents(pool, chain, request.params.account, page))
    },
  )

  api.get(
    `${path}/swap-history`,
    {
      schema: {
        tags,
        summary: 'Swaps that an account sent or received, newest first',
        params: AccountParams,
        querystring: HistoryQuery,
        response: { 200: Type.Array(Swap) },
      },
    },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const page = pageOf(request.query, LIMITS.accountHistory)
      return sendHistory(request, reply, await accountSwaps(pool, chain, request.params.account, page))
    },
  )
}
