// Transfers of a token, newest first.
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
import { AsOf, Text, TextOrNull } from '../value-schema.ts'
import { TokenParams } from './schema.ts'
import { TOKEN_TRANSFERS } from './sql.ts'
import { partsOf } from './token-id.ts'

const TransfersAnswer = Type.Object({
  block: AsOf,
  token: Text('Token id.'),
  facts: Facts,
  next: TextOrNull('`cursor` of the next page; null at the end.'),
})

export function tokenTransfersRoute(api: Api): void {
  const schema = {
    tags: ['Explorer'],
    summary: 'Transfers of a token, newest first',
    params: TokenParams,
    querystring: PageQuery,
    response: { 200: TransfersAnswer },
  }
  api.get('/api/v3/explore/token/:tokenId/transfers', { schema }, async (request, reply) => {
    const { chain: context, params, query } = request
    const { cursor, limit: wanted = 0 } = query
    const limit = wanted === 0 ? LIMITS.accountHistory : Math.min(wanted, LIMITS.poolSwapsMost)
    const token = params.tokenId.toLowerCase()
    const { contract, symbol } = partsOf(token)
    const values = [context.chain, contract, symbol, ...cursorParameters(cursor), limit]
    const statement = { name: 'explore-token-transfers', text: TOKEN_TRANSFERS, values }
    const page = answerAt(request, reply, await readPage<FactRow>(context.pool, statement, 'sequence'))
    if (page === null) return reply
    const last = page.rows.at(-1)
    if (last === undefined && cursor === undefined && !marketOf(context).tokens.has(token))
      throw new HttpError(404, `No pool and no market trades ${token}, and no transfer of it is indexed`)
    const isFull = last !== undefined && page.rows.length >= limit
    return { block: page.at.block, token, facts: page.rows.map(factJson), next: isFull ? cursorText(last) : null }
  })
}
