// Lists of order-book markets by id: pairs and tickers.

import { poolsOfPair } from '../../kit/find.ts'
import { spotPair, tickerId } from '../../kit/pair.ts'
import { worthOf } from '../../kit/worth.ts'
import type { ListOf } from '../../lists/live-list.ts'
import { touchedBooks } from '../../lists/touched.ts'
import type { Changes } from '../../live-market/advance.ts'
import type { LiveBook, MarketState } from '../../live-market/model.ts'
import { type SpotTicker, spotTicker } from './ticker.ts'

/** Markets of a base and a target token; absent ones match any token. Token ids in lower case. */
export function pairsList({ base, target }: { base?: string; target?: string }): ListOf<number, LiveBook> {
  return {
    key: `pairs ${JSON.stringify({ base, target })}`,
    items: ({ books }) => books,
    rank: (_state, book) =>
      (base ?? book.base.id) === book.base.id && (target ?? book.target.id) === book.target.id ? [book.id] : null,
    json: (_state, book) => Buffer.from(JSON.stringify(spotPair(book))),
    touched: touchedBooks,
  }
}

/** All markets with prices and volumes. */
export function tickersList(hideScam: boolean, site: string): ListOf<number, LiveBook> {
  return {
    key: `tickers ${site} ${hideScam}`,
    items: ({ books }) => books,
    rank: (state, book) => (hideScam && isScam(state, book) ? null : [book.id]),
    json: (state, book) => Buffer.from(JSON.stringify(tickerOf(state, book, site))),
    touched: touchedTickers,
  }
}

/** Tickers of the markets in a comma-separated list of ticker ids. */
export function chosenTickers(state: MarketState, tickers: string, hideScam: boolean, site: string): SpotTicker[] {
  const wanted = new Set(tickers.toLowerCase().split(','))
  return [...state.books.values()]
    .filter((book) => wanted.has(tickerId(book.base, book.target)) && !(hideScam && isScam(state, book)))
    .sort((x, y) => x.id - y.id)
    .map((book) => tickerOf(state, book, site))
}

export function tickerOf(state: MarketState, book: LiveBook, site: string): SpotTicker {
  return spotTicker(book, poolsOfPair(state, book.base.id, book.target.id), worthOf(state), site)
}

function isScam(state: MarketState, { base, target }: LiveBook): boolean {
  const worth = worthOf(state)
  return worth.isScam(base.id) || worth.isScam(target.id)
}

/** A ticker includes volumes and reserves of the pools of its pair. */
function touchedTickers(state: MarketState, { books, pools }: Changes): Set<number> | null {
  const touched = new Set(books)
  for (const id of pools) {
    const pool = state.pools.get(id)
    // The tokens of a pool that a fork removed are unknown.
    if (pool === undefined) return null
    for (const book of state.booksOf.get(pool.a.id) ?? [])
      if (book.base.id === pool.b.id || book.target.id === pool.b.id) touched.add(book.id)
  }
  return touched
}
