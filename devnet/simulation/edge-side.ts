// Activity in the rare cases of an exchange (contracts/edge-cases.ts): stakers claim their farms' rewards, and a user
// trades in venues that regular traders ignore. None of it concerns another chain.

import type { PositionState } from '../../core/amm/position.ts'
import { formatAsset } from '../../core/antelope/asset.ts'
import type { ActionCall } from '../chain/contract.ts'
import { call } from '../contracts/actions.ts'
import { poolScope } from '../contracts/amm/store.ts'
import { type EdgeCases, type FarmStakes, limitOrder, type SideVenue } from '../contracts/edge-cases.ts'
import { AMM, amountOf } from '../contracts/exchange.ts'
import type { Acting } from './acting.ts'
import type { Agenda, Task } from './agenda.ts'
import type { Pace } from './pace.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Mean interval in milliseconds, in history and live. */
const CLAIMS = { history: 8 * HOUR, live: 3 * MINUTE }
const TRADES = { history: 3 * HOUR, live: MINUTE }
/** Delay of the first claims and trades after the start of history. */
const START_DELAY = 6 * HOUR
/** Trade size range in USD: small against a level, so that the book stays deep after days of trades. */
const VALUE = [0.2, 1] as const

type Work = (acting: Acting) => void

export function actEdgeCases(agenda: Agenda, pace: Pace, { farms, venues }: EdgeCases): void {
  const every = (name: string, gaps: typeof CLAIMS, work: Work) => {
    const next = (n: number, at: number): Task => {
      const run = (acting: Acting) => {
        work(acting)
        const gap = acting.now >= pace.end ? gaps.live : gaps.history
        // An action that would fall after the end of history follows the live interval instead.
        const later = acting.now + gap * (0.5 + acting.view.random())
        const isLate = acting.now < pace.end && later > pace.end
        acting.add(next(n + 1, Math.round(isLate ? pace.end + gaps.live * acting.view.random() : later)))
        return null
      }
      return { key: `${name} ${n}`, at, urgent: false, run }
    }
    agenda.post(next(0, pace.start + START_DELAY))
  }
  for (const stakes of farms) every(`farm ${stakes.incentiveId}`, CLAIMS, (acting) => claim(acting, stakes))
  for (const venue of venues) every(`trade ${venue.token.code}`, TRADES, (acting) => trade(acting, venue))
}

/** Claims the reward of each stake; a position may have another owner by now. */
function claim({ view, push }: Acting, { incentiveId, poolId, positions }: FarmStakes): void {
  for (const posId of positions) {
    const position = view.tables(AMM).get<PositionState>('positions', poolScope(poolId), posId)
    if (position) push([call(AMM, 'getreward', position.owner, { incentiveId, posId })])
  }
}

/** A small trade, then a trade of the same value in the other direction, so that prices stay near the first price. */
function trade({ view, push }: Acting, venue: SideVenue): void {
  const user = view.user()
  const value = view.between(...VALUE)
  const { token, system } = venue
  const pair = [system, token] as const
  const worth = value / system.usd
  push([tradeCall(user, venue, pair, worth)])
  push([tradeCall(user, venue, [token, system], value / token.usd)])
}

/** A market order for some tokens. */
function tradeCall(
  user: string,
  { kind }: SideVenue,
  [offered, wanted]: readonly [SideVenue['token'], SideVenue['token']],
  quantity: number,
): ActionCall {
  if (kind === 'orderbook') return limitOrder(user, [offered, wanted], [quantity, 0])
  const least = `${formatAsset(amountOf(wanted, 0))}@${wanted.contract}`
  const memo = `swapexactin#${kind.pool}#${user}#${least}#0`
  return call(offered.contract, 'transfer', user, { from: user, to: AMM, quantity: amountOf(offered, quantity), memo })
}
