// The state machine of a leg: a fold over the facts that the ledger has of it. It keeps nothing, so when a fork takes a
// fact back, it takes the state back. Pure.
import type { DepositEventType, DepositFacts, FactPlace, WithdrawalFacts } from './facts.ts'

export const DEPOSIT_STATUSES = ['seen', 'provable', 'credited', 'parked', 'forwarded', 'bounced'] as const
export const WITHDRAWAL_STATUSES = ['burned', 'provable', 'released', 'expired', 'refunded'] as const
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number]
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]
export type LegStatus = DepositStatus | WithdrawalStatus

/** A status with the fact that it rests on; null for one that rests on finality. */
export interface Standing<Status> {
  status: Status
  by: FactPlace | null
}

/** Terminal statuses of a deposit come from the ledger's chain, whatever its own chain says then. */
export function depositStanding({ source, events }: DepositFacts): Standing<DepositStatus> {
  const last = events.at(-1)
  if (last !== undefined) return { status: last.type satisfies DepositEventType, by: last }
  return { status: source?.final === true ? 'provable' : 'seen', by: null }
}

/**
 * A payment wins over everything else: it cannot be undone. A refund ends what has expired; what the destination says
 * counts before what was reported to the ledger.
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
  if (settled?.released === true) return { status: 'released', by: gone ?? settled }
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
