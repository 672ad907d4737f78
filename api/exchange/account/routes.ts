// Endpoints of an account's history. Pages use skip and limit, or a cursor: the Link header of a full page has the next
// one.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Api } from '../../http/typed.ts'
import { answerAt } from '../answer.ts'
import { LIMITS } from '../meta.ts'
import { Moment } from '../parameters.ts'
import { accountDeals, accountPositionEvents, accountSwaps, type History, type HistoryPage } from './history.ts'
import { AccountParams, Deal, PositionEvent, pageQuery, Swap } from './schema.ts'

const tags = ['Accounts']
const MAX_ROWS = LIMITS.poolSwapsMost

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
      return send(request, reply, await accountDeals(pool, chain, request.params.account, { market, ...times }, page))
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
      return send(request, reply, await accountPositionEvents(pool, chain, request.params.account, page))
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
      return send(request, reply, await accountSwaps(pool, chain, request.params.account, page))
    },
  )
}

interface PageValues {
  limit?: number
  skip?: number
  cursor?: string
}

/** The page that a query requests; limit 0 means the default. */
export function pageOf({ limit = 0, skip = 0, cursor }: PageValues, usual: number): HistoryPage {
  return { limit: limit === 0 ? usual : Math.min(limit, MAX_ROWS), skip, cursor }
}

/** Sends a page, with the address of the next page in its Link header. */
export function send<Item>(
  request: FastifyRequest,
  reply: FastifyReply,
  read: History<Item> | null,
): Item[] | FastifyReply {
  const history = answerAt(request, reply, read)
  if (history === null) return reply
  if (history.next !== null) reply.header('link', `<${nextPage(request.url, history.next)}>; rel="next"`)
  return history.items
}

/** The same request with the next page's cursor. */
function nextPage(url: string, cursor: string): string {
  const [path, query] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.delete('skip')
  parameters.set('cursor', cursor)
  return `${path}?${parameters}`
}
