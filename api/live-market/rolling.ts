// Volumes of several windows that end at the same block and slide by whole minutes: trades of new blocks are added,
// trades that leave a window are subtracted. Exact after any number of steps.

const MINUTE = 60_000
const DAY = 86_400_000

/** Lengths in milliseconds, shortest first. The last window covers everything indexed; no trade leaves it. */
const WINDOWS = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  quarter: 90 * DAY,
  all: Number.POSITIVE_INFINITY,
} as const
export type WindowName = keyof typeof WINDOWS
export const WINDOW_NAMES = Object.keys(WINDOWS) as WindowName[]

/** Decimals of USD in the sums. */
const USD_DIGITS = 18

/** Sums over trades. */
export interface Volume {
  /** Raw units of token A, or of the base token. */
  base: bigint
  /** Raw units of token B, or of the target token. */
  target: bigint
  /** USD times 10^18. */
  usd: bigint
  /**
   * Fees of deals, USD times 10^18: each deal's USD times its market's rate at that time. 0 for swaps, because the rate
   * of a pool never changes.
   */
  fees: bigint
  trades: number
  /** Number of trades without a known USD value; they are not in `usd` and `fees`. */
  withoutUsd: number
}

export type Rolling = Record<WindowName, Volume>

export function emptyRolling(): Rolling {
  return { day: emptyVolume(), week: emptyVolume(), month: emptyVolume(), quarter: emptyVolume(), all: emptyVolume() }
}

function emptyVolume(): Volume {
  return { base: 0n, target: 0n, usd: 0n, fees: 0n, trades: 0, withoutUsd: 0 }
}

/** Adds trades to a sum, or subtracts them with `sign` -1. */
export function addVolume(sum: Volume, volume: Volume, sign: 1 | -1 = 1): void {
  const factor = BigInt(sign)
  sum.base += factor * volume.base
  sum.target += factor * volume.target
  sum.usd += factor * volume.usd
  sum.fees += factor * volume.fees
  sum.trades += sign * volume.trades
  sum.withoutUsd += sign * volume.withoutUsd
}

/**
 * Start of a window that ends with the block of `time`, in whole minutes; the minute in progress comes on top of the
 * window's length. Minus infinity for the window of everything.
 *
 * @param time  Unix milliseconds
 */
export function windowStart(time: number, window: WindowName): number {
  return Math.floor(time / MINUTE) * MINUTE - WINDOWS[window]
}

/** USD of a sum as the nearest double. */
export function usdNumber(usd: bigint): number {
  return usd === 0n ? 0 : Number(`${usd}e-${USD_DIGITS}`)
}
