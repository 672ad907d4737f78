// The newest legs: all, of a status, or of parties.

import type { Snapshot } from './bridge-context.ts'
import { type FoundLeg, readLegs } from './by-key.ts'
import {
  depositLists,
  depositListsWithEvent,
  list,
  listIfRare,
  ofParty,
  type PartyFilter,
  partyFilter,
} from './candidates.ts'
import type { FinalRowCache } from './final-row-cache.ts'
import { depositValues } from './leg.ts'
import { depositStanding, type LegStatus, withdrawalStanding } from './leg-state.ts'
import { type Candidate, type Candidates, type NewestPage, newest } from './newest.ts'
import { ENDED, NO_FACTS, type OpenFacts, type OpenLegs } from './open-legs.ts'
import type { Leg } from './schema.ts'
import { BURNS, BURNS_WITH_OUTCOME, RARE_REFUNDS } from './sql/lists.ts'

export interface LegFilter {
  /** Accounts or addresses in lower case; a leg must involve all of them. */
  parties: readonly string[]
  direction: 'deposit' | 'withdrawal' | null
  /** Empty: any status. */
  statuses: readonly LegStatus[]
  limit: number
  /** Unix seconds. */
  before: number
}

/** @param cached  cache of final legs */
export async function newestLegs(
  at: Snapshot,
  open: OpenLegs,
  cached: FinalRowCache<FoundLeg>,
  filter: LegFilter,
): Promise<NewestPage<Leg>> {
  const { parties, limit, before, statuses } = filter
  const isOpenToo = parties.length === 0 && statuses.some((status) => !ENDED.has(status))
  const known = isOpenToo ? await open.read(at.database, at.context) : NO_FACTS
  const lists = parties[0] === undefined ? await byStatus(at, known, filter) : [ofParty(at, parties[0], before)]
  const others: PartyFilter[] = []
  for (const party of parties.slice(1)) others.push(await partyFilter(at, party, before))
  const load = async (keys: string[]) => {
    let wanted = keys
    for (const select of others) wanted = await select(wanted)
    return (await readCachedLegs(at, wanted, cached, known)).filter(({ leg }) => belongs(leg, filter))
  }
  const page = await newest<FoundLeg>({ lists, load, limit, before })
  return { rows: page.rows.map(({ leg }) => leg), next: page.next }
}

function belongs({ direction, status }: Leg, filter: LegFilter): boolean {
  if (filter.direction !== null && direction !== filter.direction) return false
  return filter.statuses.length === 0 || filter.statuses.includes(status)
}

/** Like `readLegs`, with a cache of legs that can no longer change. */
async function readCachedLegs(
  at: Snapshot,
  keys: readonly string[],
  rows: FinalRowCache<FoundLeg>,
  open: OpenFacts,
): Promise<FoundLeg[]> {
  const cached = rows.at(at.context)
  const known = keys.map((key) => cached.get(key))
  const others = keys.filter((_, i) => known[i] === undefined)
  const read = await readLegs(at, others, (row) => cached.set(row.key, row), open)
  return [...known.filter((row) => row !== undefined), ...read]
}

/** Candidates of all legs, or of legs with the filter's statuses. */
async function byStatus(
  at: Snapshot,
  open: OpenFacts,
  { direction, statuses, before }: LegFilter,
): Promise<Candidates[]> {
  const lists: Candidates[] = []
  if (statuses.length === 0) {
    if (direction !== 'withdrawal') lists.push(...depositLists(at, before))
    if (direction !== 'deposit') lists.push(list(at, BURNS, [at.context.ledger], 'w', null, before))
    return lists
  }
  const found = openWith(open, statuses)
  lists.push(async () => ({ found, all: true }))
  for (const status of statuses) {
    if (status === 'credited' || status === 'forwarded' || status === 'bounced')
      lists.push(...(await depositListsWithEvent(at, before, status)))
    if (status === 'refunded' || status === 'released') {
      const rare = status === 'refunded' ? await listIfRare(at, RARE_REFUNDS, status, 'w') : null
      lists.push(rare ?? list(at, BURNS_WITH_OUTCOME, [at.context.ledger], 'w', null, before, [status]))
    }
  }
  return lists
}

/** Open legs with one of the statuses. */
function openWith({ deposits, withdrawals }: OpenFacts, statuses: readonly LegStatus[]): Candidate[] {
  return [
    ...[...deposits]
      .filter(([, facts]) => statuses.includes(depositStanding(facts).status))
      .map(([key, facts]) => ({ key, time: depositValues(facts).time })),
    ...[...withdrawals]
      .filter(([, facts]) => statuses.includes(withdrawalStanding(facts).status))
      .map(([key, { burn }]) => ({ key, time: burn.time })),
  ]
}
