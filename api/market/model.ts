// The market in memory: what the current rows say, with what follows from the trades of the last 90 days. Amounts are
// raw units, square-root prices Q64.64, unit prices target per base times 10^8.
import type { PositionPool } from '../../core/amm/position.ts'
import type { TickState } from '../../core/amm/tick-state.ts'
import type { BookOrder } from '../../core/book/order.ts'
import type { MarketPrices } from './pricing.ts'
import type { Rolling } from './rolling.ts'

/** A block as far as an answer names it. */
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

/** What trades of a window leave behind; prices in the series' own unit. */
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

/** An initialised tick without what only the contract's observations need. */
export type LiveTick = Pick<
  TickState,
  'id' | 'liquidityGross' | 'liquidityNet' | 'feeGrowthOutsideAX64' | 'feeGrowthOutsideBX64'
>

export interface LiveBook extends Series {
  id: number
  /** Base and target as in tickers: the contract calls them the other way round. */
  base: TokenRef
  target: TokenRef
  minBuy: bigint
  minBuyDecimals: number
  minSell: bigint
  minSellDecimals: number
  frozen: boolean
  /** Hundredths of a percent. */
  fee: number
  /** Buy orders, best first: highest price, then oldest. */
  bids: readonly BookOrder[]
  /** Sell orders, best first: lowest price, then oldest. */
  asks: readonly BookOrder[]
}

/** A market that is no longer there: its trades stay in the windows until they leave them. */
export interface ClosedBook extends Series, Pick<LiveBook, 'id' | 'base' | 'target'> {}

/** Everything as of one block. Changed in place between two blocks, never while an endpoint runs. */
export interface MarketState {
  at: BlockMark
  /** Last irreversible block at that time. */
  lib: number
  /** Time of the first indexed block, Unix milliseconds: what is older is not known. */
  since: number
  /** Whether that is the chain's own beginning, so that nothing is older. */
  isWhole: boolean
  pools: Map<number, LivePool>
  books: Map<number, LiveBook>
  /** Those that had trades. */
  closedBooks: Map<number, ClosedBook>
  /** Every token that a pool, a market or the registry names, by id. */
  tokens: Map<string, TokenRef>
  /** Pools that trade a token, by token id. */
  poolsOf: Map<string, Set<LivePool>>
  /** Markets that trade a token, by token id. */
  booksOf: Map<string, Set<LiveBook>>
  prices: MarketPrices
  /** Since when the scores in use are valid, Unix milliseconds; null without scores. */
  scoresFrom: number | null
  /** Ids on the aggregator of the tokens that it lists, by token id. */
  aggregatorIds: ReadonlyMap<string, number>
  changed: ChangeMarks
}

/** Blocks of last changes, for answers that can say since when they have been the same. */
export interface ChangeMarks {
  /** Of a token's price; a token that is not here has had its price since `everything`. */
  tokens: Map<string, BlockMark>
  /** Of any pool, and of any market. */
  pools: BlockMark
  books: BlockMark
  /** Of the set of known tokens. */
  tokenSet: BlockMark
  /** Of what concerns every price: the USD price of the system token, scores, lists; and when the market was loaded. */
  everything: BlockMark
}
