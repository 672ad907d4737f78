// Liquidity of a pool by price, from its initialised ticks: as many rows as the pool has range ends, however many positions.
import { Type } from 'typebox'
import { HttpError } from '../../http/failures.ts'
import { mark } from '../../http/freshness.ts'
import type { Api } from '../../http/typed.ts'
import { marketOf } from '../../kit/parameters.ts'
import { PoolParams, poolId } from '../../kit/pool-parameter.ts'
import { type MarkRow, markOf, type Queryable } from '../../kit/snapshot.ts'
import { readTogether } from '../../live-market/together.ts'
import { AsOf, Complete, Text } from '../value-schema.ts'
import { STATE_MARK } from './sql.ts'

const LiquidityAnswer = Type.Object({
  block: AsOf,
  pool: Type.Integer({ description: 'Pool id.' }),
  tick: Type.Integer({ description: 'Current tick.' }),
  liquidity: Text('Liquidity in range at the current tick.'),
  ticks: Type.Array(
    Type.Object({
      tick: Type.Integer({ description: 'Tick at which ranges of positions begin or end.' }),
      net: Text('Liquidity that is added when the price rises over the tick; negative when it is removed.'),
    }),
    {
      description:
        'Initialised ticks, the lowest first. If `complete`, the liquidity at a price is the sum of `net` up to its tick.',
    },
  ),
  complete: Complete,
})

export function liquidityRoute(api: Api): void {
  const schema = {
    tags: ['Explorer'],
    summary: 'Liquidity of a pool by price',
    params: PoolParams,
    response: { 200: LiquidityAnswer },
  }
  api.get('/api/v3/explore/pool/:poolId/liquidity', { schema }, async (request, reply) => {
    const { chain: context } = request
    const id = poolId(request.params.poolId)
    if (!marketOf(context).pools.has(id)) throw new HttpError(404, `There is no pool ${request.params.poolId}.`)
    const { read, state } = await readTogether(context, () => readMark(context.pool, context.chain))
    const pool = state.pools.get(id)
    if (pool === undefined) throw new HttpError(404, `There is no pool ${request.params.poolId}.`)
    mark(request, reply, state.at)
    request.taggedByContent = true
    return {
      block: state.at.block,
      pool: id,
      tick: pool.tick,
      liquidity: `${pool.liquidity}`,
      ticks: [...pool.ticks.values()]
        .sort((one, other) => one.id - other.id)
        .map(({ id: tick, liquidityNet }) => ({ tick, net: `${liquidityNet}` })),
      complete: read.isWhole,
    }
  })
}

/** @returns null when the chain is not indexed */
async function readMark(database: Queryable, chain: string) {
  const { rows } = await database.query<MarkRow & { isWhole: boolean }>({
    name: 'explore-state-mark',
    text: STATE_MARK,
    values: [chain],
  })
  const [first] = rows
  return first === undefined ? null : { at: markOf(first), isWhole: first.isWhole }
}
