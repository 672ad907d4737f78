// Hours of the exchange put together: periods and buckets. Sums are exact; they become doubles at the end. Pure.
import { usdNumber } from '../market/rolling.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const WEEK = 7 * DAY

/** One hour. Money in USD times 10^18. */
export interface Hour {
  /** Start, Unix milliseconds. */
  t: number
  /** Whether it has ended. */
  over: boolean
  swapVolume: bigint
  swapFees: bigint
  swapTrades: number
  /** Swaps whose value is not known: they are not in the volume. */
  swapsWithoutUsd: number
  spotVolume: bigint
  spotFees: bigint
  spotTrades: number
  /** The same of deals. */
  dealsWithoutUsd: number
  /** As the hour left it, USD; null while it is not over, or when nobody knew. */
  swapLocked: number | null
  spotLocked: number | null
  locked: number | null
  pools: number | null
  markets: number | null
  /** Distinct accounts of the day that ends with it; null while it is not over. */
  users: number | null
}

/** Hours from one moment to before another, Unix milliseconds. */
export interface HourRange {
  from: number
  before: number
}

/** What hours add up to, and what the last of them left. USD where monetary. */
export interface Sums {
  swapVolume: number
  spotVolume: number
  volume: number
  swapFees: number
  spotFees: number
  fees: number
  swapTrades: number
  spotTrades: number
  /** Trades whose value is not known: they are not in the volumes. */
  swapsWithoutUsd: number
  dealsWithoutUsd: number
  /** Null when nobody knows. */
  swapLocked: number | null
  spotLocked: number | null
  locked: number | null
  pools: number | null
  markets: number | null
  /** Hours that are over. */
  buckets: number
  /** Distinct accounts in a day, averaged over days that end with each of the hours; 0 without an hour that is over. */
  users: number
}

export interface Bucket extends Sums {
  /** Start, Unix milliseconds. */
  t: number
}

/** What hours add up to. Money in USD times 10^18. */
export interface Traded {
  swapVolume: bigint
  swapFees: bigint
  swapTrades: number
  /** Swaps whose value is not known: they are not in the volume. */
  swapsWithoutUsd: number
  spotVolume: bigint
  spotFees: bigint
  spotTrades: number
  /** The same of deals. */
  dealsWithoutUsd: number
  /** Of hours that are over. */
  users: number
}

export const NOTHING: Traded = {
  ...{ swapVolume: 0n, swapFees: 0n, swapTrades: 0, swapsWithoutUsd: 0 },
  ...{ spotVolume: 0n, spotFees: 0n, spotTrades: 0, dealsWithoutUsd: 0, users: 0 },
}

/** Sums with an hour more. */
export function addHour(sums: Traded, hour: Hour): Traded {
  return {
    swapVolume: sums.swapVolume + hour.swapVolume,
    swapFees: sums.swapFees + hour.swapFees,
    swapTrades: sums.swapTrades + hour.swapTrades,
    swapsWithoutUsd: sums.swapsWithoutUsd + hour.swapsWithoutUsd,
    spotVolume: sums.spotVolume + hour.spotVolume,
    spotFees: sums.spotFees + hour.spotFees,
    spotTrades: sums.spotTrades + hour.spotTrades,
    dealsWithoutUsd: sums.dealsWithoutUsd + hour.dealsWithoutUsd,
    users: sums.users + (hour.users ?? 0),
  }
}

/** Sums of the hours between two places, from those before each of them. */
export function difference(all: Traded, before: Traded): Traded {
  return {
    swapVolume: all.swapVolume - before.swapVolume,
    swapFees: all.swapFees - before.swapFees,
    swapTrades: all.swapTrades - before.swapTrades,
    swapsWithoutUsd: all.swapsWithoutUsd - before.swapsWithoutUsd,
    spotVolume: all.spotVolume - before.spotVolume,
    spotFees: all.spotFees - before.spotFees,
    spotTrades: all.spotTrades - before.spotTrades,
    dealsWithoutUsd: all.dealsWithoutUsd - before.dealsWithoutUsd,
    users: all.users - before.users,
  }
}

/** The last hour that is over, and the last one whose value is known. */
export interface LeftBy {
  last: Hour | null
  known: Hour | null
}

/** @param buckets  hours that are over */
export function sumsOf(traded: Traded, buckets: number, { last, known }: LeftBy): Sums {
  const { swapVolume, swapFees, spotVolume, spotFees, swapTrades, spotTrades, users } = traded
  const { swapsWithoutUsd, dealsWithoutUsd } = traded
  return {
    swapVolume: usdNumber(swapVolume),
    spotVolume: usdNumber(spotVolume),
    volume: usdNumber(swapVolume + spotVolume),
    swapFees: usdNumber(swapFees),
    spotFees: usdNumber(spotFees),
    fees: usdNumber(swapFees + spotFees),
    swapTrades,
    spotTrades,
    swapsWithoutUsd,
    dealsWithoutUsd,
    swapLocked: known?.swapLocked ?? null,
    spotLocked: known?.spotLocked ?? null,
    locked: known?.locked ?? null,
    pools: last?.pools ?? null,
    markets: last?.markets ?? null,
    buckets,
    users: buckets === 0 ? 0 : users / buckets,
  }
}

/** Start of the hour that holds a moment. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR) * HOUR
}

/** A Monday, 00:00 UTC: buckets of any length are counted from it. */
const ORIGIN = Date.UTC(1970, 0, 5)

/** Start of the bucket that holds a moment. */
export function bucketOf(time: number, length: number): number {
  return ORIGIN + Math.floor((time - ORIGIN) / length) * length
}
