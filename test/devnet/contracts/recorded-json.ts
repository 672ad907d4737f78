// Converts recorded JSON to the values that contracts take: assets parsed, wide integers as bigint.
import { parseAsset } from '../../../core/antelope/asset.ts'

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON has no types
type Json = any

const WIDE = new Set(['poolId', 'posId', 'sqrtPriceX64', 'liquidity', 'id'])

/** Recorded members as values for contracts: assets parsed, wide integers as bigint. */
export function fromJson(value: Json, member = ''): Json {
  if (typeof value === 'string') {
    if (/^-?\d+(\.\d+)? [A-Z]+$/.test(value)) return parseAsset(value)
    return WIDE.has(member) && /^\d+$/.test(value) ? BigInt(value) : value
  }
  if (typeof value === 'number' && WIDE.has(member)) return BigInt(value)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fromJson(inner, name)]))
}
