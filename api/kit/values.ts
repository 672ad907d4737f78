// Values in system tokens and in USD, as exact fractions and as texts.

import type { Ratio } from '../../core/amm/price.ts'
import { RATE_ONE, systemRatio, type TokenPrice, USD_PRICE_DIGITS, usdRatio } from '../../core/price/token-price.ts'
import { required } from '../../core/required.ts'
import type { MarketPrices } from '../live-market/pricing.ts'
import { nearText, significant } from './digits.ts'

const USD_ONE = 10n ** BigInt(USD_PRICE_DIGITS)

/** Texts of a value in both units; null if unknown. */
export interface Worth {
  system: string | null
  usd: string | null
}

export const UNKNOWN: Worth = { system: null, usd: null }

/** 2^192 as a double. Dividing by a power of two loses no precision. */
const RATE_ONE_NEAR = Number(RATE_ONE)
const USD_ONE_NEAR = Number(USD_ONE)

/** System tokens for one whole token, exact to 14 digits. */
function nearPrice({ rate, decimals }: TokenPrice, { systemToken }: MarketPrices): number {
  return (Number(rate) / RATE_ONE_NEAR) * 10 ** (decimals - systemToken.decimals)
}

/** The price of a token; null if it has none. */
export function priceOf(prices: MarketPrices, token: string): Worth | null {
  const price = prices.byToken.get(token)
  if (price === undefined) return null
  const { usd, systemToken } = prices
  const near = nearPrice(price, prices)
  return {
    system: nearText(near) ?? significant(systemRatio(price, systemToken.decimals)),
    usd: usd === null ? null : (nearUsdText(near, usd) ?? significant(usdRatio(price, systemToken.decimals, usd))),
  }
}

/** Quote for one whole base by the prices of both tokens, exact to 14 digits; null if either has no price. */
export function nearMid(prices: MarketPrices, base: string, quote: string): number | null {
  const [left, right] = [prices.byToken.get(base), prices.byToken.get(quote)]
  return left === undefined || right === undefined ? null : nearPrice(left, prices) / nearPrice(right, prices)
}

/** The same as text. */
export function midText(prices: MarketPrices, base: string, quote: string): string | null {
  const near = nearMid(prices, base, quote)
  return near === null ? null : (nearText(near) ?? significant(exactMid(prices, base, quote)))
}

function exactMid({ byToken, systemToken }: MarketPrices, base: string, quote: string): Ratio {
  const ratioOf = (token: string) =>
    systemRatio(required(byToken.get(token), `price of ${token}`), systemToken.decimals)
  const [left, right] = [ratioOf(base), ratioOf(quote)]
  return { numerator: left.numerator * right.denominator, denominator: left.denominator * right.numerator }
}

/** Value of raw units of the system token. */
export function worthOfRaw(raw: bigint, prices: MarketPrices): Worth {
  return worthOfRatio({ numerator: raw, denominator: 10n ** BigInt(prices.systemToken.decimals) }, prices)
}

/**
 * Exact value of raw units of a token, in raw units of the system token times 2^192; null when the token has no price.
 * Values of several tokens can be added.
 */
export function rawValue({ byToken }: MarketPrices, token: string, amount: bigint): bigint | null {
  const price = byToken.get(token)
  return price === undefined ? null : price.rate * amount
}

/** Texts of a sum of `rawValue`. */
export function worthOfValue(value: bigint | null, prices: MarketPrices): Worth {
  if (value === null) return UNKNOWN
  return worthOfRatio({ numerator: value, denominator: RATE_ONE * 10n ** BigInt(prices.systemToken.decimals) }, prices)
}

/** Value of an amount of whole system tokens. */
export function worthOfRatio({ numerator, denominator }: Ratio, { usd }: MarketPrices): Worth {
  return {
    system: significant({ numerator, denominator }),
    usd: usd === null ? null : significant({ numerator: numerator * usd, denominator: denominator * USD_ONE }),
  }
}

/** Value of two amounts in raw units at their tokens' prices; unknown unless both tokens are priced. */
export function worthOfBoth(
  prices: MarketPrices,
  tokenA: string,
  amountA: bigint,
  tokenB: string,
  amountB: bigint,
): Worth {
  const { byToken, systemToken, usd } = prices
  const a = byToken.get(tokenA)
  const b = byToken.get(tokenB)
  if (a === undefined || b === undefined) return UNKNOWN
  const raw = (Number(amountA) * Number(a.rate) + Number(amountB) * Number(b.rate)) / RATE_ONE_NEAR
  const near = raw / 10 ** systemToken.decimals
  const system = nearText(near)
  const usdText = usd === null ? null : nearUsdText(near, usd)
  if (system !== null && (usd === null || usdText !== null)) return { system, usd: usdText }
  const denominator = RATE_ONE * 10n ** BigInt(systemToken.decimals)
  return worthOfRatio({ numerator: amountA * a.rate + amountB * b.rate, denominator }, prices)
}

function nearUsdText(near: number, usd: bigint): string | null {
  return nearText((near * Number(usd)) / USD_ONE_NEAR)
}
