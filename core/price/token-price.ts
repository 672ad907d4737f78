// A token's price in the chain's system token. Exact fractions; doubles and texts are made at the last step.
import { type Ratio, ratioToNumber } from '../amm/price.ts'
import type { TokenId } from './token-id.ts'

/** Fractional bits of a rate. */
export const RATE_BITS = 192n
/** The rate of the system token: one raw unit for one raw unit. */
export const RATE_ONE = 1n << RATE_BITS
/**
 * Exclusive upper limit of rates, which are positive: one raw unit cannot be worth more raw system units than can
 * exist.
 */
export const RATE_LIMIT = 1n << 256n

export interface TokenPrice {
  token: TokenId
  decimals: number
  /** Raw units of the system token for one raw unit of this token, times 2^192, rounded down. */
  rate: bigint
  /**
   * Value of the priced side of the path's narrowest pool, raw units of the system token; null for the system token.
   */
  width: bigint | null
  /** The last pool of the path; null for the system token. */
  poolId: number | null
  /** The token on the priced side of that pool; null for the system token. */
  via: TokenId | null
  /** Pools on the path; 0 for the system token. */
  hops: number
}

/** Prices of all priced tokens. */
export type TokenPrices = ReadonlyMap<TokenId, TokenPrice>

/** USD for one whole system token, times 10^16; positive. */
export type UsdPrice = bigint

/** Decimals of a `UsdPrice`. */
export const USD_PRICE_DIGITS = 16
const USD_PRICE_ONE = 10n ** BigInt(USD_PRICE_DIGITS)

/**
 * Reads a USD price.
 *
 * @param text  a positive decimal number; decimals beyond the 16th are dropped
 * @returns null when the text is not such a number, or the number is too small or too large (10^9 and above)
 */
export function parseUsdPrice(text: string): UsdPrice | null {
  const match = /^(\d{1,9})(?:\.(\d+))?$/.exec(text)
  if (!match) return null
  const fraction = (match[2] ?? '').slice(0, USD_PRICE_DIGITS).padEnd(USD_PRICE_DIGITS, '0')
  const price = BigInt(match[1] as string) * USD_PRICE_ONE + BigInt(fraction)
  return price > 0n ? price : null
}

/** Whole system tokens per whole token, exact except for the rounding of `rate`. */
export function systemRatio({ rate, decimals }: TokenPrice, systemDecimals: number): Ratio {
  return { numerator: rate * 10n ** BigInt(decimals), denominator: RATE_ONE * 10n ** BigInt(systemDecimals) }
}

/** USD for one whole token. */
export function usdRatio(price: TokenPrice, systemDecimals: number, usd: UsdPrice): Ratio {
  const { numerator, denominator } = systemRatio(price, systemDecimals)
  return { numerator: numerator * usd, denominator: denominator * USD_PRICE_ONE }
}

/** `systemRatio` as a double. */
export function systemPrice(price: TokenPrice, systemDecimals: number): number {
  return ratioToNumber(systemRatio(price, systemDecimals))
}

/** `usdRatio` as a double. */
export function usdPrice(price: TokenPrice, systemDecimals: number, usd: UsdPrice): number {
  return ratioToNumber(usdRatio(price, systemDecimals, usd))
}

/**
 * Pools on the path from the system token to a token; empty for the system token. @returns null when the token has no
 * price
 */
export function pathTo(prices: TokenPrices, token: TokenId): number[] | null {
  const pools: number[] = []
  for (let at = prices.get(token); ; at = prices.get(at.via as TokenId)) {
    if (!at) return null
    if (at.poolId === null) return pools.reverse()
    pools.push(at.poolId)
  }
}
