// Positions of a pool, page by page, in an order that the price does not change.
import { Type } from 'typebox'
import { HttpError } from '../../http/failures.ts'
import { mark } from '../../http/freshness.ts'
import type { Api } from '../../http/typed.ts'
import { EXPECT_CURSOR } from '../../kit/forms.ts'
import { LIMITS } from '../../kit/limits.ts'
import { Count, marketOf } from '../../kit/parameters.ts'
import { PoolParams, poolId } from '../../kit/pool-parameter.ts'
import { type MarkRow, markOf, type Queryable, type Statement } from '../../kit/snapshot.ts'
import { readTogether } from '../../live-market/together.ts'
import { type PositionRow, positionJson, valued } from '../position.ts'
import { AsOf, Position, TextOrNull } from '../value-schema.ts'
import { POOL_POSITIONS } from './sql.ts'

type Order = keyof typeof POOL_POSITIONS

const PositionsAnswer = Type.Object({
  block: AsOf,
  pool: Type.Integer({ description: 'Pool id.' }),
  positions: Type.Array(Position, { description: 'Positions with liquidity, in the order of the request.' }),
  complete: Type.Boolean({
    description:
      'Whether all positions are known. False when the indexed history begins in the middle of the chain without its full state: positions that have not changed since are missing.',
  }),
  next: TextOrNull('`cursor` of the next page; null at the end.'),
})

const Query = Type.Object({
  order: Type.Optional(
    Type.Enum(['liquidity', 'id'], {
      description:
        '`liquidity`, which is the default: the most liquidity first. A position moves only when its own liquidity changes; then it can be on two pages, or on none. `id`: the oldest first. No position moves, so pages together have each one once.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      description: '`next` of the previous page, of the same order.',
      pattern: '^(id|liquidity-[0-9]{1,20})-[0-9]{1,19}$',
      expect: EXPECT_CURSOR,
    }),
  ),
  limit: Count(`Maximum number of positions. Default ${LIMITS.accountHistory}, maximum ${LIMITS.tradesMost}.`),
})

export function positionsRoute(api: Api): void {
  const schema = {
    tags: ['Explorer'],
    summary: 'Positions of a pool, the most liquidity first',
    params: PoolParams,
    querystring: Query,
    response: { 200: PositionsAnswer },
  }
  api.get('/api/v3/explore/pool/:poolId/positions', { schema }, async (request, reply) => {
    const { chain: context } = request
    const { order = 'liquidity', cursor, limit: wanted = 0 } = request.query
    const limit = wanted === 0 ? LIMITS.accountHistory : Math.min(wanted, LIMITS.tradesMost)
    const id = poolId(request.params.poolId)
    if (!marketOf(context).pools.has(id)) throw new HttpError(404, `There is no pool ${request.params.poolId}.`)
    const statement = {
      name: `explore-positions-${order}`,
      text: POOL_POSITIONS[order],
      values: [context.chain, id, limit + 1, ...placeOf(order, cursor)],
    }
    const { read, state } = await readTogether(context, () => readPositions(context.pool, statement))
    const rows = read.rows.slice(0, limit)
    const last = rows.at(-1)
    mark(request, reply, state.at)
    request.taggedByContent = true
    return {
      block: state.at.block,
      pool: id,
      positions: rows.flatMap((row) => valued(state, row) ?? []).map((one) => positionJson(state, one)),
      complete: read.isWhole,
      next: last === undefined || read.rows.length <= limit ? null : cursorOf(order, last),
    }
  })
}

/** @returns null when the chain is not indexed */
async function readPositions(database: Queryable, statement: Statement) {
  const { rows } = await database.query<PositionRow & MarkRow & { isWhole: boolean }>(statement)
  const [first] = rows
  if (first === undefined) return null
  return { at: markOf(first), isWhole: first.isWhole, rows: rows.filter(({ id }) => id !== null) }
}

function cursorOf(order: Order, { id, liquidity }: PositionRow): string {
  return order === 'id' ? `id-${id}` : `liquidity-${liquidity}-${id}`
}

const MAX_ID = 2n ** 63n - 1n
/** Above every liquidity, which has 64 bits. */
const ALL = '100000000000000000000'

/** @returns parameters of the statement from $4 on @throws HttpError 400 for a cursor of another order */
function placeOf(order: Order, cursor: string | undefined): string[] {
  if (cursor === undefined) return order === 'id' ? ['-1'] : [`${MAX_ID}`, ALL]
  const [of, ...parts] = cursor.split('-')
  const id = parts.pop() ?? ''
  if (of !== order) throw new HttpError(400, `cursor is of order=${of}: continue with that order, or leave it out`)
  if (BigInt(id) > MAX_ID) throw new HttpError(400, 'this is not a cursor: send `next` of the previous page, unchanged')
  return [id, ...parts]
}
