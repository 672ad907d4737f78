// Lists of the analytics: pools, order-book markets, tokens; and one of each.
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ChainContext } from '../chain-context.ts'
import { holdersAt } from '../exchange/holders/holders.ts'
import { keepAnswer } from '../exchange/kept-answers.ts'
import { marketOf } from '../exchange/parameters.ts'
import { worthOf } from '../exchange/worth.ts'
import { HttpError } from '../http/failures.ts'
import { mark } from '../http/freshness.ts'
import type { Api } from '../http/typed.ts'
import type { MarketState, TokenRef } from '../market/model.ts'
import { usdNumber } from '../market/rolling.ts'
import { type Facts, factsOf } from './facts.ts'
import type { IncentiveChoice } from './incentives.ts'
import { PairItem, PoolItem, TokenItem } from './item-schema.ts'
import { lockedByToken } from './locked.ts'
import { Meta, metaOf, Window, windowOf } from './meta.ts'
import { ListQuery, PageAnswer, pageOf } from './paging.ts'
import { lastPrice, pairItem } from './pair-item.ts'
import { findsPool, findsToken, poolApr, poolItem, poolTvl } from './pool-item.ts'
import { type TokenFacts, type TokenFigures, tokenFigures, tokenItem } from './token-item.ts'

const tags = ['Analytics']
const path = '/api/v3/analytics'
const Sort = (names: string) => Type.Optional(Type.String({ description: `${names}.` }))
const Search = (description: string) => Type.Optional(Type.String({ description }))
export const Include = Type.Optional(
  Type.String({ description: 'Further blocks, separated by commas: `incentives`, `tx`.' }),
)

export function listRoutes(api: Api): void {
  poolRoutes(api)
  pairRoutes(api)
  tokenRoutes(api)
}

function poolRoutes(api: Api): void {
  api.get(
    `${path}/pools`,
    {
      schema: {
        tags,
        summary: 'Pools by volume, value or yield',
        querystring: Type.Object({
          sort: Sort('volume (the default), tvl or apr'),
          search: Search('Symbol, contract, token id or pool id; two words, or A/B, for a pair.'),
          account: Type.Optional(Type.String({ description: 'Only pools in which it holds a position.' })),
          include: Include,
          ...ListQuery,
        }),
        response: { 200: PageAnswer(PoolItem) },
      },
    },
    async (request, reply) =>
      keepAnswer(
        request,
        reply,
        () => marketOf(request.chain).at,
        async () => {
          const { query } = request
          const window = windowOf(query.window)
          const include = blocksOf(query.include)
          const options = {
            incentives: include.has('incentives') ? ('active' as const) : undefined,
            tx: include.has('tx'),
          }
          const wanted = { window, incentives: include.has('incentives'), account: query.account }
          const { facts, state } = await factsOf(request.chain, wanted)
          mark(request, reply, state.at)
          const keep = scamFilter(state, query.hide_scam)
          const { poolsOfAccount: own } = facts
          const all = [...state.pools.values()].filter(
            (pool) => keep(pool.a, pool.b) && findsPool(pool, query.search ?? '') && (own === null || own.has(pool.id)),
          )
          const keys: Record<string, (pool: (typeof all)[number]) => number> = {
            volume: (pool) => usdNumber(facts.volume(pool).usd),
            tvl: (pool) => poolTvl(state, pool),
            apr: (pool) => poolApr(state, facts, pool, options).total,
          }
          const key = keyOf(keys, query.sort, 'volume')
          const page = pageOf(
            all,
            query,
            key,
            ({ id }) => id,
            (pool) => poolItem(state, facts, pool, options),
          )
          return bytes({ meta: metaOf(request.chain, window), ...page })
        },
      ),
  )

  api.get(
    `${path}/pools/:poolId`,
    {
      schema: {
        tags,
        summary: 'A pool',
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
      keepAnswer(
        request,
        reply,
        () => marketOf(request.chain).at,
        async () => {
          const window = windowOf(request.query.window)
          const wantsFarms = blocksOf(request.query.include).has('incentives')
          const { facts, state } = await factsOf(request.chain, { window, incentives: wantsFarms })
          mark(request, reply, state.at)
          const pool = state.pools.get(numberOf(request.params.poolId, 'pool'))
          if (pool === undefined) throw new HttpError(404, 'Pool is not found')
          const incentives = wantsFarms ? choiceOf(request.query.incentives) : undefined
          return bytes({
            meta: metaOf(request.chain, window),
            pool: poolItem(state, facts, pool, { incentives, tx: true }),
          })
        },
      ),
  )
}

function pairRoutes(api: Api): void {
  api.get(
    `${path}/spot-pairs`,
    {
      schema: {
        tags,
        summary: 'Order-book markets by volume or price',
        querystring: Type.Object({ sort: Sort('volume (the default) or price'), ...ListQuery }),
        response: { 200: PageAnswer(PairItem) },
      },
    },
    async (request, reply) =>
      keepAnswer(
        request,
        reply,
        () => marketOf(request.chain).at,
        async () => {
          const { query } = request
          const window = windowOf(query.window)
          const { facts, state } = await factsOf(request.chain, { window })
          mark(request, reply, state.at)
          const keep = scamFilter(state, query.hide_scam)
          const all = [...state.books.values()].filter(({ base, target }) => keep(base, target))
          const keys: Record<string, (book: (typeof all)[number]) => number> = {
            volume: (book) => usdNumber(facts.volume(book).usd),
            price: lastPrice,
          }
          const key = keyOf(keys, query.sort, 'volume')
          const page = pageOf(
            all,
            query,
            key,
            ({ id }) => id,
            (book) => pairItem(state, facts, book),
          )
          return bytes({ meta: metaOf(request.chain, window), ...page })
        },
      ),
  )

  api.get(
    `${path}/spot-pairs/:marketId`,
    {
      schema: {
        tags,
        summary: 'An order-book market',
        params: Type.Object({ marketId: Type.String({ description: 'Market id.' }) }),
        querystring: Type.Object({ window: Window }),
        response: { 200: Type.Object({ meta: Meta, market: PairItem }) },
      },
    },
    async (request, reply) =>
      keepAnswer(
        request,
        reply,
        () => marketOf(request.chain).at,
        async () => {
          const window = windowOf(request.query.window)
          const { facts, state } = await factsOf(request.chain, { window })
          mark(request, reply, state.at)
          const book = state.books.get(numberOf(request.params.marketId, 'market'))
          if (book === undefined) throw new HttpError(404, 'Market is not found')
          return bytes({ meta: metaOf(request.chain, window), market: pairItem(state, facts, book) })
        },
      ),
  )
}

const TOKEN_KEYS: Record<string, (figures: TokenFigures) => number> = {
  score: ({ score }) => score,
  volume: ({ swapVolume, spotVolume }) => swapVolume + spotVolume,
  tvl: ({ tvl }) => tvl,
  locked: ({ lockedUsd }) => lockedUsd,
  holders: ({ holders }) => holders,
  // The older a token is, the greater its age.
  age: ({ createdAt }) => -createdAt,
  tx: ({ swaps, deals }) => swaps + deals,
  price: ({ price }) => price,
}

function tokenRoutes(api: Api): void {
  api.get(
    `${path}/tokens`,
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
      keepAnswer(
        request,
        reply,
        () => marketOf(request.chain).at,
        async () => {
          const { query } = request
          const window = windowOf(query.window)
          const { facts, state } = await tokenFacts(request, window)
          mark(request, reply, state.at)
          const { isScam } = worthOf(state)
          const word = (query.search ?? '').trim().toLowerCase()
          const all = [...state.tokens.values()]
            .filter((token) => findsToken(token, word) && !(query.hide_scam === true && isScam(token.id)))
            .map((token) => tokenFigures(state, facts, token))
          const key = keyOf(TOKEN_KEYS, query.sort, 'score')
          const page = pageOf(
            all,
            query,
            key,
            ({ token }) => token.id,
            (one) => tokenItem(state, facts, one),
          )
          return bytes({ meta: metaOf(request.chain, window), ...page })
        },
      ),
  )
}

/** Everything that tokens are told by, of one block. */
export async function tokenFacts(
  request: FastifyRequest,
  window: ReturnType<typeof windowOf>,
): Promise<{ facts: TokenFacts; state: MarketState }> {
  const context: ChainContext = request.chain
  const holders = await holdersAt(context, marketOf(context).at.time)
  const { facts, state } = await factsOf(context, { window, locked: true })
  return { facts: withTokens(request, state, facts, holders), state }
}

function withTokens(
  { protocol, host, chain }: FastifyRequest,
  state: MarketState,
  facts: Facts,
  holders: TokenFacts['holders'],
): TokenFacts {
  return {
    ...facts,
    lockedByToken: lockedByToken(state, facts.locked),
    holders,
    origin: `${protocol}://${host}`,
    usdToken: chain.config.usdToken ?? null,
    fundamentals: chain.fundamentals ?? new Map(),
  }
}

/** Which blocks a request asks for beside the usual ones. */
export function blocksOf(include: string | undefined): Set<string> {
  return new Set((include ?? '').split(',').map((name) => name.trim()))
}

function choiceOf(text: string | undefined): IncentiveChoice {
  return text === 'finished' || text === 'all' ? text : 'active'
}

function scamFilter(state: MarketState, hide: boolean | undefined): (x: TokenRef, y: TokenRef) => boolean {
  const { isScam } = worthOf(state)
  return (x, y) => hide !== true || !(isScam(x.id) || isScam(y.id))
}

/** A sort that is none is the usual one. */
function keyOf<Item>(keys: Record<string, (item: Item) => number>, sort: string | undefined, usual: string) {
  const name = sort !== undefined && Object.hasOwn(keys, sort) ? sort : usual
  return keys[name] as (item: Item) => number
}

/** @throws HttpError 400 */
function numberOf(text: string, what: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new HttpError(400, `${what} id must be a number`)
  return Number(text)
}

export function bytes(answer: object): Buffer {
  return Buffer.from(JSON.stringify(answer))
}
