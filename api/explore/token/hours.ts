// Price of a token at the end of each hour of chain time, through the pools that price it now. Pure. Exact fractions
// until the text.
import type { Ratio } from '../../../core/amm/price.ts'
import { parseUsdPrice, USD_PRICE_DIGITS, type UsdPrice } from '../../../core/price/token-price.ts'
import { significant } from '../../kit/digits.ts'
import type { MarketState } from '../../live-market/model.ts'

const HOUR = 3600
const Q128 = 1n << 128n

/** Rows of the statement; hours and times are Unix seconds, prices square roots Q64.64. */
export interface HourRows {
  closes: { pool: number; hour: number; price: string }[]
  starts: { pool: number; before: string | null; created: number | null; creationPrice: string | null }[]
  dollars: { hour: number; usd: string | null }[]
  /** Time of the first indexed block; null without one. */
  since: number | null
}

/** A pool of a path, from the token towards the system token. */
export interface Leg {
  pool: number
  /** Whether the token nearer to the system token is B. */
  isPriceOfA: boolean
}

export interface TokenPath {
  legs: readonly Leg[]
  decimals: number
}

export interface HourPrice {
  time: string
  price: string | null
  priceUsd: string | null
  over: boolean
}

/** Pools that price a token now; empty for the system token. @returns null when the token has no price */
export function pathOf({ prices, pools }: MarketState, id: string): TokenPath | null {
  const legs: Leg[] = []
  const token = prices.byToken.get(id)
  if (token === undefined) return null
  for (let at = token; at.poolId !== null && at.via !== null; ) {
    const pool = pools.get(at.poolId)
    const next = prices.byToken.get(at.via)
    if (pool === undefined || next === undefined) return null
    legs.push({ pool: pool.id, isPriceOfA: pool.a.id === at.token })
    at = next
  }
  return { legs, decimals: token.decimals }
}

/**
 * @param path    null when the token has no price: all hours are unknown
 * @param range   start of the first hour, and end of the last, Unix seconds
 * @param now     time of the block, Unix seconds: the hour that holds it is not over
 * @param usdNow  USD for one system token at the block
 */
export function hourPrices(
  rows: HourRows,
  path: TokenPath | null,
  range: { from: number; before: number },
  at: { now: number; usdNow: UsdPrice | null; systemDecimals: number },
): HourPrice[] {
  const rootAt = rootsOf(rows, range.from)
  const usdAt = dollarsOf(rows)
  const hours: HourPrice[] = []
  for (let hour = range.from; hour < range.before && hour <= at.now; hour += HOUR) {
    const over = hour + HOUR <= at.now
    const price = path === null ? null : priceAt(path, rootAt(hour), at.systemDecimals)
    const usd = over ? usdAt(hour) : at.usdNow
    hours.push({
      time: new Date(hour * 1000).toISOString(),
      price: price === null ? null : significant(price),
      priceUsd: price === null || usd === null ? null : significant(inUsd(price, usd)),
      over,
    })
  }
  return hours
}

function inUsd({ numerator, denominator }: Ratio, usd: UsdPrice): Ratio {
  return { numerator: numerator * usd, denominator: denominator * 10n ** BigInt(USD_PRICE_DIGITS) }
}

/** System tokens for one whole token; null when a pool of the path had no price yet. */
function priceAt(
  { legs, decimals }: TokenPath,
  roots: ReadonlyMap<number, bigint>,
  systemDecimals: number,
): Ratio | null {
  let [numerator, denominator] = [10n ** BigInt(decimals), 10n ** BigInt(systemDecimals)]
  for (const { pool, isPriceOfA } of legs) {
    const root = roots.get(pool)
    if (root === undefined) return null
    const square = root * root
    numerator *= isPriceOfA ? square : Q128
    denominator *= isPriceOfA ? Q128 : square
  }
  return { numerator, denominator }
}

/** Square-root prices of the pools at the ends of hours, which must be asked in their order. */
function rootsOf({ closes, starts, since }: HourRows, from: number): (hour: number) => ReadonlyMap<number, bigint> {
  const roots = new Map<number, bigint>()
  for (const { pool, before } of starts) if (before !== null) roots.set(pool, BigInt(before))
  let next = 0
  return (hour) => {
    for (const { pool, created, creationPrice } of starts)
      if (!roots.has(pool) && created !== null && creationPrice !== null && created < hour + HOUR)
        roots.set(pool, BigInt(creationPrice))
    for (let close = closes[next]; close !== undefined && close.hour <= hour; close = closes[++next])
      roots.set(close.pool, BigInt(close.price))
    return since === null || hour + HOUR <= since || hour < from ? new Map() : roots
  }
}

/** USD prices at the ends of hours, which must be asked in their order. An hour without blocks is as the one before. */
function dollarsOf({ dollars }: HourRows): (hour: number) => UsdPrice | null {
  let usd: UsdPrice | null = null
  let next = 0
  return (hour) => {
    for (let row = dollars[next]; row !== undefined && row.hour <= hour; row = dollars[++next])
      usd = row.usd === null ? null : parseUsdPrice(row.usd)
    return usd
  }
}
