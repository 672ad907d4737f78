// The tokens of a pool in the profile, and its fair price.
import type { PoolRow } from '../../../core/contract-rows.ts'
import type { TokenSpec } from '../profile.ts'
import type { View } from './view.ts'

export const Q64 = 2 ** 64

/** Tokens of a pool. */
export interface Sides {
  a: TokenSpec
  b: TokenSpec
}

export function sides(view: View, pool: PoolRow): Sides | null {
  const a = view.token(pool.tokenA.contract, pool.tokenA.quantity.symbol)
  const b = view.token(pool.tokenB.contract, pool.tokenB.quantity.symbol)
  return a && b ? { a, b } : null
}

/** Square root of the fair price, raw B per raw A. */
export function fairRoot(view: View, { a, b }: Sides): number {
  return Math.sqrt((view.usd(a) / 10 ** a.precision / view.usd(b)) * 10 ** b.precision)
}
