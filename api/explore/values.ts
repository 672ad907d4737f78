// Sums of values in which some parts may be unknown.
import { type Worth, worthOfValue } from '../kit/values.ts'
import type { MarketPrices } from '../live-market/pricing.ts'

/** A sum of exact values (`rawValue`), with the number of parts whose value is unknown. */
export interface Sum {
  /** Null when there are parts and the value of none is known. */
  value: bigint | null
  unknown: number
}

export function sumOf(values: readonly (bigint | null)[]): Sum {
  const known = values.filter((value) => value !== null)
  const unknown = values.length - known.length
  if (known.length === 0 && unknown > 0) return { value: null, unknown }
  return { value: known.reduce((sum, value) => sum + value, 0n), unknown }
}

/** Both values, or null when one is unknown. */
export function both(x: bigint | null, y: bigint | null): bigint | null {
  return x === null || y === null ? null : x + y
}

/** A value as members of an answer. */
export function valueMembers(
  value: bigint | null,
  prices: MarketPrices,
): { value: string | null; valueUsd: string | null } {
  const { system, usd }: Worth = worthOfValue(value, prices)
  return { value: system, valueUsd: usd }
}
