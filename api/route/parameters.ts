// Parses the parameters of both route endpoints. Numbers are plain decimals without sign, exponent or spaces.
import type { Ratio } from '../../core/amm/price.ts'
import { LIMITS } from '../exchange/meta.ts'

const DECIMAL = /^([0-9]{1,40})(?:\.([0-9]{1,40}))?$/
/** Accounts have at most 12 characters; only other names may have 13. */
const ACCOUNT = /^[.1-5a-z]{0,11}[1-5a-z]$/
const PERMISSION = /^(?:[.1-5a-z]{0,11}[1-5a-z]|[.1-5a-z]{12}[1-5a-j])$/
/** Largest supply of a token, raw units. */
const MAX_UNITS = (1n << 62n) - 1n

export const DEFAULT_SLIPPAGE = String(LIMITS.routeSlippagePercent)
export const MAX_HOPS = LIMITS.routeHops
export const MAX_SPLITS = LIMITS.routeSplits

interface DecimalText {
  /** All digits as one number. */
  units: bigint
  decimals: number
}

function readDecimal(text: string | undefined): DecimalText | null {
  const match = DECIMAL.exec(text ?? '')
  if (match === null) return null
  const decimals = match[2] ?? ''
  return { units: BigInt(`${match[1]}${decimals}`), decimals: decimals.length }
}

/** Whether a text is a number above 0, for any number of decimals. */
export function isAmount(text: string | undefined): boolean {
  const number = readDecimal(text)
  return number !== null && number.units > 0n
}

/**
 * Raw units of an amount in whole tokens.
 *
 * @returns null if it is not a number above 0, has more decimals than the token, or exceeds the largest supply
 */
export function parseAmount(text: string | undefined, decimals: number): bigint | null {
  const number = readDecimal(text)
  if (number === null || number.decimals > decimals) return null
  const raw = number.units * 10n ** BigInt(decimals - number.decimals)
  return raw > 0n && raw <= MAX_UNITS ? raw : null
}

/** Parses a percentage. @returns the fraction, 0 ≤ fraction < 1; null for any other text */
export function parseSlippage(text: string): Ratio | null {
  const number = readDecimal(text)
  if (number === null) return null
  const share = { numerator: number.units, denominator: 100n * 10n ** BigInt(number.decimals) }
  return share.numerator < share.denominator ? share : null
}

export function isAccount(text: string): boolean {
  return ACCOUNT.test(text)
}

export function isPermission(text: string): boolean {
  return PERMISSION.test(text)
}
