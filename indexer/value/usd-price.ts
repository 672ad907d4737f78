// USD prices of tokens, as stored in the ledger.
import { RATE_ONE, USD_PRICE_DIGITS, type UsdPrice } from '../../core/price/token-price.ts'
import { DecimalNumber } from '../store/copy/numeric.ts'

/** Decimals of a USD price: high, because a raw unit of a token may be worth very little. */
const DIGITS = 24

/**
 * USD for one whole token, rounded half up.
 *
 * @param price  raw units of the system token for one raw unit, times 2^192, and the token's precision
 * @param usd    USD for one whole system token
 */
export function usdPriceDecimal(
  price: { rate: bigint; decimals: number },
  systemDecimals: number,
  usd: UsdPrice,
): DecimalNumber {
  const numerator = price.rate * usd * 10n ** BigInt(price.decimals + DIGITS)
  const denominator = RATE_ONE * 10n ** BigInt(systemDecimals + USD_PRICE_DIGITS)
  return new DecimalNumber((2n * numerator + denominator) / (2n * denominator), DIGITS)
}

/** A USD price with fewer trailing zeros. */
export function usdDecimal(usd: bigint): DecimalNumber {
  let units = usd
  let scale = USD_PRICE_DIGITS
  for (; scale > 0 && units % 10_000n === 0n; scale -= 4) units /= 10_000n
  return new DecimalNumber(units, scale)
}
