// Status of the feed.
import type { Feed } from './feed.ts'
import type { FeedSnapshot } from './snapshot.ts'

export function statusAnswer(
  { options, now }: Feed,
  { refreshedAt, markets, merged, chains, violations }: FeedSnapshot,
) {
  return {
    refreshedAt: new Date(refreshedAt).toISOString(),
    ageSeconds: seconds(now - refreshedAt),
    refreshSeconds: options.refreshSeconds,
    minimumUsd: options.minimumUsd,
    tickers: markets.length,
    mergedTickers: merged.length,
    violations: violations.length,
    chains: chains.map(({ chain, at, ...counts }) => ({
      chain,
      block: at?.block ?? null,
      blockTime: at === null ? null : new Date(at.time).toISOString(),
      lagSeconds: at === null ? null : seconds(refreshedAt - at.time),
      pools: counts.pools,
      poolsListed: counts.listedPools,
      orderbooks: counts.orderbooks,
      orderbooksListed: counts.listedOrderbooks,
    })),
  }
}

function seconds(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds / 100) / 10)
}
