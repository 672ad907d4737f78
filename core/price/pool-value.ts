// Value of a pool's reserves in USD, for v2 answers and statistics.
import type { Side, UsdValue, Valuation } from './usd-value.ts'

/**
 * The sum of both sides if both tokens are trusted and priced; otherwise twice the trusted and priced side, because
 * anyone can give an untrusted token any price.
 *
 * @returns USD times 10^8; 0 for an empty pool; null (unknown) when no side is trusted and priced
 */
export function poolValue(valuation: Valuation, a: Side, b: Side): UsdValue | null {
  const first = a.isTrusted && a.price !== undefined
  const second = b.isTrusted && b.price !== undefined
  if (first && second) return valuation.holding(a, b)
  if (first) return valuation.holding(a, a)
  if (second) return valuation.holding(b, b)
  return a.amount === 0n && b.amount === 0n ? 0n : null
}
