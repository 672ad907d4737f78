// The order of one list of what waits: what can succeed first, then in rounds, one of each domain and in a domain one of
// each account, oldest first. So many entries for one account hide no entry for another one.
//
// An entry keeps its round for ten minutes after an older one has left the list: somebody who pages and does the work
// in between misses nothing.

/** What waits, as far as its place depends on it. */
export interface Waiting {
  /** Names it in its list. */
  key: string
  domain: bigint
  /** Receiver, as text. */
  account: string
  /** Since when, Unix milliseconds. */
  time: number
  /** Orders those of one time. */
  number: bigint
}

/** Place of an entry in the order; no two entries have the same one. */
export interface Place {
  /** Whether it cannot succeed now. */
  blocked: boolean
  round: number
  domain: bigint
}

interface Remembered extends Waiting {
  /** When it was in the list for the last time. */
  seenAt: number
}

const MEMORY_MS = 600_000

export class FairOrder {
  private readonly remembered = new Map<string, Remembered>()
  private readonly now: () => number

  /** @param now  clock, milliseconds */
  constructor(now: () => number = Date.now) {
    this.now = now
  }

  /** @returns rounds by key, for every entry of the list */
  rounds(waiting: readonly Waiting[]): ReadonlyMap<string, number> {
    const now = this.now()
    for (const entry of waiting) this.remembered.set(entry.key, { ...entry, seenAt: now })
    for (const [key, { seenAt }] of this.remembered) if (seenAt < now - MEMORY_MS) this.remembered.delete(key)
    return roundsOf([...this.remembered.values()])
  }
}

/** Rounds by key. Pure. */
export function roundsOf(waiting: readonly Waiting[]): Map<string, number> {
  const oldestFirst = [...waiting].sort((one, other) => one.time - other.time || compare(one.number, other.number))
  const ofAccount = numbered(oldestFirst, ({ domain, account }) => `${domain} ${account}`)
  // Sorting is stable: within a round of accounts it stays oldest first.
  const turns = [...oldestFirst].sort((one, other) => ofAccount.get(one.key)! - ofAccount.get(other.key)!)
  return numbered(turns, ({ domain }) => String(domain))
}

/** Position of each entry among those of its group, by key. */
function numbered(entries: readonly Waiting[], groupOf: (entry: Waiting) => string): Map<string, number> {
  const counts = new Map<string, number>()
  return new Map(
    entries.map((entry) => {
      const group = groupOf(entry)
      const count = counts.get(group) ?? 0
      counts.set(group, count + 1)
      return [entry.key, count]
    }),
  )
}

export function byPlace(one: Place, other: Place): number {
  return Number(one.blocked) - Number(other.blocked) || one.round - other.round || compare(one.domain, other.domain)
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}
