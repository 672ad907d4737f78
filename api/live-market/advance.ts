// Moves the market from its block to a later one, on the same branch or on a fork, with the data that `readStep` has
// read. Runs without `await`, so no caller sees half a step.

import type { StepReads } from './advance-reads.ts'
import { applySeries } from './advance-series.ts'
import { anyBook, forgetBook, forgetPool, forgetTokens, indexBook, indexPool } from './index-tokens.ts'
import { emptySeries, type LoadedMarket, newPool } from './load.ts'
import type { BlockMark, LiveBook, Series } from './model.ts'
import type { Creation, Position } from './reader.ts'
import {
  type BookFacts,
  bookOrder,
  type ClosedFacts,
  closedFacts,
  type OrderRow,
  type PoolFacts,
  type TradesRow,
} from './rows.ts'
import { forgetDigests } from './unlogged.ts'

/** What a step changed: ids of pools and markets whose members may differ from before. */
export interface Changes {
  pools: Set<number>
  books: Set<number>
  /** Markets closed earlier whose trades left a window. Markets that this step closed are in `books`. */
  closedBooks: Set<number>
  /** Tokens whose price changed. */
  tokens: Set<string>
  /** Whether the USD price of the system token, the scores or the lists in force changed. */
  everything: boolean
  /** Whether a market was opened or closed, or its fee changed. */
  terms: boolean
  /** Whether farms may have changed. */
  farms: boolean
  /** The block at which the step began, and the trades of the new blocks. */
  before: BlockMark
  swaps: readonly TradesRow[]
  deals: readonly TradesRow[]
  /** After a fork: number of the last block that both branches share. Null otherwise. */
  forkedAfter: number | null
}

export function advanceMarket(state: LoadedMarket, { block, id, time, lib }: Position, reads: StepReads): Changes {
  const { prices, at: before, tokens } = state
  const everything =
    reads.scoresFrom !== state.scoresFrom || reads.inputs.usd !== prices.usd || prices.listsChange(before.time, time)
  const tokensBefore = tokens.size
  const changes: Changes = {
    pools: new Set(reads.poolKeys),
    books: new Set(reads.bookKeys),
    closedBooks: new Set(),
    tokens: new Set(),
    everything,
    terms: false,
    farms: reads.farms,
    before,
    swaps: reads.amm.come,
    deals: reads.spot.come,
    forkedAfter: reads.undone?.forkedAfter ?? null,
  }
  if (reads.undone !== null) forget(state, reads.undone)
  state.at = { block, id, time }
  state.lib = lib
  state.windowBlocks = reads.windowBlocks
  state.scoresFrom = reads.scoresFrom
  if (reads.digests === null) forgetDigests(state.digests, reads.poolKeys, reads.bookKeys)
  else state.digests = reads.digests
  advancePools(state, reads, changes)
  advanceBooks(state, reads, changes)
  for (const id of applySeries((id) => state.pools.get(id), reads.amm)) changes.pools.add(id)
  for (const id of applySeries((id) => anyBook(state, id), reads.spot))
    (state.books.has(id) ? changes.books : changes.closedBooks).add(id)
  if (reads.undone !== null) {
    for (const [id, series] of reads.undone.pools) put(state.pools.get(id), series)
    for (const [id, series] of reads.undone.books) put(anyBook(state, id), series)
  }
  if (forgetUntraded(state, changes.books) || reads.undone !== null) forgetTokens(state)
  for (const pool of changes.pools) {
    const known = state.pools.get(pool)
    if (known === undefined) state.prices.removePool(pool)
    else state.prices.putPool(known)
  }
  if (everything || changes.pools.size > 0) changes.tokens = state.prices.update(time, reads.inputs)
  if (reads.undone !== null) forgetMarks(state, reads.undone.forkedAfter)
  markChanges(state, changes)
  if (tokens.size > tokensBefore || reads.undone !== null) state.changed.tokenSet = state.at
  return changes
}

function advancePools(state: LoadedMarket, reads: StepReads, changes: Changes): void {
  const found = new Set<number>()
  for (const facts of reads.pools) {
    found.add(facts.id)
    const known = state.pools.get(facts.id)
    if (known !== undefined && !changes.pools.has(facts.id) && !differs(known, facts)) continue
    changes.pools.add(facts.id)
    if (known === undefined) addPool(state, facts, reads.creations.get(facts.id))
    else Object.assign(known, facts)
  }
  for (const id of reads.everything ? [...state.pools.keys()] : reads.poolKeys) {
    const pool = state.pools.get(id)
    if (pool === undefined || found.has(id)) continue
    state.pools.delete(id)
    forgetPool(state, pool)
    changes.pools.add(id)
  }
  for (const id of reads.poolKeys) {
    const pool = state.pools.get(id)
    if (pool !== undefined) pool.ticks = reads.ticks.get(id) ?? new Map()
  }
}

function advanceBooks(state: LoadedMarket, reads: StepReads, changes: Changes): void {
  const found = new Set<number>()
  for (const facts of reads.books) {
    found.add(facts.id)
    const known = state.books.get(facts.id)
    if (known !== undefined && !changes.books.has(facts.id) && !differs(known, facts)) continue
    changes.books.add(facts.id)
    if (known?.fee !== facts.fee) changes.terms = true
    if (known === undefined) addBook(state, facts)
    else Object.assign(known, facts)
  }
  const closed = new Map(reads.closed.map((row) => [row.id, closedFacts(row)]))
  for (const id of reads.everything ? [...state.books.keys()] : reads.bookKeys) {
    if (found.has(id)) continue
    const known = anyBook(state, id)
    if (known === undefined) continue
    closeBook(state, id, closed.get(id) ?? known)
    changes.books.add(id)
    changes.terms = true
  }
  putOrders(state, reads.bookKeys, reads.orders)
}

function addPool(state: LoadedMarket, facts: PoolFacts, created: Creation | undefined): void {
  const pool = newPool(facts, created, new Map(), state.at)
  state.pools.set(pool.id, pool)
  indexPool(state, pool)
}

function addBook(state: LoadedMarket, facts: BookFacts): void {
  // The market was opened again, or a fork closed and opened it.
  const before = state.closedBooks.get(facts.id)
  const series = before === undefined ? emptySeries(state.at) : seriesOf(before)
  const book: LiveBook = { bids: [], asks: [], ...facts, ...series }
  state.closedBooks.delete(book.id)
  state.books.set(book.id, book)
  indexBook(state, book)
}

/** Removes a market but keeps its series, whose trades are still in the windows. @param facts  its last row */
function closeBook(state: LoadedMarket, id: number, { base, target }: ClosedFacts): void {
  const known = anyBook(state, id)
  const book = state.books.get(id)
  if (book !== undefined) {
    state.books.delete(id)
    forgetBook(state, book)
  }
  if (known !== undefined) state.closedBooks.set(id, { id, base, target, ...seriesOf(known) })
}

function seriesOf({ volumes, before24, beforeWeek, high24, low24, last, first, changed }: Series): Series {
  return { volumes, before24, beforeWeek, high24, low24, last, first, changed }
}

/** Drops closed markets without trades. @returns whether one of the markets is closed */
function forgetUntraded({ closedBooks }: LoadedMarket, ids: Iterable<number>): boolean {
  let isClosed = false
  for (const id of ids) {
    const book = closedBooks.get(id)
    isClosed ||= book !== undefined
    if (book?.volumes.all.trades === 0) closedBooks.delete(id)
  }
  return isClosed
}

/** Replaces all orders of markets. Rows must be best first within a side. */
function putOrders(state: LoadedMarket, ids: readonly number[], rows: readonly OrderRow[]): void {
  const sides = new Map(ids.map((id) => [id, { bids: [] as OrderRow[], asks: [] as OrderRow[] }]))
  for (const row of rows) sides.get(row.market)?.[row.side === 'buy' ? 'bids' : 'asks'].push(row)
  for (const [id, { bids, asks }] of sides) {
    const book = state.books.get(id)
    if (book !== undefined) Object.assign(book, { bids: bids.map(bookOrder), asks: asks.map(bookOrder) })
  }
}

/**
 * Removes pools and books that orphaned blocks had changed. If they still exist, the rows of the new branch add them
 * again.
 */
function forget(state: LoadedMarket, { pools, books }: NonNullable<StepReads['undone']>): void {
  for (const id of pools.keys()) {
    const pool = state.pools.get(id)
    if (pool === undefined) continue
    state.pools.delete(id)
    forgetPool(state, pool)
  }
  for (const id of books.keys()) {
    const book = state.books.get(id)
    if (book !== undefined) closeBook(state, id, book)
  }
}

function put(one: Series | undefined, series: Series): void {
  if (one !== undefined) Object.assign(one, series)
}

/** Whether a row differs from the known facts. Each token is one object, so identity is enough. */
function differs<T extends object>(known: T, facts: Partial<T>): boolean {
  return Object.entries(facts).some(([name, value]) => known[name as keyof T] !== value)
}

/** Marks items whose last change was in an orphaned block as changed now. */
function forgetMarks({ at, changed }: LoadedMarket, forkedAfter: number): void {
  for (const [token, mark] of changed.tokens) if (mark.block > forkedAfter) changed.tokens.set(token, at)
  for (const name of ['pools', 'books', 'tokenSet', 'everything'] as const)
    if (changed[name].block > forkedAfter) changed[name] = at
}

/** Records the block of the last change. */
function markChanges(state: LoadedMarket, changes: Changes): void {
  const { at, pools, changed } = state
  for (const id of changes.pools) touch(pools.get(id), at)
  for (const id of [...changes.books, ...changes.closedBooks]) touch(anyBook(state, id), at)
  for (const token of changes.tokens) changed.tokens.set(token, at)
  if (changes.pools.size > 0) changed.pools = at
  if (changes.books.size > 0) changed.books = at
  if (changes.everything) changed.everything = at
}

function touch(series: { changed: BlockMark } | undefined, at: BlockMark): void {
  if (series !== undefined) series.changed = at
}
