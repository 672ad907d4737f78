// What a trade would give at the spot prices that its venues had before it: no fee, no slippage.
import type { RouteHop, RoutePart } from './model.ts'

/**
 * Percent by which the output lies below the spot prices, 0 to 100. Between two transfers of a part only what is
 * spent counts: what stays with the user is not lost.
 */
export function priceImpact(parts: readonly Pick<RoutePart, 'input' | 'output' | 'transfers'>[]): number {
  let expected = 0
  let output = 0
  for (const part of parts) {
    let share = 1
    for (const transfer of part.transfers) {
      const spot = transfer.hops.reduce((price, hop) => price * spotPrice(hop), 1)
      share *= Number(transfer.amountOut) / (Number(transfer.amountIn) * spot)
    }
    output += Number(part.output)
    expected += Number(part.output) / share
  }
  return Math.min(100, Math.max(0, 100 * (1 - output / expected)))
}

/** Raw units of output per raw unit of input. */
export function spotPrice({ pool, book, input }: RouteHop): number {
  if (pool !== null) {
    const root = Number(pool.sqrtPriceX64) / 2 ** 64
    return input === pool.a.id ? root * root : 1 / (root * root)
  }
  if (book === null) return 0
  const best = (input === book.target.id ? book.asks : book.bids)[0]
  return best === undefined ? 0 : Number(best.bid) / Number(best.ask)
}
