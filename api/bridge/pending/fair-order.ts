// Fair order of a list of pending work. Entries that can succeed come first; then the order is by rounds. A round has
// one entry of each domain. A domain takes its accounts in turn, and of each account the oldest entry first, so that
// many entries of one account do not delay the others.
//
// An entry that leaves the list counts for ten more minutes. The rounds of the other entries thus stay the same while a
// client reads the pages and does the work.

/** The members of an entry that determine its place. */
export interface Waiting {
  /** Unique in its list. */
  key: string
  domain: bigint
  /** Receiver. */
  account: string
  /** Start of the wait, Unix milliseconds. */
  time: number
  /** Orders entries of the same time. */
  number: bigint
}

/** Place of an entry in the order, unique in its list. */
export interface Place {
  /** Whether it cannot succeed now. */
  blocked: boolean
  round: number
  domain: bigint
}

interface Remembered extends Waiting {
  /** Time at which it was last in the list, milliseconds. */
  seenAt: number
}

/** How long an entry counts after it has left the list, milliseconds. */
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
  const roundOf = ({ key }: Waiting) => ofAccount.get(key) ?? 0
  // Sorting is stable: within a round of accounts it stays oldest first.
  const turns = [...oldestFirst].sort((one, other) => roundOf(one) - roundOf(other))
  return numbered(turns, ({ domain }) => String(domain))
}

/** Position of each entry within its group, by key. */
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

/** Compares two places for sorting. */
export function byPlace(one: Place, other: Place): number {
  return Number(one.blocked) - Number(other.blocked) || one.round - other.round || compare(one.domain, other.domain)
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}
