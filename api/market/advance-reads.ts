// What a step has to read: everything that the new blocks changed, before anything is changed in memory.
import type { ChainConfig } from '../../config/schema.ts'
import { moveWindows, readSeries, type SeriesReads } from './advance-series.ts'
import { emptySeries, type LoadedMarket, loadSeries, ticksByPool, usdOf } from './load.ts'
import type { LiveTick, Series } from './model.ts'
import type { PriceInputs } from './pricing.ts'
import type { Position, SeriesKind, SnapshotReader } from './reader.ts'
import type { Place, Touched } from './recent-steps.ts'
import type { WindowName } from './rolling.ts'
import { type BookFacts, bookFacts, type OrderRow, type PoolFacts, poolFacts } from './rows.ts'

export interface Creation {
  id: number
  time: number
  price: string
}

export interface StepReads {
  /** Whether `pools` and `books` are all there are; else they are those of the keys. */
  everything: boolean
  /** Pools and markets that the blocks changed. */
  poolKeys: number[]
  bookKeys: number[]
  pools: PoolFacts[]
  books: BookFacts[]
  creations: Map<number, Creation>
  ticks: Map<number, Map<number, LiveTick>>
  orders: OrderRow[]
  amm: SeriesReads
  spot: SeriesReads
  windowBlocks: Record<WindowName, number>
  inputs: PriceInputs
  scoresFrom: number | null
  /** What blocks of another branch, those behind a number, had changed, with the series as of the new block; null without a fork. */
  undone: { behind: number; pools: Map<number, Series>; books: Map<number, Series> } | null
}

/**
 * @param from    where the step begins: the market's block, or one before it from which a fork leads elsewhere
 * @param undone  what the blocks behind `from` had changed when there was a fork; null when there was none
 */
export async function readStep(
  config: ChainConfig,
  state: LoadedMarket,
  from: Place,
  undone: Touched | null,
  position: Position,
  reader: SnapshotReader,
): Promise<StepReads> {
  const first = from.at.block + 1
  // Final blocks leave no before-images: what they changed without logging it is found by reading every row.
  const everything = position.lib >= first
  const { pools, markets, swaps, deals, scoresFrom, usd } = await reader.step(first, position.block, position.time)
  const poolKeys = [...new Set([...pools, ...(undone?.pools ?? [])])]
  const bookKeys = [...new Set([...markets, ...(undone?.books ?? [])])]
  const windowBlocks = await moveWindows(from, position, reader)
  const newPools = poolKeys.filter((id) => !state.pools.has(id) || undone?.pools.has(id))
  const { scores } = state.prices
  return {
    everything,
    poolKeys,
    bookKeys,
    windowBlocks,
    scoresFrom,
    pools: (everything || poolKeys.length > 0 ? await reader.pools(everything ? null : poolKeys) : []).map(poolFacts),
    books: (everything || bookKeys.length > 0 ? await reader.markets(everything ? null : bookKeys) : []).map(bookFacts),
    creations: new Map((newPools.length > 0 ? await reader.creations(newPools) : []).map((row) => [row.id, row])),
    ticks: ticksByPool(poolKeys.length > 0 ? await reader.ticks(poolKeys) : []),
    orders: bookKeys.length > 0 ? await reader.orders(bookKeys) : [],
    amm: await readSeries(swaps, state.pools, 'amm', from, windowBlocks, position, reader),
    spot: await readSeries(deals, state.books, 'spot', from, windowBlocks, position, reader),
    inputs: {
      usd: usdOf(config, usd),
      scores: scoresFrom === state.scoresFrom ? scores : await reader.scoresAt(scoresFrom),
    },
    undone: undone && {
      behind: from.at.block,
      pools: await seriesOf('amm', undone.pools, position, reader),
      books: await seriesOf('spot', undone.books, position, reader),
    },
  }
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
