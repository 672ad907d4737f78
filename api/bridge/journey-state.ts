// The state of a journey over the hop contract, from its legs. Pure.
import type { DepositFacts, HopFacts, WithdrawalFacts } from './facts.ts'
import { depositStanding, withdrawalStanding } from './leg-state.ts'

export const HOP_STATUSES = ['arriving', 'sending', 'delivered', 'bounced', 'returning', 'returned'] as const
export type HopStatus = (typeof HOP_STATUSES)[number]

/** What is known of a journey. Its legs are null until they begin. */
export interface JourneyFacts {
  deposit: DepositFacts
  hop: HopFacts | null
  /** The second leg. */
  onward: WithdrawalFacts | null
  /** Id of the leg back, after an expiry or of a bounce; null until it begins. */
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

/** A deposit that ends on the ledger's chain, as a journey of one leg: until its credit is collected, it is under way. */
export function depositJourneyStatus({ deposit, backId, back }: JourneyFacts): HopStatus {
  const { status } = depositStanding(deposit)
  if (backId !== null) return back && withdrawalStanding(back).status === 'released' ? 'returned' : 'returning'
  if (status === 'bounced') return 'bounced'
  if (status === 'forwarded') return 'delivered'
  if (status === 'credited') return deposit.collected ? 'delivered' : 'sending'
  return status === 'parked' ? 'sending' : 'arriving'
}

/** A withdrawal that begins on the ledger's chain, as a journey of one leg. */
export function withdrawalJourneyStatus(withdrawal: WithdrawalFacts): HopStatus {
  const { status } = withdrawalStanding(withdrawal)
  if (status === 'released') return 'delivered'
  if (status === 'refunded') return 'returned'
  return status === 'expired' ? 'bounced' : 'sending'
}
