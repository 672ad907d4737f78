// The lists of the bridge API: legs and journeys, newest first, all or of a party.

import { isEvmDomain } from '../../core/chains.ts'
import { type DepositKey, depositKey, keyText, type LegKey, parseLegKey, withdrawalKey } from '../kit/leg-key.ts'
import { accountsWithRole, type BridgeContext, type Database } from './bridge-context.ts'
import {
  depositLists,
  depositListsWithEvent,
  list,
  listIfRare,
  MAX_EVENT_DELAY,
  ofParty,
  type PartyFilter,
  partyFilter,
  sourcesOf,
} from './candidates.ts'
import type { DepositFacts, WithdrawalFacts } from './facts.ts'
import { type FinalRowCache, isDepositOver, isJourneyOver, isWithdrawalOver } from './final-row-cache.ts'
import { depositJourney, withdrawalJourney } from './journey.ts'
import { depositLeg, depositValues, withdrawalLeg } from './leg.ts'
import { depositStanding, type LegStatus, withdrawalStanding } from './leg-state.ts'
import { type Candidate, type Candidates, type NewestPage, newest } from './newest.ts'
import { ENDED, type OpenFacts, type OpenLegs, rowKey } from './open-legs.ts'
import { readDeposits, readJourneys, readJourneysOf, readWithdrawals } from './read-legs.ts'
import type { Journey, Leg } from './schema.ts'
import { BY_TRANSACTION } from './sql/facts.ts'
import {
  antelopeDepositsTo,
  arrivalsAt,
  BURNS,
  BURNS_WITH_OUTCOME,
  HOP_DEPOSITS,
  RARE_REFUNDS,
  vaultDepositsTo,
} from './sql/lists.ts'
import type { Timings } from './timing.ts'

export interface Snapshot {
  database: Database
  context: BridgeContext
}

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

export type Found = { key: string; time: number; leg: Leg }

const NONE: OpenFacts = { deposits: new Map(), withdrawals: new Map() }

/** @param cached  cache of final legs */
export async function newestLegs(
  at: Snapshot,
  open: OpenLegs,
  cached: FinalRowCache<Found>,
  filter: LegFilter,
): Promise<NewestPage<Leg>> {
  const { parties, limit, before, statuses } = filter
  const isOpenToo = parties.length === 0 && statuses.some((status) => !ENDED.has(status))
  const known = isOpenToo ? await open.read(at.database, at.context) : NONE
  const lists = parties[0] === undefined ? await byStatus(at, known, filter) : [ofParty(at, parties[0], before)]
  const others: PartyFilter[] = []
  for (const party of parties.slice(1)) others.push(await partyFilter(at, party, before))
  const load = async (keys: string[]) => {
    let wanted = keys
    for (const select of others) wanted = await select(wanted)
    return (await readCachedLegs(at, wanted, cached, known)).filter(({ leg }) => belongs(leg, filter))
  }
  const page = await newest<Found>({ lists, load, limit, before })
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
  rows: FinalRowCache<Found>,
  open: OpenFacts,
): Promise<Found[]> {
  const cached = rows.at(at.context)
  const known = keys.map((key) => cached.get(key))
  const others = keys.filter((_, i) => known[i] === undefined)
  const read = await readLegs(at, others, (row) => cached.set(row.key, row), open)
  return [...known.filter((row) => row !== undefined), ...read]
}

/**
 * Legs by their keys. Unknown keys are left out.
 *
 * @param over   callback for each leg that can no longer change
 * @param known  facts of the same snapshot that have been read
 */
export async function readLegs(
  { database, context }: Snapshot,
  keys: readonly string[],
  over: (row: Found) => void = () => {},
  known: OpenFacts = NONE,
): Promise<Found[]> {
  if (keys.length === 0) return []
  const others = keys.filter((key) => !known.deposits.has(key) && !known.withdrawals.has(key))
  const parsed = others.map(parseLegKey).filter((key) => key !== null)
  const deposits = [
    ...keys.flatMap((key) => known.deposits.get(key) ?? []),
    ...(await readDeposits(database, context, ofKind(parsed, 'deposit'))),
  ]
  const ids = ofKind(parsed, 'withdrawal').map(({ id }) => id)
  const withdrawals = [
    ...keys.flatMap((key) => known.withdrawals.get(key) ?? []),
    ...(await readWithdrawals(database, context, ids)),
  ]
  const bounced = await backOf({ database, context }, deposits)
  const found = (row: Found, isOver: boolean): Found => {
    if (isOver) over(row)
    return row
  }
  return [
    ...deposits.map((facts) => {
      const leg = depositLeg(facts, context, bounced.get(facts) ?? null)
      const row = { key: depositKey(facts.domain, facts.nonce), time: depositValues(facts).time, leg }
      return found(row, isDepositOver(facts, context))
    }),
    ...withdrawals.map((facts) => {
      const row = { key: withdrawalKey(facts.id), time: facts.burn.time, leg: withdrawalLeg(facts, context) }
      return found(row, isWithdrawalOver(facts, context))
    }),
  ]
}

/** Ids of the withdrawals that return bounced deposits. */
async function backOf(at: Snapshot, deposits: readonly DepositFacts[]): Promise<Map<DepositFacts, bigint | null>> {
  const bounced = deposits.filter((facts) => depositStanding(facts).status === 'bounced')
  if (bounced.length === 0) return new Map()
  const journeys = await readJourneys(at.database, at.context, bounced)
  return new Map(bounced.map((facts, index) => [facts, journeys[index]?.backId ?? null]))
}

function ofKind<Kind extends LegKey['kind']>(keys: readonly LegKey[], kind: Kind): Extract<LegKey, { kind: Kind }>[] {
  return keys.filter((key) => key.kind === kind) as Extract<LegKey, { kind: Kind }>[]
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

/** Keys of the legs of a source transaction. @param trx 64 hex digits */
export async function legsOfTransaction({ database, context }: Snapshot, trx: string): Promise<string[]> {
  const own = context.domains.filter(({ chain }) => context.positions.has(chain))
  const values = [
    context.ledger,
    Buffer.from(trx, 'hex'),
    own.map(({ chain }) => chain),
    own.map(({ domain }) => String(domain)),
  ]
  type Row = { kind: 'd' | 'w'; domain: string | null; number: string }
  const { rows } = await database.query<Row>({ name: 'bridge-by-transaction', text: BY_TRANSACTION, values })
  return rows.map(rowKey)
}

export interface JourneyFilter {
  /** Null: any party. */
  party: string | null
  /** Whether journeys of one leg are included. */
  direct: boolean
  limit: number
  before: number
}

export type FoundJourney = { key: string; time: number; journey: Journey }

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

/**
 * The journeys of legs, each once.
 *
 * @param over  callback for each journey that can no longer change
 */
export async function readJourneysByLeg(
  { database, context }: Snapshot,
  timings: Timings,
  keys: readonly string[],
  over: (row: FoundJourney) => void = () => {},
): Promise<FoundJourney[]> {
  if (keys.length === 0) return []
  const parsed = keys.map(parseLegKey).filter((key) => key !== null)
  const ids = ofKind(parsed, 'withdrawal').map(({ id }) => id)
  const beginnings = await readJourneysOf(database, context, ids)
  const deposits = new Map<string, Omit<DepositKey, 'kind'>>()
  for (const key of [...ofKind(parsed, 'deposit'), ...beginnings.values()])
    deposits.set(keyText({ ...key, kind: 'deposit' }), key)
  const journeys = await readJourneys(database, context, [...deposits.values()])
  const alone = await readWithdrawals(
    database,
    context,
    ids.filter((id) => !beginnings.has(id)),
  )
  return [
    ...journeys.map((facts) => {
      const journey = depositJourney(facts, context, timings)
      const row = { key: journey.key, time: depositValues(facts.deposit).time, journey }
      if (isJourneyOver(facts, context)) over(row)
      return row
    }),
    ...alone.map((facts: WithdrawalFacts) => {
      const journey = withdrawalJourney(facts, context, timings)
      return { key: journey.key, time: facts.burn.time, journey }
    }),
  ]
}
