// Formats exact amounts.

/** Decimals of unit prices: target per base times 10^8. */
export const UNIT_PRICE_DECIMALS = 8

/** Largest integer up to which all are exact as doubles. */
const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/** Raw units as the nearest double of whole tokens. */
export function toNumber(raw: bigint | string, decimals: number): number {
  return Number(`${raw}e-${decimals}`)
}

/** Raw units, at least 0, as decimal text with all decimals. */
export function decimalText(raw: bigint, decimals: number): string {
  // Formatting a double is much faster.
  const text = raw <= MAX_EXACT ? String(Number(raw)) : raw.toString()
  if (decimals === 0) return text
  const digits = text.padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
