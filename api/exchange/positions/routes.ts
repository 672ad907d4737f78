// Endpoints of open positions, by pool or by account.
import { Type } from 'typebox'
import type { ChainContext } from '../../chain-context.ts'
import { mark } from '../../http/freshness.ts'
import type { Api } from '../../http/typed.ts'
import { AccountParams } from '../../kit/history-schema.ts'
import { PoolParams, poolId } from '../../kit/pool-parameter.ts'
import { readPage } from '../../kit/snapshot.ts'
import type { BlockMark } from '../../live-market/model.ts'
import { readTogether } from '../../live-market/together.ts'
import { type PositionRow, positionAnswer } from './position.ts'
import { Position } from './schema.ts'
import { ACCOUNT_POSITIONS, POOL_POSITIONS } from './sql.ts'

export function positionRoutes(api: Api): void {
  const response = { 200: Type.Array(Position) }
  api.get(
    '/api/v2/swap/pools/:poolId/positions',
    { schema: { tags: ['AMM pools'], summary: 'Open positions of a pool', params: PoolParams, response } },
    async (request, reply) => {
      const statement = { name: 'pool-positions', text: POOL_POSITIONS }
      const { at, positions } = await readPositions(request.chain, statement, poolId(request.params.poolId))
      mark(request, reply, at)
      request.taggedByContent = true
      return positions
    },
  )
  api.get(
    '/api/v2/account/:account/positions',
    { schema: { tags: ['Accounts'], summary: 'Open positions of an account', params: AccountParams, response } },
    async (request, reply) => {
      const statement = { name: 'account-positions', text: ACCOUNT_POSITIONS }
      const { at, positions } = await readPositions(request.chain, statement, request.params.account)
      mark(request, reply, at)
      request.taggedByContent = true
      return positions
    },
  )
}

async function readPositions(context: ChainContext, statement: { name: string; text: string }, key: string | number) {
  const values = [context.chain, key]
  const { read, state } = await readTogether<{ at: BlockMark; rows: PositionRow[] }>(context, () =>
    readPage<PositionRow>(context.pool, { ...statement, values }, 'id'),
  )
  const positions = read.rows.flatMap((row) => {
    const pool = state.pools.get(row.pool)
    return pool === undefined ? [] : [positionAnswer(state, pool, row)]
  })
  return { at: state.at, positions }
}
