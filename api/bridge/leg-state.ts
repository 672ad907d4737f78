// The state machine of a leg: a fold over its facts. It stores nothing, so a rewind of the facts also rewinds the
// state. Pure.
import type { DepositEventType, DepositFacts, FactPlace, WithdrawalFacts } from './facts.ts'

export const DEPOSIT_STATUSES = ['seen', 'provable', 'credited', 'parked', 'forwarded', 'bounced'] as const
export const WITHDRAWAL_STATUSES = ['burned', 'provable', 'released', 'expired', 'refunded'] as const
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number]
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]
export type LegStatus = DepositStatus | WithdrawalStatus

/** A status and the fact that caused it; null if the status follows from finality. */
export interface Standing<Status> {
  status: Status
  by: FactPlace | null
}

/** An event on the ledger's chain decides; without one, the finality of the source. */
export function depositStanding({ source, events }: DepositFacts): Standing<DepositStatus> {
  const last = events.at(-1)
  if (last !== undefined) return { status: last.type satisfies DepositEventType, by: last }
  return { status: source?.final === true ? 'provable' : 'seen', by: null }
}

/**
 * Precedence: a payment, which cannot be undone; a refund, which ends an expired withdrawal; an expiry. An outcome at
 * the destination takes precedence over one reported to the ledger.
 */
export function withdrawalStanding({
  outcomes,
  settlements,
  final,
  proved,
}: WithdrawalFacts): Standing<WithdrawalStatus> {
  const paid = first(outcomes, ({ released }) => released)
  if (paid) return { status: 'released', by: paid }
  const settled = latest(settlements, ({ type }) => type === 'settled')
  const gone = first(outcomes, ({ released }) => !released)
  if (settled?.released === true) return { status: 'released', by: settled }
  const refunded = latest(settlements, ({ type }) => type === 'refunded')
  if (refunded) return { status: 'refunded', by: refunded }
  if (gone) return { status: 'expired', by: gone }
  if (settled) return { status: 'expired', by: settled }
  return { status: (proved ?? final) ? 'provable' : 'burned', by: null }
}

function first<T extends FactPlace>(facts: readonly T[], which: (fact: T) => boolean): T | undefined {
  return facts.filter(which).sort(byPlace)[0]
}

function latest<T extends FactPlace>(facts: readonly T[], which: (fact: T) => boolean): T | undefined {
  return facts.filter(which).sort(byPlace).at(-1)
}

export function byPlace(one: FactPlace, other: FactPlace): number {
  return one.time - other.time || (one.sequence < other.sequence ? -1 : one.sequence > other.sequence ? 1 : 0)
}
