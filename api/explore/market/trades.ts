// Trades of a pool and of an order-book market, as facts: exact amounts, and the accounts of both sides.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { HttpError } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import { answerAt } from '../../kit/answer.ts'
import { cursorParameters, cursorText } from '../../kit/cursor.ts'
import { LIMITS } from '../../kit/limits.ts'
import { marketOf } from '../../kit/parameters.ts'
import { PoolParams, poolId } from '../../kit/pool-parameter.ts'
import { readPage } from '../../kit/snapshot.ts'
import { type FactRow, factJson } from '../facts.ts'
import { Facts, PageQuery } from '../schema.ts'
import { AsOf, TextOrNull } from '../value-schema.ts'
import { MARKET_DEALS, POOL_SWAPS } from './sql.ts'

const MAX_ID = 2 ** 31 - 1

const next = TextOrNull('`cursor` of the next page; null at the end.')
const DealsAnswer = Type.Object({
  block: AsOf,
  market: Type.Integer({ description: 'Market id.' }),
  facts: Facts,
  next,
})
const SwapsAnswer = Type.Object({
  block: AsOf,
  pool: Type.Integer({ description: 'Pool id.' }),
  facts: Facts,
  next,
})

export function poolTradesRoute(api: Api): void {
  const schema = {
    tags: ['Explorer'],
    summary: 'Swaps of a pool with exact amounts, newest first',
    params: PoolParams,
    querystring: PageQuery,
    response: { 200: SwapsAnswer },
  }
  api.get('/api/v3/explore/pool/:poolId/trades', { schema }, async (request, reply) => {
    const id = poolId(request.params.poolId)
    if (!marketOf(request.chain).pools.has(id)) throw new HttpError(404, `There is no pool ${request.params.poolId}.`)
    const page = await readTrades(request, reply, { name: 'explore-pool-trades', text: POOL_SWAPS, id })
    return page === null ? reply : { block: page.block, pool: id, facts: page.facts, next: page.next }
  })
}

export function marketTradesRoute(api: Api): void {
  const schema = {
    tags: ['Explorer'],
    summary: 'Trades of an order-book market with both accounts, newest first',
    params: Type.Object({ marketId: Type.String({ description: 'Market id.' }) }),
    querystring: PageQuery,
    response: { 200: DealsAnswer },
  }
  api.get('/api/v3/explore/market/:marketId/trades', { schema }, async (request, reply) => {
    const market = marketId(request.params.marketId)
    if (!marketOf(request.chain).books.has(market))
      throw new HttpError(404, `There is no market ${request.params.marketId}.`)
    const page = await readTrades(request, reply, { name: 'explore-market-trades', text: MARKET_DEALS, id: market })
    return page === null ? reply : { block: page.block, market, facts: page.facts, next: page.next }
  })
}

/** @param id  of the pool or market @returns null when the client has the answer */
async function readTrades(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, text, id }: { name: string; text: string; id: number },
) {
  const { chain, pool } = request.chain
  const { cursor, limit: wanted = 0 } = request.query as { cursor?: string; limit?: number }
  const limit = wanted === 0 ? LIMITS.accountHistory : Math.min(wanted, LIMITS.poolSwapsMost)
  const values = [chain, id, ...cursorParameters(cursor), limit]
  const page = answerAt(request, reply, await readPage<FactRow>(pool, { name, text, values }, 'sequence'))
  if (page === null) return null
  const last = page.rows.at(-1)
  const isFull = last !== undefined && page.rows.length >= limit
  return { block: page.at.block, facts: page.rows.map(factJson), next: isFull ? cursorText(last) : null }
}

/** @throws HttpError 400 for a text that is no id */
function marketId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(id <= MAX_ID)) throw new HttpError(400, 'The market id must be a whole number')
  return id
}
