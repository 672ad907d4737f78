// Rows of the end of an hour: holdings of the exchange, prices of tokens, values of pools. All belong to the first block
// after the hour, so a rewind of that block removes them.
import { USD_PRICE_DIGITS, type UsdPrice } from '../../core/price/token-price.ts'
import { USD_VALUE_DIGITS, type UsdValue } from '../../core/price/usd-value.ts'
import { DecimalNumber } from '../store/copy/numeric.ts'
import type { LedgerRow } from '../store/rows.ts'
import { type HeldValues, HOUR } from './holdings.ts'
import type { PriceInForce } from './rows.ts'
import { usdPriceDecimal } from './usd-price.ts'

/** An hour, and the first block after it. */
export interface HourEnd {
  chain: string
  /** Start of the hour, Unix milliseconds, like `blockTime`. */
  hour: number
  blockNum: number
  blockTime: number
}

const DAY = 24 * HOUR
const ONE = 10n ** BigInt(USD_PRICE_DIGITS)

/** Columns of `ledger.price_hours`, one row for each priced token. @param usd  null while unknown */
export function pricesAt(prices: ReadonlyMap<string, PriceInForce>, systemDecimals: number, usd: UsdPrice | null) {
  return Array.from(prices, ([tokenId, price]) => ({
    tokenId,
    systemPrice: usdPriceDecimal(price, systemDecimals, ONE),
    usdPrice: usd === null ? null : usdPriceDecimal(price, systemDecimals, usd),
  }))
}

/** Values of pools at the end of an hour. */
export interface PoolValues {
  /** Null when unknown. */
  values: ReadonlyMap<number, UsdValue | null>
  /** Minimum value for which a pool gets a row at the end of every hour. */
  least: UsdValue
}

/**
 * Columns of `ledger.pool_hours`: at the end of a day a row for each pool with a known value above zero, at the ends of
 * other hours for those of at least `least`. An exchange has thousands of pools of hardly any value.
 */
function poolsAt({ values, least }: PoolValues, isDayEnd: boolean) {
  const rows: { poolId: number; usd: DecimalNumber }[] = []
  for (const [poolId, value] of values)
    if (value && (isDayEnd || value >= least)) rows.push({ poolId, usd: new DecimalNumber(value, USD_VALUE_DIGITS) })
  return rows
}

export function hourRows(
  at: HourEnd,
  held: HeldValues & { markets: number },
  prices: ReturnType<typeof pricesAt>,
  pools: PoolValues,
): LedgerRow[] {
  const rows: LedgerRow[] = [{ table: 'hour_snapshots', row: { ...at, ...held } }]
  for (const price of prices) rows.push({ table: 'price_hours', row: { ...at, ...price } })
  for (const value of poolsAt(pools, (at.hour + HOUR) % DAY === 0))
    rows.push({ table: 'pool_hours', row: { ...at, ...value } })
  return rows
}
