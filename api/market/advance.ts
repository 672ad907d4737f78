// Moves the market from its block to a later one, of the same branch or of one that replaced it, with what `readStep` has
// read. Nothing is awaited here: nobody sees half a step.

import type { StepReads } from './advance-reads.ts'
import { applySeries } from './advance-series.ts'
import { forgetBook, forgetPool, forgetTokens, indexBook, indexPool } from './index-tokens.ts'
import { emptySeries, type LoadedMarket } from './load.ts'
import type { BlockMark, LiveBook, LivePool, Series } from './model.ts'
import type { Creation, Position } from './reader.ts'
import { type BookFacts, bookOrder, type OrderRow, type PoolFacts } from './rows.ts'

/** What a step changed: ids of pools and markets whose members may differ from before. */
export interface Changes {
  pools: Set<number>
  books: Set<number>
  /** Tokens whose price is another one than before. */
  tokens: Set<string>
  /** Whether the USD price of the system token, the scores or the lists in force changed. */
  everything: boolean
  /** After a fork the last block that is still there, of those that were; null otherwise. */
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
    tokens: new Set(),
    everything,
    forkedAfter: reads.undone?.behind ?? null,
  }
  if (reads.undone !== null) forget(state, reads.undone)
  state.at = { block, id, time }
  state.lib = lib
  state.windowBlocks = reads.windowBlocks
  state.scoresFrom = reads.scoresFrom
  advancePools(state, reads, changes)
  advanceBooks(state, reads, changes)
  applySeries(state.pools, reads.amm, changes.pools)
  applySeries(state.books, reads.spot, changes.books)
  if (reads.undone !== null) {
    for (const [id, series] of reads.undone.pools) put(state.pools.get(id), series)
    for (const [id, series] of reads.undone.books) put(state.books.get(id), series)
    forgetTokens(state)
  }
  for (const pool of changes.pools) {
    const known = state.pools.get(pool)
    if (known === undefined) state.prices.removePool(pool)
    else state.prices.putPool(known)
  }
  if (everything || changes.pools.size > 0) changes.tokens = state.prices.update(time, reads.inputs)
  if (reads.undone !== null) forgetMarks(state, reads.undone.behind)
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
    if (known === undefined) addBook(state, facts)
    else Object.assign(known, facts)
  }
  for (const id of reads.everything ? [...state.books.keys()] : reads.bookKeys) {
    const book = state.books.get(id)
    if (book === undefined || found.has(id)) continue
    state.books.delete(id)
    forgetBook(state, book)
    changes.books.add(id)
  }
  putOrders(state, reads.bookKeys, reads.orders)
}

function addPool(state: LoadedMarket, facts: PoolFacts, created: Creation | undefined): void {
  const pool: LivePool = {
    ...facts,
    ...emptySeries(state.at),
    createdAt: created?.time ?? null,
    creationPrice: created === undefined ? null : BigInt(created.price),
    ticks: new Map(),
  }
  state.pools.set(pool.id, pool)
  indexPool(state, pool)
}

function addBook(state: LoadedMarket, facts: BookFacts): void {
  const book: LiveBook = { ...facts, ...emptySeries(state.at), bids: [], asks: [] }
  state.books.set(book.id, book)
  indexBook(state, book)
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

/** Takes out what blocks of another branch had changed: what is still there comes with the rows of this one. */
function forget(state: LoadedMarket, { pools, books }: NonNullable<StepReads['undone']>): void {
  for (const id of pools.keys()) {
    const pool = state.pools.get(id)
    if (pool === undefined) continue
    state.pools.delete(id)
    forgetPool(state, pool)
  }
  for (const id of books.keys()) {
    const book = state.books.get(id)
    if (book === undefined) continue
    state.books.delete(id)
    forgetBook(state, book)
  }
}

function put(one: Series | undefined, series: Series): void {
  if (one !== undefined) Object.assign(one, series)
}

/** Whether a row says anything else than what is known. Tokens are one object each. */
function differs<T extends object>(known: T, facts: Partial<T>): boolean {
  return Object.entries(facts).some(([name, value]) => known[name as keyof T] !== value)
}

/** What changed last in blocks of another branch has changed once more: those blocks are no longer there. */
function forgetMarks({ at, changed }: LoadedMarket, behind: number): void {
  for (const [token, mark] of changed.tokens) if (mark.block > behind) changed.tokens.set(token, at)
  for (const name of ['pools', 'books', 'tokenSet', 'everything'] as const)
    if (changed[name].block > behind) changed[name] = at
}

/** Writes down at which block things changed last. */
function markChanges({ at, pools, books, changed }: LoadedMarket, changes: Changes): void {
  for (const id of changes.pools) touch(pools.get(id), at)
  for (const id of changes.books) touch(books.get(id), at)
  for (const token of changes.tokens) changed.tokens.set(token, at)
  if (changes.pools.size > 0) changed.pools = at
  if (changes.books.size > 0) changed.books = at
  if (changes.everything) changed.everything = at
}

function touch(series: { changed: BlockMark } | undefined, at: BlockMark): void {
  if (series !== undefined) series.changed = at
}
