// Input and output types of the router. The types of the state are structural: the live market's pools and books
// satisfy them.
// Amounts are raw units, tokens are ids (`symbol-contract`).
import type { Ratio } from '../amm/price.ts'
import type { SwapPool } from '../amm/swap.ts'
import type { BookOrder } from '../book/order.ts'

export interface RouteToken {
  /** `symbol-contract`, lower case. */
  id: string
  /** 0 to 18. */
  decimals: number
}

/** A pool as the router reads it. It may be changed in place when `putPool` follows before the next request. */
export interface RoutePool extends SwapPool {
  id: number
  /** An inactive pool is known and never routed. */
  active: boolean
  a: RouteToken
  b: RouteToken
  ticks: ReadonlyMap<number, { id: number; liquidityNet: bigint }>
}

/** A spot market as the router reads it. It may be changed in place when `putBook` follows before the next request. */
export interface RouteBook {
  id: number
  /** As in tickers: buy orders offer target and want base. */
  base: RouteToken
  target: RouteToken
  /** Smallest buy, in raw target of `minBuyDecimals` decimals. */
  minBuy: bigint
  minBuyDecimals: number
  /** Smallest sell, in raw base of `minSellDecimals` decimals. */
  minSell: bigint
  minSellDecimals: number
  /** A frozen market is known and never routed. */
  frozen: boolean
  /** Hundredths of a percent of what a taker receives. */
  fee: number
  /** Buy orders, best for a taker first. */
  bids: readonly BookOrder[]
  /** Sell orders, best for a taker first. */
  asks: readonly BookOrder[]
}

/** Limits of the contract's memo: pools and markets of a path, parts of a trade. */
export const MAX_HOPS = 3
export const MAX_PARTS = 5

/** An asset is less than this, so an amount and a transfer are too. */
export const ASSET_LIMIT = 1n << 62n
export const LARGEST_INPUT = Number(ASSET_LIMIT)
/** Share of an output that is worth a closer look: by rounding, by a market's minimum or by a book that is nearly full. */
export const NOTABLE = 1e-3
/** Share of an output below which a loss by few parts or by rounding is not worth a search. */
export const SLIGHT = 1e-5
/** Below so many raw units, rounding decides between divisions and hides a price. */
export const FEW_UNITS = 10_000
/** Share of an output that is next to nothing: below it a division counts as balanced, and matrices are solvable above it. */
export const TRIFLE = 1e-7
/** Paths, the best first, that one step of the search considers: all of them in most markets without books. */
export const SHORTLIST = 14
/** Tries of a step that nearly always succeeds at the first one. */
export const TRIES = 3
/** Amounts that are tried one after the other are in this ratio: each costs a search, and marginal prices change slowly. */
export const RATIO = 4
/** Number of shares of an amount that are tried: large ones find deep paths, small ones find good prices. */
export const SHARES = 6
export const NO_SLIPPAGE: Ratio = { numerator: 0n, denominator: 1n }

/** What both kinds of request share. */
export interface RouteRequest {
  /** Token id of what is sent. */
  input: string
  /** Token id of what is received; not the input. */
  output: string
  /** Raw units, 0 < amount < 2^62: of the input for exact input, of the output for exact output. */
  amount: bigint
  /** Maximum number of pools and markets of a path, 1 to 3. Default 3. */
  maxHops?: number
  /** Maximum number of parts of the trade, 1 to 5. Default 5. With 1, the router finds the best single path. */
  maxParts?: number
  /** What each transfer may fall short of its expectation, 0 ≤ slippage < 1; nothing when absent. */
  slippage?: Ratio
}

export interface ExactInRequest extends RouteRequest {
  /** Whether to route over order books as well as pools. Default true. */
  books?: boolean
}

export interface ExactOutRequest extends RouteRequest {
  /** Whether the contract takes paths of several pools for exact output; false when absent, so that each part is one
   * pool whatever `maxHops` says. */
  paths?: boolean
}

/** The use of one pool or one side of a market, with the amounts of this step at its place in the sequence. */
export interface RouteHop {
  venue: 'amm' | 'orderbook'
  /** The pool, null in a hop over a market. */
  pool: RoutePool | null
  /** The market, null in a hop over a pool. */
  book: RouteBook | null
  /** Token ids. */
  input: string
  output: string
  amountIn: bigint
  /** After fees. */
  amountOut: bigint
}

/** One transfer that the user signs: consecutive pools are one, each market is one of its own. */
export interface RouteTransfer {
  venue: 'amm' | 'orderbook'
  hops: RouteHop[]
  /** Token ids. */
  input: string
  output: string
  /** What is sent: for exact output the most that may be taken (the contract returns the rest). */
  quantity: bigint
  /** What enters the venue as quoted: the quantity for exact input, the expected input for exact output. */
  amountIn: bigint
  /** What comes out as quoted. */
  amountOut: bigint
  /** Minimum output: amountOut × (1 − slippage) rounded down; for exact output amountOut itself. */
  minimum: bigint
}

/** One path of a route. A later transfer of a part spends at most the minimum of the one before it. */
export interface RoutePart {
  /** Share of the trade, a multiple of 0.01; those of a route add up to 100. */
  percent: number
  /** What enters the first transfer and what leaves the last one, as quoted. */
  input: bigint
  output: bigint
  /** Exact input: the last transfer's minimum. Exact output: output. */
  minReceived: bigint
  /** Exact output: the transfer's quantity. Exact input: input. */
  maxSent: bigint
  /** All hops of all transfers, in order. */
  hops: RouteHop[]
  transfers: RouteTransfer[]
}

/**
 * A route: parts to be executed in their order, each quoted on the state that those before it leave behind, in the
 * contracts' own integer arithmetic.
 */
export interface Route {
  exact: 'in' | 'out'
  /** Token ids. */
  inputToken: string
  outputToken: string
  /** Sums over the parts. */
  input: bigint
  output: bigint
  /** Exact input: output × (1 − slippage) rounded down. Exact output: output. */
  minReceived: bigint
  /** Exact output: input × (1 + slippage) rounded up. Exact input: input. */
  maxSent: bigint
  /** Percent below the spot prices that the venues had before the trade, fees included: 0 to 100. */
  priceImpact: number
  parts: RoutePart[]
}
