// Parses the parameters of both route endpoints. Numbers are plain decimals without sign, exponent or spaces.
import { readDecimal } from '../kit/decimal.ts'
import { LIMITS } from '../kit/limits.ts'

/** Accounts have at most 12 characters; only other names may have 13. */
const ACCOUNT = /^[.1-5a-z]{0,11}[1-5a-z]$/
const PERMISSION = /^(?:[.1-5a-z]{0,11}[1-5a-z]|[.1-5a-z]{12}[1-5a-j])$/
/** Largest supply of a token, raw units. */
const MAX_UNITS = (1n << 62n) - 1n

export const MAX_HOPS = LIMITS.routeHops
export const MAX_SPLITS = LIMITS.routeSplits

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

export function isAccount(text: string): boolean {
  return ACCOUNT.test(text)
}

export function isPermission(text: string): boolean {
  return PERMISSION.test(text)
}
