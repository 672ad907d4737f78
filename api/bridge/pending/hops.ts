// Journeys whose second leg was refunded to the hop contract, which has not sent the tokens back yet.

import { depositKey } from '../../kit/leg-key.ts'
import { accountsWithRole, type Snapshot } from '../bridge-context.ts'
import type { WithdrawalFacts } from '../facts.ts'
import { hopStatus } from '../journey-state.ts'
import { withdrawalStanding } from '../leg-state.ts'
import { chainAt } from '../parties.ts'
import { readJourneys, readJourneysOf } from '../read-legs.ts'
import { type Page, type PendingFilter, pageOf } from './page.ts'
import type { PendingHop } from './schema.ts'
import type { PendingWork } from './work.ts'

/** @param filter  its domain is the one that a journey returns to */
export async function pendingHops(
  { database, context }: Snapshot,
  open: readonly WithdrawalFacts[],
  work: PendingWork,
  filter: PendingFilter,
): Promise<Page<PendingHop>> {
  const refunded = open.filter((facts) => withdrawalStanding(facts).status === 'refunded').map(({ id }) => id)
  const firstLegs = await readJourneysOf(database, context, refunded)
  const journeys = await readJourneys(database, context, [...firstLegs.values()])
  const waiting = journeys.flatMap((facts) => {
    const { hop, deposit } = facts
    if (hop === null || hopStatus(facts) !== 'bounced') return []
    const key = depositKey(deposit.domain, deposit.nonce)
    return [{ key, hop, domain: hop.backDomain, account: hop.back, time: hop.time, number: hop.id }]
  })
  const rounds = work.rounds('hop', waiting)
  const contract = accountsWithRole(context, context.ledger, 'hop')[0] ?? null
  const places = waiting
    .filter(
      ({ key, domain }) =>
        (filter.domain === null || domain === filter.domain) &&
        (filter.key === null || key === filter.key) &&
        (filter.action === null || filter.action === 'recover'),
    )
    .map((entry) => ({ ...entry, blocked: contract === null, round: rounds.get(entry.key) as number }))
  return pageOf('hop', places, filter, async (some) =>
    some.map(({ key, hop, domain, account }) => {
      const back = { chain: chainAt(context, domain).id, recipient: account }
      return { key, action: 'recover' as const, contract, id: String(hop.id), back }
    }),
  )
}
