// The exchange by hours: sums, points and buckets, read in one snapshot of the database.
import { type Page, type Queryable, readPage, type Statement } from '../exchange/snapshot.ts'
import { BUCKETS, PERIOD, POINTS } from './sql.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const WEEK = 7 * DAY

/** USD and counts of some hours. */
export interface Sums {
  swapVolume: number
  spotVolume: number
  volume: number
  swapFees: number
  spotFees: number
  fees: number
  swapTrades: number
  spotTrades: number
}

/** As the last of some hours left it; null when nobody knows. */
interface Left {
  swapLocked: number | null
  spotLocked: number | null
  locked: number | null
  pools: number | null
  markets: number | null
}

export interface Period extends Sums, Left {
  /** Hours that are over. */
  buckets: number
  /** Distinct accounts in a day, averaged over days that end with each of the hours. */
  users: number
}

export interface Point extends Sums, Left {
  /** Start, Unix milliseconds. */
  t: number
  users: number
}

export interface Bucket extends Sums, Left {
  t: number
  /** What was locked when the range began. */
  lockedBefore: number | null
}

/** Hours from one moment to before another, Unix milliseconds. */
export interface HourRange {
  from: number
  before: number
}

/** @returns null when the chain is not indexed */
export async function readPeriod(database: Queryable, chain: string, range: HourRange): Promise<Page<Period> | null> {
  return readPage<Period>(database, statement('hours-period', PERIOD, chain, range), 'buckets')
}

/** @param length  milliseconds of a point */
export async function readPoints(
  database: Queryable,
  chain: string,
  range: HourRange,
  length: number,
): Promise<Page<Point> | null> {
  return readPage<Point>(database, statement('hours-points', POINTS, chain, range, length), 't')
}

/** The buckets that have anything in them, the one in progress included. */
export async function readBuckets(
  database: Queryable,
  chain: string,
  range: HourRange,
  length: number,
): Promise<Page<Bucket> | null> {
  return readPage<Bucket>(database, statement('hours-buckets', BUCKETS, chain, range, length), 't')
}

function statement(name: string, text: string, chain: string, { from, before }: HourRange, length?: number): Statement {
  const values: unknown[] = [chain, new Date(from), new Date(before)]
  if (length !== undefined) values.push(`${length / HOUR} hours`)
  return { name, text, values }
}

/** Start of the hour that holds a moment. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR) * HOUR
}
