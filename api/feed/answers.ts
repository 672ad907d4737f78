// JSON answers of the feed's endpoints for plain and merged markets.
import { VersionedCache } from '../../core/cache.ts'
import type { FeedMarket } from './market.ts'
import type { MergedMarket } from './merge.ts'

/** Returns the address of the web site of a market's chain. */
export type SiteOf = (market: FeedMarket) => string

export function feedPair({ tickerId, base, target, poolId }: FeedMarket) {
  return { ticker_id: tickerId, base: base.currency, target: target.currency, pool_id: poolId }
}

export function feedTicker(market: FeedMarket, siteOf: SiteOf) {
  const { base, target } = market
  const isListed = base.aggregatorId !== null && target.aggregatorId !== null
  return {
    ticker_id: market.tickerId,
    base_currency: base.currency,
    target_currency: target.currency,
    pool_id: market.poolId,
    type: market.type,
    chain: market.chain,
    last_price: market.lastPrice,
    base_volume: market.baseVolume,
    target_volume: market.targetVolume,
    liquidity_in_usd: market.liquidityUsd,
    ...(market.type === 'orderbook' ? { bid: market.bid, ask: market.ask } : {}),
    high: market.high,
    low: market.low,
    volume_usd_24h: market.volumeUsd,
    base_cmc_ucid: base.aggregatorId,
    target_cmc_ucid: target.aggregatorId,
    global_ticker_id: isListed ? `${base.token.symbol}-${target.token.symbol}` : null,
    trade_url: tradeUrl(market, siteOf),
  }
}

export function mergedPair({ tickerId, base, target, main }: MergedMarket) {
  return { ticker_id: tickerId, base: base.symbol, target: target.symbol, pool_id: main.market.poolId }
}

export function mergedTicker(merged: MergedMarket, siteOf: SiteOf) {
  const { base, target, main, book, bid, ask } = merged
  return {
    ticker_id: merged.tickerId,
    base_currency: base.symbol,
    target_currency: target.symbol,
    pool_id: main.market.poolId,
    type: main.market.type,
    chain: main.market.chain,
    last_price: merged.lastPrice,
    base_volume: merged.baseVolume,
    target_volume: merged.targetVolume,
    liquidity_in_usd: merged.liquidityUsd,
    ...(book === null ? {} : { bid, ask }),
    high: merged.high,
    low: merged.low,
    volume_usd_24h: merged.volumeUsd,
    base_cmc_ucid: base.id,
    target_cmc_ucid: target.id,
    global_ticker_id: `${base.symbol}-${target.symbol}`,
    trade_url: tradeUrl(main.market, siteOf),
    pools: merged.parts.map(({ market }) => market.poolId),
  }
}

function tradeUrl(market: FeedMarket, siteOf: SiteOf): string {
  const { type, base, target } = market
  return `${siteOf(market)}/${type === 'amm' ? 'swap' : 'spot'}/${base.token.id}_${target.token.id}`
}

/** JSON of markets, cached by object: most market objects are reused from minute to minute. */
export class MarketTexts {
  private readonly answer: (market: FeedMarket, siteOf: SiteOf) => object
  private readonly texts = new VersionedCache<FeedMarket, string>()

  constructor(answer: (market: FeedMarket, siteOf: SiteOf) => object) {
    this.answer = answer
  }

  /** The JSON array of markets. @param site  cache key for the web-site addresses in the answer */
  list(markets: readonly FeedMarket[], site: string, siteOf: SiteOf): string {
    const texts = markets.map((market) =>
      this.texts.get(market, site, null, () => JSON.stringify(this.answer(market, siteOf))),
    )
    return `[${texts.join(',')}]`
  }
}
