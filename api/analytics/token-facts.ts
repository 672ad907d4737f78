// Everything that tokens are told by, of one block; holders as of the minute.
import type { FastifyRequest } from 'fastify'
import type { ChainContext } from '../chain-context.ts'
import { type Holders, holdersAt } from '../exchange/holders/holders.ts'
import { marketOf } from '../exchange/parameters.ts'
import type { MarketState } from '../market/model.ts'
import type { WindowName } from './chart.ts'
import { factsOf } from './facts.ts'
import type { TokenFacts } from './token-item.ts'

const MINUTE = 60_000

interface KeptHolders {
  minute: number
  holders: Promise<Map<string, Holders>>
}

const chains = new WeakMap<ChainContext, KeptHolders>()

/** @throws HttpError 503 when market and database do not meet */
export async function tokenFacts(
  { protocol, host, chain: context }: FastifyRequest,
  window: WindowName,
  incentives = false,
): Promise<{ facts: TokenFacts; state: MarketState }> {
  const holders = await holdersOfMinute(context)
  const { facts, state } = await factsOf(context, { window, locked: true, incentives })
  return {
    facts: {
      ...facts,
      holders,
      origin: `${protocol}://${host}`,
      usdToken: context.config.usdToken ?? null,
      fundamentals: context.fundamentals ?? new Map(),
    },
    state,
  }
}

/** Holders are sampled by the hour: they are read once a minute of chain time. */
function holdersOfMinute(context: ChainContext): Promise<Map<string, Holders>> {
  const { time } = marketOf(context).at
  const minute = Math.floor(time / MINUTE)
  const known = chains.get(context)
  if (known?.minute === minute) return known.holders
  const holders = holdersAt(context, time)
  chains.set(context, { minute, holders })
  // Nobody keeps a failure.
  holders.catch(() => chains.delete(context))
  return holders
}
