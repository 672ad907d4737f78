// Sums over all pools and order books of a chain, as of its block. Pure.
import type { LiveBook, MarketState, TokenRef } from '../market/model.ts'
import { usdValueNumber } from '../market/pricing.ts'
import { usdNumber } from '../market/rolling.ts'
import type { Facts } from './facts.ts'
import { poolTvl } from './pool-item.ts'

const POOL_FEE_ONE = 1_000_000n
const BOOK_FEE_ONE = 10_000n

/** Everything but the users. USD where monetary. */
export function exchangeStats(state: MarketState, facts: Pick<Facts, 'volume'>) {
  let [swapUsd, swapFees, swapTx, spotUsd, spotFees, spotTx, inPools] = [0n, 0n, 0, 0n, 0n, 0, 0]
  for (const pool of state.pools.values()) {
    const { usd, trades } = facts.volume(pool)
    swapUsd += usd
    swapFees += usd * BigInt(pool.fee)
    swapTx += trades
    inPools += poolTvl(state, pool)
  }
  for (const book of state.books.values()) {
    const { usd, trades } = facts.volume(book)
    spotUsd += usd
    spotFees += usd * BigInt(book.fee)
    spotTx += trades
  }
  const [swapFee, spotFee] = [swapFees / POOL_FEE_ONE, spotFees / BOOK_FEE_ONE]
  return {
    tvl: inPools + ordersUsd(state),
    volume: usdNumber(swapUsd + spotUsd),
    fees: usdNumber(swapFee + spotFee),
    swapVolume: usdNumber(swapUsd),
    spotVolume: usdNumber(spotUsd),
    swapFees: usdNumber(swapFee),
    spotFees: usdNumber(spotFee),
    swapTx,
    spotTx,
    poolsTotal: state.pools.size,
    spotPairsTotal: state.books.size,
  }
}

/** Value of what open orders offer, in tokens that are trusted. */
function ordersUsd({ books, prices }: MarketState): number {
  const offered = new Map<TokenRef, bigint>()
  const add = (token: TokenRef, amount: bigint) => offered.set(token, (offered.get(token) ?? 0n) + amount)
  for (const { bids, asks, base, target } of books.values() as Iterable<LiveBook>) {
    for (const { bid } of bids) add(target, bid)
    for (const { bid } of asks) add(base, bid)
  }
  let sum = 0n
  for (const [token, amount] of offered)
    if (prices.quote(token.id).isTrusted) sum += prices.holdingUsd(token, amount, token, 0n)
  return usdValueNumber(sum)
}
