// Merges the newest rows of several lists. Each list is in order of its facts' times, and no fact is older than its
// leg. A page ends at the end of a second, so that paging by seconds neither repeats nor loses a row.

/** A leg that may belong to the answer, with the time of one of its facts, Unix milliseconds. */
export interface Candidate {
  key: string
  time: number
}

interface CandidateList {
  /** Newest fact first; in any order if complete. */
  found: readonly Candidate[]
  /** Whether the list is complete. */
  all: boolean
}

/** Reads about `count` candidates: all of a list that is known to be short. */
export type Candidates = (count: number) => Promise<CandidateList>

export interface Timed {
  key: string
  /** Start, Unix milliseconds. */
  time: number
}

export interface NewestOptions<Row extends Timed> {
  lists: readonly Candidates[]
  /** Loads the rows of candidates. @returns the rows that belong to the answer */
  load(keys: string[]): Promise<Row[]>
  limit: number
  /** Unix seconds; infinity for the newest. */
  before: number
  /** Candidates that are loaded at once; limit + 10 by default. */
  chunk?: number
}

export interface NewestPage<Row> {
  rows: Row[]
  /** `before` of the next page, Unix seconds; null at the end. */
  next: number | null
}

/** Maximum number of candidates read for a page of a list. A page that reaches it may be short; `next` continues. */
const MAX_CANDIDATES = 20_000

export async function newest<Row extends Timed>(options: NewestOptions<Row>): Promise<NewestPage<Row>> {
  const { lists, load, limit, before, chunk = limit + 10 } = options
  const seen = new Set<string>()
  const rows: Row[] = []
  for (let count = limit + 10; ; count *= 4) {
    const read: CandidateList[] = []
    for (const list of lists) read.push(await list(count))
    // Lists are complete above this time only.
    const lows = read.map(({ found, all }) => (all ? -Infinity : (found.at(-1)?.time ?? -Infinity)))
    const floor = Math.max(-Infinity, ...lows)
    const waiting = newestFirst(read.flatMap(({ found }) => found)).filter(({ key }) => !seen.has(key))
    for (let at = 0; ; ) {
      // No leg is newer than its candidate, so legs that are not loaded yet are not newer than this time.
      const below = Math.max(floor, waiting[at]?.time ?? -Infinity)
      const page = pageOf(rows, limit)
      const last = secondOf(page.at(-1))
      if (below === -Infinity) return { rows: page, next: page.length < rows.length ? last : null }
      if (page.length >= limit && last * 1000 > below) return { rows: page, next: last }
      if (at >= waiting.length) break
      const keys = waiting.slice(at, at + chunk).map(({ key }) => key)
      at += keys.length
      for (const key of keys) seen.add(key)
      for (const row of await load(keys)) if (row.time < before * 1000) rows.push(row)
      rows.sort((one, other) => other.time - one.time || (one.key < other.key ? 1 : -1))
    }
    if (count < MAX_CANDIDATES) continue
    const next = Math.floor(floor / 1000) + 1
    return { rows: rows.filter((row) => secondOf(row) >= next), next: Math.min(next, before) }
  }
}

/** Each key once, with its latest time. */
function newestFirst(candidates: readonly Candidate[]): Candidate[] {
  const times = new Map<string, number>()
  for (const { key, time } of candidates) times.set(key, Math.max(time, times.get(key) ?? time))
  return [...times].map(([key, time]) => ({ key, time })).sort((one, other) => other.time - one.time)
}

/** The first `limit` rows, and all further rows of the last row's second. */
function pageOf<Row extends Timed>(rows: readonly Row[], limit: number): Row[] {
  const last = secondOf(rows[limit - 1])
  const end = rows.findIndex((row, index) => index >= limit && secondOf(row) !== last)
  return rows.slice(0, rows.length <= limit || end === -1 ? rows.length : end)
}

function secondOf(row: Timed | undefined): number {
  return Math.floor((row?.time ?? 0) / 1000)
}
