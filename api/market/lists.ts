// The lists of the market API: tokens, pools and order-book markets.
import type { ListOf } from '../lists/live-list.ts'
import { touchedBooks, touchedPools, touchedTokens } from '../lists/touched.ts'
import type { LiveBook, LivePool, TokenRef } from '../live-market/model.ts'
import { bookText } from './order-book.ts'
import { poolText } from './pool.ts'
import { tokenText } from './token.ts'

/** The system token, then priced tokens by liquidity, then others; equal ones by id. */
export const TOKENS: ListOf<string, TokenRef> = {
  key: 'market tokens',
  items: ({ tokens }) => tokens,
  rank({ prices }, { id }) {
    const width = prices.byToken.get(id)?.width ?? -1n
    return [id === prices.systemToken.id ? 0 : 1, -width, id]
  },
  json: (state, token) => Buffer.from(tokenText(state, token)),
  touched: touchedTokens,
}

/** Pools by their ids. */
export const POOLS: ListOf<number, LivePool> = {
  key: 'market pools',
  items: ({ pools }) => pools,
  rank: (_state, { id }) => [id],
  json: (state, pool) => Buffer.from(poolText(state, pool)),
  touched: touchedPools,
}

/** Markets by their ids. */
export const BOOKS: ListOf<number, LiveBook> = {
  key: 'market orderbooks',
  items: ({ books }) => books,
  rank: (_state, { id }) => [id],
  json: (_state, book) => Buffer.from(bookText(book)),
  touched: touchedBooks,
}
