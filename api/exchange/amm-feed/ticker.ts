// AMM pools as pairs and tickers. A ticker id has the pool's own order of tokens, so pools of one pair and order share
// a ticker.

import { priceOfA, ratioToNumber } from '../../../core/amm/price.ts'
import { feePercent } from '../../../core/amm/q64.ts'
import { globalTickerId, type Listing } from '../../kit/listing.ts'
import { toNumber } from '../../kit/numbers.ts'
import { type PairToken, pairToken, tickerId } from '../../kit/pair.ts'
import type { LivePool } from '../../live-market/model.ts'
import { usdNumber } from '../../live-market/rolling.ts'

export interface AmmPair {
  ticker_id: string
  base: PairToken
  target: PairToken
  pool_id: string
}

export interface AmmTicker {
  ticker_id: string
  base_currency: string
  target_currency: string
  base_cmc_ucid: number | null
  target_cmc_ucid: number | null
  global_ticker_id: string | null
  pool_id: string
  last_price: number
  base_volume: number
  target_volume: number
  liquidity_in_usd: number
  high: number | null
  low: number | null
  volume_usd_24h: number
  fee_percent: number
  trade_url: string
}

export function ammPair({ id, a, b }: Pick<LivePool, 'id' | 'a' | 'b'>): AmmPair {
  return { ticker_id: tickerId(a, b), base: pairToken(a), target: pairToken(b), pool_id: String(id) }
}

/**
 * @param tvlUsd  value of the pool's reserves
 * @param site  address of the web site, without a trailing slash
 */
export function ammTicker(pool: LivePool, tvlUsd: number, listing: Listing, site: string): AmmTicker {
  const { a, b, volumes } = pool
  const id = tickerId(a, b)
  const price = (sqrtPrice: bigint) => ratioToNumber(priceOfA(sqrtPrice, a.decimals, b.decimals))
  return {
    ticker_id: id,
    base_currency: a.id,
    target_currency: b.id,
    base_cmc_ucid: listing.aggregatorId(a.id),
    target_cmc_ucid: listing.aggregatorId(b.id),
    global_ticker_id: globalTickerId(listing, a, b),
    pool_id: String(pool.id),
    last_price: price(pool.sqrtPriceX64),
    base_volume: toNumber(volumes.day.base, a.decimals),
    target_volume: toNumber(volumes.day.target, b.decimals),
    liquidity_in_usd: tvlUsd,
    high: pool.high24 === null ? null : price(pool.high24),
    low: pool.low24 === null ? null : price(pool.low24),
    volume_usd_24h: usdNumber(volumes.day.usd),
    fee_percent: feePercent(pool.fee),
    trade_url: `${site}/swap/${id}`,
  }
}
