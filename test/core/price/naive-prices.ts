// A slow and simple implementation of the same pricing. `grow` searches all pools for the widest next one;
// `widestOfAllPaths` walks every path without a repeated token, given the tokens' prices.
import type { PricePool } from '../../../core/price/price-graph.ts'
import type { TokenPrices } from '../../../core/price/token-price.ts'

const ONE = 1n << 192n

export interface NaivePrice {
  rate: bigint
  width: bigint | null
  poolId: number | null
}

function isUsable(pool: PricePool): boolean {
  return pool.active && pool.liquidity > 0n && pool.reserveA > 0n && pool.reserveB > 0n && pool.sqrtPriceX64 > 0n
}

function rateOver(pool: PricePool, from: string, rate: bigint): bigint {
  const square = pool.sqrtPriceX64 ** 2n
  return from === pool.tokenA ? (rate * 2n ** 128n) / square : (rate * square) / 2n ** 128n
}

export function grow(pools: readonly PricePool[], system: string, threshold: bigint): Map<string, NaivePrice> {
  const priced = new Map<string, NaivePrice>([[system, { rate: ONE, width: null, poolId: null }]])
  for (;;) {
    const found: { to: string; rate: bigint; width: bigint; value: bigint; id: number }[] = []
    for (const pool of pools.filter(isUsable)) {
      for (const [from, to, reserve] of [
        [pool.tokenA, pool.tokenB, pool.reserveA],
        [pool.tokenB, pool.tokenA, pool.reserveB],
      ] as const) {
        const known = priced.get(from)
        if (!known || priced.has(to)) continue
        const value = (reserve * known.rate) / ONE
        const rate = rateOver(pool, from, known.rate)
        if (value < threshold || rate < 1n || rate >= 2n ** 256n) continue
        const width = known.width === null || value < known.width ? value : known.width
        found.push({ to, rate, width, value, id: pool.id })
      }
    }
    found.sort(
      (x, y) =>
        Number(y.width > x.width) - Number(y.width < x.width) ||
        Number(y.value > x.value) - Number(y.value < x.value) ||
        x.id - y.id,
    )
    const best = found[0]
    if (!best) return priced
    priced.set(best.to, { rate: best.rate, width: best.width, poolId: best.id })
  }
}

/** Width of the widest path to every token that a path above the threshold reaches. */
export function widestOfAllPaths(
  pools: readonly PricePool[],
  prices: TokenPrices,
  system: string,
  threshold: bigint,
): Map<string, bigint> {
  const widest = new Map<string, bigint>()
  const walk = (at: string, width: bigint | null, visited: Set<string>): void => {
    const price = prices.get(at)
    if (!price) return
    for (const pool of pools.filter(isUsable)) {
      if (pool.tokenA !== at && pool.tokenB !== at) continue
      const to = pool.tokenA === at ? pool.tokenB : pool.tokenA
      const value = ((pool.tokenA === at ? pool.reserveA : pool.reserveB) * price.rate) / ONE
      const rate = rateOver(pool, at, price.rate)
      if (visited.has(to) || value < threshold || rate < 1n || rate >= 2n ** 256n) continue
      const weakest = width === null || value < width ? value : width
      if (weakest > (widest.get(to) ?? -1n)) widest.set(to, weakest)
      walk(to, weakest, new Set([...visited, to]))
    }
  }
  walk(system, null, new Set([system]))
  return widest
}
