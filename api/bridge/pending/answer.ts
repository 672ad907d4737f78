// The answer of `/pending`, all work that a relayer can do now: withdrawals to release or expire, deposits to credit,
// deliver or send back, outcomes to settle or refund on the ledger, and journeys that the hop contract must send back.
import type { EvmChainConfig } from '../../../config/evm-schema.ts'
import type { Snapshot } from '../bridge-context.ts'
import type { OpenLegs } from '../open-legs.ts'
import type { RouteSide } from '../route-list.ts'
import { pendingDeposits } from './deposits.ts'
import { pendingHops } from './hops.ts'
import { type Kind, NO_PAGE, type PendingFilter } from './page.ts'
import type { PendingAnswer } from './schema.ts'
import { pendingSettlements } from './settlements.ts'
import { pendingWithdrawals } from './withdrawals.ts'
import type { PendingWork } from './work.ts'

export interface PendingContext {
  open: OpenLegs
  work: PendingWork
  sides: readonly RouteSide[]
  configured: readonly EvmChainConfig[]
}

/** The lists that the filter requests; other lists are empty. */
export async function pendingAnswer(
  at: Snapshot,
  { open, work, sides, configured }: PendingContext,
  filter: PendingFilter,
): Promise<PendingAnswer> {
  const known = await open.read(at.database, at.context)
  const withdrawals = [...known.withdrawals.values()]
  const isRequested = (kind: Kind) => filter.kind === null || filter.kind === kind
  const pending = isRequested('withdrawal')
    ? await pendingWithdrawals(at, withdrawals, { sides, configured, work, filter })
    : NO_PAGE
  const deposits = isRequested('deposit')
    ? await pendingDeposits(at, [...known.deposits.values()], work, filter)
    : NO_PAGE
  const settlements = isRequested('settlement') ? await pendingSettlements(at, withdrawals, work, filter) : NO_PAGE
  const hops = isRequested('hop') ? await pendingHops(at, withdrawals, work, filter) : NO_PAGE
  return {
    pending: pending.entries,
    deposits: deposits.entries,
    settlements: settlements.entries,
    hops: hops.entries,
    next: { pending: pending.next, deposits: deposits.next, settlements: settlements.next, hops: hops.next },
  }
}
