// Details of a token's score: its inputs, and how they have changed.
import { invert, priceOfA, type Ratio, ratioToNumber } from '../amm/price.ts'
import { type Component, MAX_VOLUME_USD, SCORE_DAYS, SCORE_VERSION, SCORE_WINDOW } from './model.ts'
import { roundTo } from './round.ts'
import { scoreToken, turnoverOf } from './token-score.ts'

/** Ledger statistics of a token at an hour. Windows of 30 days, 7 days and 24 hours end there. */
export interface TokenFacts {
  trades: number
  /** USD. */
  volumeUsd: number
  uniqueTraders: number
  trades7d: number
  volumeUsd7d: number
  uniqueTraders7d: number
  /** Of the 7 days before the last 7 days. */
  uniqueTradersPrev7d: number
  uniqueTraders24h: number
  /** Of the 24 hours before the last 24 hours. */
  uniqueTradersPrev24h: number
  /** USD value of the token held by the exchange. */
  tvlUsd: number
  /** Accounts with a balance; null when unknown. */
  holders: number | null
  /** Prices in the pool that represents the token; null without one. */
  prices: PoolPrices | null
  /** Unix milliseconds; null when the token was never in a pool or a deal. */
  firstSeen: number | null
}

/** Prices of a token in one pool, in the pool's other token. Null: unknown, or the pool did not exist. */
export interface PoolPrices {
  poolId: number
  now: Ratio | null
  /** Highest of 30 days, including the price at their start. */
  high30d: Ratio | null
  before7d: Ratio | null
  before30d: Ratio | null
  before90d: Ratio | null
}

export interface TokenScoreDetails {
  score: number
  version: string
  window: string
  components: Record<Component, number>
  capsApplied: string[]
  metrics: {
    uniqueTraders: number
    volumeUsd: number
    tvlUsd: number
    turnover: number
    holdersCount: number | null
    tradesCount: number
    avgDailyTrades: number
    currentPrice: number | null
    rollingHigh30d: number | null
    drawdown30d: number | null
    stabilityPoolId: number | null
    ageDays: number | null
  }
  holders: number | null
  volumeUsd7d: number
  trades7d: number
  uniqueTraders7d: number
  uniqueTraders24h: number
  uniqueTradersPrev24h: number
  uniqueTradersPrev7d: number
  uniqueTraderGrowth24h: number
  uniqueTraderGrowth7d: number
  priceChange7dPct: number | null
  priceChange30dPct: number | null
  priceChange90dPct: number | null
  ageDays: number | null
  /** ISO 8601. */
  firstSeenAt: string | null
  /** ISO 8601. */
  updatedAt: string
}

const DAY = 86_400_000

/**
 * @param hour  end of the windows, Unix milliseconds
 * @param at    time of the block of the holdings, Unix milliseconds
 */
export function scoreDetails(facts: TokenFacts, hour: number, at: number): TokenScoreDetails {
  const { trades, uniqueTraders, tvlUsd, holders, prices, firstSeen } = facts
  const volumeUsd = Math.min(facts.volumeUsd, MAX_VOLUME_USD)
  const drawdown = prices?.now && prices.high30d ? ratioToNumber(quotient(prices.now, prices.high30d)) : null
  const ageDays = firstSeen === null ? null : Math.max(0, Math.floor((hour - firstSeen) / DAY))
  const inputs = { uniqueTraders, volumeUsd, tvlUsd, trades, holders, drawdown, ageDays }
  return {
    ...withVersion(scoreToken(inputs)),
    metrics: {
      uniqueTraders,
      volumeUsd: roundTo(volumeUsd, 8),
      tvlUsd: roundTo(tvlUsd, 8),
      turnover: roundTo(turnoverOf(inputs), 4),
      holdersCount: holders,
      tradesCount: trades,
      avgDailyTrades: roundTo(trades / SCORE_DAYS, 4),
      currentPrice: rounded(prices?.now ?? null, 8),
      rollingHigh30d: rounded(prices?.high30d ?? null, 8),
      drawdown30d: drawdown === null ? null : roundTo(drawdown, 6),
      stabilityPoolId: prices?.poolId ?? null,
      ageDays,
    },
    ...trendsOf(facts),
    ageDays,
    firstSeenAt: firstSeen === null ? null : new Date(firstSeen).toISOString(),
    updatedAt: new Date(at).toISOString(),
  }
}

function withVersion({ score, components, capsApplied }: ReturnType<typeof scoreToken>) {
  return { score, version: SCORE_VERSION, window: SCORE_WINDOW, components, capsApplied }
}

function trendsOf(facts: TokenFacts) {
  const { uniqueTraders7d, uniqueTraders24h, uniqueTradersPrev24h, uniqueTradersPrev7d, prices } = facts
  const changeSince = (before: Ratio | null | undefined) => changePercent(before ?? null, prices?.now ?? null)
  return {
    holders: facts.holders,
    volumeUsd7d: roundTo(facts.volumeUsd7d, 8),
    trades7d: facts.trades7d,
    uniqueTraders7d,
    uniqueTraders24h,
    uniqueTradersPrev24h,
    uniqueTradersPrev7d,
    uniqueTraderGrowth24h: roundTo(uniqueTraders24h / Math.max(1, uniqueTradersPrev24h), 4),
    uniqueTraderGrowth7d: roundTo(uniqueTraders7d / Math.max(1, uniqueTradersPrev7d), 4),
    priceChange7dPct: changeSince(prices?.before7d),
    priceChange30dPct: changeSince(prices?.before30d),
    priceChange90dPct: changeSince(prices?.before90d),
  }
}

/** Percent with two decimals; null when a price is unknown. */
function changePercent(before: Ratio | null, now: Ratio | null): number | null {
  if (before === null || now === null) return null
  return roundTo((ratioToNumber(quotient(now, before)) - 1) * 100, 2)
}

function quotient(x: Ratio, y: Ratio): Ratio {
  return { numerator: x.numerator * y.denominator, denominator: x.denominator * y.numerator }
}

function rounded(price: Ratio | null, digits: number): number | null {
  return price === null ? null : roundTo(ratioToNumber(price), digits)
}

/** Square-root prices of a pool, Q64.64: B per A. Null as in `PoolPrices`. */
export interface RootPrices {
  now: bigint | null
  high30d: bigint | null
  low30d: bigint | null
  before7d: bigint | null
  before30d: bigint | null
  before90d: bigint | null
}

/** The prices of one of the pool's tokens. For B the highest price is A's lowest. */
export function pricesOf(
  roots: RootPrices,
  { id, decimalsA, decimalsB }: { id: number; decimalsA: number; decimalsB: number },
  side: 'a' | 'b',
): PoolPrices {
  const price = (root: bigint | null) => {
    if (root === null || root === 0n) return null
    const ofA = priceOfA(root, decimalsA, decimalsB)
    return side === 'a' ? ofA : invert(ofA)
  }
  return {
    poolId: id,
    now: price(roots.now),
    high30d: price(side === 'a' ? roots.high30d : roots.low30d),
    before7d: price(roots.before7d),
    before30d: price(roots.before30d),
    before90d: price(roots.before90d),
  }
}
