// Withdrawals of the ledger's users.

import type { ActionCall } from '../chain/contract.ts'
import { call } from '../contracts/actions.ts'
import { ETHEREUM_DOMAIN, partyBytes, WAX_DOMAIN } from '../contracts/bridge/domains.ts'
import type { RouteRow } from '../contracts/bridge/rows.ts'
import { BRIDGE, WRAP } from '../contracts/exchange.ts'
import { transfer, type View } from '../contracts/trader/view.ts'
import type { WithdrawalKind } from './journeys.ts'
import { evmAddress, MISSING, SLEEPERS } from './parties.ts'

function recipientOf(kind: WithdrawalKind, user: string, view: View): { domain: bigint; recipient: string } {
  if (kind === 'to wax') return { domain: WAX_DOMAIN, recipient: user }
  if (kind === 'to nobody') return { domain: WAX_DOMAIN, recipient: view.pick(MISSING) }
  const recipient = kind === 'to a sleeper' ? view.pick(SLEEPERS) : evmAddress(user)
  return { domain: ETHEREUM_DOMAIN, recipient }
}

/** A withdrawal within its route's limits; null when there is none. */
export function withdrawal(view: View, kind: WithdrawalKind): ActionCall[] {
  const user = view.user()
  const { domain, recipient } = recipientOf(kind, user, view)
  const value = view.between(20, 300)
  const possible = view
    .tables(BRIDGE)
    .rows<RouteRow>('routes', BRIDGE)
    .flatMap((route) => {
      const token = route.domain === domain ? view.token(WRAP, route.wrapped.sym.code) : undefined
      const quantity = token && view.affordable(user, token, value)
      return quantity && quantity.amount >= route.min && quantity.amount <= route.backing ? [quantity] : []
    })
  if (possible.length === 0) return []
  const quantity = view.pick(possible)
  const fee = { ...quantity, amount: kind === 'with a fee' ? quantity.amount / 100n : 0n }
  if (kind === 'with data') {
    const memo = new TextEncoder().encode(`invoice ${Math.floor(view.random() * 10_000)}`)
    const data = { owner: user, quantity, domain, recipient: partyBytes(domain, recipient), fee, memo }
    return [call(WRAP, 'withdraw', user, data)]
  }
  const suffix = fee.amount > 0n ? `:${fee.amount}` : ''
  return [transfer(WRAP, user, BRIDGE, quantity, `${domain}:${recipient}${suffix}`)]
}
