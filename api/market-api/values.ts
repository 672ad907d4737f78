// What things are worth in system tokens and in USD, as exact fractions, and their texts.
import type { Ratio } from '../../core/amm/price.ts'
import { RATE_ONE, systemRatio, USD_PRICE_DIGITS } from '../../core/price/token-price.ts'
import type { MarketPrices } from '../market/pricing.ts'
import { significantValue, type Value } from './digits.ts'

const USD_ONE = 10n ** BigInt(USD_PRICE_DIGITS)

/** Both texts of a value; null where it is not known. */
export interface Worth {
  system: string | null
  usd: string | null
}

export const UNKNOWN: Worth = { system: null, usd: null }

/** 2^192: a power of two, so that dividing by it costs no digit. */
const RATE_ONE_NEAR = Number(RATE_ONE)
const USD_ONE_NEAR = Number(USD_ONE)

/** System tokens for one whole token; null when it has no price. */
export function priceValue({ byToken, systemToken }: MarketPrices, token: string): Value | null {
  const price = byToken.get(token)
  if (price === undefined) return null
  const near = (Number(price.rate) / RATE_ONE_NEAR) * 10 ** (price.decimals - systemToken.decimals)
  return { near, exact: () => systemRatio(price, systemToken.decimals) }
}

/** Quote for one whole base by the prices of both tokens; null when either has none. */
export function midValue(prices: MarketPrices, base: string, quote: string): Value | null {
  const [left, right] = [priceValue(prices, base), priceValue(prices, quote)]
  return left === null || right === null
    ? null
    : { near: left.near / right.near, exact: () => quotient(left.exact(), right.exact()) }
}

/** An amount of system tokens in both units. */
export function worthOf(value: Value, { usd }: MarketPrices): Worth {
  const system = significantValue(value)
  if (usd === null) return { system, usd: null }
  const near = (value.near * Number(usd)) / USD_ONE_NEAR
  const exact = () => {
    const { numerator, denominator } = value.exact()
    return { numerator: numerator * usd, denominator: denominator * USD_ONE }
  }
  return { system, usd: significantValue({ near, exact }) }
}

/** Raw units of the system token in both units. */
export function worthOfRaw(raw: bigint, prices: MarketPrices): Worth {
  const one = 10 ** prices.systemToken.decimals
  return worthOf({ near: Number(raw) / one, exact: () => ({ numerator: raw, denominator: BigInt(one) }) }, prices)
}

/** Two amounts of raw units at their tokens' prices; unknown unless both are priced. */
export function worthOfBoth(
  prices: MarketPrices,
  tokenA: string,
  amountA: bigint,
  tokenB: string,
  amountB: bigint,
): Worth {
  const [a, b] = [prices.byToken.get(tokenA), prices.byToken.get(tokenB)]
  if (a === undefined || b === undefined) return UNKNOWN
  const raw = (Number(amountA) * Number(a.rate) + Number(amountB) * Number(b.rate)) / RATE_ONE_NEAR
  const one = 10 ** prices.systemToken.decimals
  const exact = () => ({ numerator: amountA * a.rate + amountB * b.rate, denominator: RATE_ONE * BigInt(one) })
  return worthOf({ near: raw / one, exact }, prices)
}

function quotient(left: Ratio, right: Ratio): Ratio {
  return { numerator: left.numerator * right.denominator, denominator: left.denominator * right.numerator }
}
