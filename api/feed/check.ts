// The feed's self-check: finds every rule that a market violates. Pure.
import type { FeedMarket } from './market.ts'
import type { MergedMarket } from './merge.ts'

export interface Violation {
  /** Stable name of the rule. */
  rule: string
  ticker_id: string
  /** Null for a merged market. */
  pool_id: string | null
  message: string
}

/** The members that plain and merged markets share. */
type Figures = Pick<
  FeedMarket,
  'lastPrice' | 'baseVolume' | 'targetVolume' | 'volumeUsd' | 'liquidityUsd' | 'bid' | 'ask' | 'high' | 'low'
>

/** @param minimumUsd  minimum liquidity of a listed market, USD */
export function violations(
  markets: readonly FeedMarket[],
  merged: readonly MergedMarket[],
  minimumUsd: number,
): Violation[] {
  const ids = new Map<string, number>()
  for (const { poolId } of markets) ids.set(poolId, (ids.get(poolId) ?? 0) + 1)
  return [
    ...markets.flatMap((market) => {
      const found = [...broken(market, minimumUsd)]
      if (ids.get(market.poolId) !== 1) found.push(['pool-id-unique', `${market.poolId} is listed more than once`])
      return found.map(([rule, message]) => ({ rule, ticker_id: market.tickerId, pool_id: market.poolId, message }))
    }),
    ...merged.flatMap((market) =>
      [...broken(market, minimumUsd)].map(([rule, message]) => ({
        rule,
        ticker_id: market.tickerId,
        pool_id: null,
        message,
      })),
    ),
  ]
}

function* broken(market: Figures, minimumUsd: number): Generator<[rule: string, message: string]> {
  const { lastPrice, baseVolume, targetVolume, volumeUsd, liquidityUsd, bid, ask, high, low } = market
  for (const [name, value] of Object.entries({ lastPrice, baseVolume, targetVolume, volumeUsd, liquidityUsd }))
    if (!Number.isFinite(value)) yield ['number-finite', `${name} is ${value}`]
  if (lastPrice <= 0) yield ['price-positive', `the last price is ${lastPrice}`]
  for (const [name, value] of Object.entries({ base: baseVolume, target: targetVolume, USD: volumeUsd }))
    if (value < 0) yield ['volume-not-negative', `the ${name} volume is ${value}`]
  if (baseVolume > 0 !== targetVolume > 0)
    yield ['volume-of-both-sides', `${baseVolume} base were traded for ${targetVolume} target`]
  if (liquidityUsd < minimumUsd) yield ['liquidity-at-least', `${liquidityUsd} USD are less than ${minimumUsd}`]
  if (bid !== null && ask !== null && bid >= ask) yield ['bid-below-ask', `the bid ${bid} is not below the ask ${ask}`]
  if (high !== null && low !== null && low > high) yield ['low-not-above-high', `${low} is above ${high}`]
}
