// All data of a market, for comparing two markets.
import type { MarketState } from '../../../api/live-market/model.ts'

/** All data of a state, except the block of its last change. */
export function facts(state: MarketState | null) {
  if (state === null) return null
  const { at, pools, books, closedBooks, tokens, poolsOf, booksOf, prices } = state
  const series = ({ changed: _, ...rest }: { changed: unknown; id: number }) => rest
  const ids = <T extends { id: number }>(sets: Map<string, Set<T>>) =>
    [...sets]
      .map(([token, set]) => [token, [...set].map(({ id }) => id).sort((a, b) => a - b)] as const)
      .filter(([, set]) => set.length > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  const sorted = <T extends { id: number }>(map: Map<number, T>) =>
    [...map.values()].sort((a, b) => a.id - b.id).map((one) => series(one as never))
  return {
    at,
    pools: sorted(pools),
    books: sorted(books),
    closedBooks: sorted(closedBooks),
    tokens: [...tokens.keys()].sort(),
    poolsOf: ids(poolsOf),
    booksOf: ids(booksOf),
    prices: new Map(prices.byToken),
    usd: prices.usd,
  }
}
