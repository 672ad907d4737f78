// Indexes of a live market: its tokens, and the pools and markets that trade each token.
import type { ClosedBook, LiveBook, LivePool, MarketState, TokenRef } from './model.ts'

/** Builds the indexes from scratch. */
export function indexTokens(state: MarketState): void {
  state.tokens.set(state.prices.systemToken.id, state.prices.systemToken)
  for (const pool of state.pools.values()) indexPool(state, pool)
  for (const book of state.books.values()) indexBook(state, book)
  for (const book of state.closedBooks.values()) addTokens(state, book)
}

/** An open or closed market. */
export function anyBook({ books, closedBooks }: MarketState, id: number): LiveBook | ClosedBook | undefined {
  return books.get(id) ?? closedBooks.get(id)
}

/** Adds the tokens of a closed market, which no longer trades them. */
function addTokens({ tokens }: MarketState, { base, target }: ClosedBook): void {
  for (const token of [base, target]) if (!tokens.has(token.id)) tokens.set(token.id, token)
}

/** Adds a pool and its tokens. */
export function indexPool({ tokens, poolsOf }: MarketState, pool: LivePool): void {
  for (const token of [pool.a, pool.b]) put(tokens, poolsOf, token, pool)
}

/** Adds an open market and its tokens. */
export function indexBook({ tokens, booksOf }: MarketState, book: LiveBook): void {
  for (const token of [book.base, book.target]) put(tokens, booksOf, token, book)
}

/** Removes a pool. Its tokens stay known. */
export function forgetPool({ poolsOf }: MarketState, pool: LivePool): void {
  for (const { id } of [pool.a, pool.b]) poolsOf.get(id)?.delete(pool)
}

/** Removes a market. Its tokens stay known. */
export function forgetBook({ booksOf }: MarketState, book: LiveBook): void {
  for (const { id } of [book.base, book.target]) booksOf.get(id)?.delete(book)
}

/** Removes tokens that no pool or market has any more. Only pools and markets of orphaned blocks had them. */
export function forgetTokens({ tokens, poolsOf, booksOf, closedBooks, prices }: MarketState): void {
  const closed = new Set([...closedBooks.values()].flatMap(({ base, target }) => [base.id, target.id]))
  for (const id of tokens.keys()) {
    if (id === prices.systemToken.id || poolsOf.get(id)?.size || booksOf.get(id)?.size || closed.has(id)) continue
    tokens.delete(id)
    poolsOf.delete(id)
    booksOf.delete(id)
  }
}

function put<T>(tokens: Map<string, TokenRef>, of: Map<string, Set<T>>, token: TokenRef, one: T): void {
  if (!tokens.has(token.id)) tokens.set(token.id, token)
  let all = of.get(token.id)
  if (all === undefined) of.set(token.id, (all = new Set()))
  all.add(one)
}
