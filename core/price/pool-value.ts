// What a pool holds, in USD, as the v2 answers and the statistics count it.
import type { Side, UsdValue, Valuation } from './usd-value.ts'

/**
 * The sum of both sides when both tokens are trusted and priced; else twice the side that is, because a token that
 * nobody vouches for can be given any price.
 *
 * @returns USD times 10^8; 0 of an empty pool; null when neither side is trusted and priced: the value is not known
 */
export function poolValue(valuation: Valuation, a: Side, b: Side): UsdValue | null {
  const first = a.isTrusted && a.price !== undefined
  const second = b.isTrusted && b.price !== undefined
  if (first && second) return valuation.holding(a, b)
  if (first) return valuation.holding(a, a)
  if (second) return valuation.holding(b, b)
  return a.amount === 0n && b.amount === 0n ? 0n : null
}
