// Minimum value of a pool that may price a token.
import { USD_PRICE_DIGITS, type UsdPrice } from './token-price.ts'

export interface LiquidityThreshold {
  /** USD. */
  usd: number
  /** Whole system tokens, used when they have no USD price. */
  system: number
}

/** 100 USD, or 500 system tokens without a USD price. */
export const DEFAULT_THRESHOLD: LiquidityThreshold = { usd: 100, system: 500 }

/**
 * Minimum value of a pool's priced side.
 *
 * @returns raw units of the system token, rounded up; at least 1
 */
export function thresholdOf(
  { usd, system }: LiquidityThreshold,
  price: UsdPrice | null,
  systemDecimals: number,
): bigint {
  const scale = 10n ** BigInt(systemDecimals)
  // Settings have at most six decimals.
  const numerator =
    BigInt(Math.round((price === null ? system : usd) * 1e6)) *
    scale *
    (price === null ? 1n : 10n ** BigInt(USD_PRICE_DIGITS))
  const denominator = 1_000_000n * (price ?? 1n)
  const raw = (numerator + denominator - 1n) / denominator
  return raw > 0n ? raw : 1n
}
