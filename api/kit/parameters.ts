// Parameters and context shared by several endpoints.

import { Type } from 'typebox'
import { BugError } from '../../core/errors.ts'
import type { ChainContext } from '../chain-context.ts'
import type { MarketState } from '../live-market/model.ts'
import { LIMITS } from './limits.ts'
import type { TradeRange, TradeSide } from './trade-range.ts'

export const Count = (description: string) => Type.Optional(Type.Integer({ description, minimum: 0 }))
export const Flag = (description: string) => Type.Optional(Type.Boolean({ description }))
export const Moment = (description: string) => Type.Optional(Type.Number({ description }))

const Side = Type.Optional(Type.Enum(['buy', 'sell'], { description: 'Only trades of this side.' }))

/** Query of endpoints that list trades, oldest first. */
export const TradeQuery = {
  type: Side,
  limit: Count(
    `Maximum number of trades; the newest are returned. Default ${LIMITS.trades}, maximum ${LIMITS.tradesMost}; 0: the maximum.`,
  ),
  start_time: Moment('Unix seconds, inclusive.'),
  end_time: Moment('Unix seconds, inclusive.'),
  from: Moment('Unix milliseconds, inclusive: an earlier form of `start_time`.'),
  to: Moment('Unix milliseconds, inclusive: an earlier form of `end_time`.'),
}

export interface TradeQueryValues {
  type?: TradeSide
  limit?: number
  start_time?: number
  end_time?: number
  from?: number
  to?: number
}

/** The time range of a query of trades. A second includes all its fractions. */
export function tradeRange(query: TradeQueryValues): TradeRange {
  const { type, start_time: start, end_time: end, limit = LIMITS.trades } = query
  return {
    type,
    from: start === undefined ? query.from : start * 1000,
    before: end === undefined ? after(query.to, 1) : after(Math.floor(end) * 1000, 1000),
    limit: limit === 0 ? LIMITS.tradesMost : Math.min(limit, LIMITS.tradesMost),
  }
}

function after(at: number | undefined, length: number): number | undefined {
  return at === undefined ? undefined : at + length
}

/** The market as of the request's block. Routes run only when there is one. @throws BugError NO_MARKET */
export function marketOf({ chain, market: { state } }: ChainContext): MarketState {
  if (state === null) throw new BugError('NO_MARKET', 'a route ran before the market was loaded', { place: { chain } })
  return state
}

/** Parts of a request that make the address of this server as its client sees it. */
export interface RequestAddress {
  protocol: string
  host: string
  chainPrefix: string
}

/** Address of this server for the chain of the request, such as `http://127.0.0.1:7700/telos`. */
export function originOf({ protocol, host, chainPrefix }: RequestAddress): string {
  return `${protocol}://${host}${chainPrefix}`
}

/** Address of the web site: the configured one with `{chain}` filled in, else the address of the request. */
export function siteOf(request: RequestAddress & { chain: ChainContext }): string {
  const { chain, siteUrl } = request.chain
  return siteUrl?.replace(/\/$/, '').replaceAll('{chain}', chain) ?? originOf(request)
}
