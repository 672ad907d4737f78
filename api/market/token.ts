// Tokens as the market API shows them.
import { perObject, VersionedCache } from '../../core/cache.ts'
import { type TokenObject, tokenObject } from '../kit/token-object.ts'
import { priceOf, UNKNOWN, worthOfRatio, worthOfRaw } from '../kit/values.ts'
import type { MarketState, TokenRef } from '../live-market/model.ts'
import type { MarketPrices } from '../live-market/pricing.ts'

interface TokenAnswer extends TokenObject {
  price: string | null
  priceUsd: string | null
  liquidity: string | null
  liquidityUsd: string | null
  pools: number
  orderbooks: number
}

function tokenAnswer(state: MarketState, token: TokenRef): TokenAnswer {
  const { prices, poolsOf, booksOf } = state
  const price = priceOf(prices, token.id) ?? UNKNOWN
  const width = prices.byToken.get(token.id)?.width ?? null
  const liquidity = width === null ? UNKNOWN : worthOfRaw(width, prices)
  return Object.assign(tokenObject(token), {
    price: price.system,
    priceUsd: price.usd,
    liquidity: liquidity.system,
    liquidityUsd: liquidity.usd,
    pools: poolsOf.get(token.id)?.size ?? 0,
    orderbooks: booksOf.get(token.id)?.size ?? 0,
  })
}

/** JSON of every token of a chain, cached until something in it changes. */
const textsOf = perObject((_: MarketPrices) => new VersionedCache<TokenRef, string>())

/** JSON of a token. */
export function tokenText(state: MarketState, token: TokenRef): string {
  const { prices, poolsOf, booksOf, changed } = state
  const cache = textsOf(prices)
  const counts = `${poolsOf.get(token.id)?.size} ${booksOf.get(token.id)?.size}`
  const variant = `${counts} ${changed.tokens.get(token.id)?.id}`
  return cache.get(token, changed.everything.id, variant, () => JSON.stringify(tokenAnswer(state, token)))
}

/** Price of a token as clients see it: the price has moved when this text changes. */
export function priceText(state: MarketState, token: string): string | null {
  const { prices } = state
  const price = priceOf(prices, token)
  if (price === null) return null
  return price.usd === null ? price.system : `${price.system} ${price.usd}`
}

/** Members of the list of tokens next to `tokens`. */
export function listHead({ prices }: MarketState): { systemToken: string; systemUsdPrice: string | null } {
  const { usd } = worthOfRatio({ numerator: 1n, denominator: 1n }, prices)
  return { systemToken: prices.systemToken.id, systemUsdPrice: usd }
}
