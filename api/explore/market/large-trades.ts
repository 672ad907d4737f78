// Large trades of all pools and markets.
import { Type } from 'typebox'
import { HttpError } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import { answerAt } from '../../kit/answer.ts'
import { CURSOR_FORM, cursorParameters, cursorText } from '../../kit/cursor.ts'
import { LIMITS } from '../../kit/limits.ts'
import { Count } from '../../kit/parameters.ts'
import { readPage } from '../../kit/snapshot.ts'
import { type FactRow, factJson } from '../facts.ts'
import { Facts } from '../schema.ts'
import { AsOf, TextOrNull } from '../value-schema.ts'
import { LARGE, largeTrades } from './sql.ts'

const tags = ['Explorer']
const next = TextOrNull('`cursor` of the next page; null at the end.')

const TradesAnswer = Type.Object({ block: AsOf, facts: Facts, next })

export function largeTradesRoute(api: Api): void {
  const [least] = LARGE
  const querystring = Type.Object({
    usd: Type.Optional(
      Type.Integer({
        description: `Minimum value in USD at the time of the trade: ${LARGE.join(', ')}. Default ${least}.`,
      }),
    ),
    cursor: Type.Optional(Type.String({ description: '`next` of the previous page.', ...CURSOR_FORM })),
    limit: Count(`Maximum number of trades. Default ${LIMITS.accountHistory}, maximum ${LIMITS.poolSwapsMost}.`),
  })
  const schema = {
    tags,
    summary: 'Large swaps and deals of all pools and markets, newest first',
    querystring,
    response: { 200: TradesAnswer },
  }
  api.get('/api/v3/explore/large-trades', { schema }, async (request, reply) => {
    const { chain, pool } = request.chain
    const { usd: wanted = least, cursor, limit: size = 0 } = request.query
    const usd = LARGE.find((one) => one === wanted)
    if (usd === undefined) throw new HttpError(400, `usd must be one of ${LARGE.join(', ')}`)
    const limit = size === 0 ? LIMITS.accountHistory : Math.min(size, LIMITS.poolSwapsMost)
    const values = [chain, ...cursorParameters(cursor), limit]
    const statement = { name: `explore-large-${usd}`, text: largeTrades(usd), values }
    const page = answerAt(request, reply, await readPage<FactRow>(pool, statement, 'sequence'))
    if (page === null) return reply
    const last = page.rows.at(-1)
    const isFull = last !== undefined && page.rows.length >= limit
    return { block: page.at.block, facts: page.rows.map(factJson), next: isFull ? cursorText(last) : null }
  })
}
