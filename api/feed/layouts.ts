// The merged markets in the aggregator's own layouts.
import type { Asset } from './assets.ts'
import type { MergedMarket } from './merge.ts'
import type { FeedTrade } from './trades.ts'

export function summaryRow(market: MergedMarket) {
  return {
    trading_pairs: market.tickerId,
    base_currency: market.base.symbol,
    quote_currency: market.target.symbol,
    last_price: market.lastPrice,
    lowest_ask: market.ask,
    highest_bid: market.bid,
    base_volume: market.baseVolume,
    quote_volume: market.targetVolume,
    price_change_percent_24h: market.change,
    highest_price_24h: market.high,
    lowest_price_24h: market.low,
  }
}

/** Traded assets by symbol, in alphabetical order. */
export function assetsBySymbol(markets: readonly MergedMarket[]) {
  const assets = new Map<string, Asset>()
  for (const { base, target } of markets) for (const asset of [base, target]) assets.set(asset.symbol, asset)
  const symbols = [...assets.keys()].sort()
  return Object.fromEntries(
    symbols.map((symbol) => {
      const { name, id } = assets.get(symbol) as Asset
      return [symbol, { name, unified_cryptoasset_id: id }]
    }),
  )
}

export function tickersByPair(markets: readonly MergedMarket[]) {
  return Object.fromEntries(
    markets.map(({ tickerId, base, target, lastPrice, baseVolume, targetVolume, isFrozen }) => [
      tickerId,
      {
        base_id: base.id,
        quote_id: target.id,
        last_price: lastPrice,
        base_volume: baseVolume,
        quote_volume: targetVolume,
        isFrozen: isFrozen ? '1' : '0',
      },
    ]),
  )
}

export function layoutTrade({ id, price, baseVolume, targetVolume, time, side }: FeedTrade) {
  return {
    trade_id: id,
    price,
    base_volume: baseVolume,
    quote_volume: targetVolume,
    timestamp: time,
    type: side,
  }
}
