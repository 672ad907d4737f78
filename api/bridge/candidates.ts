// Reads candidates for lists of legs. Each statement reads facts in order of time and stops at the limit.
import { createHash } from 'node:crypto'
import { isEvmDomain } from '../../core/chains.ts'
import type { Snapshot } from './lists.ts'
import type { Candidates } from './newest.ts'
import { rowKey } from './open-legs.ts'
import {
  ANTELOPE_DEPOSITS,
  ANTELOPE_DEPOSITS_THAT,
  DEPOSIT_EVENTS,
  DEPOSIT_EVENTS_THAT,
  type Limited,
  PARTY,
  RARE_DEPOSITS,
  VAULT_DEPOSITS,
  VAULT_DEPOSITS_THAT,
} from './sql/lists.ts'

/** An event type with fewer legs than this is rare: all of its legs are read. */
const RARE = 300
/** Most facts that are read for each party after the first. */
const MAX_PARTY_FACTS = 20_000
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
  const values = [at.world.ledger, type, ...(domain === undefined ? [] : [String(domain)])]
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
  return [...lists, list(at, DEPOSIT_EVENTS, [at.world.ledger], 'd', null, before)]
}

/** Deposits with an event of a type. For each source: all if the type is rare, else in order of the source's time. */
export async function depositListsThat(at: Snapshot, before: number, type: string): Promise<Candidates[]> {
  const { ledger } = at.world
  const lists = [list(at, DEPOSIT_EVENTS_THAT, [ledger], 'd', null, before + LATE, [type])]
  for (const { chain, domain } of sourcesOf(at)) {
    const statement = isEvmDomain(domain) ? VAULT_DEPOSITS_THAT : ANTELOPE_DEPOSITS_THAT
    const few = await rare(at, RARE_DEPOSITS, type, 'd', domain)
    lists.push(few ?? list(at, statement, [chain], 'd', String(domain), before, [type, ledger, String(domain)]))
  }
  return lists
}

export function sourcesOf({ world }: Snapshot): { chain: string; domain: bigint }[] {
  return world.domains.filter(({ chain }) => world.positions.has(chain))
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

export function ofParty({ database, world }: Snapshot, party: string, before: number): Candidates {
  const domains = new Map(world.domains.map(({ chain, domain }) => [chain, String(domain)]))
  return async (limit) => {
    const values = [party, bounded(before + LATE), [...world.positions.keys()], world.ledger]
    const { rows } = await database.query<PartyRow>({ ...named(PARTY(limit)), values })
    const found = rows.map(({ chain, domain, time, ...row }) => ({
      key: rowKey({ ...row, domain: domain ?? domains.get(chain) ?? null }),
      time,
    }))
    return { found, all: rows.length < limit }
  }
}

export async function partyKeys(at: Snapshot, party: string): Promise<Set<string>> {
  const { found } = await ofParty(at, party, Infinity)(MAX_PARTY_FACTS)
  return new Set(found.map(({ key }) => key))
}
