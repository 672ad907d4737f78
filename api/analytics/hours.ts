// Sums of the exchange's hours over periods and buckets. Exact integers until the result, which is in doubles. Pure.
import { usdNumber } from '../live-market/rolling.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const WEEK = 7 * DAY

/** Sums of the trades of a period. Money in USD times 10^18. */
interface Trades {
  swapVolume: bigint
  swapFees: bigint
  swapTrades: number
  /** Swaps of unknown value; they are not in the volume. */
  swapsWithoutUsd: number
  spotVolume: bigint
  spotFees: bigint
  spotTrades: number
  /** Deals of unknown value. */
  dealsWithoutUsd: number
}

/** One hour. */
export interface Hour extends Trades {
  /** Start, Unix milliseconds. */
  t: number
  /** Whether the hour has ended. */
  over: boolean
  /** Value at the end of the hour, USD; null if the hour has not ended or the value is unknown. */
  swapLocked: number | null
  spotLocked: number | null
  locked: number | null
  pools: number | null
  markets: number | null
  /** Distinct accounts in the 24 hours that end with this hour; null if the hour has not ended. */
  users: number | null
}

/** Range [from, before) of hours, Unix milliseconds. */
export interface HourRange {
  from: number
  before: number
}

/** Sums over hours, and the values at their end. Money in USD. */
export interface Sums {
  swapVolume: number
  spotVolume: number
  volume: number
  swapFees: number
  spotFees: number
  fees: number
  swapTrades: number
  spotTrades: number
  /** Trades of unknown value; they are not in the volumes. */
  swapsWithoutUsd: number
  dealsWithoutUsd: number
  /** Null if unknown. */
  swapLocked: number | null
  spotLocked: number | null
  locked: number | null
  pools: number | null
  markets: number | null
  /** Number of ended hours. */
  buckets: number
  /** Mean of the ended hours' `users`: distinct accounts in 24 hours. 0 if no hour has ended. */
  users: number
}

export interface Bucket extends Sums {
  /** Start, Unix milliseconds. */
  t: number
}

/** Sums over hours. Money in USD times 10^18. */
export interface Traded extends Trades {
  /** Sum of `users` over ended hours. */
  users: number
}

export const NOTHING: Traded = {
  swapVolume: 0n,
  swapFees: 0n,
  swapTrades: 0,
  swapsWithoutUsd: 0,
  spotVolume: 0n,
  spotFees: 0n,
  spotTrades: 0,
  dealsWithoutUsd: 0,
  users: 0,
}

/** The sums plus one hour. */
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

/** Difference of two prefix sums: the sums over the hours between them. */
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

/** The last ended hour, and the last one whose value is known. */
export interface LastHours {
  last: Hour | null
  known: Hour | null
}

/** The sums as doubles. @param buckets  number of ended hours */
export function sumsOf(traded: Traded, buckets: number, { last, known }: LastHours): Sums {
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

/** Start of the hour that contains a time. Unix milliseconds. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR) * HOUR
}

/** A Monday, 00:00 UTC. Buckets of all lengths are aligned to it. */
const ORIGIN = Date.UTC(1970, 0, 5)

/** Start of the bucket that contains a time. @param length  milliseconds */
export function bucketOf(time: number, length: number): number {
  return ORIGIN + Math.floor((time - ORIGIN) / length) * length
}
