// Compares two markets at the same block: the live one and one freshly loaded from the database.
import type { ClosedBook, LiveBook, LivePool, MarketState } from './model.ts'

export interface MarketAudit {
  chain: string
  /** Block at which both were read. */
  block: number
  blockId: string
  /** Pools, markets and prices compared. */
  compared: number
  /** Names of the items that differ, at most `MAX_NAMED`. Empty: the market equals the database. */
  differences: string[]
}

const MAX_NAMED = 100

/** One text for each pool, market and price. Blocks of last changes are left out. */
export function describeMarket(state: MarketState): Map<string, string> {
  const { pools, books, closedBooks, prices, tokens, poolsOf, booksOf } = state
  const texts = new Map<string, string>()
  for (const pool of pools.values()) texts.set(`pool ${pool.id}`, textOf(pool))
  for (const book of books.values()) texts.set(`market ${book.id}`, textOf(book))
  for (const book of closedBooks.values()) texts.set(`closed market ${book.id}`, textOf(book))
  for (const id of tokens.keys()) {
    const price = prices.byToken.get(id)
    const markets = [...(booksOf.get(id) ?? [])].map((book) => book.id).sort((a, b) => a - b)
    const trading = [...(poolsOf.get(id) ?? [])].map((pool) => pool.id).sort((a, b) => a - b)
    texts.set(`token ${id}`, JSON.stringify({ price, trading, markets }, plain))
  }
  texts.set('USD price', String(prices.usd))
  return texts
}

/** Names of the items that differ. */
export function differences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const names = new Set([...one.keys(), ...other.keys()])
  return [...names].filter((name) => one.get(name) !== other.get(name)).slice(0, MAX_NAMED)
}

/** Sorts the members: the two markets were built in different order. */
function textOf({ changed: _, ...facts }: LivePool | LiveBook | ClosedBook): string {
  return JSON.stringify(
    Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1)),
    plain,
  )
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  return value instanceof Map ? [...value].sort(([a], [b]) => a - b) : value
}
