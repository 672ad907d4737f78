// Top positions of a pool, and large trades of all pools and markets.
import { Type } from 'typebox'
import { HttpError } from '../../http/failures.ts'
import { mark } from '../../http/freshness.ts'
import type { Api } from '../../http/typed.ts'
import { answerAt } from '../../kit/answer.ts'
import { CURSOR_PATTERN, cursorParameters, cursorText } from '../../kit/cursor.ts'
import { LIMITS } from '../../kit/limits.ts'
import { Count, marketOf } from '../../kit/parameters.ts'
import { PoolParams, poolId } from '../../kit/pool-parameter.ts'
import { readPage } from '../../kit/snapshot.ts'
import { readTogether } from '../../live-market/together.ts'
import { type FactRow, factJson } from '../facts.ts'
import { type PositionRow, positionJson, type Valued, valued } from '../position.ts'
import { Facts } from '../schema.ts'
import { AsOf, Position, TextOrNull } from '../value-schema.ts'
import { LARGE, largeTrades, POOL_POSITIONS } from './sql.ts'

const tags = ['Explorer']
const next = TextOrNull('`cursor` of the next page; null at the end.')

export function exploreMarketRoutes(api: Api): void {
  positionsRoute(api)
  largeTradesRoute(api)
}

const PositionsAnswer = Type.Object({
  block: AsOf,
  pool: Type.Integer({ description: 'Pool id.' }),
  count: Type.Integer({ description: 'Positions with liquidity that the pool has.' }),
  positions: Type.Array(Position, { description: 'The most valuable first, those of an unknown value last.' }),
  next,
})

function positionsRoute(api: Api): void {
  const querystring = Type.Object({
    cursor: Type.Optional(
      Type.String({ description: '`next` of the page before.', pattern: '^([0-9]{1,200}|unknown)-[0-9]{1,19}$' }),
    ),
    limit: Count(`Positions of a page: ${LIMITS.accountHistory} unless given, ${LIMITS.tradesMost} at most.`),
  })
  const schema = {
    tags,
    summary: 'Positions of a pool, the most valuable first',
    params: PoolParams,
    querystring,
    response: { 200: PositionsAnswer },
  }
  api.get('/api/v3/explore/pool/:poolId/positions', { schema }, async (request, reply) => {
    const { chain: context } = request
    const { cursor, limit: wanted = 0 } = request.query
    const limit = wanted === 0 ? LIMITS.accountHistory : Math.min(wanted, LIMITS.tradesMost)
    const id = poolId(request.params.poolId)
    if (!marketOf(context).pools.has(id)) throw new HttpError(404, `There is no pool ${request.params.poolId}.`)
    const { read, state } = await readTogether(context, () =>
      readPage<PositionRow>(
        context.pool,
        { name: 'explore-positions', text: POOL_POSITIONS, values: [context.chain, id] },
        'id',
      ),
    )
    const all = read.rows.flatMap((row) => valued(state, row) ?? []).sort(byValue)
    const after = cursor === undefined ? null : placeOf(cursor)
    const rest = after === null ? all : all.filter((one) => byValue(one, after) > 0)
    const page = rest.slice(0, limit)
    const last = page.at(-1)
    mark(request, reply, state.at)
    request.taggedByContent = true
    return {
      block: state.at.block,
      pool: id,
      count: all.length,
      positions: page.map((one) => positionJson(state, one)),
      next: last === undefined || rest.length <= limit ? null : `${last.value ?? 'unknown'}-${last.row.id}`,
    }
  })
}

type Placed = Pick<Valued, 'value'> & { row: { id: string } }

/** The most valuable first, unknown values last, equal ones by id. */
function byValue(x: Placed, y: Placed): number {
  if (x.value !== y.value) {
    if (x.value === null || y.value === null) return x.value === null ? 1 : -1
    return x.value > y.value ? -1 : 1
  }
  const [one, other] = [BigInt(x.row.id), BigInt(y.row.id)]
  return one === other ? 0 : one < other ? -1 : 1
}

function placeOf(cursor: string): Placed {
  const [value = '', id = ''] = cursor.split('-')
  return { value: value === 'unknown' ? null : BigInt(value), row: { id } }
}

const TradesAnswer = Type.Object({ block: AsOf, facts: Facts, next })

function largeTradesRoute(api: Api): void {
  const [least] = LARGE
  const querystring = Type.Object({
    usd: Type.Optional(
      Type.Integer({
        description: `Least value in USD, as it was at the trade: ${LARGE.join(', ')}; ${least} unless given.`,
      }),
    ),
    cursor: Type.Optional(Type.String({ description: '`next` of the page before.', pattern: CURSOR_PATTERN })),
    limit: Count(`Trades of a page: ${LIMITS.accountHistory} unless given, ${LIMITS.poolSwapsMost} at most.`),
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
