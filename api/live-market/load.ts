// Builds the market of a chain from the database, all of it as of one block.

import type { ChainConfig } from '../../config/schema.ts'
import { required } from '../../core/required.ts'
import { indexTokens } from './index-tokens.ts'
import type { BlockMark, ClosedBook, LiveBook, LivePool, LiveTick, MarketState, Series } from './model.ts'
import { MarketPrices, usdPriceOf } from './pricing.ts'
import type { Creation, Position, SeriesKind, SnapshotReader } from './reader.ts'
import { emptyRolling, WINDOW_NAMES, type WindowName, windowStart } from './rolling.ts'
import {
  bookFacts,
  bookOrder,
  closedFacts,
  liveTick,
  type PoolFacts,
  poolFacts,
  type TickRow,
  volumeOf,
} from './rows.ts'
import { type Digests, digestsOf } from './unlogged.ts'

/** Nodes deliver no earlier block. */
const FIRST_BLOCK = 2

/** The market with the first blocks of its windows, and digests of its rows. */
export interface LoadedMarket extends MarketState {
  digests: Digests
  /** First block of each window. */
  windowBlocks: Record<WindowName, number>
}

export async function loadMarket(
  config: ChainConfig,
  reader: SnapshotReader,
  position: Position,
): Promise<LoadedMarket> {
  const { block, id, time, lib, firstBlock } = position
  const at: BlockMark = { block, id, time }
  const pools = await loadPools(reader, at)
  const books = await loadBooks(reader, at)
  await loadSeries(reader, 'amm', pools, at)
  await loadSeries(reader, 'spot', books, at)
  const closedBooks = await loadClosedBooks(reader, at)
  const windowBlocks = {} as Record<WindowName, number>
  for (const name of WINDOW_NAMES) windowBlocks[name] = await reader.findBlock(windowStart(time, name), block + 1)
  const prices = new MarketPrices(config)
  for (const pool of pools.values()) prices.putPool(pool)
  const scoresFrom = await reader.scoresFrom(time)
  prices.update(time, { usd: usdOf(config, await reader.usdPrice()), scores: await reader.scoresAt(scoresFrom) })
  const aggregatorIds = new Map(Object.entries(config.aggregatorIds))
  const changed = { tokens: new Map(), pools: at, books: at, tokenSet: at, everything: at }
  const byToken = { tokens: new Map(), poolsOf: new Map(), booksOf: new Map() }
  const state = {
    at,
    lib,
    since: await reader.firstTime(firstBlock),
    isWhole: firstBlock <= FIRST_BLOCK,
    pools,
    books,
    closedBooks,
    windowBlocks,
    digests: await readDigests(reader),
    scoresFrom,
    prices,
    aggregatorIds,
    changed,
    ...byToken,
  }
  indexTokens(state)
  return state
}

/**
 * The USD price in force: the one in the ledger, else the fixed one of the configuration.
 *
 * @param stored  the newest price in the ledger, decimal text
 */
export function usdOf({ price }: ChainConfig, stored: string | null): bigint | null {
  return usdPriceOf(stored ?? (price?.source === 'fixed' ? price.usd : null))
}

export async function readDigests(reader: SnapshotReader): Promise<Digests> {
  return digestsOf(await reader.tickDigests(), await reader.orderDigests())
}

async function loadPools(reader: SnapshotReader, at: BlockMark): Promise<Map<number, LivePool>> {
  const rows = await reader.pools(null)
  const creations = new Map((await reader.creations(null)).map((row) => [row.id, row]))
  const ticks = ticksByPool(await reader.ticks(null))
  return new Map(
    rows.map((row) => [row.id, newPool(poolFacts(row), creations.get(row.id), ticks.get(row.id) ?? new Map(), at)]),
  )
}

/**
 * A pool without trades. Own members come before the spreads: after a spread, each object would get its own hidden
 * class.
 */
export function newPool(
  facts: PoolFacts,
  created: Creation | undefined,
  ticks: LivePool['ticks'],
  at: BlockMark,
): LivePool {
  return {
    createdAt: created?.time ?? null,
    creationPrice: created === undefined ? null : BigInt(created.price),
    ticks,
    ...facts,
    ...emptySeries(at),
  }
}

async function loadBooks(reader: SnapshotReader, at: BlockMark): Promise<Map<number, LiveBook>> {
  const books = new Map<number, LiveBook & { bids: unknown[]; asks: unknown[] }>()
  for (const row of await reader.markets(null))
    books.set(row.id, { bids: [], asks: [], ...bookFacts(row), ...emptySeries(at) })
  for (const row of await reader.orders(null)) {
    const book = books.get(row.market)
    if (book === undefined) continue
    ;(row.side === 'buy' ? book.bids : book.asks).push(bookOrder(row))
  }
  return books
}

async function loadClosedBooks(reader: SnapshotReader, at: BlockMark): Promise<Map<number, ClosedBook>> {
  const rows = await reader.closedMarkets()
  const books = new Map(rows.map((row) => [row.id, Object.assign(closedFacts(row), emptySeries(at))]))
  await loadSeries(reader, 'spot', books, at)
  for (const [id, { volumes }] of books) if (volumes.all.trades === 0) books.delete(id)
  return books
}

/** Ticks by id, by pool. Rows must be sorted by pool, then tick. */
export function ticksByPool(rows: readonly TickRow[]): Map<number, Map<number, LiveTick>> {
  const pools = new Map<number, Map<number, LiveTick>>()
  for (const row of rows) {
    let ticks = pools.get(row.pool)
    if (ticks === undefined) pools.set(row.pool, (ticks = new Map()))
    ticks.set(row.id, liveTick(row))
  }
  return pools
}

export function emptySeries(changed: BlockMark): Series {
  const prices = { before24: null, beforeWeek: null, high24: null, low24: null, last: null }
  return { volumes: emptyRolling(), ...prices, first: null, changed }
}

/** Fills windows, extremes and reference prices as of a block. `series` may hold any subset of the chain's series. */
export async function loadSeries(
  reader: SnapshotReader,
  kind: SeriesKind,
  series: ReadonlyMap<number, Series>,
  at: BlockMark,
): Promise<void> {
  const ids = [...series.keys()]
  if (ids.length === 0) return
  const of = (id: number) => required(series.get(id), `series ${id}`)
  for (const name of WINDOW_NAMES) {
    const start = windowStart(at.time, name)
    for (const row of await reader.windowSums(kind, ids, start)) {
      const one = of(row.id)
      one.volumes[name] = volumeOf(row)
      if (name !== 'day') continue
      one.high24 = bigOrNull(row.high)
      one.low24 = bigOrNull(row.low)
    }
    if (kind === 'amm') continue
    for (const { id, fee, other } of await reader.rates(ids, start)) {
      const volume = of(id).volumes[name]
      volume.fees = volume.usd * BigInt(fee) + BigInt(other)
    }
  }
  const prices: [keyof Series & ('before24' | 'beforeWeek' | 'last'), number][] = [
    ['before24', windowStart(at.time, 'day')],
    ['beforeWeek', windowStart(at.time, 'week')],
    ['last', at.time + 60_000],
  ]
  for (const [member, before] of prices)
    for (const { id, price } of await reader.lastBefore(kind, ids, before)) of(id)[member] = BigInt(price)
  for (const { id, time } of await reader.firstTrades(kind, ids)) of(id).first = time
}

function bigOrNull(text: string | null | undefined): bigint | null {
  return text === null || text === undefined ? null : BigInt(text)
}
