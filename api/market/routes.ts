// The market API: tokens, prices, pools and order books as of a block. Each answer names its block, so each block has
// new answers. Lists are assembled from cached texts of their items.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { bodiesOf } from '../http/bodies.ts'
import { fail } from '../http/failures.ts'
import { sendJson } from '../http/json-text.ts'
import type { Api } from '../http/typed.ts'
import { marketOf } from '../kit/parameters.ts'
import { listPieces } from '../lists/live-list.ts'
import type { MarketState } from '../live-market/model.ts'
import { findBook, findPool, findToken, MarketRequestError } from './find.ts'
import { BOOKS, POOLS, TOKENS } from './lists.ts'
import { bookText, bookWithOrdersText } from './order-book.ts'
import { poolText } from './pool.ts'
import { quoteRoutes } from './quote-routes.ts'
import {
  answers,
  MarketParams,
  OrderBookAnswer,
  OrderBooksAnswer,
  PoolAnswer,
  PoolParams,
  PoolsAnswer,
  TokenAnswer,
  TokenFilter,
  TokenParams,
  TokensAnswer,
} from './schema.ts'
import { listHead, tokenText } from './token.ts'

const TAGS = ['Market API']

export function marketApiRoutes(api: Api): void {
  api.register(async (scope) => {
    scope.setErrorHandler(answerMistake)
    const market = scope as unknown as Api
    tokenRoutes(market)
    quoteRoutes(market)
    poolRoutes(market)
    orderBookRoutes(market)
  })
}

/** Client errors have their text in `error`; other errors use the common format. */
function answerMistake(
  error: FastifyError | MarketRequestError,
  _request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  if (!(error instanceof MarketRequestError)) throw error
  return fail(reply, error.statusCode, error.message, { error: error.error })
}

function tokenRoutes(api: Api): void {
  const schema = { tags: TAGS, summary: 'All tokens with their prices', response: answers(TokensAnswer) }
  api.get('/api/v3/market/tokens', { schema }, async (request, reply) => {
    const state = marketOf(request.chain)
    const make = () => {
      const { systemToken, systemUsdPrice } = listHead(state)
      const head = `"systemToken":${JSON.stringify(systemToken)},"systemUsdPrice":${JSON.stringify(systemUsdPrice)},`
      return enclosed(state, `${head}"tokens":`, listPieces(request.chain.market, state, TOKENS))
    }
    return bodiesOf(request.chain).send(request, reply, TOKENS.key, state.at, make)
  })

  api.get(
    '/api/v3/market/tokens/:tokenId',
    { schema: { tags: TAGS, summary: 'A token with its price', params: TokenParams, response: answers(TokenAnswer) } },
    async (request, reply) => {
      const state = marketOf(request.chain)
      const token = findToken(state, request.params.tokenId)
      return sendJson(reply, `{"block":${state.at.block},"token":${tokenText(state, token)}}`)
    },
  )
}

function poolRoutes(api: Api): void {
  const schema = {
    tags: TAGS,
    summary: 'AMM pools as of the last block',
    querystring: TokenFilter,
    response: answers(PoolsAnswer),
  }
  api.get('/api/v3/market/pools', { schema }, async (request, reply) => {
    const state = marketOf(request.chain)
    const wanted = request.query.token === undefined ? null : findToken(state, request.query.token).id
    if (wanted !== null)
      return sendJson(
        reply,
        listText(state, 'pools', state.poolsOf.get(wanted), (pool) => poolText(state, pool)),
      )
    const make = () => enclosed(state, '"pools":', listPieces(request.chain.market, state, POOLS))
    return bodiesOf(request.chain).send(request, reply, POOLS.key, state.at, make)
  })

  api.get(
    '/api/v3/market/pools/:poolId',
    { schema: { tags: TAGS, summary: 'An AMM pool', params: PoolParams, response: answers(PoolAnswer) } },
    async (request, reply) => {
      const state = marketOf(request.chain)
      const pool = findPool(state, request.params.poolId)
      return sendJson(reply, `{"block":${state.at.block},"pool":${poolText(state, pool)}}`)
    },
  )
}

function orderBookRoutes(api: Api): void {
  const summary = 'Order-book markets without their orders'
  const schema = { tags: TAGS, summary, querystring: TokenFilter, response: answers(OrderBooksAnswer) }
  api.get('/api/v3/market/orderbooks', { schema }, async (request, reply) => {
    const state = marketOf(request.chain)
    const wanted = request.query.token === undefined ? null : findToken(state, request.query.token).id
    if (wanted !== null) return sendJson(reply, listText(state, 'orderbooks', state.booksOf.get(wanted), bookText))
    const make = () => enclosed(state, '"orderbooks":', listPieces(request.chain.market, state, BOOKS))
    return bodiesOf(request.chain).send(request, reply, BOOKS.key, state.at, make)
  })

  api.get(
    '/api/v3/market/orderbooks/:marketId',
    {
      schema: {
        tags: TAGS,
        summary: 'An order-book market with its best orders',
        params: MarketParams,
        response: answers(OrderBookAnswer),
      },
    },
    async (request, reply) => {
      const state = marketOf(request.chain)
      const book = findBook(state, request.params.marketId)
      return sendJson(reply, `{"block":${state.at.block},"orderbook":${bookWithOrdersText(book)}}`)
    },
  )
}

/** An answer whose last member is a list. */
function enclosed({ at }: MarketState, members: string, list: readonly Buffer[]): Buffer[] {
  return [Buffer.from(`{"block":${at.block},${members}`), ...list, Buffer.from('}')]
}

/** JSON of some items, sorted by id. */
function listText<T extends { id: number }>(
  { at }: MarketState,
  name: string,
  items: Iterable<T> | undefined,
  textOf: (item: T) => string,
): string {
  const sorted = [...(items ?? [])].sort((x, y) => x.id - y.id)
  return `{"block":${at.block},"${name}":[${sorted.map(textOf)}]}`
}
