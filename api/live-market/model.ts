// The market in memory: the current rows, and sums over the trades of the last 90 days. Amounts are raw units,
// square-root prices Q64.64, unit prices target per base times 10^8.
import type { PositionPool } from '../../core/amm/position.ts'
import type { TickState } from '../../core/amm/tick-state.ts'
import type { RouteBook } from '../../core/route/model.ts'
import type { MarketPrices } from './pricing.ts'
import type { Rolling } from './rolling.ts'

/** The fields of a block that answers show. */
export interface BlockMark {
  block: number
  /** 64 hex digits. */
  id: string
  /** Unix milliseconds. */
  time: number
}

export interface TokenRef {
  /** `symbol-contract`, lower case. */
  id: string
  contract: string
  symbol: string
  decimals: number
}

/** Statistics over the trades of a pool or market; prices in its own unit. */
export interface Series {
  volumes: Rolling
  /** Last trade before the 24-hour window; null when there was none. */
  before24: bigint | null
  /** Last trade before the 7-day window; null when there was none. */
  beforeWeek: bigint | null
  /** Extremes of the trades in the 24-hour window; null without a trade. */
  high24: bigint | null
  low24: bigint | null
  /** Last trade ever; null without one. */
  last: bigint | null
  /** Time of the first trade, Unix milliseconds; null without one. */
  first: number | null
  /** Block of the last change of any member. */
  changed: BlockMark
}

export interface LivePool extends PositionPool, Series {
  id: number
  active: boolean
  a: TokenRef
  b: TokenRef
  reserveA: bigint
  reserveB: bigint
  protocolFeeA: bigint
  protocolFeeB: bigint
  /** Unix milliseconds; null when the pool is older than the indexed history. */
  createdAt: number | null
  /** Price at creation; null when unknown. */
  creationPrice: bigint | null
  ticks: ReadonlyMap<number, LiveTick>
}

/** An initialised tick without the fields that only the contract's observations need. */
export type LiveTick = Pick<
  TickState,
  'id' | 'liquidityGross' | 'liquidityNet' | 'feeGrowthOutsideAX64' | 'feeGrowthOutsideBX64'
>

/**
 * A market as the router reads it. Base and target are those of tickers: the contract names them the other way round.
 */
export interface LiveBook extends Series, Omit<RouteBook, 'base' | 'target'> {
  base: TokenRef
  target: TokenRef
}

/** A closed market: its trades count until they leave the windows. */
export interface ClosedBook extends Series, Pick<LiveBook, 'id' | 'base' | 'target'> {}

/** The market as of one block. Changed in place between two blocks, never while an endpoint runs. */
export interface MarketState {
  at: BlockMark
  /** Last irreversible block as of `at`. */
  lib: number
  /** Time of the first indexed block, Unix milliseconds. Nothing is known before it. */
  since: number
  /** Whether history is indexed from the chain's first block. */
  isWhole: boolean
  pools: Map<number, LivePool>
  books: Map<number, LiveBook>
  /** Closed markets that had trades. */
  closedBooks: Map<number, ClosedBook>
  /** Every token that a pool, a market or the registry names, by id. */
  tokens: Map<string, TokenRef>
  /** Pools that trade a token, by token id. */
  poolsOf: Map<string, Set<LivePool>>
  /** Markets that trade a token, by token id. */
  booksOf: Map<string, Set<LiveBook>>
  prices: MarketPrices
  /** Start of validity of the scores in use, Unix milliseconds; null without scores. */
  scoresFrom: number | null
  /** The aggregator's ids of the tokens that it lists, by token id. */
  aggregatorIds: ReadonlyMap<string, number>
  changed: ChangeMarks
}

/** Blocks of last changes. Answers use them to say since when they have been the same. */
interface ChangeMarks {
  /** Last change of a token's price; a token without an entry has not changed since `everything`. */
  tokens: Map<string, BlockMark>
  /** Last change of any pool, and of any market. */
  pools: BlockMark
  books: BlockMark
  /** Last change of the set of known tokens. */
  tokenSet: BlockMark
  /**
   * Last change that affects every price: the USD price of the system token, scores, lists, or the load of the market.
   */
  everything: BlockMark
}
