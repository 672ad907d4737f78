// The state of a journey, computed from its legs. Pure.
import type { DepositFacts, HopFacts, WithdrawalFacts } from './facts.ts'
import { depositStanding, withdrawalStanding } from './leg-state.ts'

export const HOP_STATUSES = ['arriving', 'sending', 'delivered', 'bounced', 'returning', 'returned'] as const
export type HopStatus = (typeof HOP_STATUSES)[number]

/** Facts of a journey. A leg is null until it begins. */
export interface JourneyFacts {
  deposit: DepositFacts
  hop: HopFacts | null
  /** The second leg. */
  onward: WithdrawalFacts | null
  /** Id of the leg back, after an expiry or a bounce; null until it begins. */
  backId: bigint | null
  /** The leg back. */
  back: WithdrawalFacts | null
}

export function hopStatus({ deposit, hop, onward, backId, back }: JourneyFacts): HopStatus {
  if (backId !== null) return back && withdrawalStanding(back).status === 'released' ? 'returned' : 'returning'
  const gone = onward && withdrawalStanding(onward).status
  if (gone === 'released') return 'delivered'
  if (gone === 'expired' || gone === 'refunded' || depositStanding(deposit).status === 'bounced') return 'bounced'
  return hop ? 'sending' : 'arriving'
}

/** Status of a one-leg journey to the ledger's chain. It ends when the credit is collected. */
export function depositJourneyStatus({ deposit, backId, back }: JourneyFacts): HopStatus {
  const { status } = depositStanding(deposit)
  if (backId !== null) return back && withdrawalStanding(back).status === 'released' ? 'returned' : 'returning'
  if (status === 'bounced') return 'bounced'
  if (status === 'forwarded') return 'delivered'
  if (status === 'credited') return deposit.collected ? 'delivered' : 'sending'
  return status === 'parked' ? 'sending' : 'arriving'
}

/** Status of a one-leg journey from the ledger's chain. */
export function withdrawalJourneyStatus(withdrawal: WithdrawalFacts): HopStatus {
  const { status } = withdrawalStanding(withdrawal)
  if (status === 'released') return 'delivered'
  if (status === 'refunded') return 'returned'
  return status === 'expired' ? 'bounced' : 'sending'
}
