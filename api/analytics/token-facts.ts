// All data of tokens' answers, at one block; holders as of the minute.

import type { FastifyRequest } from 'fastify'
import { perObject } from '../../core/cache.ts'
import type { ChainContext } from '../chain-context.ts'
import { AllHolders, type Holders } from '../kit/holders.ts'
import { marketOf, originOf } from '../kit/parameters.ts'
import type { BlockMark, MarketState } from '../live-market/model.ts'
import type { WindowName } from './chart.ts'
import { factsOf } from './facts.ts'
import { MinuteRead } from './latest-read.ts'
import type { TokenFacts } from './token-item.ts'
import { totalsOf } from './totals.ts'

const holdersOf = perObject((context: ChainContext): MinuteRead<Map<string, Holders>> => {
  const all = new AllHolders(context)
  return new MinuteRead((time) => all.at(time))
})

/** @throws HttpError 503 when market and database never are at the same block */
export async function tokenFacts(
  request: FastifyRequest,
  window: WindowName,
  incentives = false,
): Promise<{ facts: TokenFacts; state: MarketState; at: BlockMark }> {
  const context = request.chain
  const holders = await holdersOf(context).of(marketOf(context).at.time)
  const { facts, state, at } = await factsOf(context, { window, locked: true, incentives })
  return {
    facts: {
      totals: totalsOf(context.market),
      holders,
      origin: originOf(request),
      usdToken: context.config.usdToken ?? null,
      fundamentals: context.fundamentals ?? new Map(),
      ...facts,
    },
    state,
    at,
  }
}
