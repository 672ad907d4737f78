// Legs and journeys by the keys of their legs.
import { type DepositKey, depositKey, keyText, type LegKey, parseLegKey, withdrawalKey } from '../kit/leg-key.ts'
import type { Snapshot } from './bridge-context.ts'
import type { DepositFacts, WithdrawalFacts } from './facts.ts'
import { isDepositOver, isJourneyOver, isWithdrawalOver } from './final-row-cache.ts'
import { depositJourney, withdrawalJourney } from './journey.ts'
import { depositLeg, depositValues, withdrawalLeg } from './leg.ts'
import { depositStanding } from './leg-state.ts'
import { NO_FACTS, type OpenFacts, rowKey } from './open-legs.ts'
import { readDeposits, readJourneys, readJourneysOf, readWithdrawals } from './read-legs.ts'
import type { Journey, Leg } from './schema.ts'
import { BY_TRANSACTION } from './sql/facts.ts'
import type { Timings } from './timing.ts'

export type FoundLeg = { key: string; time: number; leg: Leg }
export type FoundJourney = { key: string; time: number; journey: Journey }

/**
 * Legs by their keys. Unknown keys are left out.
 *
 * @param over   callback for each leg that can no longer change
 * @param known  facts of the same snapshot that have been read
 */
export async function readLegs(
  { database, context }: Snapshot,
  keys: readonly string[],
  over: (row: FoundLeg) => void = () => {},
  known: OpenFacts = NO_FACTS,
): Promise<FoundLeg[]> {
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
  const found = (row: FoundLeg, isOver: boolean): FoundLeg => {
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
