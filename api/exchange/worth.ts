// What tokens and pools are worth, and which tokens are on lists, as far as tickers and pairs have to know. The one place
// where this part of the API gets it from.

import { widestPrices } from '../../core/price/price-graph.ts'
import { DEFAULT_THRESHOLD, thresholdOf } from '../../core/price/threshold.ts'
import { tokenId } from '../../core/price/token-id.ts'
import { type TokenPrices, USD_PRICE_DIGITS } from '../../core/price/token-price.ts'
import { USD_VALUE_DIGITS, Valuation } from '../../core/price/usd-value.ts'
import type { ChainContext } from '../chain-context.ts'
import type { LivePool, MarketState } from '../market/model.ts'
import type { Listing } from './listing.ts'
import { onceABlock } from './once-a-block.ts'

export interface Worth extends Listing {
  /** Value of what a pool holds; 0 while the system token has no USD price. */
  poolUsd(pool: LivePool): number
  /** For comparing pools: in USD, or in the system token while that has no USD price. */
  poolRank(pool: LivePool): number
  isScam(tokenId: string): boolean
}

/** The worth of everything as of a state; computed once a block. */
export function worthOf(context: ChainContext, state: MarketState): Worth {
  return onceABlock(context, state, 'worth', () => makeWorth(context, state))
}

function makeWorth({ config }: ChainContext, state: MarketState): Worth {
  const { symbol, contract, decimals } = config.systemToken
  const fixed = config.price?.source === 'fixed' ? config.price.usd : undefined
  const usd = fixed === undefined ? null : BigInt(Math.round(fixed * 10 ** USD_PRICE_DIGITS))
  const prices = widestPrices([...state.pools.values()].map(pricePool), {
    systemToken: { id: tokenId(symbol, contract), decimals },
    threshold: thresholdOf(DEFAULT_THRESHOLD, usd, decimals),
  })
  const inSystem = valuer(new Valuation(10n ** BigInt(USD_PRICE_DIGITS), decimals), prices)
  const inUsd = usd === null ? () => 0 : valuer(new Valuation(usd, decimals), prices)
  return {
    poolUsd: inUsd,
    poolRank: usd === null ? inSystem : inUsd,
    isScam: () => false,
    aggregatorId: () => null,
  }
}

function valuer(valuation: Valuation, prices: TokenPrices): (pool: LivePool) => number {
  return ({ a, b, reserveA, reserveB }) => {
    const value = valuation.holding(
      { amount: reserveA, price: prices.get(a.id) },
      { amount: reserveB, price: prices.get(b.id) },
    )
    return Number(value) / 10 ** USD_VALUE_DIGITS
  }
}

function pricePool({ id, active, a, b, reserveA, reserveB, sqrtPriceX64, liquidity }: LivePool) {
  return {
    id,
    active,
    tokenA: a.id,
    tokenB: b.id,
    decimalsA: a.decimals,
    decimalsB: b.decimals,
    reserveA,
    reserveB,
    sqrtPriceX64,
    liquidity,
  }
}
