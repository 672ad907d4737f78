// Answers with whole lists of the live market.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bodiesOf } from '../http/bodies.ts'
import { type ListOf, listPieces } from '../lists/live-list.ts'
import type { BlockMark, MarketState } from '../live-market/model.ts'
import { marketOf } from './parameters.ts'

/**
 * Sends a list as of the market's block.
 *
 * @param mark  returns the block since which the list has not changed
 */
export function sendList<Id, Item>(
  request: FastifyRequest,
  reply: FastifyReply,
  list: ListOf<Id, Item>,
  mark: (state: MarketState) => BlockMark,
) {
  const { chain } = request
  const state = marketOf(chain)
  return bodiesOf(chain).sendUnchanged(request, reply, list.key, mark(state), () =>
    listPieces(chain.market, state, list),
  )
}
