// Pools and order books as markets of the feed. Every id contains the chain.

import { priceOfA, ratioToNumber } from '../../core/amm/price.ts'
import { VersionedCache } from '../../core/cache.ts'
import { feedChain } from '../../core/chains.ts'
import type { ChainContext } from '../chain-context.ts'
import { changePercent } from '../kit/change.ts'
import { nearTarget, twiceMiddle } from '../kit/depth.ts'
import { toNumber, UNIT_PRICE_DECIMALS } from '../kit/numbers.ts'
import { worthOf } from '../kit/worth.ts'
import { later, poolMark, tokenMark } from '../live-market/marks.ts'
import type { LiveBook, LivePool, MarketState, TokenRef } from '../live-market/model.ts'
import { usdValueNumber } from '../live-market/pricing.ts'
import { usdNumber } from '../live-market/rolling.ts'
import type { Asset, Assets } from './assets.ts'
import { currencyId } from './currency-id.ts'

interface FeedSide {
  /** `<chain>:<symbol>-<contract>`. */
  currency: string
  token: TokenRef
  aggregatorId: number | null
  asset: Asset | null
}

/** Figures of a market or of a pair. */
export interface Figures {
  /** Target per base. For a book that has not traded at a price above 0: the middle of its best orders. */
  lastPrice: number
  /** Tokens in 24 hours. */
  baseVolume: number
  targetVolume: number
  volumeUsd: number
  /** Value of a pool's reserves, or of the orders near the middle of a book. */
  liquidityUsd: number
  /** Best orders of a book; null without one. */
  bid: number | null
  ask: number | null
  /** Extremes of 24 hours; null without a trade. */
  high: number | null
  low: number | null
  /** Change of the price in 24 hours, percent. */
  change: number
  isFrozen: boolean
}

export interface FeedMarket extends Figures {
  context: ChainContext
  /** The feed's name of the chain. */
  chain: string
  type: 'amm' | 'orderbook'
  /** Id of the pool or of the market on its chain. */
  id: number
  /** `<chain>:<amm|orderbook>:<id>`. */
  poolId: string
  /** `<base currency>_<target currency>`. */
  tickerId: string
  base: FeedSide
  target: FeedSide
}

/** Markets of the feed by pool or book: most are reused from minute to minute. */
export type MarketCache = VersionedCache<LivePool | LiveBook, FeedMarket>

/**
 * The markets of a chain that the feed lists: active pools and order books with enough liquidity, whose tokens are on
 * no scam list.
 *
 * @param minimumUsd  minimum liquidity, USD
 * @param cache       cache of markets made earlier with the same assets
 */
export function listedMarkets(
  context: ChainContext,
  state: MarketState,
  assets: Assets,
  minimumUsd: number,
  cache: MarketCache,
): FeedMarket[] {
  const worth = worthOf(state)
  const isClean = (x: TokenRef, y: TokenRef) => !worth.isScam(x.id) && !worth.isScam(y.id)
  const side = (token: TokenRef): FeedSide => {
    const currency = currencyId(context.chain, token.id)
    return { currency, token, aggregatorId: assets.aggregatorId(currency), asset: assets.of(currency) }
  }
  const markets: FeedMarket[] = []
  for (const pool of state.pools.values()) {
    if (!pool.active || pool.sqrtPriceX64 === 0n) continue
    const liquidity = worth.poolUsd(pool)
    if (liquidity >= minimumUsd && isClean(pool.a, pool.b))
      markets.push(
        cache.get(pool, poolMark(state, pool).id, '', () =>
          poolMarket(context, pool, side(pool.a), side(pool.b), liquidity),
        ),
      )
  }
  for (const book of state.books.values()) {
    const liquidity = bookUsd(state, book)
    if (hasPrice(book) && liquidity >= minimumUsd && isClean(book.base, book.target))
      markets.push(
        cache.get(book, later(book.changed, tokenMark(state, book.target.id)).id, '', () =>
          bookMarket(context, book, side(book.base), side(book.target), liquidity),
        ),
      )
  }
  return markets
}

/**
 * Whether both sides have orders at prices of at least 10^-8. Lower bids are 0 in unit prices, and a price of 0 is of
 * no use.
 */
function hasPrice({ bids, asks }: LiveBook): boolean {
  return asks[0] !== undefined && bids[0] !== undefined && bids[0].unitPrice > 0n
}

const values = new VersionedCache<LiveBook, number>()

/** Value of the orders near the middle price, counted in the target token; 0 unless that token is trusted. */
function bookUsd(state: MarketState, book: LiveBook): number {
  const { prices } = state
  const { target } = book
  return values.get(book, later(book.changed, tokenMark(state, target.id)).id, '', () =>
    prices.quote(target.id).isTrusted ? usdValueNumber(prices.holdingUsd(target, nearTarget(book), target, 0n)) : 0,
  )
}

function names(context: ChainContext, type: FeedMarket['type'], id: number, base: FeedSide, target: FeedSide) {
  const chain = feedChain(context.chain)
  const poolId = `${chain}:${type}:${id}`
  return { context, chain, type, id, poolId, tickerId: `${base.currency}_${target.currency}`, base, target }
}

function poolMarket(
  context: ChainContext,
  pool: LivePool,
  base: FeedSide,
  target: FeedSide,
  liquidityUsd: number,
): FeedMarket {
  const { a, b, volumes, sqrtPriceX64 } = pool
  const price = (root: bigint) => ratioToNumber(priceOfA(root, a.decimals, b.decimals))
  const before = pool.before24 ?? pool.creationPrice
  return {
    lastPrice: price(sqrtPriceX64),
    baseVolume: toNumber(volumes.day.base, a.decimals),
    targetVolume: toNumber(volumes.day.target, b.decimals),
    volumeUsd: usdNumber(volumes.day.usd),
    liquidityUsd,
    bid: null,
    ask: null,
    high: pool.high24 === null ? null : price(pool.high24),
    low: pool.low24 === null ? null : price(pool.low24),
    change: changePercent(before === null ? null : before * before, sqrtPriceX64 * sqrtPriceX64),
    isFrozen: false,
    ...names(context, 'amm', pool.id, base, target),
  }
}

function bookMarket(
  context: ChainContext,
  book: LiveBook,
  base: FeedSide,
  target: FeedSide,
  liquidityUsd: number,
): FeedMarket {
  const { volumes } = book
  const price = (unitPrice: bigint) => toNumber(unitPrice, UNIT_PRICE_DECIMALS)
  const middle = toNumber(5n * (twiceMiddle(book) as bigint), UNIT_PRICE_DECIMALS + 1)
  return {
    lastPrice: book.last === null || book.last === 0n ? middle : price(book.last),
    baseVolume: toNumber(volumes.day.base, base.token.decimals),
    targetVolume: toNumber(volumes.day.target, target.token.decimals),
    volumeUsd: usdNumber(volumes.day.usd),
    liquidityUsd,
    bid: price(book.bids[0]?.unitPrice ?? 0n),
    ask: price(book.asks[0]?.unitPrice ?? 0n),
    high: book.high24 === null ? null : price(book.high24),
    low: book.low24 === null ? null : price(book.low24),
    change: changePercent(book.before24, book.last),
    isFrozen: book.frozen,
    ...names(context, 'orderbook', book.id, base, target),
  }
}
