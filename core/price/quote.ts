// Token prices for clients: converted to doubles at the last step.
import type { TokenId } from './token-id.ts'
import { systemPrice, type TokenPrices, type UsdPrice, usdPrice } from './token-price.ts'
import type { Scores, TrustRules } from './trust.ts'

/** Inputs of a quote, all as of one time. */
export interface PriceContext {
  prices: TokenPrices
  systemDecimals: number
  /** Null when the system token has no USD price. */
  usd: UsdPrice | null
  rules: TrustRules
  scores: Scores
  /** Unix milliseconds of chain time. */
  at: number
}

export interface TokenQuote {
  isScam: boolean
  isTrusted: boolean
  /** In the system token; 0 without a price. */
  systemPrice: number
  /** 0 without a price; null when the system token has no USD price. */
  usdPrice: number | null
  /** The same as above for a trusted token, else 0. */
  safeSystemPrice: number
  safeUsdPrice: number | null
}

/** Quotes a token. A scam token's prices are 0. */
export function quoteToken(
  token: TokenId,
  { prices, systemDecimals, usd, rules, scores, at }: PriceContext,
): TokenQuote {
  const isScam = rules.isScam(token, at)
  const isTrusted = rules.isTrusted(token, at, scores)
  const price = isScam ? undefined : prices.get(token)
  const inSystem = price ? systemPrice(price, systemDecimals) : 0
  const inUsd = usd === null ? null : price ? usdPrice(price, systemDecimals, usd) : 0
  return {
    isScam,
    isTrusted,
    systemPrice: inSystem,
    usdPrice: inUsd,
    safeSystemPrice: isTrusted ? inSystem : 0,
    safeUsdPrice: isTrusted ? inUsd : usd === null ? null : 0,
  }
}
