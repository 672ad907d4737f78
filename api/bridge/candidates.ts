// Reads candidates for lists of legs. Each statement reads facts from the newest to the oldest and stops at the limit.
import { createHash } from 'node:crypto'
import { isEvmDomain } from '../../core/chains.ts'
import { parseLegKey } from '../kit/leg-key.ts'
import { indexedChain, type Snapshot } from './bridge-context.ts'
import type { Candidates } from './newest.ts'
import { rowKey } from './open-legs.ts'
import {
  ANTELOPE_DEPOSITS,
  ANTELOPE_DEPOSITS_WITH_EVENT,
  DEPOSIT_EVENTS,
  DEPOSIT_EVENTS_WITH_EVENT,
  LEGS_OF_PARTY,
  type Limited,
  PARTY,
  RARE_DEPOSITS,
  VAULT_DEPOSITS,
  VAULT_DEPOSITS_WITH_EVENT,
} from './sql/lists.ts'

/** Limit of the legs of a rare event type: they are read all at once, in any order. */
const MAX_RARE = 300
/** Limit of the facts of a party whose legs are read in advance. With more, each chunk of legs is looked up. */
const MAX_PARTY_FACTS = 2000
/** Longest time from the start of a leg to an event of it, or to a fact that names a party of it, seconds. */
export const MAX_EVENT_DELAY = 14 * 86_400

/** All legs with an event of a type. @returns null if there are `MAX_RARE` or more */
export async function listIfRare(
  at: Snapshot,
  statement: Limited,
  type: string,
  kind: 'd' | 'w',
  domain?: bigint,
): Promise<Candidates | null> {
  const values = [at.context.ledger, type, ...(domain === undefined ? [] : [String(domain)])]
  const { rows } = await at.database.query<KeyRow>({ ...named(statement(MAX_RARE)), values })
  if (rows.length === MAX_RARE) return null
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

/** Deposits with an event of a type. Of each source chain: all if the type is rare, else by time on that chain. */
export async function depositListsWithEvent(at: Snapshot, before: number, type: string): Promise<Candidates[]> {
  const { ledger } = at.context
  const lists = [list(at, DEPOSIT_EVENTS_WITH_EVENT, [ledger], 'd', null, before + MAX_EVENT_DELAY, [type])]
  for (const { chain, domain } of sourcesOf(at)) {
    const statement = isEvmDomain(domain) ? VAULT_DEPOSITS_WITH_EVENT : ANTELOPE_DEPOSITS_WITH_EVENT
    const rare = await listIfRare(at, RARE_DEPOSITS, type, 'd', domain)
    lists.push(rare ?? list(at, statement, [chain], 'd', String(domain), before, [type, ledger, String(domain)]))
  }
  return lists
}

/** The indexed chains of the bridge, with their domains. */
export function sourcesOf({ context }: Snapshot): { chain: string; domain: bigint }[] {
  return context.domains.filter(({ chain }) => context.positions.has(chain))
}

/**
 * Legs of a statement, newest first.
 *
 * @param kind    kind of its legs
 * @param domain  domain of its deposits; null if each row has its own
 * @param before  exclusive upper bound of its times, Unix seconds
 * @param more    values of the statement from $3 on
 */
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

/** A prepared statement. Its name is a digest of its text, which contains the limit and, in some, an account. */
function named(text: string): { name: string; text: string } {
  return { name: `bridge-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`, text }
}

/** Far beyond every block time, and within the range of PostgreSQL's timestamps (year 294276). Unix seconds. */
const MAX_TIME = 200_000_000_000
const bounded = (seconds: number): number => Math.min(seconds, MAX_TIME)

interface PartyRow extends KeyRow {
  kind: 'd' | 'w'
  chain: string
}

/** Legs with a fact that names a party, by the time of the fact. @param before  as `partyFilter` */
export function ofParty({ database, context }: Snapshot, party: string, before: number): Candidates {
  const domains = new Map(context.domains.map(({ chain, domain }) => [chain, String(domain)]))
  return async (limit) => {
    const values = [party, bounded(before + MAX_EVENT_DELAY), [...context.positions.keys()], context.ledger]
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
