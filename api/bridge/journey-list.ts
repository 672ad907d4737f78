// The newest journeys: all, those over the hop contracts, or those of a party.
import { isEvmDomain } from '../../core/chains.ts'
import { accountsWithRole, type Snapshot } from './bridge-context.ts'
import { type FoundJourney, readJourneysByLeg } from './by-key.ts'
import { depositLists, list, MAX_EVENT_DELAY, ofParty, sourcesOf } from './candidates.ts'
import type { FinalRowCache } from './final-row-cache.ts'
import { type Candidates, type NewestPage, newest } from './newest.ts'
import type { Journey } from './schema.ts'
import { antelopeDepositsTo, arrivalsAt, BURNS, HOP_DEPOSITS, vaultDepositsTo } from './sql/lists.ts'
import type { Timings } from './timing.ts'

export interface JourneyFilter {
  /** Null: any party. */
  party: string | null
  /** Whether journeys of one leg are included. */
  direct: boolean
  limit: number
  before: number
}

/** @param cached  cache of final journeys, by the key of each leg */
export async function newestJourneys(
  at: Snapshot,
  timings: Timings,
  cached: FinalRowCache<FoundJourney>,
  { party, direct, limit, before }: JourneyFilter,
): Promise<NewestPage<Journey>> {
  const hops = accountsWithRole(at.context, at.context.ledger, 'hop')
  const every = () => [...depositLists(at, before), list(at, BURNS, [at.context.ledger], 'w', null, before)]
  const lists = party !== null ? [ofParty(at, party, before)] : direct ? every() : journeyLists(at, hops, before)
  if (lists.length === 0) return { rows: [], next: null }
  const listed = new Set<string>()
  const load = async (keys: string[]) =>
    (await readCachedJourneys(at, timings, keys, cached)).filter(({ key, journey }) => {
      if (listed.has(key) || (!direct && journey.direction !== 'hop')) return false
      listed.add(key)
      return true
    })
  const page = await newest<FoundJourney>({ lists, load, limit, before })
  return { rows: page.rows.map(({ journey }) => journey), next: page.next }
}

/** Candidates for first legs of journeys over the hop contracts. */
function journeyLists(at: Snapshot, hops: readonly string[], before: number): Candidates[] {
  const { ledger } = at.context
  const to = hops.flatMap((hop) => [
    ...sourcesOf(at).map(({ chain, domain }) => {
      const depositsTo = isEvmDomain(domain) ? vaultDepositsTo : antelopeDepositsTo
      return list(at, depositsTo(hop), [chain], 'd', String(domain), before)
    }),
    list(at, arrivalsAt(hop), [ledger], 'd', null, before),
  ])
  return [...to, list(at, HOP_DEPOSITS, [ledger], 'd', null, before + MAX_EVENT_DELAY)]
}

/**
 * Like `readJourneysByLeg`, with a cache of journeys that can no longer change. A journey may be returned repeatedly.
 */
async function readCachedJourneys(
  at: Snapshot,
  timings: Timings,
  keys: readonly string[],
  rows: FinalRowCache<FoundJourney>,
): Promise<FoundJourney[]> {
  const cached = rows.at(at.context)
  const known = keys.map((key) => cached.get(key))
  const others = keys.filter((_, i) => known[i] === undefined)
  const read = await readJourneysByLeg(at, timings, others, (row) => {
    for (const { key } of row.journey.legs) cached.set(key, row)
  })
  return [...known.filter((row) => row !== undefined), ...read]
}
