// What things are worth in system tokens and in USD, as exact fractions, and their texts.
import type { Ratio } from '../../core/amm/price.ts'
import { RATE_ONE, systemRatio, USD_PRICE_DIGITS } from '../../core/price/token-price.ts'
import type { MarketPrices } from '../market/pricing.ts'
import { significant } from './digits.ts'

const USD_ONE = 10n ** BigInt(USD_PRICE_DIGITS)

/** Both texts of a value; null where it is not known. */
export interface Worth {
  system: string | null
  usd: string | null
}

export const UNKNOWN: Worth = { system: null, usd: null }

/** System tokens for one whole token; null when it has no price. */
export function priceRatio(prices: MarketPrices, token: string): Ratio | null {
  const price = prices.byToken.get(token)
  return price === undefined ? null : systemRatio(price, prices.systemToken.decimals)
}

/** Quote for one whole base by the prices of both tokens; null when either has none. */
export function midRatio(prices: MarketPrices, base: string, quote: string): Ratio | null {
  const [left, right] = [priceRatio(prices, base), priceRatio(prices, quote)]
  if (left === null || right === null) return null
  return { numerator: left.numerator * right.denominator, denominator: left.denominator * right.numerator }
}

/** An amount of system tokens in both units. */
export function worthOfRatio({ numerator, denominator }: Ratio, { usd }: MarketPrices): Worth {
  return {
    system: significant({ numerator, denominator }),
    usd: usd === null ? null : significant({ numerator: numerator * usd, denominator: denominator * USD_ONE }),
  }
}

/** Raw units of the system token in both units. */
export function worthOfRaw(raw: bigint, prices: MarketPrices): Worth {
  return worthOfRatio({ numerator: raw, denominator: 10n ** BigInt(prices.systemToken.decimals) }, prices)
}

/** Two amounts of raw units at their tokens' prices; unknown unless both are priced. */
export function worthOfBoth(
  prices: MarketPrices,
  [tokenA, amountA]: readonly [token: string, amount: bigint],
  [tokenB, amountB]: readonly [token: string, amount: bigint],
): Worth {
  const [a, b] = [prices.byToken.get(tokenA), prices.byToken.get(tokenB)]
  if (a === undefined || b === undefined) return UNKNOWN
  const numerator = amountA * a.rate + amountB * b.rate
  return worthOfRatio({ numerator, denominator: RATE_ONE * 10n ** BigInt(prices.systemToken.decimals) }, prices)
}
