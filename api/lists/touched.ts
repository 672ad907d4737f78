// Items that a step of the market may have changed, as far as lists show them.
import { VersionedCache } from '../../core/cache.ts'
import type { Changes } from '../live-market/advance.ts'
import { anyBook } from '../live-market/index-tokens.ts'
import type { MarketState } from '../live-market/model.ts'

/** Several lists need the same set for a step. */
const cache = new VersionedCache<Changes, ReadonlySet<number>>()

/** Changed pools, and pools of tokens whose price changed. */
export function touchedPools({ poolsOf }: MarketState, changes: Changes): ReadonlySet<number> {
  return cache.get(changes, null, null, () => {
    const touched = new Set(changes.pools)
    for (const token of changes.tokens) for (const { id } of poolsOf.get(token) ?? []) touched.add(id)
    return touched
  })
}

/** Changed markets alone, without changes of pools. */
export function touchedBooks(_state: MarketState, { books }: Changes): Set<number> {
  return books
}

/** Changed markets, and markets of tokens whose price changed. */
export function touchedPairs({ booksOf }: MarketState, { books, tokens }: Changes): Set<number> {
  const touched = new Set(books)
  for (const token of tokens) for (const { id } of booksOf.get(token) ?? []) touched.add(id)
  return touched
}

/** Tokens whose price changed, and tokens of changed pools and markets. */
export function touchedTokens(state: MarketState, changes: Changes): Set<string> | null {
  const { pools } = state
  const touched = new Set(changes.tokens)
  for (const id of changes.pools) {
    const pool = pools.get(id)
    // The tokens of a pool that a fork removed are unknown.
    if (pool === undefined) return null
    touched.add(pool.a.id).add(pool.b.id)
  }
  for (const id of [...changes.books, ...changes.closedBooks]) {
    const book = anyBook(state, id)
    if (book === undefined) return null
    touched.add(book.base.id).add(book.target.id)
  }
  return touched
}
