// Finds orders and ticks that final blocks changed without logging it. Final blocks leave no before-images, so digests of
// all rows are compared with those of the last time. The database makes the digests: reading a hundred thousand rows
// would stop the process for longer than a fast chain takes to make its next blocks final.
import type { DigestRow } from './rows.ts'

/** Digests of the ticks of each pool and of the orders of each market, by id. None without rows. */
export interface Digests {
  pools: Map<number, string>
  books: Map<number, string>
}

export interface Unlogged {
  pools: number[]
  books: number[]
}

/** Digest of an item whose rows have changed since the last digests. */
const CHANGED = ''

export function digestsOf(pools: readonly DigestRow[], books: readonly DigestRow[]): Digests {
  const byId = (rows: readonly DigestRow[]) => new Map(rows.map(({ id, digest }) => [id, digest]))
  return { pools: byId(pools), books: byId(books) }
}

/** Marks pools and markets whose rows a step has changed: they count as changed until the next digests. */
export function forgetDigests(known: Digests, pools: Iterable<number>, books: Iterable<number>): void {
  for (const id of pools) known.pools.set(id, CHANGED)
  for (const id of books) known.books.set(id, CHANGED)
}

/** Pools whose ticks, and markets whose orders, may not be as they were at the earlier digests. */
export function unloggedChanges(known: Digests, found: Digests): Unlogged {
  return { pools: differing(known.pools, found.pools), books: differing(known.books, found.books) }
}

function differing(known: ReadonlyMap<number, string>, found: ReadonlyMap<number, string>): number[] {
  return [...new Set([...known.keys(), ...found.keys()])].filter((id) => known.get(id) !== found.get(id))
}
