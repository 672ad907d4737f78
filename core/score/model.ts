// Parameters of token score v1: maximum points of each component, how an input becomes a fraction of them, and the
// caps.
import { type CurvePoint, interpolate } from './interpolate.ts'

export const SCORE_VERSION = 'v1'
export const SCORE_WINDOW = '30d'
/** Length of the window, days. */
export const SCORE_DAYS = 30
/** Maximum volume that counts, USD. */
export const MAX_VOLUME_USD = 1e9

/** Maximum points of each component; 100 in total. */
export const MAX_POINTS = {
  traders: 25,
  volume: 20,
  liquidity: 15,
  holders: 10,
  activity: 10,
  stability: 10,
  age: 10,
} as const

export type Component = keyof typeof MAX_POINTS

const LIQUIDITY: readonly CurvePoint[] = [
  [0, 0],
  [20, 0.1],
  [50, 0.18],
  [100, 0.28],
  [200, 0.42],
  [300, 0.52],
  [500, 0.64],
  [1000, 0.78],
  [1500, 0.86],
  [3000, 0.9],
  [5000, 0.94],
  [10_000, 0.97],
  [15_000, 0.985],
  [20_000, 0.995],
  [50_000, 1],
]

const line = (none: number, all: number) => (input: number) =>
  interpolate(
    [
      [none, 0],
      [all, 1],
    ],
    input,
  )

/** Fraction of a component's points, by its input. */
export const FRACTIONS: Readonly<Record<Component, (input: number) => number>> = {
  /** Unique traders of the window. */
  traders: line(0, 500),
  /** Turnover: volume over TVL. */
  volume: line(0.1, 3),
  /** TVL, USD. */
  liquidity: (tvl) => interpolate(LIQUIDITY, tvl),
  /** Accounts with a balance. */
  holders: line(0, 1000),
  /** Trades a day. */
  activity: line(10, 100),
  /** Last price over highest price of the window. */
  stability: line(0.3, 1),
  /** Whole days since first seen. */
  age: line(3, 30),
}

/** A score cap for inputs below a limit. */
export interface Cap {
  name: string
  below: number
  score: number
}

export const NO_TRADES = 'trades_count_eq_0'
export const TRADERS_CAP: Cap = { name: 'unique_traders_lt_20', below: 20, score: 30 }
/** The first matching cap applies. */
export const TVL_CAPS: readonly Cap[] = [
  { name: 'tvl_usd_lt_20', below: 20, score: 15 },
  { name: 'tvl_usd_lt_50', below: 50, score: 25 },
  { name: 'tvl_usd_lt_100', below: 100, score: 40 },
  { name: 'tvl_usd_lt_200', below: 200, score: 55 },
]
