// Parses amounts in requests.

/** Token amounts are below this limit. */
const LIMIT = 1n << 62n
const FORM = /^(\d{1,30})(?:\.(\d{1,30}))?$/

/**
 * Parses an amount of whole tokens, with at most as many decimals as the token has.
 *
 * @returns raw units above 0 and below 2^62; null for any other text
 */
export function parseAmount(text: string, decimals: number): bigint | null {
  const match = FORM.exec(text)
  const fraction = match?.[2] ?? ''
  if (match === null || fraction.length > decimals) return null
  const raw = BigInt(`${match[1]}${fraction.padEnd(decimals, '0')}`)
  return raw > 0n && raw < LIMIT ? raw : null
}
