// Tickers of order-book markets. Volumes include the market and the AMM pools of the same pair, each trade once.

import { changePercent } from '../../kit/change.ts'
import { globalTickerId, type Listing } from '../../kit/listing.ts'
import { toNumber, UNIT_PRICE_DECIMALS } from '../../kit/numbers.ts'
import { tickerId } from '../../kit/pair.ts'
import type { LiveBook, LivePool } from '../../live-market/model.ts'
import { usdNumber } from '../../live-market/rolling.ts'

export interface SpotTicker {
  ticker_id: string
  market_id: number
  pool_id: string
  base_currency: string
  target_currency: string
  base_cmc_ucid: number | null
  target_cmc_ucid: number | null
  global_ticker_id: string | null
  last_price: number
  change24: number
  high24: number
  low24: number
  high: number | null
  low: number | null
  bid: number
  ask: number
  base_volume: number
  target_volume: number
  volumeUSD24: number
  volume90d: number
  base_amm_liquidity: number
  target_amm_liquidity: number
  min_buy: number
  min_sell: number
  frozen: boolean
  fee: number
  trade_url: string
}

/**
 * @param pools  AMM pools of the same pair, in either order of tokens
 * @param site  address of the web site, without a trailing slash
 */
export function spotTicker(book: LiveBook, pools: Iterable<LivePool>, listing: Listing, site: string): SpotTicker {
  const { base, target, volumes } = book
  const id = tickerId(base, target)
  const sums = addPools(book, pools)
  const last = price(book.last ?? 0n)
  // Without a trade for a day, high and low are the last price.
  const high = book.high24 === null ? last : price(book.high24)
  const low = book.low24 === null ? last : price(book.low24)
  const traded = book.last !== null
  return {
    ticker_id: id,
    market_id: book.id,
    pool_id: String(book.id),
    base_currency: base.id,
    target_currency: target.id,
    base_cmc_ucid: listing.aggregatorId(base.id),
    target_cmc_ucid: listing.aggregatorId(target.id),
    global_ticker_id: globalTickerId(listing, base, target),
    last_price: last,
    change24: changePercent(book.before24, book.last),
    high24: high,
    low24: low,
    high: traded ? high : null,
    low: traded ? low : null,
    bid: price(book.bids[0]?.unitPrice ?? 0n),
    ask: price(book.asks[0]?.unitPrice ?? 0n),
    base_volume: toNumber(sums.base, base.decimals),
    target_volume: toNumber(sums.target, target.decimals),
    volumeUSD24: usdNumber(sums.usd),
    volume90d: toNumber(volumes.quarter.target, target.decimals),
    base_amm_liquidity: toNumber(sums.baseHeld, base.decimals),
    target_amm_liquidity: toNumber(sums.targetHeld, target.decimals),
    min_buy: toNumber(book.minBuy, book.minBuyDecimals),
    min_sell: toNumber(book.minSell, book.minSellDecimals),
    frozen: book.frozen,
    fee: book.fee,
    trade_url: `${site}/spot/${id}`,
  }
}

function price(unitPrice: bigint): number {
  return toNumber(unitPrice, UNIT_PRICE_DECIMALS)
}

/** Volume of a day over the market and the pools of its pair, and the pools' reserves. Raw units of base and target. */
function addPools({ base, volumes }: LiveBook, pools: Iterable<LivePool>) {
  const sums = {
    base: volumes.day.base,
    target: volumes.day.target,
    usd: volumes.day.usd,
    baseHeld: 0n,
    targetHeld: 0n,
  }
  for (const pool of pools) {
    const { day } = pool.volumes
    const sameOrder = pool.a.id === base.id
    sums.base += sameOrder ? day.base : day.target
    sums.target += sameOrder ? day.target : day.base
    sums.usd += day.usd
    sums.baseHeld += sameOrder ? pool.reserveA : pool.reserveB
    sums.targetHeld += sameOrder ? pool.reserveB : pool.reserveA
  }
  return sums
}
