// Reads the data of a step: everything that the new blocks changed, before any change in memory.
import type { ChainConfig } from '../../config/schema.ts'
import { moveWindows, readSeries, type SeriesReads } from './advance-series.ts'
import type { BlockId } from './branch.ts'
import { anyBook } from './index-tokens.ts'
import { emptySeries, type LoadedMarket, loadSeries, readDigests, ticksByPool, usdOf } from './load.ts'
import type { LiveTick, Series } from './model.ts'
import type { PriceInputs } from './pricing.ts'
import type { Creation, Position, SeriesKind, SnapshotReader, StepRow } from './reader.ts'
import type { Place, Touched } from './recent-steps.ts'
import { WINDOW_NAMES, type WindowName, windowStart } from './rolling.ts'
import { type BookFacts, bookFacts, type ClosedMarketRow, type OrderRow, type PoolFacts, poolFacts } from './rows.ts'
import { type Digests, type Unlogged, unloggedChanges } from './unlogged.ts'

export interface StepReads {
  /** The newest of the blocks. */
  blocks: readonly BlockId[]
  /** True when `pools` and `books` hold all rows of the chain; false when they hold only the rows of the keys. */
  everything: boolean
  /** Digests of all rows, if they were read. */
  digests: Digests | null
  /** Pools and markets that the blocks changed. */
  poolKeys: number[]
  bookKeys: number[]
  pools: PoolFacts[]
  books: BookFacts[]
  creations: Map<number, Creation>
  ticks: Map<number, ReadonlyMap<number, LiveTick>>
  orders: OrderRow[]
  /** Closed markets: those among the keys, or all of the chain. */
  closed: ClosedMarketRow[]
  /** Whether the blocks may have changed farms. */
  farms: boolean
  amm: SeriesReads
  spot: SeriesReads
  windowBlocks: Record<WindowName, number>
  inputs: PriceInputs
  scoresFrom: number | null
  /**
   * After a fork: the pools and books changed by blocks after number `forkedAfter` of the old branch, with their series as
   * of the new block. Null without a fork.
   */
  undone: { forkedAfter: number; pools: Map<number, Series>; books: Map<number, Series> } | null
}

/**
 * Converts the one row of a usual step, which is a block or two.
 *
 * @param from  the market's own block
 * @returns null when more has to be read
 */
export function usualStep(config: ChainConfig, state: LoadedMarket, from: Place, step: StepRow): StepReads | null {
  const usual = step.follows && !isWhole(from, step) && step.scoresFrom === state.scoresFrom
  if (!usual || WINDOW_NAMES.some((name) => windowStart(step.time, name) > windowStart(from.at.time, name))) return null
  return {
    blocks: step.blocks,
    everything: false,
    digests: null,
    ...rowsOf(step),
    creations: byId(step.creations),
    windowBlocks: from.windowBlocks,
    scoresFrom: step.scoresFrom,
    farms: step.farms,
    amm: { come: step.swaps, left: [], day: [] },
    spot: { come: step.deals, left: [], day: [] },
    inputs: { usd: usdOf(config, step.usd), scores: state.prices.scores },
    undone: null,
  }
}

/**
 * @param from    start of the step: the market's block, or after a fork an earlier block that both branches share
 * @param undone  what the orphaned blocks after `from` had changed; null without a fork
 */
export async function readStep(
  config: ChainConfig,
  state: LoadedMarket,
  from: Place,
  undone: Touched | null,
  reader: SnapshotReader,
): Promise<StepReads> {
  const step = (await reader.step(from.at)) as StepRow
  const everything = isWhole(from, step)
  const digests = everything ? await readDigests(reader) : null
  const unlogged = digests === null ? NONE : unloggedChanges(state.digests, digests)
  const poolKeys = [...new Set([...step.poolKeys, ...unlogged.pools, ...(undone?.pools ?? [])])]
  const bookKeys = [...new Set([...step.bookKeys, ...unlogged.books, ...(undone?.books ?? [])])]
  const windowBlocks = await moveWindows(from, step, reader)
  const newPools = poolKeys.filter((id) => !state.pools.has(id) || undone?.pools.has(id))
  const { scoresFrom } = step
  return {
    blocks: step.blocks,
    everything,
    digests,
    ...(everything || undone !== null ? await readRows(everything, poolKeys, bookKeys, reader) : rowsOf(step)),
    windowBlocks,
    scoresFrom,
    // Final blocks leave no before-images.
    farms: step.farms || everything,
    creations: byId(newPools.length > 0 ? await reader.creations(newPools) : []),
    amm: await readSeries(step.swaps, (id) => state.pools.get(id), 'amm', from, windowBlocks, step, reader),
    spot: await readSeries(step.deals, (id) => anyBook(state, id), 'spot', from, windowBlocks, step, reader),
    inputs: {
      usd: usdOf(config, step.usd),
      scores: scoresFrom === state.scoresFrom ? state.prices.scores : await reader.scoresAt(scoresFrom),
    },
    undone: undone && {
      forkedAfter: from.at.block,
      pools: await seriesOf('amm', undone.pools, step, reader),
      books: await seriesOf('spot', undone.books, step, reader),
    },
  }
}

const NONE: Unlogged = { pools: [], books: [] }

/** Final blocks leave no before-images. Changes that they did not log are found by reading every row. */
function isWhole(from: Place, { lib }: Position): boolean {
  return lib > from.at.block
}

type Rows = Pick<StepReads, 'poolKeys' | 'bookKeys' | 'pools' | 'books' | 'ticks' | 'orders' | 'closed'>

function rowsOf({ poolKeys, bookKeys, pools, books, ticks, orders, closed }: StepRow): Rows {
  return {
    poolKeys,
    bookKeys,
    pools: pools.map(poolFacts),
    books: books.map(bookFacts),
    ticks: ticksByPool(ticks),
    orders,
    closed,
  }
}

async function readRows(whole: boolean, poolKeys: number[], bookKeys: number[], reader: SnapshotReader): Promise<Rows> {
  return {
    poolKeys,
    bookKeys,
    pools: (await reader.pools(whole ? null : poolKeys)).map(poolFacts),
    books: (await reader.markets(whole ? null : bookKeys)).map(bookFacts),
    ticks: ticksByPool(await reader.ticks(poolKeys)),
    orders: await reader.orders(bookKeys),
    closed: await reader.closedMarkets(),
  }
}

function byId(rows: readonly Creation[]): Map<number, Creation> {
  return new Map(rows.map((row) => [row.id, row]))
}

async function seriesOf(
  kind: SeriesKind,
  ids: ReadonlySet<number>,
  position: Position,
  reader: SnapshotReader,
): Promise<Map<number, Series>> {
  const series = new Map([...ids].map((id) => [id, emptySeries(position)]))
  await loadSeries(reader, kind, series, position)
  return series
}
