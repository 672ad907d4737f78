// Endpoints of pools and their swaps.

import { Type } from 'typebox'
import { isUnchangedSince, notModified } from '../../http/freshness.ts'
import { sendBytes, sendJson } from '../../http/json-text.ts'
import type { Api } from '../../http/typed.ts'
import { cachedAnswer } from '../../kit/answer-cache.ts'
import { pageOf, sendHistory } from '../../kit/history.ts'
import { pageQuery, Swap } from '../../kit/history-schema.ts'
import { LIMITS } from '../../kit/limits.ts'
import { sendList } from '../../kit/list-answer.ts'
import { Moment, marketOf } from '../../kit/parameters.ts'
import { PoolParams, poolId } from '../../kit/pool-parameter.ts'
import { poolMark, poolsMark } from '../../live-market/marks.ts'
import { type PoolFilter, poolsList } from './list.ts'
import { poolJson } from './pool.ts'
import { Pool, PoolsQuery } from './schema.ts'
import { poolSwaps } from './swaps.ts'

const tags = ['AMM pools']

export function poolRoutes(api: Api): void {
  api.get(
    '/api/v2/swap/pools',
    {
      schema: {
        tags,
        summary: 'All pools, or those of a pair',
        querystring: PoolsQuery,
        response: { 200: Type.Array(Pool) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, poolsList(request.chain.chain, filterOf(request.query)), poolsMark),
  )

  api.get(
    '/api/v2/swap/pools/:poolId',
    {
      schema: {
        tags,
        summary: 'One pool: state, price, value and volumes; null for an unknown id',
        params: PoolParams,
        response: { 200: Type.Union([Pool, Type.Null()]) },
      },
    },
    async (request, reply) => {
      const { chain: context } = request
      const state = marketOf(context)
      const pool = state.pools.get(poolId(request.params.poolId))
      if (pool === undefined) return sendJson(reply, 'null')
      if (isUnchangedSince(request, reply, poolMark(state, pool))) return notModified(reply)
      return sendBytes(reply, poolJson(context.chain, state, pool))
    },
  )

  const SwapsQuery = Type.Object({
    from: Moment('Unix milliseconds, inclusive.'),
    to: Moment('Unix milliseconds, inclusive.'),
    sender: Type.Optional(Type.String({ description: 'Only swaps that this account paid for.' })),
    recipient: Type.Optional(Type.String({ description: 'Only swaps whose output this account received.' })),
    ...pageQuery(LIMITS.poolSwaps, LIMITS.poolSwapsMost),
  })
  api.get(
    '/api/v2/swap/pools/:poolId/swaps',
    {
      schema: {
        tags,
        summary: 'Swaps of a pool, newest first',
        params: PoolParams,
        querystring: SwapsQuery,
        response: { 200: Type.Array(Swap) },
      },
    },
    async (request, reply) => {
      const { chain, pool } = request.chain
      const { from, to, sender, recipient, ...query } = request.query
      // Swaps have whole milliseconds, and `to` is inclusive.
      const filter = { from, before: to === undefined ? undefined : Math.floor(to) + 1, sender, recipient }
      const page = pageOf(query, LIMITS.poolSwaps)
      const id = poolId(request.params.poolId)
      const since = () => marketOf(request.chain).pools.get(id)?.changed ?? null
      return cachedAnswer(request, reply, { since }, async () => {
        const answer = sendHistory(request, reply, await poolSwaps(pool, chain, id, filter, page))
        return Array.isArray(answer) ? answer : null
      })
    },
  )
}

function filterOf(query: { tokenA?: string; tokenB?: string; hide_scam?: boolean }): PoolFilter {
  const tokens = [query.tokenA, query.tokenB].flatMap((token) => (token === undefined ? [] : [token.toLowerCase()]))
  return { tokens: tokens.sort(), hideScam: query.hide_scam === true }
}
