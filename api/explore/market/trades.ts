// Trades of an order-book market with the accounts of both sides.
import { Type } from 'typebox'
import { HttpError } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import { answerAt } from '../../kit/answer.ts'
import { cursorParameters, cursorText } from '../../kit/cursor.ts'
import { LIMITS } from '../../kit/limits.ts'
import { marketOf } from '../../kit/parameters.ts'
import { readPage } from '../../kit/snapshot.ts'
import { type FactRow, factJson } from '../facts.ts'
import { Facts, PageQuery } from '../schema.ts'
import { AsOf, TextOrNull } from '../value-schema.ts'
import { MARKET_DEALS } from './sql.ts'

const MAX_ID = 2 ** 31 - 1

const DealsAnswer = Type.Object({
  block: AsOf,
  market: Type.Integer({ description: 'Market id.' }),
  facts: Facts,
  next: TextOrNull('`cursor` of the next page; null at the end.'),
})

export function marketTradesRoute(api: Api): void {
  const schema = {
    tags: ['Explorer'],
    summary: 'Trades of an order-book market with both accounts, newest first',
    params: Type.Object({ marketId: Type.String({ description: 'Market id.' }) }),
    querystring: PageQuery,
    response: { 200: DealsAnswer },
  }
  api.get('/api/v3/explore/market/:marketId/trades', { schema }, async (request, reply) => {
    const { chain: context, params, query } = request
    const market = marketId(params.marketId)
    if (!marketOf(context).books.has(market)) throw new HttpError(404, `There is no market ${params.marketId}.`)
    const { cursor, limit: wanted = 0 } = query
    const limit = wanted === 0 ? LIMITS.accountHistory : Math.min(wanted, LIMITS.poolSwapsMost)
    const values = [context.chain, market, ...cursorParameters(cursor), limit]
    const statement = { name: 'explore-market-trades', text: MARKET_DEALS, values }
    const page = answerAt(request, reply, await readPage<FactRow>(context.pool, statement, 'sequence'))
    if (page === null) return reply
    const last = page.rows.at(-1)
    const isFull = last !== undefined && page.rows.length >= limit
    return { block: page.at.block, market, facts: page.rows.map(factJson), next: isFull ? cursorText(last) : null }
  })
}

/** @throws HttpError 400 for a text that is no id */
function marketId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(id <= MAX_ID)) throw new HttpError(400, 'The market id must be a whole number')
  return id
}
