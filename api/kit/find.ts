// Finds markets and pools by the ids that clients use, ignoring case.
import type { LiveBook, LivePool, MarketState } from '../live-market/model.ts'

/** The two token ids of a ticker id; null if the text is no ticker id. Symbols have no underscore. */
export function splitTicker(ticker: string): [base: string, target: string] | null {
  const at = ticker.indexOf('_')
  if (at <= 0 || at === ticker.length - 1) return null
  return [ticker.slice(0, at).toLowerCase(), ticker.slice(at + 1).toLowerCase()]
}

/** The market of a ticker. If there are several: one that is not frozen, then the oldest. */
export function findBook(state: MarketState, ticker: string): LiveBook | null {
  const ids = splitTicker(ticker)
  if (ids === null) return null
  let best: LiveBook | null = null
  for (const book of smaller(state.booksOf, ids)) {
    if (book.base.id !== ids[0] || book.target.id !== ids[1]) continue
    if (best === null || isBefore(book, best)) best = book
  }
  return best
}

function isBefore(x: LiveBook, y: LiveBook): boolean {
  return x.frozen === y.frozen ? x.id < y.id : y.frozen
}

/** Pools of two tokens, in either order. */
export function poolsOfPair(state: MarketState, x: string, y: string): LivePool[] {
  const pools: LivePool[] = []
  for (const pool of smaller(state.poolsOf, [x, y])) {
    if ((pool.a.id === x && pool.b.id === y) || (pool.a.id === y && pool.b.id === x)) pools.push(pool)
  }
  return pools
}

/** Active pools of a ticker, in the pool's own order of tokens. */
export function poolsOfTicker(state: MarketState, ticker: string): LivePool[] {
  const ids = splitTicker(ticker)
  if (ids === null) return []
  return poolsOfPair(state, ...ids).filter(({ active, a }) => active && a.id === ids[0])
}

/** Pools or markets of whichever token has fewer. */
function smaller<T>(of: ReadonlyMap<string, ReadonlySet<T>>, [x, y]: [string, string]): Iterable<T> {
  const left = of.get(x)
  const right = of.get(y)
  if (left === undefined || right === undefined) return []
  return left.size <= right.size ? left : right
}
