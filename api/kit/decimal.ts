// Parses decimals of requests: plain, without sign, exponent or spaces.
import type { Ratio } from '../../core/amm/price.ts'
import { LIMITS } from './limits.ts'

const DECIMAL = /^([0-9]{1,40})(?:\.([0-9]{1,40}))?$/

/** Slippage of a request without one, percent. */
export const DEFAULT_SLIPPAGE = String(LIMITS.routeSlippagePercent)

interface DecimalText {
  /** All digits as one number. */
  units: bigint
  decimals: number
}

/** @returns null for any other text */
export function readDecimal(text: string | undefined): DecimalText | null {
  const match = DECIMAL.exec(text ?? '')
  if (match === null) return null
  const decimals = match[2] ?? ''
  return { units: BigInt(`${match[1]}${decimals}`), decimals: decimals.length }
}

/** Parses a percentage. @returns the fraction, 0 ≤ fraction < 1; null for any other text */
export function parseSlippage(text: string): Ratio | null {
  const number = readDecimal(text)
  if (number === null) return null
  const share = { numerator: number.units, denominator: 100n * 10n ** BigInt(number.decimals) }
  return share.numerator < share.denominator ? share : null
}
