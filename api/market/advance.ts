// Moves the market from its block to a later one of the same branch: reads what the blocks between changed, adds their
// trades to the windows and takes off those that leave. All reads come first: nobody sees half a step.
import { applySeries, moveWindows, readSeries } from './advance-series.ts'
import { forgetBook, forgetPool, indexBook, indexPool } from './index-tokens.ts'
import { emptySeries, type LoadedMarket, ticksByPool } from './load.ts'
import type { BlockMark, LiveBook, LivePool } from './model.ts'
import type { Position, SnapshotReader } from './reader.ts'
import { type BookFacts, bookFacts, bookOrder, type OrderRow, type PoolFacts, poolFacts } from './rows.ts'

/** What a step changed: ids of pools and markets whose members may differ from before. */
export interface Changes {
  pools: Set<number>
  books: Set<number>
}

export async function advanceMarket(state: LoadedMarket, position: Position, reader: SnapshotReader): Promise<Changes> {
  const first = state.at.block + 1
  // Final blocks leave no before-images: what they changed without logging it is found by reading every row.
  const everything = position.lib >= first
  const poolKeys = await reader.changed('amm', first, position.block)
  const bookKeys = await reader.changed('spot', first, position.block)
  const windowBlocks = await moveWindows(state, position, reader)
  const wantedPools = everything ? null : poolKeys
  const wantedBooks = everything ? null : bookKeys
  const pools = wantedPools?.length === 0 ? [] : await reader.pools(wantedPools)
  const creations = await reader.creations(poolKeys.filter((id) => !state.pools.has(id)))
  const ticks = poolKeys.length === 0 ? new Map() : ticksByPool(await reader.ticks(poolKeys))
  const markets = wantedBooks?.length === 0 ? [] : await reader.markets(wantedBooks)
  const orders = bookKeys.length === 0 ? [] : await reader.orders(bookKeys)
  const amm = await readSeries(state, 'amm', windowBlocks, position, reader)
  const spot = await readSeries(state, 'spot', windowBlocks, position, reader)

  // From here on nothing is awaited.
  const at: BlockMark = { block: position.block, id: position.id, time: position.time }
  state.at = at
  state.lib = position.lib
  state.windowBlocks = windowBlocks
  const changes: Changes = { pools: new Set(poolKeys), books: new Set(bookKeys) }

  const created = new Map(creations.map((row) => [row.id, row]))
  const foundPools = new Set<number>()
  for (const facts of pools.map(poolFacts)) {
    foundPools.add(facts.id)
    const known = state.pools.get(facts.id)
    if (known !== undefined && !changes.pools.has(facts.id) && !differs(known, facts)) continue
    changes.pools.add(facts.id)
    if (known === undefined) addPool(state, facts, created.get(facts.id), at)
    else Object.assign(known, facts)
  }
  for (const id of everything ? [...state.pools.keys()] : poolKeys) {
    const pool = state.pools.get(id)
    if (pool === undefined) continue
    if (!foundPools.has(id)) removePool(state, pool, changes)
  }
  for (const id of poolKeys) {
    const pool = state.pools.get(id)
    if (pool !== undefined) pool.ticks = ticks.get(id) ?? new Map()
  }

  const foundBooks = new Set<number>()
  for (const facts of markets.map(bookFacts)) {
    foundBooks.add(facts.id)
    const known = state.books.get(facts.id)
    if (known !== undefined && !changes.books.has(facts.id) && !differs(known, facts)) continue
    changes.books.add(facts.id)
    if (known === undefined) addBook(state, facts, at)
    else Object.assign(known, facts)
  }
  for (const id of everything ? [...state.books.keys()] : bookKeys) {
    const book = state.books.get(id)
    if (book === undefined || foundBooks.has(id)) continue
    state.books.delete(id)
    forgetBook(state, book)
    changes.books.add(id)
  }
  putOrders(state, bookKeys, orders)

  applySeries(state.pools, amm, changes.pools)
  applySeries(state.books, spot, changes.books)
  for (const id of changes.pools) touch(state.pools.get(id), at)
  for (const id of changes.books) touch(state.books.get(id), at)
  return changes
}

function addPool(
  state: LoadedMarket,
  facts: PoolFacts,
  created: { time: number; price: string } | undefined,
  at: BlockMark,
): void {
  const pool: LivePool = {
    ...facts,
    ...emptySeries(at),
    createdAt: created?.time ?? null,
    creationPrice: created === undefined ? null : BigInt(created.price),
    ticks: new Map(),
  }
  state.pools.set(pool.id, pool)
  indexPool(state, pool)
}

function removePool(state: LoadedMarket, pool: LivePool, changes: Changes): void {
  state.pools.delete(pool.id)
  forgetPool(state, pool)
  changes.pools.add(pool.id)
}

function addBook(state: LoadedMarket, facts: BookFacts, at: BlockMark): void {
  const book: LiveBook = { ...facts, ...emptySeries(at), bids: [], asks: [] }
  state.books.set(book.id, book)
  indexBook(state, book)
}

/** Replaces all orders of markets. Rows must be best first within a side. */
function putOrders(state: LoadedMarket, ids: readonly number[], rows: readonly OrderRow[]): void {
  const sides = new Map(
    ids.map((id) => [id, { bids: [] as LiveBook['bids'][number][], asks: [] as LiveBook['asks'][number][] }]),
  )
  for (const row of rows) sides.get(row.market)?.[row.side === 'buy' ? 'bids' : 'asks'].push(bookOrder(row))
  for (const [id, orders] of sides) {
    const book = state.books.get(id)
    if (book !== undefined) Object.assign(book, orders)
  }
}

/** Whether a row says anything else than what is known. Tokens are one object each. */
function differs<T extends object>(known: T, facts: Partial<T>): boolean {
  return Object.entries(facts).some(([name, value]) => known[name as keyof T] !== value)
}

function touch(series: { changed: BlockMark } | undefined, at: BlockMark): void {
  if (series !== undefined) series.changed = at
}
