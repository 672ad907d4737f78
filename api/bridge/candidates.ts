// Reads candidates for lists of legs. Each statement reads facts in order of time and stops at the limit.
import { createHash } from 'node:crypto'
import { isEvmDomain } from '../../core/chains.ts'
import { parseLegKey } from '../kit/leg-key.ts'
import { indexedChain } from './bridge-context.ts'
import type { Snapshot } from './lists.ts'
import type { Candidates } from './newest.ts'
import { rowKey } from './open-legs.ts'
import {
  ANTELOPE_DEPOSITS,
  ANTELOPE_DEPOSITS_THAT,
  DEPOSIT_EVENTS,
  DEPOSIT_EVENTS_THAT,
  LEGS_OF_PARTY,
  type Limited,
  PARTY,
  RARE_DEPOSITS,
  VAULT_DEPOSITS,
  VAULT_DEPOSITS_THAT,
} from './sql/lists.ts'

/** An event type with fewer legs than this is rare: all of its legs are read. */
const RARE = 300
/** A party with fewer facts than this is compared with by the list of its legs, any other by a query for each chunk. */
const MAX_PARTY_FACTS = 2000
/** Longest time from the start of a leg to a fact that names a party, or to an event, seconds. */
export const LATE = 14 * 86_400

/** All legs with an event of a type. @returns null when there are `RARE` or more */
export async function rare(
  at: Snapshot,
  statement: Limited,
  type: string,
  kind: 'd' | 'w',
  domain?: bigint,
): Promise<Candidates | null> {
  const values = [at.context.ledger, type, ...(domain === undefined ? [] : [String(domain)])]
  const { rows } = await at.database.query<KeyRow>({ ...named(statement(RARE)), values })
  if (rows.length === RARE) return null
  const found = rows.map((row) => ({ key: rowKey({ ...row, kind }), time: row.time }))
  return async () => ({ found, all: true })
}

interface KeyRow {
  domain: string | null
  number: string
  time: number
}

/** Deposits as logged on their source chains and, by their events, on the ledger's chain. */
export function depositLists(at: Snapshot, before: number): Candidates[] {
  const lists = sourcesOf(at).map(({ chain, domain }) => {
    const statement = isEvmDomain(domain) ? VAULT_DEPOSITS : ANTELOPE_DEPOSITS
    return list(at, statement, [chain], 'd', String(domain), before)
  })
  return [...lists, list(at, DEPOSIT_EVENTS, [at.context.ledger], 'd', null, before)]
}

/** Deposits with an event of a type. For each source: all if the type is rare, else in order of the source's time. */
export async function depositListsThat(at: Snapshot, before: number, type: string): Promise<Candidates[]> {
  const { ledger } = at.context
  const lists = [list(at, DEPOSIT_EVENTS_THAT, [ledger], 'd', null, before + LATE, [type])]
  for (const { chain, domain } of sourcesOf(at)) {
    const statement = isEvmDomain(domain) ? VAULT_DEPOSITS_THAT : ANTELOPE_DEPOSITS_THAT
    const few = await rare(at, RARE_DEPOSITS, type, 'd', domain)
    lists.push(few ?? list(at, statement, [chain], 'd', String(domain), before, [type, ledger, String(domain)]))
  }
  return lists
}

export function sourcesOf({ context }: Snapshot): { chain: string; domain: bigint }[] {
  return context.domains.filter(({ chain }) => context.positions.has(chain))
}

export function list(
  { database }: Snapshot,
  statement: Limited,
  [chain]: [string],
  kind: 'd' | 'w',
  domain: string | null,
  before: number,
  more: readonly unknown[] = [],
): Candidates {
  return async (limit) => {
    const values = [chain, bounded(before), ...more]
    const { rows } = await database.query<KeyRow>({ ...named(statement(limit)), values })
    const found = rows.map((row) => ({
      key: rowKey({ kind, number: row.number, domain: row.domain ?? domain }),
      time: row.time,
    }))
    return { found, all: rows.length < limit }
  }
}

/** A prepared statement. Its name is a digest, because its text is made for a limit and, for some, an account. */
function named(text: string): { name: string; text: string } {
  return { name: `bridge-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`, text }
}

/** A time in PostgreSQL's range. */
const bounded = (seconds: number): number => Math.min(seconds, 200_000_000_000)

interface PartyRow extends KeyRow {
  kind: 'd' | 'w'
  chain: string
}

/** Legs with a fact that names a party, by the time of the fact. @param before  as `partyFilter` */
export function ofParty({ database, context }: Snapshot, party: string, before: number): Candidates {
  const domains = new Map(context.domains.map(({ chain, domain }) => [chain, String(domain)]))
  return async (limit) => {
    const values = [party, bounded(before + LATE), [...context.positions.keys()], context.ledger]
    const { rows } = await database.query<PartyRow>({ ...named(PARTY(limit)), values })
    const found = rows.map(({ chain, domain, time, ...row }) => ({
      key: rowKey({ ...row, domain: domain ?? domains.get(chain) ?? null }),
      time,
    }))
    return { found, all: rows.length < limit }
  }
}

/** Selects the legs of a party from legs by their keys. */
export type PartyFilter = (keys: readonly string[]) => Promise<string[]>

/** @param before  upper bound of the legs' times, Unix seconds */
export async function partyFilter(at: Snapshot, party: string, before: number): Promise<PartyFilter> {
  const { found, all } = await ofParty(at, party, before)(MAX_PARTY_FACTS)
  if (!all) return (keys) => legsOfParty(at, keys, party)
  const legs = new Set(found.map(({ key }) => key))
  return async (keys) => keys.filter((key) => legs.has(key))
}

async function legsOfParty({ database, context }: Snapshot, keys: readonly string[], party: string): Promise<string[]> {
  const parsed = keys.map(parseLegKey).filter((key) => key !== null)
  const deposits = parsed.filter((key) => key.kind === 'deposit')
  const values = [
    party,
    context.ledger,
    deposits.map(({ domain }) => String(domain)),
    deposits.map(({ nonce }) => String(nonce)),
    deposits.map(({ domain }) => indexedChain(context, domain) ?? null),
    parsed.flatMap((key) => (key.kind === 'withdrawal' ? [String(key.id)] : [])),
  ]
  const { rows } = await database.query<Omit<PartyRow, 'time'>>({
    name: 'bridge-legs-of-party',
    text: LEGS_OF_PARTY,
    values,
  })
  const legs = new Set(rows.map(rowKey))
  return keys.filter((key) => legs.has(key))
}
