// Who may use more is given no less. Where it cannot be told that a route is within a hundredth of a percent of the best
// that there can be, the routes with fewer hops, fewer parts and without order books are sought too, and the best of all is
// taken (docs/api/routes.md, "More is never worse").
import type { Contest } from './contest.ts'
import type { PathSearch } from './search.ts'

/** What more hops, parts or order books may cost, relatively. */
export const TOLERANCE = 1e-4

export interface Others {
  /** Makes the search for no more than so many hops, with order books or without. */
  search: (maxHops: number, books: boolean) => PathSearch | null
  /** Makes the contest of a search for so many parts. */
  compete: (search: PathSearch, maxParts: number) => Contest
}

/**
 * @param found  what a search with so many parts has found
 * @returns the same, or a contest that is no worse by more than the tolerance than those of the searches with as many hops,
 *          parts and markets, or fewer
 */
export function orFewer(found: Contest, first: PathSearch, maxParts: number, others: Others): Contest {
  if (isEnough(found, first, maxParts)) return found
  let best = found
  for (let maxHops = first.hops; maxHops > 0; maxHops--) {
    for (const books of first.hasBooks ? [true, false] : [first.query.books]) {
      const search = others.search(maxHops, books)
      if (search === null) continue
      const isFirst = maxHops === first.hops && books === first.query.books
      for (let parts = isFirst ? maxParts - 1 : maxParts; parts > 0; parts--) {
        // Then it is for fewer as well.
        if (isEnough(best, search, parts)) break
        best = best.betterOf(others.compete(search, parts))
      }
    }
  }
  return best
}

/** Whether no division among so many of the paths of a search is better by more than the tolerance. */
function isEnough(best: Contest, search: PathSearch, maxParts: number): boolean {
  const { amount, enough } = best.toBeat(TOLERANCE)
  return maxParts === 1
    ? !search.exceeds(amount, enough)
    : Math.floor(best.bound(search, amount, maxParts, enough)) <= enough
}
