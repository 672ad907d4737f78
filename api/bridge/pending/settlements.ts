// Withdrawals that have ended at their destination, but not on the ledger. `settle` reports the outcome to the ledger,
// `refund` returns an expired withdrawal to its owner.

import { withdrawalKey } from '../../kit/leg-key.ts'
import { accountsWithRole, type BridgeContext, gatewayOf, type Snapshot } from '../bridge-context.ts'
import type { WithdrawalFacts } from '../facts.ts'
import { withdrawalStanding } from '../leg-state.ts'
import { chainAt, transactionAt, unixSeconds } from '../parties.ts'
import { readWithdrawals } from '../read-legs.ts'
import { UNSETTLED } from '../sql/open-legs.ts'
import { type Page, type PendingFilter, pageOf } from './page.ts'
import type { Settlement } from './schema.ts'
import type { PendingWork } from './work.ts'

interface Candidate {
  id: bigint
  domain: bigint
  owner: string
  /** Null if not among the open withdrawals: then read only for the page. */
  facts: WithdrawalFacts | null
}

/** @param open  facts of the withdrawals without an irreversible end */
export async function pendingSettlements(
  { database, context }: Snapshot,
  open: readonly WithdrawalFacts[],
  work: PendingWork,
  filter: PendingFilter,
): Promise<Page<Settlement>> {
  type Row = { id: string; domain: string; owner: string; expired: boolean }
  const { rows } = await database.query<Row>({ name: 'bridge-unsettled', text: UNSETTLED, values: [context.ledger] })
  const expired = new Set(rows.filter((row) => row.expired).map(({ id }) => BigInt(id)))
  const stepOf = (facts: WithdrawalFacts) => settlementOf(facts, context, expired.has(facts.id))
  const known = new Set(open.map(({ id }) => String(id)))
  const candidates: Candidate[] = [
    ...open
      .filter((facts) => stepOf(facts) !== null)
      .map((facts) => ({ id: facts.id, domain: facts.domain, owner: facts.owner ?? '', facts })),
    ...rows
      .filter(({ id }) => !known.has(id))
      .map(({ id, domain, owner }) => ({ id: BigInt(id), domain: BigInt(domain), owner, facts: null })),
  ]
  // Ids increase with time, so they order the entries.
  const waiting = candidates.map(({ id, domain, owner }) => {
    return { key: withdrawalKey(id), domain, account: owner, time: 0, number: id }
  })
  const rounds = work.rounds('settlement', waiting)
  const places = candidates
    .filter(
      ({ id, domain }) =>
        (filter.domain === null || domain === filter.domain) &&
        (filter.key === null || withdrawalKey(id) === filter.key),
    )
    .map((one) => ({
      ...one,
      blocked: isBlocked(one, context, expired),
      round: rounds.get(withdrawalKey(one.id)) as number,
    }))
  return pageOf('settlement', places, filter, async (some) => {
    const others = some.filter(({ facts }) => facts === null).map(({ id }) => id)
    const read = new Map((await readWithdrawals(database, context, others)).map((facts) => [facts.id, facts]))
    return some.map(({ id, facts }) => {
      const found = facts ?? read.get(id)
      const step = found === undefined ? null : stepOf(found)
      return filter.action === null || step?.action === filter.action ? step : null
    })
  })
}

/** Whether the account to send the action to is unknown. */
function isBlocked({ id, domain, facts }: Candidate, context: BridgeContext, expired: ReadonlySet<bigint>): boolean {
  const isRefund = expired.has(id) || (facts !== null && facts.settlements.length > 0)
  return isRefund
    ? accountsWithRole(context, context.ledger, 'bridge').length === 0
    : gatewayOf(context, domain) === null
}

/**
 * @param isExpired  whether it is expired in the ledger's table
 * @returns null if there is nothing to do, or the outcome at the destination is reversible
 */
function settlementOf(facts: WithdrawalFacts, context: BridgeContext, isExpired: boolean): Settlement | null {
  const { id, domain, burn, outcomes, settlements, owner } = facts
  const step = (part: Pick<Settlement, 'action' | 'contract' | 'released' | 'tx'>): Settlement => ({
    key: withdrawalKey(id),
    id: String(id),
    domain: String(domain),
    chain: chainAt(context, domain).id,
    owner,
    src_time: unixSeconds(burn.time),
    action: part.action,
    contract: part.contract,
    released: part.released,
    tx: part.tx,
  })
  const { status, by } = withdrawalStanding(facts)
  if (status === 'refunded') return null
  if (isExpired || settlements.length > 0) {
    const contract = accountsWithRole(context, context.ledger, 'bridge')[0] ?? null
    return status === 'released' ? null : step({ action: 'refund', contract, released: null, tx: null })
  }
  const outcome = outcomes.find((one) => one === by)
  if (outcome === undefined || outcome.block > (context.positions.get(outcome.chain)?.lib ?? 0)) return null
  const contract = gatewayOf(context, domain)
  const { released, trx } = outcome
  return step({ action: 'settle', contract, released, tx: transactionAt(domain, trx) })
}
