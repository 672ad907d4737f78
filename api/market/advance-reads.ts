// What a step has to read: everything that the new blocks changed, before anything is changed in memory.
import type { ChainConfig } from '../../config/schema.ts'
import { moveWindows, readSeries, type SeriesReads } from './advance-series.ts'
import { type LoadedMarket, readUsd, ticksByPool } from './load.ts'
import type { LiveTick } from './model.ts'
import type { PriceInputs } from './pricing.ts'
import type { Position, SnapshotReader } from './reader.ts'
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
}

export async function readStep(
  config: ChainConfig,
  state: LoadedMarket,
  position: Position,
  reader: SnapshotReader,
): Promise<StepReads> {
  const first = state.at.block + 1
  // Final blocks leave no before-images: what they changed without logging it is found by reading every row.
  const everything = position.lib >= first
  const poolKeys = await reader.changed('amm', first, position.block)
  const bookKeys = await reader.changed('spot', first, position.block)
  const windowBlocks = await moveWindows(state, position, reader)
  const newPools = poolKeys.filter((id) => !state.pools.has(id))
  const scoresFrom = await reader.scoresFrom(position.time)
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
    amm: await readSeries(state, 'amm', windowBlocks, position, reader),
    spot: await readSeries(state, 'spot', windowBlocks, position, reader),
    inputs: {
      usd: await readUsd(config, reader),
      scores: scoresFrom === state.scoresFrom ? scores : await reader.scoresAt(scoresFrom),
    },
  }
}
