// Rows of the end of an hour: holdings of the exchange, prices of tokens, values of pools. All belong to the first block
// after the hour, so a rewind of that block removes them.
import { USD_PRICE_DIGITS, type UsdPrice } from '../../core/price/token-price.ts'
import { USD_VALUE_DIGITS, type UsdValue } from '../../core/price/usd-value.ts'
import { DecimalNumber } from '../store/copy/numeric.ts'
import type { LedgerRow } from '../store/rows.ts'
import type { HeldValues } from './holdings.ts'
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

const ONE = 10n ** BigInt(USD_PRICE_DIGITS)

/** Columns of `ledger.price_hours`, one row for each priced token. @param usd  null while unknown */
export function pricesAt(prices: ReadonlyMap<string, PriceInForce>, systemDecimals: number, usd: UsdPrice | null) {
  return Array.from(prices, ([tokenId, price]) => ({
    tokenId,
    systemPrice: usdPriceDecimal(price, systemDecimals, ONE),
    usdPrice: usd === null ? null : usdPriceDecimal(price, systemDecimals, usd),
  }))
}

/** Columns of `ledger.pool_hours`, one row for each pool with a known value above zero. */
function poolsAt(values: ReadonlyMap<number, UsdValue | null>) {
  const rows: { poolId: number; usd: DecimalNumber }[] = []
  for (const [poolId, value] of values)
    if (value) rows.push({ poolId, usd: new DecimalNumber(value, USD_VALUE_DIGITS) })
  return rows
}

/** @param pools  value of each pool; null when unknown */
export function hourRows(
  at: HourEnd,
  held: HeldValues & { markets: number },
  prices: ReturnType<typeof pricesAt>,
  pools: ReadonlyMap<number, UsdValue | null>,
): LedgerRow[] {
  const rows: LedgerRow[] = [{ table: 'hour_snapshots', row: { ...at, ...held } }]
  for (const price of prices) rows.push({ table: 'price_hours', row: { ...at, ...price } })
  for (const value of poolsAt(pools)) rows.push({ table: 'pool_hours', row: { ...at, ...value } })
  return rows
}
