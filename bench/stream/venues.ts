// As many tokens, pools and order-book markets as WAX has, without ticks: enough for prices and answers, not for
// quotes.

import { type BookFacts, type PoolFacts, tokenRef } from '../../api/live-market/rows.ts'
import { itemAt } from '../../core/required.ts'
import { Random } from '../../test/support/random.ts'
import type { Venues } from './market.ts'

const ORDERS = 20

export function madeVenues(size: { tokens: number; pools: number; books: number }): Venues {
  const random = new Random(1)
  const wax = tokenRef('eosio.token', 'WAX', 8)
  const tokens = Array.from({ length: size.tokens }, (_, i) => tokenRef(account(i), 'TOKEN', 4))
  // Every token has a pool with the system token; the other pools are pairs of tokens.
  const pools = Array.from({ length: size.pools }, (_, id) => {
    const pair = id < size.tokens ? [wax, itemAt(tokens, id)] : [random.pick(tokens), random.pick(tokens)]
    const reserve = () => 100_000_0000_0000n + random.bigint(1n << 50n)
    const facts = poolFacts(
      id,
      itemAt(pair, 0),
      itemAt(pair, 1),
      reserve(),
      reserve(),
      (1n << 63n) + random.bigint(1n << 64n),
    )
    return { ...facts, ticks: new Map() }
  })
  const books = Array.from({ length: size.books }, (_, id) => {
    const bids = Array.from({ length: ORDERS }, (_, i) => buyOrder(i)).reverse()
    return { ...bookFacts(id, itemAt(tokens, id), wax), bids, asks: [] }
  })
  return { pools, books }
}

/** A name of twelve letters. */
function account(i: number): string {
  return `token${i.toString(5).replaceAll('0', '5').padStart(6, 'x')}.a`
}

type Token = ReturnType<typeof tokenRef>

function poolFacts(
  id: number,
  a: Token,
  b: Token,
  reserveA: bigint,
  reserveB: bigint,
  sqrtPriceX64: bigint,
): PoolFacts {
  const fees = { feeGrowthGlobalAX64: 0n, feeGrowthGlobalBX64: 0n, protocolFeeA: 0n, protocolFeeB: 0n }
  const setting = { active: true, fee: 3000, feeProtocol: 0, tickSpacing: 60, maxLiquidityPerTick: 1n }
  return { id, a, b, reserveA, reserveB, sqrtPriceX64, tick: 0, liquidity: 1n, ...fees, ...setting }
}

function bookFacts(id: number, base: Token, target: Token): BookFacts {
  const least = { minBuy: 1n, minBuyDecimals: 8, minSell: 1n, minSellDecimals: 4 }
  return { id, base, target, ...least, frozen: false, fee: 20 }
}

function buyOrder(i: number): Venues['books'][number]['bids'][number] {
  return { id: BigInt(i), account: 'alice', bid: 5_000_000_000n, ask: 123_456n, unitPrice: 20_000_000n + BigInt(i) }
}
